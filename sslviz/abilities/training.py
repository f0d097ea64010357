"""What methods that train a network offer."""

from collections.abc import Iterator
from typing import Any, Protocol, runtime_checkable

import numpy as np


@runtime_checkable
class Trains(Protocol):
    """Training that can be advanced by any number of iterations, left and resumed.

    `training(X)` gives a TrainingRun at iteration 0; `settle(run)` fits the method with what the
    run has learnt so far.
    """

    def training(self, X: Any) -> Any: ...

    def settle(self, run: Any) -> Any: ...


@runtime_checkable
class Pretrains(Trains, Protocol):
    """A training in two parts: `training(X, pretrained)` continues after `pretraining(X)`."""

    pretraining_epochs: int

    def pretraining(self, X: Any) -> Any: ...

    def training(self, X: Any, pretrained: Any = None) -> Any: ...


@runtime_checkable
class Perturbs(Protocol):
    """Virtual adversarial training: how far each point is moved in training, (n,) lengths."""

    def perturbation_radii(self, X: Any) -> np.ndarray: ...


@runtime_checkable
class MergesClusters(Protocol):
    """An agglomerative method: a generator of merges that leaves it fitted."""

    def merging(self, X: Any) -> Iterator[Any]: ...


@runtime_checkable
class Decodes(Protocol):
    """Codes (m, d) as points (m, D) in the units of the data."""

    def decode(self, codes: Any) -> np.ndarray: ...


@runtime_checkable
class Encodes(Protocol):
    """Fitted with codes of the points and cluster centres among the codes."""

    codes_: np.ndarray
    centres_: np.ndarray
