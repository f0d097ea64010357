"""Parameters that several network classifiers have, declared once for all of them."""

from dataclasses import dataclass
from math import inf, isfinite
from numbers import Integral, Real
from typing import Annotated, Any

from sslviz.params import Choice, Number

Epochs = Annotated[
    int,
    Number(
        "Length of the training, in passes through the points.",
        valid=(1, 10**6),
        shown=(1, 300),
        label="epochs",
    ),
]


@dataclass(frozen=True)
class CostWeights(Choice):
    """Three numbers of at least 0; common ones are offered."""

    @property
    def domain(self) -> str:
        return "tuples of three numbers of at least 0, such as (1000, 10, 0.1)"

    def accepts(self, value: Any, kind: type = str) -> bool:
        if not isinstance(value, tuple) or len(value) != 3:
            return False
        real = all(isinstance(v, Real) and not isinstance(v, bool) for v in value)
        return real and all(isfinite(v) and v >= 0 for v in value)


@dataclass(frozen=True)
class ImageShape(Choice):
    """Height and width, or None for a square."""

    @property
    def domain(self) -> str:
        return "None or pairs of whole numbers of at least 1, such as (28, 28)"

    def accepts(self, value: Any, kind: type = str) -> bool:
        if value is None:
            return True
        if not isinstance(value, tuple) or len(value) != 2:
            return False
        whole = all(isinstance(v, Integral) and not isinstance(v, bool) for v in value)
        return whole and all(v >= 1 for v in value)


EntropyWeight = Annotated[
    float,
    Number(
        "Weight of the entropy of the predictions. Large: confident everywhere, so borders leave "
        "dense regions, and a wrong early border is never corrected.",
        valid=(0, inf),
        shown=(0, 2),
        label="weight of the entropy",
        symbol="λ",
    ),
]
BatchSize = Annotated[
    int,
    Number(
        "Unlabelled points of a batch.",
        valid=(2, 10**6),
        shown=(20, 1000),
        log=True,
        label="batch size",
        advanced=True,
    ),
]
