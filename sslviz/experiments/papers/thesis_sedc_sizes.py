"""Do more points help where none has a label? The thesis' Table 18: SEDC on growing parts of MNIST.

Settings are those of Table 16. Hubs of SGSC alone stand beside it: they show whether the gain comes
from the graph or from the network. SEDC with the other direction of KL shows what the printed one
costs where it loses a cluster that the hubs have found: with 40 000 points, first draw, one in ten
digits.
"""

from sslviz.experiments.table import Known, Row, Table, TableMethod

PAPER = {10_000: 0.786, 20_000: 0.823, 30_000: 0.848, 40_000: 0.853, 50_000: 0.870, 60_000: 0.880}

TABLE = Table(
    name="thesis_sedc_sizes",
    title="spectral embedded deep clustering of n digits",
    source="Study of Prediction on Manifolds with Almost No or No Labeled Data, Table 18",
    methods=(
        TableMethod("SEDC", "sslviz:SEDC"),
        TableMethod("SEDC, KL[q ‖ p]", "sslviz:SEDC", {"kl": "qp"}),
        TableMethod("SGSC, hubs only", "sslviz.experiments.estimators.hub_labels:HubLabels"),
    ),
    draws=3,
    rows=tuple(
        Row(
            f"MNIST ({n})",
            "mnist",
            labelled=0,
            unlabelled=n,
            prepare=("pixels",),
            paper={"SEDC": Known(value)},
        )
        for n, value in PAPER.items()
    ),
)
