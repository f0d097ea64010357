"""Clustering methods at the sizes of Table 16 of the thesis. Takes hours.

Settings are those of thesis_clustering, with the printed networks where there are many features.
"""

from sslviz.experiments.papers.thesis_clustering import PAPER, TEXTS, methods
from sslviz.experiments.papers.thesis_sgsc import plane
from sslviz.experiments.table import Known, Row, Table


def _sedc(value: float) -> dict[str, Known]:
    return {"SEDC": Known(value)}


TABLE = Table(
    name="thesis_clustering_full",
    title="clustering of all points, accuracy after the best matching",
    source="Study of Prediction on Manifolds with Almost No or No Labeled Data, Table 16",
    methods=methods({}, {}),
    draws=7,
    rows=(
        plane(
            "Four clusters",
            "four_clusters",
            10_000,
            paper=PAPER["FC"],
            reference=_sedc(0.950),
        ),
        plane("Two moons", "two_moons", 10_000, paper=PAPER["TM"], reference=_sedc(0.991)),
        plane("Three rings", "three_rings", 10_000, paper=PAPER["TR"], reference=_sedc(1.000)),
        Row(
            "Reuters R8",
            "reuters_r8",
            labelled=0,
            prepare=("tfidf",),
            paper=PAPER["Reuters"],
            note=TEXTS,
        ),
        Row(
            "MNIST",
            "mnist",
            labelled=0,
            prepare=("pixels",),
            paper=PAPER["MNIST"],
            reference=_sedc(0.82),
            note="the reference's training was not finished",
        ),
    ),
)
