r"""Four graphs that state which codes should be alike, each a matrix L with L1 = 0.

    lle:        L = (I − V)ᵀ(I − V),  min ‖x_i − Σ_j V_ij x_j‖²,  Σ_j V_ij = 1 over the k nearest
    knn:        L = D − W,  W_ij = exp(−d_ij²/2σ²) if either lists the other
    threshold:  the same for all pairs closer than κ, the ζ-quantile of all distances
    learnt:     L = D − W,  min_W ½ Σ W_ij d_ij² + β_L‖L‖²,  W ≥ 0,  tr L = n

knn and threshold are scaled to tr L = n, as learnt is, so that β means the same. The code of a new
point is pulled towards Σ_j V_ij a_j with strength Σ_j V_ij, V its own row of weights; for learnt it
is the best row for the trained W held fixed, with Σ_j V_ij = ½ so that the trace grows by one.

Roweis, Saul. Nonlinear dimensionality reduction by locally linear embedding. Science 2000.
Zheng et al. Graph regularized sparse coding for image representation. IEEE TIP 2011.
Yankelevsky, Elad. Dual graph regularized dictionary learning. IEEE TSIPN 2016.
Dong et al. Learning Laplacian matrix in smooth graph signal representations. IEEE TSP 2016.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.spatial.distance import pdist, squareform
from sklearn.utils.validation import check_memory

from sslviz.graph.laplacian import laplacian
from sslviz.graph.linear_neighbourhoods import barycentric
from sslviz.graph.neighbours import as_csr, knn, knn_lists
from sslviz.graph.weights import gaussian, undirected
from sslviz.memo import stage

LAPLACIANS = ("lle", "knn", "threshold", "learnt")
MAX_POINTS = 5000  # for threshold and learnt, which weigh every pair of points


class Graph(NamedTuple):
    """L, the weights it is made of (V or W), and their scale factor."""

    L: sparse.csr_array
    weights: sparse.csr_array
    scale: float
    reach: float  # threshold: κ; otherwise 0


def build(
    X: np.ndarray,
    kind: str,
    memory: Any = None,
    *,
    k: int,
    sigma: float,
    share: float,
    spread: float,
    device: str = "auto",
) -> Graph:
    """The graph of one of the four kinds, its stages taken from the memory where possible."""
    cached = check_memory(memory).cache
    if kind == "lle":
        return cached(lle_graph)(X, knn_lists(X, k, memory, device=device)[0])
    if kind == "knn":
        return cached(knn_graph)(knn(X, k, memory, device=device), sigma)
    if kind == "threshold":
        return cached(threshold_graph)(X, sigma, share)
    return cached(learnt_graph)(X, spread)


@stage("LLE weights")
def lle_graph(X: np.ndarray, indices: np.ndarray) -> Graph:
    """Every point as a mixture of its listed neighbours; L is not scaled, as in Eq. 4."""
    n = len(X)
    V = as_csr(indices, barycentric(X, X, indices), n)
    R = sparse.csr_array(sparse.eye_array(n, format="csr") - V)
    return Graph(sparse.csr_array(R.T @ R), V, 1.0, 0.0)


@stage("graph")
def knn_graph(G: sparse.csr_array, sigma: float) -> Graph:
    """The union of the kNN lists with Gaussian weights; G holds lengths."""
    return _scaled(gaussian(undirected(G), sigma, halved=True), 0.0)


@stage("graph")
def threshold_graph(X: np.ndarray, sigma: float, share: float) -> Graph:
    """All pairs among the `share` shortest, with Gaussian weights."""
    d = _pairs(X, "threshold")
    reach = float(np.quantile(d, share))
    near = d <= reach
    W = squareform(np.where(near, np.exp(-np.square(d / sigma) / 2), 0.0))
    return _scaled(sparse.csr_array(W), reach)


@stage("graph")
def learnt_graph(X: np.ndarray, spread: float, max_iter: int = 2000, tol: float = 1e-7) -> Graph:
    """The graph on which X is smoothest; `spread` keeps its weight from gathering on few edges.

    Accelerated projected gradient over the pairs: W ≥ 0 with sum n/2 above the diagonal.
    """
    z = np.square(_pairs(X, "learnt"))
    n = len(X)
    rows, cols = np.triu_indices(n, 1)
    # ½ Σ W d² = Σ_pairs w z and ‖L‖² = Σ_i (Σ_j w_ij)² + 2 Σ_pairs w²; its curvature is below
    # 2β(2(n − 1) + 2): each weight enters two degrees.
    step = 1 / (4 * spread * n)

    def gradient(w: np.ndarray) -> np.ndarray:
        degree = np.bincount(rows, w, minlength=n) + np.bincount(cols, w, minlength=n)
        return z + 2 * spread * (degree[rows] + degree[cols]) + 4 * spread * w

    w = ahead = np.full(len(z), n / 2 / len(z))
    t = 1.0
    for _ in range(max_iter):
        new = project_to_simplex((ahead - step * gradient(ahead))[None], n / 2)[0]
        if np.abs(new - ahead).max() <= tol * new.max():
            w = new
            break
        if (ahead - new) @ (new - w) > 0:
            t = 1.0
        after = (1 + np.sqrt(1 + 4 * t * t)) / 2
        ahead, w, t = new + (t - 1) / after * (new - w), new, after
    W = sparse.csr_array(squareform(w))
    return Graph(laplacian(W), W, 1.0, 0.0)


def learnt_weights(squares: np.ndarray, W: sparse.csr_array, spread: float) -> np.ndarray:
    """(m, n): the best weights of new points at these squared distances, W held fixed, sum ½.

    Σ_j v_j(d_j² + 2β_L D_j) + 3β_L‖v‖² plus a constant is least at a projection.
    """
    cost = squares + 2 * spread * W.sum(axis=1)
    return project_to_simplex(-cost / (6 * spread), 0.5)


def project_to_simplex(H: np.ndarray, total: float) -> np.ndarray:
    """The nearest rows with entries ≥ 0 that sum to `total` (Held, Wolfe, Crowder 1974)."""
    ordered = -np.sort(-H, axis=1)
    over = np.cumsum(ordered, axis=1) - total
    count = (ordered * np.arange(1, H.shape[1] + 1) > over).sum(axis=1, keepdims=True)
    return np.maximum(H - np.take_along_axis(over, count - 1, axis=1) / count, 0)


def _scaled(W: sparse.csr_array, reach: float) -> Graph:
    W.setdiag(0)
    W.eliminate_zeros()
    total = W.sum()
    scale = W.shape[0] / total if total > 0 else 1.0
    W = sparse.csr_array(W * scale)
    return Graph(laplacian(W), W, scale, reach)


def _pairs(X: np.ndarray, kind: str) -> np.ndarray:
    if len(X) > MAX_POINTS:
        raise ValueError(
            f"laplacian={kind!r} weighs every pair of points: {len(X)} points are not in "
            f"[2, {MAX_POINTS}]; 'lle' and 'knn' have no such limit"
        )
    return pdist(X)
