"""FLP and others as more of twenty points per class are labelled: Fig. 6 of the FLP paper.

The rows 2–18 to 10–10 are labelled and unlabelled points per class; the rest is for testing. The
paper draws curves on wine and USPS and prints no numbers. It says that FLP is best everywhere, and
that NCA, which uses labels only, comes close at 10–10. All methods have one dimension fewer than
classes, as in the paper. SDA has the paper's best of several parameters, here three to choose from.

Ten draws: FLP is best or within the deviation of the best in every row. At 10–10 SDA is equal on
wine and LDA, which has a ridge here, on USPS (0.78 both); NCA stays 2 to 3 points behind.
"""

from sslviz.experiments.papers.flp import METHODS as FLP_METHODS
from sslviz.experiments.table import Row, Table, TableMethod

POINTS = 20  # of each class in the training set
LABELLED = (2, 4, 6, 8, 10)
SDA = tuple(TableMethod(f"SDA, β = {b:g}", "sslviz:SDA", {"alpha": b}) for b in (0.1, 1.0, 10.0))
OTHERS = tuple(m for m in FLP_METHODS if m.title in ("LDA", "NCA", "FLP", "FLP, A = PCA"))


def _rows(title: str, dataset: str, *prepare: str) -> tuple[Row, ...]:
    return tuple(
        Row(
            f"{title} {count}–{POINTS - count}",
            dataset,
            per_class=count,
            unlabelled_per_class=POINTS - count,
            test="rest",
            prepare=prepare,
        )
        for count in LABELLED
    )


TABLE = Table(
    name="flp_label_ratio",
    title="learning by propagability with more and more labels, accuracy on unlabelled and test "
    "points",
    source="Ni, Yan, Kassim, Cheong. Learning by Propagability, Fig. 6",
    methods=OTHERS[:2] + SDA + OTHERS[2:],
    draws=10,
    rows=_rows("Wine", "wine", "standardise") + _rows("USPS", "usps_11000", "pixels", "pca 128"),
)
