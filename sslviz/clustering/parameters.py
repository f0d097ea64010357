"""Parameters that several clusterers have, declared once for all of them."""

from math import inf
from typing import Annotated

from sslviz.params import Number
from sslviz.training.parameters import Layers

QUICK_LAYERS, PAPER_LAYERS = (128, 128), (1200, 1200)
MAX_PAIRED_POINTS = 5000  # of methods that hold a number for every pair of points


Clusters = Annotated[
    int,
    Number(
        "Number of clusters. If you do not know it, look for a gap in the eigenvalues.",
        valid=(1, 10**6),
        shown=(2, 20),
        label="clusters",
        symbol="C",
    ),
]
GraphNeighbours = Annotated[
    int,
    Number(
        "Neighbours of each point in the graph that finds the hubs and measures distances. Small: "
        "the graph falls apart. Large: edges cross the gaps between clusters.",
        valid=(1, 10**6),
        shown=(2, 50),
        label="neighbours",
        symbol="k₀",
    ),
]
HubNeighbours = Annotated[
    int,
    Number(
        "Neighbours of each hub among the hubs, along the graph. Small: more separate components "
        "than clusters, and the result is arbitrary. Large: edges between clusters.",
        valid=(1, 10**6),
        shown=(2, 50),
        label="neighbours of a hub",
        symbol="k₁",
    ),
]
Hubs = Annotated[
    int,
    Number(
        "Number of hubs: the points of highest degree. They are clustered, the others follow.",
        valid=(1, 10**6),
        shown=(20, 1000),
        label="hubs",
        symbol="h",
    ),
]
HubWidth = Annotated[
    float | str,
    Number.width(
        "Width of the Gaussian that turns distances between hubs into weights, in medians over the "
        "edges of the hub graph (edges) or over all pairs of hubs (all). Small: long edges count "
        "little.",
        rules=("edges", "all"),
    ),
]
KernelTail = Annotated[
    float,
    Number(
        "Tail of the kernel that turns distances to centres into probabilities: towards 0 they are "
        "inverse distances, 1 is the kernel of DEC, large values approach a Gaussian.",
        valid=(0, inf),
        shown=(1e-60, 10),
        log=True,
        above=True,
        label="tail",
        symbol="γ",
        advanced=True,
    ),
]
Hidden = Annotated[
    tuple[int, ...] | str,
    Layers(
        "Sizes of the hidden layers.",
        ("auto", QUICK_LAYERS, PAPER_LAYERS),
        ("by the number of features", "small and quick", "as in the paper"),
        label="hidden layers",
        advanced=True,
    ),
]
Epochs = Annotated[
    int,
    Number(
        "Length of the training, in hundreds of iterations.",
        valid=(1, 10**6),
        shown=(1, 100),
        label="epochs",
    ),
]
Starts = Annotated[
    int,
    Number(
        "Number of random starts, of which the best is kept.",
        valid=(1, 10**6),
        shown=(1, 50),
        label="starts",
    ),
]
IterationLimit = Annotated[
    int,
    Number(
        "Largest number of iterations of each start.",
        valid=(1, 10**6),
        shown=(1, 300),
        label="iterations",
        advanced=True,
    ),
]
