"""Parameters of the dictionary methods, declared once for all of them."""

from math import inf
from typing import Annotated

from sslviz.dictionary.stages.laplacians import LAPLACIANS
from sslviz.params import Choice, Flag, Number


def _positive_weight(
    help: str, shown: tuple[float, float], label: str, symbol: str, advanced: bool = False
) -> Number:
    """A weight of the objective: any number above 0, on a logarithmic slider."""
    return Number(
        help, (0, inf), shown, log=True, above=True, label=label, symbol=symbol, advanced=advanced
    )


Atoms = Annotated[
    int,
    Number(
        "Number of atoms in the dictionary, at most the number of points.",
        valid=(1, 10**5),
        shown=(10, 400),
        label="atoms",
        symbol="p",
    ),
]
Sparsity = Annotated[
    float,
    _positive_weight(
        "Sparsity penalty. Large: few atoms per point, coarse reconstructions.",
        (0.01, 3),
        "sparsity",
        "λ",
    ),
]
Smoothness = Annotated[
    float,
    Number(
        "Weight of the graph term: codes should resemble those of their neighbours. 0 is USSDL.",
        valid=(0, inf),
        shown=(0, 3),
        label="graph",
        symbol="β",
    ),
]
Discrimination = Annotated[
    float,
    Number(
        "Weight of the classification loss. 0: codes ignore the labels, and nothing is classified.",
        valid=(0, inf),
        shown=(0.01, 5),
        log=True,
        label="discrimination",
        symbol="γ",
    ),
]
Ridge = Annotated[
    float,
    _positive_weight(
        "Ridge penalty of the classifier; the paper takes 2γ.",
        (0.01, 10),
        "classifier ridge",
        "μ",
        advanced=True,
    ),
]
LabelSoftness = Annotated[
    float,
    Number(
        "1: an unlabelled point counts for its most probable class only. Larger: it counts for "
        "several, and points of low confidence count less.",
        valid=(1, 100),
        shown=(1, 3),
        label="softness of the labels",
        symbol="r",
        advanced=True,
    ),
]
Regulariser = Annotated[
    str,
    Choice(
        "Graph that states which codes should be alike.",
        LAPLACIANS,
        (
            "LLE: a code is the same mixture of its neighbours as the point",
            "alike for the k nearest neighbours, Gaussian weights",
            "alike for all points within a distance, Gaussian weights",
            "alike on the graph on which the points are smoothest",
        ),
        label="graph regulariser",
        titles=("locally linear", "k nearest", "threshold", "learnt"),
    ),
]
Share = Annotated[
    float,
    Number(
        "For threshold: the share of all pairs, the closest ones, that get an edge.",
        valid=(0, 1),
        shown=(0.01, 0.7),
        log=True,
        above=True,
        label="share of pairs",
        symbol="ζ",
        advanced=True,
    ),
]
Spread = Annotated[
    float,
    _positive_weight(
        "For learnt: large values spread the weight evenly over many edges.",
        (0.001, 100),
        "spread of weights",
        "β_L",
        advanced=True,
    ),
]
Rounds = Annotated[
    int,
    Number(
        "Number of rounds; each updates active points, class probabilities, codes, atoms and "
        "classifier.",
        valid=(1, 10**5),
        shown=(1, 30),
        label="rounds",
    ),
]
Inner = Annotated[
    int,
    Number(
        "Largest number of FISTA steps for the codes, and of sweeps through the atoms, in a round.",
        valid=(1, 10**6),
        shown=(10, 200),
        label="inner steps",
        advanced=True,
    ),
]
BatchSize = Annotated[
    int | None,
    Number(
        "Codes improved at a time, with the others fixed. None: all at once.",
        valid=(1, 10**9),
        shown=(100, 10000),
        log=True,
        rules=(None,),
        label="batch size",
        advanced=True,
    ),
]
Epochs = Annotated[
    int,
    Number(
        "Passes through all batches in each round.",
        valid=(1, 10**4),
        shown=(1, 10),
        advanced=True,
    ),
]
WarmStart = Annotated[
    bool,
    Flag(
        "A second fit continues from the first, if it has the same numbers of points, atoms and "
        "features, and the same classes.",
        advanced=True,
    ),
]
