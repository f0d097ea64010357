r"""Kernel matrices and their spectrum.

    rbf: k(x, z) = exp(−‖x − z‖²/σ²)   (halved: exp(−‖x − z‖²/2σ²)),   linear: k(x, z) = x·z

Matrices are stages: for one set of points and one σ they are computed once, and so is the spectrum
K = V diag(μ) Vᵀ, in which a change of a regularisation parameter is only another filter of μ.

A matrix of all pairs takes n² numbers; beyond `MAX_POINTS` points it is refused.
"""

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import eigsh
from scipy.spatial.distance import cdist
from sklearn.utils.validation import check_memory

from sslviz.graph.weights import width
from sslviz.memo import stage
from sslviz.memory_bound import check_bytes
from sslviz.params import split_rule

MAX_POINTS = 20_000  # 3 GB for the matrix, as much again for its eigenvectors
KERNEL_BLOCK = 2**22  # entries held at once where the matrix is only multiplied: 32 MB
MAX_CDIST_FEATURES = 16  # up to here differences cost no more than the product, and round less
MAX_NORM = 1e3  # in widths: beyond, ‖a‖² − 2a·b + ‖b‖² has a rounding error above MAX_NORM² · 1e-16
KERNELS = ("rbf", "linear")


def check_size(name: str, n: int) -> None:
    """Refuse a kernel matrix that would not fit into memory."""
    if n > MAX_POINTS:
        raise ValueError(
            f"{name}: n={n} points need a kernel matrix of {8 * n * n / 2**30:.0f} GB; at most "
            f"{MAX_POINTS} points are allowed, draw a sample"
        )
    check_bytes(f"{name} on {n:,} points", 3 * 8.0 * n * n)  # K, its eigenvectors, work space


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
    labels = y if rule == "mst" else None  # only this rule depends on labels
    return factor * check_memory(memory).cache(width)(rule, graph=graph, X=X, y=labels)


@stage("kernel of the plane")
def kernel_rows(
    Q: np.ndarray, X: np.ndarray, *, kernel: str = "rbf", sigma: float = 1.0, halved: bool = False
) -> np.ndarray:
    """(m, n): k(q, x) of every row of Q with every row of X."""
    if kernel == "linear":
        return np.asarray(Q, np.float64) @ np.asarray(X, np.float64).T
    if kernel != "rbf":
        raise ValueError(f"kernel={kernel!r} is not one of {', '.join(KERNELS)}")
    mean = X.mean(axis=0, dtype=np.float64)
    B = _standardised(X, mean, sigma, halved)
    A = B if Q is X else _standardised(Q, mean, sigma, halved)  # one array: exactly symmetric
    return _gaussian(A, B)


@stage("kernel")
def gram(
    X: np.ndarray, *, kernel: str = "rbf", sigma: float = 1.0, halved: bool = False
) -> np.ndarray:
    """(n, n): the kernel matrix K of the points with themselves; ones on the diagonal of rbf."""
    check_bytes(f"The kernel matrix of {len(X):,} points", 2 * 8.0 * len(X) ** 2)
    K = kernel_rows(X, X, kernel=kernel, sigma=sigma, halved=halved)
    if kernel == "rbf":
        np.fill_diagonal(K, 1.0)
    return K


@stage("kernel")
def kernel_product(
    Q: np.ndarray, X: np.ndarray, B: np.ndarray, *, sigma: float, halved: bool = False
) -> np.ndarray:
    """(m, c) K B for the rbf kernel K = k(Q, X), without holding K."""
    mean = X.mean(axis=0, dtype=np.float64)
    C = _standardised(X, mean, sigma, halved)
    result = np.empty((len(Q), B.shape[1]))
    step = max(1, KERNEL_BLOCK // len(X))
    for i in range(0, len(Q), step):
        rows = slice(i, i + step)
        result[rows] = _gaussian(_standardised(Q[rows], mean, sigma, halved), C) @ B
    return result


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


def leading_spectrum(K: np.ndarray, *, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The first `count` eigenvalues (count,) and eigenvectors (n, count) of `spectrum`."""
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


def _standardised(P: np.ndarray, mean: np.ndarray, sigma: float, halved: bool) -> np.ndarray:
    """Points about a mean, in units in which the kernel is exp(−‖a − b‖²)."""
    with np.errstate(over="ignore"):
        return np.subtract(P, mean, dtype=np.float64) / (sigma * np.sqrt(2.0) if halved else sigma)


def _gaussian(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """exp(−‖a − b‖²) of every row of A with every row of B."""
    with np.errstate(over="ignore", invalid="ignore"):
        a, b = np.square(A).sum(axis=1), np.square(B).sum(axis=1)
    far = not max(a.max(initial=0.0), b.max(initial=0.0)) < MAX_NORM**2
    if A.shape[1] <= MAX_CDIST_FEATURES or far:
        R = cdist(A, B, "sqeuclidean")
    else:
        R = A @ B.T
        R *= -2.0
        R += a[:, None] + b
        np.maximum(R, 0.0, out=R)
    return np.exp(np.negative(R, out=R), out=R)
