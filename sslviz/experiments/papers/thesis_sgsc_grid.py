"""SGSC on digits over the number h of hubs and their neighbours k₁, with k₀ = 10: Table 14.

Accuracy is that on the hubs. All points are used, so one draw is enough. The thesis takes the best
pair on USPS, the source, for MNIST, the target (Eq. 37).
"""

from collections.abc import Mapping

from sslviz.experiments.table import Known, Row, Table, TableMethod

HUB_NEIGHBOURS = (5, 10, 15, 20, 25)
# h: accuracies of the thesis for k₁ = 5 to 25
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
    return f"h = {h}, k₁ = {k}"


def _paper(found: Mapping[int, tuple[float, ...]]) -> dict[str, Known]:
    return {
        _title(h, k): Known(value)
        for h, values in found.items()
        for k, value in zip(HUB_NEIGHBOURS, values, strict=True)
    }


TABLE = Table(
    name="thesis_sgsc_grid",
    title="selective geodesic spectral clustering of digits, accuracy on h hubs with k₁ neighbours",
    source="Study of Prediction on Manifolds with Almost No or No Labeled Data, Table 14",
    methods=tuple(
        TableMethod(
            _title(h, k),
            "sslviz.experiments.estimators.hub_labels:HubLabels",
            {"n_hubs": h, "k_hub": k},
        )
        for h in USPS
        for k in HUB_NEIGHBOURS
    ),
    draws=1,
    rows=(
        Row("USPS", "usps_11000", labelled=0, paper=_paper(USPS)),
        Row("MNIST", "mnist", labelled=0, paper=_paper(MNIST)),
    ),
)
