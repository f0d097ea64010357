"""Parameters that the propagation methods share with each other and with the methods on streams."""

from dataclasses import dataclass
from typing import Annotated

from sslviz.params import Number

VoteCount = Annotated[
    int,
    Number(
        "How many of the labels nearest along the graph vote. One: the nearest label decides. "
        "Many: large classes outvote small ones.",
        valid=(1, 10**6),
        shown=(1, 15),
        label="votes",
        symbol="kᵥ",
    ),
]
HubGraphNeighbours = Annotated[
    int,
    Number(
        "Each point is linked to its k nearest neighbours. This graph defines the hubs and the "
        "path lengths. Few: outliers stay unconnected, the graph falls into islands.",
        valid=(1, 10**6),
        shown=(2, 20),
        label="neighbours",
        symbol="k₁",
    ),
]
HubLinks = Annotated[
    int,
    Number(
        "Links of each hub to other hubs and labelled points. Tuned as well when the number of "
        "hubs is automatic.",
        valid=(1, 10**6),
        shown=(2, 20),
        label="links of a hub",
        symbol="k₂",
    ),
]
HubCount = Annotated[
    int | str,
    Number(
        "How many of the unlabelled points with the largest in-degree get their label by "
        "propagation. None: geodesic kNN. Automatic: tuned by cross-validation.",
        valid=(0, 10**6),
        shown=(0, 500),
        rules=("auto",),
        label="hubs",
        symbol="h",
    ),
]


@dataclass(repr=False, eq=False)
class HubParameters:
    """Parameters of robust label prediction, on all points and on a stream."""

    k_graph: HubGraphNeighbours = 4
    k_hub: HubLinks = 5
    n_hubs: HubCount = "auto"
    n_votes: VoteCount = 3
