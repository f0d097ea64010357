"""Parameters that several kernel methods have, declared once for all of them."""

from math import inf
from typing import Annotated

from sslviz.kernels.gram import KERNELS
from sslviz.params import Choice, Number

KernelWidth = Annotated[
    float | str,
    Number(
        "How far a point is felt, in median distances. Small: every label is an island of its own. "
        "Large: the field is nearly flat.",
        valid=(0, inf),
        shown=(0.125, 4),
        log=True,
        above=True,
        rules=("median", "mst"),
        factors=True,
        label="kernel width",
        symbol="σ",
    ),
]

Kernel = Annotated[
    str,
    Choice(
        "What functions are allowed.",
        KERNELS,
        ("bumps around the points", "a straight line, or plane, with a bias"),
    ),
]

Ambient = Annotated[
    float,
    Number(
        "Price of a large function. Small: the labels are met, whatever it takes.",
        valid=(0, inf),
        shown=(1e-6, 10),
        log=True,
        above=True,
        label="smoothness in space",
        symbol="λ₁",
    ),
]

Intrinsic = Annotated[
    float,
    Number(
        "Price of a change along the edges of the graph. Zero: unlabelled points play no part.",
        valid=(0, inf),
        shown=(1e-3, 1e4),
        log=True,
        label="smoothness along the data",
        symbol="λ₂",
    ),
]
