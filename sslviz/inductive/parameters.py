"""Parameters that several kernel methods share, declared once."""

from math import inf
from typing import Annotated

from sslviz.kernels.gram import KERNELS
from sslviz.params import Choice, Number

KernelWidth = Annotated[
    float | str,
    Number.width(
        "Width of the Gaussian kernel, in median distances. Small: each label acts only on its "
        "surroundings. Large: the function is nearly constant.",
        shown=(0.125, 4),
        rules=("median", "mst"),
    ),
]

Kernel = Annotated[
    str,
    Choice(
        "Which functions are considered.",
        KERNELS,
        ("sums of Gaussians around the points", "linear: a straight boundary, with a bias"),
    ),
]

NormPenalty = Annotated[
    float,
    Number(
        "Penalty on the norm of the function. Small: the labels are fitted at any cost.",
        valid=(0, inf),
        shown=(1e-6, 10),
        log=True,
        above=True,
        label="smoothness in space",
        symbol="λ₁",
    ),
]

GraphPenalty = Annotated[
    float,
    Number(
        "Penalty on changes along the edges of the graph. 0: unlabelled points have no effect.",
        valid=(0, inf),
        shown=(1e-3, 1e4),
        log=True,
        label="smoothness along the data",
        symbol="λ₂",
    ),
]
