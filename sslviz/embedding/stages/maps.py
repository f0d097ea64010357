r"""The two maps of SSRL-PL, for training points and new ones: linear, and with a kernel.

    z(x) = Vᵀ(x − x̄),   or   z(x) = Σ_i β_i k(x_i, x),   k(x, q) = exp(−‖x − q‖²/2σ²)

Both are linear in the C witness functions Σ_i (HY)_ic k(x_i, x); in the linear case
k(x, q) = (x − x̄)ᵀ(q − x̄).
"""

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.embedding.stages.hsic import (
    class_cross_covariance,
    kernel_directions,
    linear_directions,
)
from sslviz.embedding.stages.linear_projection import project
from sslviz.embedding.stages.residual_pca import kernel_principal, principal, scatter
from sslviz.kernels.gram import gram, kernel_product

MAX_KEPT = 4000  # points up to which the whole kernel matrix is kept: 128 MB


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
        return kernel_product(Q, self.X, self.coefficients, sigma=self.sigma, halved=True)

    def witness(self, Q: np.ndarray) -> np.ndarray:
        return kernel_product(Q, self.X, self.HY, sigma=self.sigma, halved=True)


class FittedMap(NamedTuple):
    """A map, its coordinates of the training points, and the singular values."""

    map: LinearMap | KernelMap
    embedding: np.ndarray  # (n, ≤ p)
    S: np.ndarray  # (C,)


def linear_map(
    X: np.ndarray, HY: np.ndarray, p: int, *, complete: bool = False, memory: Any = None
) -> FittedMap:
    """At most p directions: those that the labels determine, then principal ones if `complete`."""
    cached = check_memory(memory).cache
    G, mean, noise = cached(class_cross_covariance)(X, HY)
    found = linear_directions(G, noise)
    V = found.V[:, :p]
    if complete and V.shape[1] < p:
        V = np.hstack([V, principal(X, mean, cached(scatter)(X, mean), V, p - V.shape[1])])
    result = LinearMap(np.ascontiguousarray(V.T), mean, G)
    return FittedMap(result, result.at(X), found.S)


def kernel_map(
    X: np.ndarray,
    HY: np.ndarray,
    sigma: float,
    p: int,
    *,
    complete: bool = False,
    memory: Any = None,
) -> FittedMap:
    """At most p directions in the feature space of the Gaussian kernel."""
    cached = check_memory(memory).cache
    K = None
    if len(X) <= MAX_KEPT or complete:
        K = cached(gram)(X, sigma=sigma, halved=True)
        KHY = K @ HY
    else:
        used = HY.any(axis=1)
        KHY = cached(kernel_product)(X, X[used], HY[used], sigma=sigma, halved=True)
    found = kernel_directions(HY, KHY)
    beta = found.V[:, :p]
    Z = KHY @ (found.U / found.S[: found.U.shape[1]])[:, :p]
    if K is not None and complete and beta.shape[1] < p:
        rest, Z_rest = kernel_principal(K, beta, Z, p - beta.shape[1])
        beta, Z = np.hstack([beta, rest]), np.hstack([Z, Z_rest])
    return FittedMap(KernelMap(beta, X, HY, sigma), Z, found.S)
