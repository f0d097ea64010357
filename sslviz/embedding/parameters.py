"""Parameters that several embeddings share, declared once."""

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
    Number.width(
        "Width of the Gaussian that weights labelled neighbours by distance, in median distances. "
        "Small: the nearest decides. Large: all k count equally.",
        shown=(0.05, 2),
        rules=("median",),
        label="label width",
        symbol="σₛ",
    ),
]

KernelWidth = Annotated[
    float | str,
    Number.width(
        "Width of the Gaussian kernel, in median distances. The linear projection has none.",
        shown=(0.1, 4),
        rules=("median",),
    ),
]
