r"""How much two points resemble each other: kernel matrices and their spectrum.

    rbf: k(x, z) = exp(−‖x − z‖²/σ²)   (halved: exp(−‖x − z‖²/2σ²)),   linear: k(x, z) = x·z

Matrices are stages: for one set of points and one σ they are computed once, and so is the spectrum
K = V diag(μ) Vᵀ, in which every change of a regularisation parameter is only another filter of μ.

n × n numbers are inherent here; beyond `MOST` points they are refused.
"""

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import eigsh
from scipy.spatial.distance import cdist
from sklearn.utils.validation import check_memory

from sslviz.graph.weights import width
from sslviz.memo import stage
from sslviz.params import split_rule

MOST = 20_000  # 3 GB for the matrix, as much again for its eigenvectors
FEW_FEATURES = 16  # up to here differences cost no more than the product, and round less
KERNELS = ("rbf", "linear")


def check_size(name: str, n: int) -> None:
    """Refuse what would not fit into memory."""
    if n > MOST:
        raise ValueError(
            f"{name}: n={n} points need a kernel matrix of {8 * n * n / 2**30:.0f} GB; up to "
            f"{MOST} points are taken, draw a sample"
        )


def kernel_width(
    sigma: float | str,
    X: np.ndarray,
    y: np.ndarray,
    memory: Any = None,
    graph: sparse.csr_array | None = None,
) -> float:
    """σ as a number; a rule is measured once whatever factor stands before it."""
    if not isinstance(sigma, str):
        return width(sigma, graph=graph)
    factor, rule = split_rule(sigma)
    labels = y if rule == "mst" else None  # only this rule looks at labels
    return factor * check_memory(memory).cache(width)(rule, graph=graph, X=X, y=labels)


@stage("kernel of the plane")
def kernel_rows(
    Q: np.ndarray, X: np.ndarray, *, kernel: str = "rbf", sigma: float = 1.0, halved: bool = False
) -> np.ndarray:
    """(m, n): k(q, x) of every row of Q with every row of X."""
    points = np.asarray(X, np.float64)
    Q, X = points if Q is X else np.asarray(Q, np.float64), points
    if kernel == "linear":
        return Q @ X.T
    if kernel != "rbf":
        raise ValueError(f"kernel={kernel!r} is not one of {', '.join(KERNELS)}")
    return _decayed(_squares(Q, X, sigma * np.sqrt(2.0) if halved else sigma))


@stage("kernel")
def gram(
    X: np.ndarray, *, kernel: str = "rbf", sigma: float = 1.0, halved: bool = False
) -> np.ndarray:
    """(n, n): the kernel matrix K of the points with themselves; ones on the diagonal of rbf."""
    K = kernel_rows(X, X, kernel=kernel, sigma=sigma, halved=halved)
    if kernel == "rbf":
        np.fill_diagonal(K, 1.0)
    return K


@stage("kernel")
def centred(K: np.ndarray) -> np.ndarray:
    """HKH with H = I − 11ᵀ/n: the kernel of the points about their mean in feature space."""
    means = K.mean(axis=0)
    C = K - means
    C -= means[:, None]
    C += means.mean()
    return C


@stage("spectrum")
def spectrum(K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(μ, V): eigenvalues (n,), largest first and none below zero, and eigenvectors (n, n)."""
    mu, V = np.linalg.eigh(K)
    return np.maximum(mu[::-1], 0.0), _signed(V[:, ::-1])


def leading(K: np.ndarray, *, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The first `count` of `spectrum` without the others: (count,) and (n, count)."""
    if len(K) < 200 or 5 * count > len(K):
        mu, V = spectrum(K)
        return mu[:count].copy(), V[:, :count].copy()
    start = np.random.default_rng(0).normal(size=len(K))  # ones would be a null vector of HKH
    mu, V = eigsh(K, count, v0=start)
    order = np.argsort(-mu, kind="stable")
    return np.maximum(mu[order], 0.0), _signed(V[:, order])


def _signed(V: np.ndarray) -> np.ndarray:
    """Columns with the sign that makes their largest entry positive."""
    largest = np.abs(V).argmax(axis=0)
    return np.ascontiguousarray(V * np.where(V[largest, np.arange(V.shape[1])] < 0, -1.0, 1.0))


def _squares(Q: np.ndarray, X: np.ndarray, scale: float) -> np.ndarray:
    """‖q − x‖²/scale² of every pair."""
    middle = X.mean(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        B = (X - middle) / scale
        A = B if Q is X else (Q - middle) / scale  # one array: the product is exactly symmetric
        a, b = np.square(A).sum(axis=1), np.square(B).sum(axis=1)
    if X.shape[1] <= FEW_FEATURES or not (np.isfinite(a).all() and np.isfinite(b).all()):
        return cdist(Q / scale, X / scale, "sqeuclidean")
    R = A @ B.T
    R *= -2.0
    R += a[:, None] + b
    return np.maximum(R, 0.0, out=R)


def _decayed(R: np.ndarray) -> np.ndarray:
    return np.exp(np.negative(R, out=R), out=R)
