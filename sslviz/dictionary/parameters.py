"""Parameters of dictionary learning, declared once; SSDL-GA and USSDL share most of them."""

from math import inf
from typing import Annotated

from sslviz.dictionary.stages.laplacians import KINDS
from sslviz.params import Choice, Flag, Number


def _above_zero(
    help: str, shown: tuple[float, float], label: str, symbol: str, advanced: bool = False
) -> Number:
    """A weight of the objective: any number above 0, on a logarithmic slider."""
    return Number(
        help, (0, inf), shown, log=True, above=True, label=label, symbol=symbol, advanced=advanced
    )


Atoms = Annotated[
    int,
    Number(
        "Atoms in the dictionary; at most as many as there are points.",
        valid=(1, 10**5),
        shown=(10, 400),
        label="atoms",
        symbol="p",
    ),
]
Sparsity = Annotated[
    float,
    _above_zero(
        "Price of using an atom. Large: few atoms per point, coarse reconstructions.",
        (0.01, 3),
        "sparsity",
        "λ",
    ),
]
Smoothness = Annotated[
    float,
    Number(
        "How much a code must resemble its neighbours' codes. 0 is USSDL.",
        valid=(0, inf),
        shown=(0, 3),
        label="graph",
        symbol="β",
    ),
]
Discrimination = Annotated[
    float,
    Number(
        "How much the classifier bends the codes. 0: it learns nothing, codes are for themselves.",
        valid=(0, inf),
        shown=(0.01, 5),
        log=True,
        label="discrimination",
        symbol="γ",
    ),
]
Ridge = Annotated[
    float,
    _above_zero(
        "Keeps the classifier's weights small; the paper takes 2γ.",
        (0.01, 10),
        "classifier ridge",
        "μ",
        advanced=True,
    ),
]
Hesitation = Annotated[
    float,
    Number(
        "1: an unlabelled point counts for its best class only. Larger: it is shared, and unsure "
        "points count less.",
        valid=(1, 100),
        shown=(1, 3),
        label="hesitation",
        symbol="r",
        advanced=True,
    ),
]
Regulariser = Annotated[
    str,
    Choice(
        "What it means to resemble one's neighbours.",
        KINDS,
        (
            "the same mixture of neighbours in codes as in points",
            "close to the k nearest, Gaussian weights",
            "close to all points within a distance",
            "weights on which the points themselves are smoothest",
        ),
        label="graph regulariser",
    ),
]
Share = Annotated[
    float,
    Number(
        "For threshold: the share of all pairs, the closest, that are linked.",
        valid=(0, 1),
        shown=(0.01, 0.7),
        log=True,
        above=True,
        label="linked pairs",
        symbol="ζ",
        advanced=True,
    ),
]
Spread = Annotated[
    float,
    _above_zero(
        "For learnt: how evenly the weight is spread over many edges.",
        (0.001, 100),
        "spread of weights",
        "β_L",
        advanced=True,
    ),
]
Rounds = Annotated[
    int,
    Number("Rounds of the five updates.", valid=(1, 10**5), shown=(1, 30), label="rounds"),
]
Inner = Annotated[
    int,
    Number(
        "At most so many FISTA steps for the codes, and sweeps through the atoms, in each round.",
        valid=(1, 10**6),
        shown=(10, 200),
        label="inner steps",
        advanced=True,
    ),
]
BatchSize = Annotated[
    int | None,
    Number(
        "Codes improved at a time, the others held fixed. None: all at once.",
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
        "How often each round goes through all batches.",
        valid=(1, 10**4),
        shown=(1, 10),
        advanced=True,
    ),
]
WarmStart = Annotated[
    bool,
    Flag(
        "A second fit goes on from where the first ended, if it has the same points, atoms and "
        "classes.",
        advanced=True,
    ),
]
