"""Parameters that the methods on neighbour graphs share."""

from typing import Annotated

from sslviz.params import Number

Neighbours = Annotated[
    int,
    Number(
        "Each point is linked to its k nearest neighbours. Few: the graph falls into separate "
        "components (islands). Many: edges cross the gaps between classes.",
        valid=(1, 10**6),
        shown=(2, 50),
        label="neighbours",
        symbol="k",
    ),
]

Width = Annotated[
    float | str,
    Number.width(
        "Width of the Gaussian that turns lengths into weights, in mean edge lengths. Small: only "
        "the nearest neighbour counts. Large: all neighbours count alike.",
        rules=("mean", "median", "mst"),
    ),
]
EdgePower = Annotated[
    float,
    Number(
        "The length of an edge is its distance to this power. Large: paths through sparse regions "
        "become long, and only the longest edge of a path counts.",
        valid=(1, 64),
        shown=(1, 16),
        stops=(1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 16.0),
        label="power of lengths",
        symbol="p",
        advanced=True,
    ),
]
