"""What the methods are held against: the formulas of the papers, dense and without cleverness."""

import numpy as np


def neighbour_distances(X: np.ndarray, k: int) -> np.ndarray:
    """(n, n) distances to the k nearest others, inf elsewhere; ties by lower index."""
    X = np.asarray(X, np.float64)
    D = np.stack([np.sqrt(((x - X) ** 2).sum(axis=1)) for x in X])
    np.fill_diagonal(D, np.inf)
    order = np.argsort(D, axis=1, kind="stable")[:, :k]
    result = np.full_like(D, np.inf)
    np.put_along_axis(result, order, np.take_along_axis(D, order, axis=1), axis=1)
    return result


def weights(
    X: np.ndarray, k: int, *, undirected: bool = True, halved: bool = False, factor: float = 1.0
) -> np.ndarray:
    """exp(−d²/σ²) or exp(−d²/2σ²), σ the mean length of the directed edges; max(W, Wᵀ)."""
    D = neighbour_distances(X, k)
    sigma = factor * D[np.isfinite(D)].mean()
    W = np.exp(-(D**2) / (sigma**2 * (2 if halved else 1)))
    return np.maximum(W, W.T) if undirected else W


def one_hot(y: np.ndarray) -> np.ndarray:
    return (y[:, None] == np.unique(y[y != -1])).astype(float)


def harmonic(W: np.ndarray, y: np.ndarray) -> np.ndarray:
    """F_u = (D_uu − W_uu)⁻¹ W_ul Y_l; every point must be able to reach a label."""
    F, free = one_hot(y), y == -1
    L = np.diag(W.sum(axis=1)) - W
    F[free] = np.linalg.inv(L[np.ix_(free, free)]) @ W[np.ix_(free, ~free)] @ F[~free]
    return F


def consistent(W: np.ndarray, y: np.ndarray, alpha: float) -> np.ndarray:
    """(1 − α)(I − αS)⁻¹ Y, S = D^{-1/2} W D^{-1/2}."""
    d = W.sum(axis=1)
    S = W / np.sqrt(d[:, None] * d)
    return (1 - alpha) * np.linalg.solve(np.eye(len(W)) - alpha * S, one_hot(y))
