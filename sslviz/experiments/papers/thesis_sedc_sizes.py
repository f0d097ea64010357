"""SEDC on growing parts of MNIST: Table 18 of the thesis.

Settings are those of Table 16. SGSC on its hubs shows whether the gain comes from the graph or from
the network. SEDC with the other direction of the KL divergence shows the cost of the printed one
where that loses a cluster found by the hubs: with 40 000 points, first draw, one digit in ten.
"""

from sslviz.experiments.table import Known, Row, Table, TableMethod

PAPER = {10_000: 0.786, 20_000: 0.823, 30_000: 0.848, 40_000: 0.853, 50_000: 0.870, 60_000: 0.880}

TABLE = Table(
    name="thesis_sedc_sizes",
    title="spectral embedded deep clustering of n digits, accuracy after the best matching",
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
