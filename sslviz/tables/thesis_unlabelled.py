"""Do more unlabelled points help? The thesis' Table 4: MNIST with 100 labels and growing u.

Draws and settings are those of thesis_lp, with ten labels per class.
"""

from sslviz.tables.table import Known, Row, Table
from sslviz.tables.thesis_lp import METHODS, PRINTED, SYMMETRIC

# u: the thesis' mean and deviation; the reference's directed and undirected
NUMBERS: dict[int, tuple[Known, tuple[float, float] | None]] = {
    100: (Known(0.698, 0.055), (0.678, 0.742)),
    200: (Known(0.689, 0.046), None),
    400: (Known(0.705, 0.036), (0.708, 0.774)),
    900: (Known(0.700, 0.039), (0.718, 0.796)),
    1900: (Known(0.703, 0.037), (0.704, 0.813)),
    2900: (Known(0.683, 0.057), (0.693, 0.820)),
    19900: (Known(0.490, 0.080), (0.591, 0.771)),
}


def _row(u: int) -> Row:
    paper, reference = NUMBERS[u]
    titles = (PRINTED, SYMMETRIC)
    return Row(
        f"MNIST (100, {u})",
        "mnist",
        per_class=10,
        unlabelled=u,
        paper={PRINTED: paper},
        reference=dict(zip(titles, map(Known, reference), strict=True)) if reference else {},
    )


TABLE = Table(
    name="thesis_unlabelled",
    title="label propagation on MNIST with 100 labels and u unlabelled points",
    source="Study of Prediction on Manifolds with Almost No or No Labeled Data, Table 4",
    methods=METHODS,
    draws=20,
    rows=tuple(map(_row, NUMBERS)),
)
