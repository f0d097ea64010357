"""Parameters that several embeddings have, declared once for all of them."""

from math import inf
from typing import Annotated

from sslviz.params import Number

Dimensions = Annotated[
    int | None,
    Number(
        "Directions kept; None is one fewer than there are classes.",
        valid=(1, 10**6),
        shown=(1, 10),
        rules=(None,),
        label="dimensions",
        symbol="p",
    ),
]

LabelWidth = Annotated[
    float | str,
    Number(
        "How fast a labelled neighbour's say fades with distance, in median distances. Small: the "
        "nearest decides. Large: all k count alike.",
        valid=(0, inf),
        shown=(0.05, 2),
        log=True,
        above=True,
        rules=("median",),
        factors=True,
        label="label width",
        symbol="σₛ",
    ),
]

KernelWidth = Annotated[
    float | str,
    Number(
        "Width of the Gaussian kernel, in median distances; the linear map has none.",
        valid=(0, inf),
        shown=(0.1, 4),
        log=True,
        above=True,
        rules=("median",),
        factors=True,
        label="kernel width",
        symbol="σ",
    ),
]
