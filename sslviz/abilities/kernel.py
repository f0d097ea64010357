"""What kernel methods and mixtures offer."""

from typing import Any, Protocol, runtime_checkable

import numpy as np


@runtime_checkable
class HasMargin(Protocol):
    """A margin between the lines f = ±1, with the points that determine it."""

    def support_vectors(self) -> np.ndarray: ...


@runtime_checkable
class Continuation(Protocol):
    """A solution that can be continued from a record of `steps` to other parameters."""

    def follow(self, X: Any, y: Any, turn: Any, *, exactly: bool = True) -> Any: ...

    def settle(self, X: Any, y: Any, turn: Any) -> Any: ...


@runtime_checkable
class GaussianComponents(Protocol):
    """Gaussian components: their means (C, d) and covariances (C, d, d)."""

    def components(self) -> tuple[np.ndarray, np.ndarray]: ...


@runtime_checkable
class SpectralFilter(Protocol):
    """A kernel method that filters the spectrum of its kernel."""

    def filter_curve(self) -> Any: ...

    def bump(self, point: Any, Q: Any) -> tuple[np.ndarray, np.ndarray]: ...


@runtime_checkable
class AmplifiedRidge(Protocol):
    """Kernel ridge regression on the labels, amplified along directions of its covariance."""

    def ridge_scores(self) -> np.ndarray: ...

    def amplification(self, count: int = 12) -> Any: ...


@runtime_checkable
class Eigenfunctions(Protocol):
    """Kernel principal components at any place, and the scores split into two terms."""

    def eigenfunctions_at(self, places: Any) -> np.ndarray: ...

    def parts(self, X: Any) -> tuple[np.ndarray, np.ndarray]: ...


@runtime_checkable
class Witness(Protocol):
    """A function of place for every class: how strongly the place is associated with it."""

    def witness(self, X: Any) -> np.ndarray: ...


@runtime_checkable
class TrainingValues(Protocol):
    """Scores (n, C) of the training points that are not those of new points at the same places."""

    values_: np.ndarray


@runtime_checkable
class GaussianKernel(Protocol):
    """A kernel exp(−d²/(e σ²)), e = `kernel_exponent`, σ = `sigma_`; ask fitted models only."""

    kernel_exponent: float
    sigma_: float
