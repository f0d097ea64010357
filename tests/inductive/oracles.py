"""The problems of the kernel methods written out with dense matrices, as on paper."""

import numpy as np


def cloud(
    seed: int, n: int = 60, d: int = 3, classes: int = 3, share: float = 0.35
) -> tuple[np.ndarray, np.ndarray]:
    """Overlapping Gaussian classes, named 2, 5, 8.., a share of them labelled."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(classes, size=n)
    X = rng.normal(size=(n, d)) + 1.2 * rng.normal(size=(classes, d))[truth]
    y = np.where(rng.random(n) < share, 3 * truth + 2, -1)
    y[:classes] = 3 * np.arange(classes) + 2
    return X, y


def rbf(A: np.ndarray, B: np.ndarray, sigma: float, halved: bool) -> np.ndarray:
    squares = np.square(A[:, None] - B).sum(axis=2)
    return np.exp(-squares / (sigma**2 * (2 if halved else 1)))


def about_mean(K: np.ndarray) -> np.ndarray:
    H = np.eye(len(K)) - 1 / len(K)
    return H @ K @ H


def penalty(K: np.ndarray, lam: float) -> np.ndarray:
    """D = (I + K/λ)⁻¹, Eq. 10."""
    return np.linalg.inv(np.eye(len(K)) + K / lam)


def deformed(K: np.ndarray, L: np.ndarray, r: float) -> np.ndarray:
    """K̃ = K − rK(I + rLK)⁻¹LK."""
    return K - r * K @ np.linalg.solve(np.eye(len(K)) + r * L @ K, L @ K)


def union_laplacian(X: np.ndarray, k: int) -> np.ndarray:
    """L = D − W of the union kNN graph, σ the mean edge length of the directed one."""
    d = np.sqrt(np.square(X[:, None] - X).sum(axis=2))
    np.fill_diagonal(d, np.inf)
    listed = np.zeros(d.shape, bool)
    np.put_along_axis(listed, np.argsort(d, axis=1, kind="stable")[:, :k], True, axis=1)
    W = np.where(listed | listed.T, np.exp(-np.square(d / d[listed].mean())), 0.0)
    return np.diag(W.sum(axis=1)) - W
