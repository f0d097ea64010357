"""Problems and formulas written out, for the tests of embeddings."""

import numpy as np
from scipy.spatial.distance import cdist

from sslviz import data
from sslviz.labels import hide


def blobs(n: int = 120, d: int = 6, classes: int = 4, seed: int = 0) -> tuple:
    """Overlapping clouds: X, y with three labels per class named 3, 10, 17, …, and all labels."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % classes
    X = rng.normal(size=(n, d)) + 1.5 * rng.normal(size=(classes, d))[truth]
    names = 7 * truth + 3
    return X, hide(names, per_class=3, random_state=seed), names


def digits(per_class: int = 5) -> tuple:
    """600 of scikit-learn's digits: X, y and all labels."""
    d = data.load("digits")
    return d.X[:600], hide(d.y[:600], per_class=per_class, random_state=0), d.y[:600]


def centring(n: int) -> np.ndarray:
    """H = I − 11ᵀ/n."""
    return np.eye(n) - 1 / n


def objective(V: np.ndarray, X: np.ndarray, Y: np.ndarray) -> float:
    """f of Eq. 14 as printed, V (d, p), X (n, d)."""
    H = centring(len(X))
    return np.trace(V.T @ X.T @ H @ Y @ Y.T @ H @ X @ V) / (len(X) - 1) ** 2


def gaussian(X: np.ndarray, Q: np.ndarray, sigma: float) -> np.ndarray:
    """exp(−‖x − q‖²/2σ²), pair by pair."""
    return np.exp(-cdist(X, Q, "sqeuclidean") / (2 * sigma**2))


def up_to_sign(A: np.ndarray, B: np.ndarray) -> float:
    """The largest difference of the columns of A and B, each turned to fit best."""
    signs = np.sign((A * B).sum(axis=0))
    return float(np.abs(A - signs * B).max())
