r"""Bend a kernel along the data: functions become cheap that change little along the graph.

    K̃ = (K⁻¹ + ρL)⁻¹ = B diag(1/(1 + ρs)) Bᵀ,   K = RRᵀ,   RᵀLR = U diag(s) Uᵀ,   B = RU

‖f‖² + ρ fᵀLf is the norm of f in the space of the bent kernel (Sindhwani et al. 2005), so that a
method with this penalty is the plain method with K̃. B and s depend on the points and the graph
only: every ρ is a filter. L = D − W of the union kNN graph, w = exp(−d²/σ²), σ the mean edge
length.

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

# ρs beyond which a change along the graph is rounding already: of bumps, no mixture of which is
# quite flat; of lines, which the bias is, before numbers end.
STEEPEST_BUMPS, STEEPEST_LINE = 1e13, 1e300
FAINT, FAINTEST = 1e-12, 1e-30  # shares of K: a λ₁ that may be raised, and one that must be


class Line(NamedTuple):
    """What a linear kernel needs beside: a bias that costs nothing lets points be centred."""

    ways: np.ndarray  # (d, p) with B = (X − centre) ways
    centre: np.ndarray  # (d,)
    back: np.ndarray  # (n, d): Xᵀ back w = w for every w among the rows of X


class Manifold(NamedTuple):
    """Points with their graph, in the coordinates in which bending is a filter."""

    B: np.ndarray  # (n, p)
    s: np.ndarray  # (p,)
    L: sparse.csr_array
    sigma: float
    K: np.ndarray | None = None  # (n, n) where it is not linear
    line: "Line | None" = None  # where it is

    def prices(self, lam1: float, lam2: float) -> tuple[float, float]:
        """λ₁ and ρ = λ₂/(λ₁n²), no further apart than numbers can tell.

        Where they are, a λ₁ that is next to nothing is raised; else ρ is as good as infinite.
        """
        steepest = STEEPEST_BUMPS if self.line is None else STEEPEST_LINE
        size, most = np.vdot(self.B, self.B) / len(self.B), self.s[-1]
        with np.errstate(over="ignore"):
            along = lam2 * most / len(self.B) ** 2
            lam1 = max(lam1, min(along / steepest, FAINT * size), FAINTEST * size)
            return lam1, min(along / lam1, steepest) / most if most > 0 else 0.0

    def features(self, rows: np.ndarray, rho: float) -> np.ndarray:
        """Φ (l, p) of some points, with K̃ = ΦΦᵀ."""
        return self.B[rows] / np.sqrt(1.0 + rho * self.s)

    def field(self, c: np.ndarray, rho: float) -> np.ndarray:
        """Φ c (n, C) at all points."""
        return self.B @ (c / np.sqrt(1.0 + rho * self.s)[:, None])

    def coefficients(self, alpha: np.ndarray, F: np.ndarray, rho: float) -> np.ndarray:
        """(n, C) with K coefficients = F = K̃ α: (I + ρLK)⁻¹α = α − ρLF, and K is not inverted.

        Where ρLK is large the difference loses digits; what is missing is solved for once more.
        """
        first = alpha - rho * (self.L @ F)
        rest = alpha - first - rho * (self.L @ (self.B @ (self.B.T @ first)))
        bent = self.B @ ((self.B.T @ rest) / (1.0 + rho * self.s)[:, None])
        return first + rest - rho * (self.L @ bent)

    def weights(self, c: np.ndarray, rho: float) -> np.ndarray | None:
        """w (d, C) with (X − centre) w = Φ c, where the kernel is linear."""
        return None if self.line is None else (self.line.ways / np.sqrt(1.0 + rho * self.s)) @ c


@stage("graph")
def graph_laplacian(G: sparse.csr_array) -> sparse.csr_array:
    """L = D − W on the union of a directed kNN graph of lengths and its transpose."""
    return laplacian(gaussian(undirected(G), width("mean", graph=G)))


@stage("spectrum")
def features_of(K: np.ndarray) -> np.ndarray:
    """R (n, p) with K = RRᵀ up to rounding."""
    mu, V = spectrum(K)
    p = max(1, int((mu > len(K) * np.finfo(float).eps * mu[0]).sum()))
    return V[:, :p] * np.sqrt(mu[:p])


@stage("spectrum along the graph")
def kernel_filter_basis(R: np.ndarray, L: sparse.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """B (n, p) and s (p,): the features R turned so that L acts on each by itself."""
    U, s = _turn(R, L)
    return R @ U, s


@stage("spectrum along the graph")
def linear_filter_basis(X: np.ndarray, L: sparse.csr_array) -> tuple[np.ndarray, np.ndarray, Line]:
    """The same for the linear kernel, of the points less their mean."""
    X = np.asarray(X, np.float64)
    centre, back = X.mean(axis=0), np.linalg.pinv(X.T)
    Z = X - centre
    if X.shape[1] <= len(X):
        ways, s = _turn(Z, L)
    else:  # n directions span the rows
        W = np.linalg.svd(Z, full_matrices=False)[2].T
        U, s = _turn(Z @ W, L)
        ways = W @ U
    return Z @ ways, s, Line(ways, centre, back)


def _turn(R: np.ndarray, L: sparse.csr_array) -> tuple[np.ndarray, np.ndarray]:
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
    """The stages: neighbours, Laplacian, kernel and its features, and both together."""
    cached = check_memory(memory).cache
    G = knn(X, k, memory, device=device)
    L = cached(graph_laplacian)(G)
    if kernel == "linear":
        B, s, line = cached(linear_filter_basis)(X, L)
        return Manifold(B, s, L, 1.0, line=line)
    check_size(name, len(X))
    number = kernel_width(sigma, X, target, memory)
    K = cached(gram)(X, sigma=number)
    B, s = cached(kernel_filter_basis)(cached(features_of)(K), L)
    return Manifold(B, s, L, number, K)
