r"""Kernels deformed by the data: functions that change along the graph get a larger norm.

    K̃ = (K⁻¹ + ρL)⁻¹ = B diag(1/(1 + ρs)) Bᵀ,   K = RRᵀ,   RᵀLR = U diag(s) Uᵀ,   B = RU

‖f‖² + ρ fᵀLf is the norm of f in the space of the deformed kernel (Sindhwani et al. 2005), so a
method with this penalty is the plain method with kernel K̃. B and s depend on the points and the
graph only: every ρ is a filter of s. L = D − W of the union kNN graph, w = exp(−d²/σ²), σ the mean
edge length.

Sindhwani, Niyogi, Belkin. Beyond the point cloud. ICML 2005.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_memory

from sslviz.graph.laplacian import laplacian
from sslviz.graph.neighbours import knn
from sslviz.graph.weights import gaussian, undirected, width
from sslviz.kernels.gram import check_size, gram, kernel_width, spectrum
from sslviz.memo import stage

# Largest ρs: beyond it a change along the graph is below rounding. A combination of Gaussians is
# never quite constant; a linear function with its bias is, up to the range of floats.
MAX_FILTER_RBF, MAX_FILTER_LINEAR = 1e13, 1e300
NEGLIGIBLE_LAM1, MIN_LAM1 = 1e-12, 1e-30  # relative to K: a λ₁ that may be raised, or must be


class LinearBasis(NamedTuple):
    """For a linear kernel: the unpenalised bias allows the points to be centred."""

    directions: np.ndarray  # (d, p) with B = (X − centre) directions
    centre: np.ndarray  # (d,)
    pseudo_inverse: (
        np.ndarray
    )  # (n, d): Xᵀ pseudo_inverse w = w for every w in the span of the rows


class Manifold(NamedTuple):
    """Points and graph in the basis in which the deformation is a filter."""

    B: np.ndarray  # (n, p)
    s: np.ndarray  # (p,)
    L: sparse.csr_array
    sigma: float
    K: np.ndarray | None = None  # (n, n), for rbf
    linear: "LinearBasis | None" = None

    def penalties(self, lam1: float, lam2: float) -> tuple[float, float]:
        """λ₁ and ρ = λ₂/(λ₁n²), with their ratio limited to what floats can resolve.

        Beyond the limit a negligible λ₁ is raised; otherwise ρ is as good as infinite.
        """
        limit = MAX_FILTER_RBF if self.linear is None else MAX_FILTER_LINEAR
        size, largest = np.vdot(self.B, self.B) / len(self.B), self.s[-1]
        with np.errstate(over="ignore"):
            along = lam2 * largest / len(self.B) ** 2
            lam1 = max(lam1, min(along / limit, NEGLIGIBLE_LAM1 * size), MIN_LAM1 * size)
            return lam1, min(along / lam1, limit) / largest if largest > 0 else 0.0

    def features(self, rows: np.ndarray, rho: float) -> np.ndarray:
        """Φ (l, p) of some points, with K̃ = ΦΦᵀ."""
        return self.B[rows] / np.sqrt(1.0 + rho * self.s)

    def field(self, c: np.ndarray, rho: float) -> np.ndarray:
        """Φ c (n, C) at all points."""
        return self.B @ (c / np.sqrt(1.0 + rho * self.s)[:, None])

    def coefficients(self, alpha: np.ndarray, F: np.ndarray, rho: float) -> np.ndarray:
        """(n, C) with K coefficients = F = K̃ α: (I + ρLK)⁻¹α = α − ρLF, without inverting K.

        Where ρLK is large the difference loses digits; one step of refinement recovers them.
        """
        first = alpha - rho * (self.L @ F)
        rest = alpha - first - rho * (self.L @ (self.B @ (self.B.T @ first)))
        deformed = self.B @ ((self.B.T @ rest) / (1.0 + rho * self.s)[:, None])
        return first + rest - rho * (self.L @ deformed)

    def weights(self, c: np.ndarray, rho: float) -> np.ndarray | None:
        """w (d, C) with (X − centre) w = Φ c, where the kernel is linear."""
        if self.linear is None:
            return None
        return (self.linear.directions / np.sqrt(1.0 + rho * self.s)) @ c


@stage("graph")
def graph_laplacian(G: sparse.csr_array) -> sparse.csr_array:
    """L = D − W on the union of a directed kNN graph of lengths and its transpose."""
    return laplacian(gaussian(undirected(G), width("mean", graph=G)))


@stage("spectrum")
def kernel_features(K: np.ndarray) -> np.ndarray:
    """R (n, p) with K = RRᵀ up to rounding."""
    mu, V = spectrum(K)
    p = max(1, int((mu > len(K) * np.finfo(float).eps * mu[0]).sum()))
    return V[:, :p] * np.sqrt(mu[:p])


@stage("spectrum along the graph")
def kernel_filter_basis(R: np.ndarray, L: sparse.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """B (n, p) and s (p,): the features R in the eigenbasis of RᵀLR."""
    U, s = _laplacian_eigenbasis(R, L)
    return R @ U, s


@stage("spectrum along the graph")
def linear_filter_basis(
    X: np.ndarray, L: sparse.csr_array
) -> tuple[np.ndarray, np.ndarray, LinearBasis]:
    """B (n, p), s (p,) and the basis for the linear kernel of the centred points."""
    X = np.asarray(X, np.float64)
    centre, pseudo_inverse = X.mean(axis=0), np.linalg.pinv(X.T)
    Z = X - centre
    if X.shape[1] <= len(X):
        directions, s = _laplacian_eigenbasis(Z, L)
    else:  # n directions span the rows
        W = np.linalg.svd(Z, full_matrices=False)[2].T
        U, s = _laplacian_eigenbasis(Z @ W, L)
        directions = W @ U
    return Z @ directions, s, LinearBasis(directions, centre, pseudo_inverse)


def _laplacian_eigenbasis(R: np.ndarray, L: sparse.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """U and s of RᵀLR = U diag(s) Uᵀ."""
    S = R.T @ (L @ R)
    s, U = np.linalg.eigh((S + S.T) / 2)
    return U, np.maximum(s, 0.0)


def manifold(
    name: str,
    X: np.ndarray,
    target: np.ndarray,
    *,
    kernel: str,
    sigma: float | str,
    k: int,
    memory: Any,
    device: str,
) -> Manifold:
    """All stages: neighbours, Laplacian, kernel and its features, and the common basis."""
    cached = check_memory(memory).cache
    G = knn(X, k, memory, device=device)
    L = cached(graph_laplacian)(G)
    if kernel == "linear":
        B, s, linear = cached(linear_filter_basis)(X, L)
        return Manifold(B, s, L, 1.0, linear=linear)
    check_size(name, len(X))
    number = kernel_width(sigma, X, target, memory)
    K = cached(gram)(X, sigma=number)
    B, s = cached(kernel_filter_basis)(cached(kernel_features)(K), L)
    return Manifold(B, s, L, number, K)
