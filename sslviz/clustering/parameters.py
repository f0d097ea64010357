"""Parameters that several clusterers have, declared once for all of them."""

from math import inf
from typing import Annotated

from sslviz.params import Number

Clusters = Annotated[
    int,
    Number(
        "How many groups to find. Nobody tells: look at the gap in the eigenvalues.",
        valid=(1, 10**6),
        shown=(2, 20),
        label="clusters",
        symbol="C",
    ),
]
GraphNeighbours = Annotated[
    int,
    Number(
        "Each point is linked to its k nearest: this graph names the hubs and measures distances. "
        "Few: islands appear. Many: edges jump over gaps between clusters.",
        valid=(1, 10**6),
        shown=(2, 50),
        label="neighbours",
        symbol="k₀",
    ),
]
HubNeighbours = Annotated[
    int,
    Number(
        "Each hub is linked to its k nearest hubs along the graph. Few: more islands than "
        "clusters, and the answer is arbitrary. Many: links between clusters.",
        valid=(1, 10**6),
        shown=(2, 50),
        label="links of a hub",
        symbol="k₁",
    ),
]
Hubs = Annotated[
    int,
    Number(
        "How many points of highest degree are clustered; all others follow them.",
        valid=(1, 10**6),
        shown=(20, 1000),
        label="hubs",
        symbol="h",
    ),
]
HubWidth = Annotated[
    float | str,
    Number(
        "Width of the Gaussian that turns lengths between hubs into weights, in medians over the "
        "links (edges) or over all pairs of hubs (all). Small: weak links count as cuts.",
        valid=(0, inf),
        shown=(0.25, 4),
        log=True,
        above=True,
        rules=("edges", "all"),
        factors=True,
        label="kernel width",
        symbol="σ",
    ),
]
Sharpness = Annotated[
    float,
    Number(
        "Tail of the kernel that turns distances to centres into chances: towards 0 they are "
        "inverse distances, at 1 it is the kernel of DEC, large is a Gaussian.",
        valid=(0, inf),
        shown=(1e-60, 10),
        log=True,
        above=True,
        label="tail",
        symbol="γ",
        advanced=True,
    ),
]
