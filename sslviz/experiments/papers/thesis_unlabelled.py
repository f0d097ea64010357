"""Label propagation, GkNN and RLP on MNIST with 100 labels and u unlabelled points: Table 4.

Draws and settings are those of thesis_lp, with ten labels per class.
"""

from sslviz.experiments.papers.thesis_lp import (
    GEODESIC,
    HUBS_PRINTED,
    HUBS_SYMMETRIC,
    METHODS,
    PRINTED,
    SYMMETRIC,
    paper_numbers,
)
from sslviz.experiments.table import Known, Row, Table

Pair = tuple[float, float]
# u: means and deviations of RLP, LP and GkNN in the thesis
PAPER: dict[int, tuple[Pair, Pair, Pair]] = {
    100: ((0.728, 0.066), (0.698, 0.055), (0.685, 0.036)),
    200: ((0.740, 0.027), (0.689, 0.046), (0.692, 0.039)),
    400: ((0.759, 0.040), (0.705, 0.036), (0.694, 0.023)),
    900: ((0.783, 0.020), (0.700, 0.039), (0.730, 0.026)),
    1900: ((0.801, 0.020), (0.703, 0.037), (0.747, 0.016)),
    2900: ((0.825, 0.020), (0.683, 0.057), (0.770, 0.018)),
    19900: ((0.877, 0.020), (0.490, 0.080), (0.802, 0.017)),
}
# u: LP directed, LP undirected, GkNN, RLP directed of the reference
REFERENCE: dict[int, tuple[float, ...]] = {
    100: (0.678, 0.742, 0.708, 0.710),
    400: (0.708, 0.774, 0.727, 0.753),
    900: (0.718, 0.796, 0.742, 0.773),
    1900: (0.704, 0.813, 0.767, 0.794),
    2900: (0.693, 0.820, 0.776, 0.810),
    19900: (0.591, 0.771, 0.797, 0.835, 0.895),  # and RLP undirected; the middle of several values
}


def _row(u: int) -> Row:
    titles = (PRINTED, SYMMETRIC, GEODESIC, HUBS_PRINTED, HUBS_SYMMETRIC)
    found = map(Known, REFERENCE.get(u, ()))
    return Row(
        f"MNIST (100, {u})",
        "mnist",
        per_class=10,
        unlabelled=u,
        paper=paper_numbers(*PAPER[u]),
        reference=dict(zip(titles, found, strict=False)),
    )


TABLE = Table(
    name="thesis_unlabelled",
    title="label propagation and hubs on MNIST with 100 labels and u unlabelled points",
    source="Study of Prediction on Manifolds with Almost No or No Labeled Data, Table 4",
    methods=METHODS,
    draws=20,
    rows=tuple(map(_row, PAPER)),
)
