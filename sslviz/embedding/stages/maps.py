r"""The two maps of SSRL-PL as functions of a place: along directions, or through a kernel.

    z(x) = Vᵀ(x − x̄),   or   z(x) = Σ_i β_i k(x_i, x),   k(x, q) = exp(−‖x − q‖²/2σ²)

Both are read off the C witness fields Σ_i (HY)_ic k(x_i, x), with k(x, q) = (x − x̄)ᵀ(q − x̄) in the
linear case.
"""

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.embedding.base import project
from sslviz.embedding.stages.hsic import (
    class_cross_covariance,
    kernel_directions,
    linear_directions,
)
from sslviz.embedding.stages.residual_pca import kernel_principal, principal, scatter
from sslviz.kernels import gaussian

KEPT = 4000  # points up to which the whole kernel is kept: 128 MB


class LinearMap(NamedTuple):
    """z = Vᵀ(x − x̄)."""

    components: np.ndarray  # (p, d)
    mean: np.ndarray  # (d,)
    G: np.ndarray  # (d, C) X H Y

    def at(self, Q: np.ndarray) -> np.ndarray:
        return project(Q, self.mean, self.components)

    def witness(self, Q: np.ndarray) -> np.ndarray:
        return project(Q, self.mean, self.G.T)


class KernelMap(NamedTuple):
    """z = Σ_i β_i k(x_i, x)."""

    coefficients: np.ndarray  # (n, p) β
    X: np.ndarray
    HY: np.ndarray  # (n, C)
    sigma: float

    def at(self, Q: np.ndarray) -> np.ndarray:
        return gaussian.times(Q, self.X, self.coefficients, self.sigma)

    def witness(self, Q: np.ndarray) -> np.ndarray:
        return gaussian.times(Q, self.X, self.HY, self.sigma)


class Found(NamedTuple):
    """A map, where it puts the training points, and the singular values behind it."""

    map: LinearMap | KernelMap
    embedding: np.ndarray  # (n, ≤ p)
    S: np.ndarray  # (C,)


def linear_map(
    X: np.ndarray, HY: np.ndarray, p: int, *, complete: bool = False, memory: Any = None
) -> Found:
    """At most p directions: those that the labels determine, then principal ones if `complete`."""
    cached = check_memory(memory).cache
    G, mean, noise = cached(class_cross_covariance)(X, HY)
    found = linear_directions(G, noise)
    V = found.V[:, :p]
    if complete and V.shape[1] < p:
        V = np.hstack([V, principal(X, mean, cached(scatter)(X, mean), V, p - V.shape[1])])
    result = LinearMap(np.ascontiguousarray(V.T), mean, G)
    return Found(result, result.at(X), found.S)


def kernel_map(
    X: np.ndarray,
    HY: np.ndarray,
    sigma: float,
    p: int,
    *,
    complete: bool = False,
    memory: Any = None,
) -> Found:
    """The same in the feature space of the Gaussian kernel."""
    cached = check_memory(memory).cache
    K = None
    if len(X) <= KEPT or complete:
        K = cached(gaussian.gram)(X, sigma)
        KHY = K @ HY
    else:
        used = HY.any(axis=1)
        KHY = cached(gaussian.times)(X, X[used], HY[used], sigma)
    found = kernel_directions(HY, KHY)
    beta = found.V[:, :p]
    Z = KHY @ (found.U / found.S[: found.U.shape[1]])[:, :p]
    if K is not None and complete and beta.shape[1] < p:
        rest, Z_rest = kernel_principal(K, beta, Z, p - beta.shape[1])
        beta, Z = np.hstack([beta, rest]), np.hstack([Z, Z_rest])
    return Found(KernelMap(beta, X, HY, sigma), Z, found.S)
