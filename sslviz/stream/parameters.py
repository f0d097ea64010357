"""Parameters that the methods on streams share."""

from typing import Annotated

from sslviz.params import Choice, Flag, Number

Capacity = Annotated[
    int,
    Number(
        "Largest number of centroids kept. Few: fast and coarse. Many: each arriving point takes "
        "longer.",
        valid=(1, 10**6),
        shown=(5, 200),
        label="centroids",
        symbol="n_c",
    ),
]
Merging = Annotated[
    str,
    Choice(
        "What happens when there are too many centroids.",
        ("doubling", "lazy"),
        ("the radius doubles and all centroids within it merge", "only the closest pair merges"),
        label="merging",
    ),
]
EdgeWidth = Annotated[
    float | str,
    Number.width(
        "Width of the Gaussian that turns lengths into weights, in mean edge lengths. Small: only "
        "the nearest neighbour counts. Large: all neighbours count alike.",
        rules=("mean",),
        advanced=True,
    ),
]
OwnNode = Annotated[
    bool,
    Flag(
        "The new point is a node of the graph on which it is answered. Off: it takes the answer of "
        "its centroid, as printed.",
        label="the new point is a node",
    ),
]
CentroidHubCount = Annotated[
    int | str,
    Number(
        "How many of the centroids with the largest in-degree get their label by propagation. "
        "Automatic: tuned before the stream by cross-validation.",
        valid=(0, 10**6),
        shown=(0, 200),
        rules=("auto",),
        label="hubs",
        symbol="h",
    ),
]
