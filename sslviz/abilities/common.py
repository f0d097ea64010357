"""What methods of several families offer."""

from collections.abc import Iterator
from typing import Any, Protocol, runtime_checkable

import numpy as np


@runtime_checkable
class Steps(Protocol):
    """An iterative method: a generator of records, one per iteration, that leaves it fitted."""

    def steps(self, X: Any, y: Any) -> Iterator[Any]: ...


@runtime_checkable
class Links(Protocol):
    """The points that a point's answer depends on, with weights."""

    def links(self, point: int) -> tuple[np.ndarray, np.ndarray]: ...


@runtime_checkable
class DecisionFunction(Protocol):
    """Scores at any place."""

    def decision_function(self, X: Any) -> np.ndarray: ...


@runtime_checkable
class Predicts(Protocol):
    """Answers for new points."""

    def predict(self, X: Any) -> np.ndarray: ...


@runtime_checkable
class Transduces(Protocol):
    """Predicted classes of the training points, -1 where undetermined; ask fitted models only."""

    transduction_: np.ndarray


@runtime_checkable
class Transforms(Protocol):
    """Coordinates or codes of new points."""

    def transform(self, X: Any) -> np.ndarray: ...


@runtime_checkable
class SoftLabels(Protocol):
    """Label distributions (n, C) of the training points; ask fitted models only."""

    classes_: np.ndarray
    label_distributions_: np.ndarray


@runtime_checkable
class Embeds(Protocol):
    """Fitted with coordinates of the points."""

    embedding_: np.ndarray


@runtime_checkable
class Eigenvalues(Protocol):
    """Eigenvalues, largest first; ask fitted models only."""

    eigenvalues_: np.ndarray


@runtime_checkable
class Observes(Protocol):
    """An online method: predicts a point when it arrives, then learns from it."""

    def observe(self, x: Any) -> Any: ...


@runtime_checkable
class HandsOnEdges(Protocol):
    """An online method whose points leave, and hand their edges on to their neighbours."""

    def network_summary(self) -> Any: ...


@runtime_checkable
class KeepsCover(Protocol):
    """An online method that keeps a cover of all points; ask fitted models only."""

    cover_: Any
