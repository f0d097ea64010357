"""What methods on a graph of the points offer."""

from typing import Any, Protocol, runtime_checkable

import numpy as np


@runtime_checkable
class Explains(Protocol):
    """The votes behind the answer of a point, with paths to the voters."""

    def explain(self, point: int) -> Any: ...


@runtime_checkable
class Absorbs(Protocol):
    """The labelled points, and the probability that a walk from each point ends at each."""

    def absorbers(self) -> tuple[np.ndarray, np.ndarray]: ...


@runtime_checkable
class HubBased(Protocol):
    """A clustering of hubs that comes before that of all points."""

    def hub_clustering(self, X: Any) -> Any: ...
