r"""Residual PCA: more directions than the labels determine, from the deflated data.

    X' = H X (I − VVᵀ),   in feature space   K' = H(K − KββᵀK)H

Once V holds every direction along which points and labels depend on each other, further directions
leave the objective unchanged. Principal components of the deflated data are a choice that does not
depend on the eigensolver.
"""

import numpy as np
from scipy.linalg import eigh, qr
from scipy.sparse.linalg import LinearOperator, eigsh

from sslviz.embedding.stages.linear_projection import centred_blocks, sign_of_first_large
from sslviz.memo import stage

EPS = np.finfo(np.float64).eps
MAX_DENSE = 200  # sides up to which all eigenvectors cost less than an iteration for some


@stage("covariance")
def scatter(X: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Products of the centred points: features (d, d), or points (n, n) if these are fewer."""
    n, d = X.shape
    if n < d:
        C = np.subtract(X, mean, dtype=np.float64)
        return C @ C.T
    total = np.zeros((d, d))
    for _, centred in centred_blocks(X, mean):
        total += centred.T @ centred
    return total


def principal(
    X: np.ndarray, mean: np.ndarray, products: np.ndarray, V: np.ndarray, count: int
) -> np.ndarray:
    """(d, ≤ count) principal directions orthogonal to the columns of V; `products` = scatter."""
    if X.shape[0] < X.shape[1]:
        C = np.subtract(X, mean, dtype=np.float64)  # centred first: fewer digits are lost
        along = C @ V
        values, T = _top(products - along @ along.T, count)
        kept = values > _noise(products)
        W = C.T @ T[:, kept]
    else:
        left = products - V @ (V.T @ products)
        values, W = _top(left - (left @ V) @ V.T, count)
        W = W[:, values > _noise(products)]
    for _ in range(2):  # once for the projection, once for its rounding
        W = qr(W - V @ (V.T @ W), mode="economic")[0]
    return W * sign_of_first_large(W) if W.shape[1] else W


def kernel_principal(
    K: np.ndarray, beta: np.ndarray, Kbeta: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients (n, ≤ count) of principal directions in feature space, and K times them."""
    centred = Kbeta - Kbeta.mean(axis=0)

    def deflated(v: np.ndarray) -> np.ndarray:
        v = v.reshape(len(K), -1)
        image = K @ (v - v.mean(axis=0))
        return image - image.mean(axis=0) - centred @ (centred.T @ v)

    if _is_small(len(K), count):
        values, T = _largest(deflated(np.eye(len(K))), count)
    else:
        operator = LinearOperator(K.shape, matvec=deflated, matmat=deflated, dtype=K.dtype)
        values, T = _iterated(operator, count)
    kept = values > _noise(K)
    T = T[:, kept] - T[:, kept].mean(axis=0)
    more = (T - beta @ (Kbeta.T @ T)) / np.sqrt(values[kept])
    more *= sign_of_first_large(more) if more.shape[1] else 1.0
    return more, K @ more


def _top(A: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    A = (A + A.T) / 2
    return _largest(A, count) if _is_small(len(A), count) else _iterated(A, count)


def _is_small(side: int, count: int) -> bool:
    return side <= MAX_DENSE or 4 * count > side


def _largest(A: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    side = len(A)
    values, vectors = eigh(A, subset_by_index=(max(side - count, 0), side - 1))
    return values[::-1], vectors[:, ::-1]


def _iterated(A: np.ndarray | LinearOperator, count: int) -> tuple[np.ndarray, np.ndarray]:
    start = np.random.default_rng(0).normal(size=A.shape[0])  # a fixed seed: reproducible
    values, vectors = eigsh(A, count, v0=start, ncv=max(2 * count + 1, 40))
    order = np.argsort(-values, kind="stable")
    return values[order], vectors[:, order]


def _noise(A: np.ndarray) -> float:
    return float(16 * EPS * len(A) * np.trace(A))
