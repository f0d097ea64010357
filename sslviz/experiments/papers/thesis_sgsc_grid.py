"""How many hubs, and how many links of each? The thesis' Table 14: SGSC on digits, k_0 = 10.

Accuracy is that of the hubs alone. All points take part, so that one draw says it all. The best
pair on USPS, the source, is what the thesis takes for MNIST, the target (Eq. 37).
"""

from collections.abc import Mapping

from sslviz.experiments.table import Known, Row, Table, TableMethod

LINKS = (5, 10, 15, 20, 25)
# h: the thesis' accuracies for 5 to 25 links
MNIST = {
    200: (0.88, 0.78, 0.76, 0.75, 0.79),
    300: (0.45, 0.92, 0.91, 0.90, 0.89),
    400: (0.79, 0.83, 0.86, 0.90, 0.88),
    500: (0.39, 0.88, 0.86, 0.86, 0.89),
}
USPS = {
    200: (0.59, 0.49, 0.51, 0.44, 0.46),
    300: (0.49, 0.65, 0.49, 0.52, 0.48),
    400: (0.65, 0.61, 0.63, 0.48, 0.50),
    500: (0.68, 0.69, 0.64, 0.65, 0.53),
}


def _title(h: int, k: int) -> str:
    return f"h = {h}, k_1 = {k}"


def _paper(found: Mapping[int, tuple[float, ...]]) -> dict[str, Known]:
    return {
        _title(h, k): Known(value)
        for h, values in found.items()
        for k, value in zip(LINKS, values, strict=True)
    }


TABLE = Table(
    name="thesis_sgsc_grid",
    title="selective geodesic spectral clustering of digits, accuracy on h hubs with k_1 links",
    source="Study of Prediction on Manifolds with Almost No or No Labeled Data, Table 14",
    methods=tuple(
        TableMethod(
            _title(h, k),
            "sslviz.experiments.estimators.hub_labels:HubLabels",
            {"n_hubs": h, "k_hub": k},
        )
        for h in USPS
        for k in LINKS
    ),
    draws=1,
    rows=(
        Row("USPS", "usps_11000", labelled=0, paper=_paper(USPS)),
        Row("MNIST", "mnist", labelled=0, paper=_paper(MNIST)),
    ),
)
