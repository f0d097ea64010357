"""Parameters of networks that several methods have, declared once for all of them."""

from math import inf
from numbers import Integral
from typing import Annotated, Any

from sslviz.params import Choice, Number


class Layers(Choice):
    """Sizes of hidden layers: any tuple of whole numbers; common ones are offered."""

    @property
    def domain(self) -> str:
        words = "".join(f"{v!r} or " for v in self.valid if isinstance(v, str))
        return f"{words}tuples of one to ten sizes from 1 to 100000, such as (128, 128)"

    def accepts(self, value: Any, kind: type = str) -> bool:
        if not isinstance(value, tuple):
            return super().accepts(value, kind)
        whole = all(isinstance(v, Integral) and not isinstance(v, bool) for v in value)
        return whole and 1 <= len(value) <= 10 and all(1 <= v <= 10**5 for v in value)


PerturbationRadius = Annotated[
    float,
    Number(
        "Distance within which the prediction should not change, in distances to the tenth "
        "neighbour. Large: no border inside a cluster; too large: no border at all.",
        valid=(0, inf),
        shown=(0.05, 2),
        log=True,
        above=True,
        label="radius",
        symbol="α",
    ),
]
ProbeDistance = Annotated[
    float,
    Number(
        "Distance from a point, in its radii, at which the gradient for the worst direction is "
        "taken. Close by the direction is found well; far away, as with the ten units of the data "
        "in the thesis, it is no better than a random one.",
        valid=(0, inf),
        shown=(0.01, 1000),
        log=True,
        above=True,
        label="probe distance",
        symbol="ξ",
    ),
]
