r"""Directions of largest dependence (HSIC) between points and labels.

    max tr(VᵀX H Y Yᵀ H Xᵀ V)/(n − 1)²,  VᵀV = I   ⇔   X H Y = V S Uᵀ

With G = XHY (d × C) the eigenvectors of the d × d matrix GGᵀ are the left singular vectors of G: no
eigenproblem of size d and no n × n matrix is needed. In the feature space of a kernel V = Φβ with

    YᵀH K H Y = U S² Uᵀ,   β = H Y U S⁻¹,   βᵀKβ = I,   Kβ = (K H Y) U S⁻¹

so that K is only multiplied, never inverted. Rows of Y sum to 1, therefore HY·1 = 0 and at most
C − 1 directions are determined; those with S = 0 up to rounding are not returned.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh, svd

from sslviz.embedding.stages.linear_projection import centred_blocks, sign_of_first_large
from sslviz.memo import stage

EPS = np.finfo(np.float64).eps


class Directions(NamedTuple):
    """The r directions that a decomposition determines."""

    V: np.ndarray  # (d, r) the directions, or (n, r) their coefficients β
    U: np.ndarray  # (C, r) the combination of classes along each
    S: np.ndarray  # (C,) singular values, largest first; zero from r on


class CrossCovariance(NamedTuple):
    """X H Y, the mean of X, and the rounding error of singular values of X H Y."""

    G: np.ndarray  # (d, C)
    mean: np.ndarray  # (d,)
    noise: float


def centred_labels(Y: np.ndarray, used: np.ndarray) -> np.ndarray:
    """H Y (n, C) over the points that are used; rows of the others are zero."""
    return np.where(used[:, None], Y - Y[used].mean(axis=0), 0.0)


@stage("class means")
def class_cross_covariance(X: np.ndarray, HY: np.ndarray) -> CrossCovariance:
    """(X − x̄)ᵀ H Y: for each class, how its points deviate from the mean."""
    mean = X.mean(axis=0, dtype=np.float64)
    G, squares = np.zeros((X.shape[1], HY.shape[1])), 0.0
    for rows, centred in centred_blocks(X, mean):
        G += centred.T @ HY[rows]
        squares += float(np.square(centred).sum())
    return CrossCovariance(G, mean, float(16 * EPS * np.sqrt(squares) * np.linalg.norm(HY)))


def linear_directions(G: np.ndarray, noise: float) -> Directions:
    """Left singular vectors of X H Y (d, C)."""
    V, S, Ut = svd(G, full_matrices=False)
    r = _rank(S, noise, G.shape[1])
    signs = sign_of_first_large(Ut[:r].T) if r else np.ones(0)
    return Directions(V[:, :r] * signs, Ut[:r].T * signs, _padded(S[:r], G.shape[1]))


def kernel_directions(HY: np.ndarray, KHY: np.ndarray, largest: float = 1.0) -> Directions:
    """β (n, r) from H Y and its product with K, both (n, C); `largest` is K's largest entry."""
    M = HY.T @ KHY
    values, U = eigh((M + M.T) / 2)
    values, U = values[::-1], U[:, ::-1]
    n_classes = HY.shape[1]
    # Of a wide kernel, with all entries near 1, little is left beside their rounding error.
    noise = 16 * EPS * largest * np.sqrt(len(HY)) * np.square(HY).sum()
    r = _rank(values, float(noise), n_classes)
    S, U = np.sqrt(values[:r]), U[:, :r]
    U = U * (sign_of_first_large(U) if r else np.ones(0))
    return Directions(HY @ (U / S), U, _padded(S, n_classes))


def _rank(values: np.ndarray, noise: float, n_classes: int) -> int:
    return min(int(np.count_nonzero(values > noise)), n_classes - 1)


def _padded(S: np.ndarray, n_classes: int) -> np.ndarray:
    return np.concatenate([S, np.zeros(n_classes - len(S))])
