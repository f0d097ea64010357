"""FLP with two labels and twenty unlabelled points per class, the rest for testing: Table 1.

The paper uses the best dimension of every method and the best parameters of SDA; here all have one
dimension fewer than classes and the same settings on every data set. The versions of FLP differ in
the projection: learnt by the recipe, fixed to PCA, or learnt from a random start, as printed. Wine
and yeast are standardised, and yeast is without its two smallest classes, which gives the 1459
points of the paper. The fifth data set of the paper, CMU PIE, is not freely available. The
reference is an independent implementation.
"""

from sslviz.experiments.table import Known, Row, Table, TableMethod

METHODS = (
    TableMethod("LDA", "sslviz:LabelledLDA", {"ridge": 0.1}),
    TableMethod("NCA", "sslviz:LabelledNCA", {"init": "pca"}),
    TableMethod("SDA", "sslviz:SDA"),
    TableMethod("FLP", "sslviz:FLP"),
    TableMethod("FLP, A = PCA", "sslviz:FLP", {"mode": "fixed"}),
    TableMethod("FLP as printed", "sslviz:FLP", {"mode": "printed"}),
)


def _paper(*accuracies: tuple[float, float]) -> dict[str, Known]:
    """Means and deviations in per cent of LDA, NCA, SDA, FLP."""
    titles = [method.title for method in METHODS[:4]]
    pairs = zip(titles, accuracies, strict=True)
    return {title: Known(mean / 100, std / 100) for title, (mean, std) in pairs}


def _reference(*accuracies: float) -> dict[str, Known]:
    """Means in per cent, in the order of the methods."""
    pairs = zip(METHODS, accuracies, strict=True)
    return {method.title: Known(mean / 100) for method, mean in pairs}


TABLE = Table(
    name="flp",
    title="learning by propagability, accuracy on the unlabelled points and on test points",
    source="Ni, Yan, Kassim, Cheong. Learning by Propagability, Table 1",
    methods=METHODS,
    draws=20,
    rows=(
        Row(
            "Iris",
            "iris",
            per_class=2,
            unlabelled_per_class=20,
            test="rest",
            paper=_paper((65.49, 24.38), (92.83, 5.61), (88.83, 6.67), (94.50, 4.65)),
            paper_test=_paper((66.91, 25.29), (92.98, 3.24), (89.41, 5.40), (93.45, 3.09)),
            reference=_reference(92.2, 90.3, 88.5, 91.5, 90.4, 34),
            reference_test=_reference(91.6, 91.7, 88.8, 90.7, 88.0, 37),
        ),
        Row(
            "Wine",
            "wine",
            per_class=2,
            unlabelled_per_class=20,
            test="rest",
            prepare=("standardise",),
            paper=_paper((60.67, 19.31), (87.83, 8.46), (92.33, 3.16), (95.00, 2.48)),
            paper_test=_paper((62.05, 16.27), (83.10, 9.70), (90.89, 5.39), (93.13, 3.32)),
            reference=_reference(89.5, 90.2, 92.5, 94.4, 92.3, 35),
            reference_test=_reference(86.6, 88.1, 91.6, 93.1, 92.7, 40),
        ),
        Row(
            "Yeast",
            "yeast",
            per_class=2,
            unlabelled_per_class=20,
            test="rest",
            drop_smallest=2,
            prepare=("standardise",),
            paper=_paper((15.69, 3.81), (33.31, 6.46), (38.44, 6.77), (40.88, 7.53)),
            paper_test=_paper((19.00, 8.70), (32.76, 6.32), (37.00, 6.89), (40.03, 5.40)),
            reference=_reference(32.9, 31.5, 37.8, 39.2, 39.3, 13),
            reference_test=_reference(30.8, 29.4, 35.6, 36.4, 39.6, 16),
        ),
        Row(
            "USPS",
            "usps_11000",
            per_class=2,
            unlabelled_per_class=20,
            test="rest",
            prepare=("pixels", "pca 128"),
            paper=_paper((18.05, 3.81), (40.21, 5.77), (48.50, 6.44), (52.50, 6.39)),
            paper_test=_paper((17.32, 2.23), (40.97, 4.57), (48.84, 4.05), (49.87, 4.41)),
            reference=_reference(50.6, 45.6, 41.9, 57.1, 54.9, 13),
            reference_test=_reference(50.0, 43.7, 37.2, 52.2, 55.4, 16),
            note="reduced to 128 features by PCA as in the paper, there from 32 × 32 pixels",
        ),
    ),
)
