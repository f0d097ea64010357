"""Small sets on which shortest paths, ties and islands all occur."""

import numpy as np
from sklearn.datasets import load_digits

from sslviz.labels import hide


def labels(n: int, classes: int, count: int, seed: int) -> np.ndarray:
    """`count` labels, every class among them, at random places."""
    rng = np.random.default_rng(seed)
    y = np.full(n, -1)
    y[rng.choice(n, count, replace=False)] = np.arange(count) % classes
    return y


def cloud(seed: int) -> tuple[np.ndarray, np.ndarray]:
    return np.random.default_rng(seed).normal(size=(140, 3)), labels(140, 3, 12, seed)


def equal_points(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Some points twice or three times: edges of length zero."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(105, 3))
    X = np.vstack([X, X[rng.integers(105, size=45)]])
    return rng.permutation(X), labels(150, 3, 12, seed)


def lattice(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Whole coordinates: nearly all distances are tied."""
    X = np.random.default_rng(seed).permutation([(i, j) for i in range(12) for j in range(12)])
    return X.astype(float), labels(144, 3, 15, seed)


def archipelago(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Six far groups, two of them without any label."""
    rng = np.random.default_rng(seed)
    group = rng.integers(6, size=150)
    X = rng.normal(size=(150, 2)) + 100 * group[:, None]
    y = labels(150, 3, 24, seed)
    y[group >= 4] = -1
    return X, y


def digits(seed: int) -> tuple[np.ndarray, np.ndarray]:
    X, y = load_digits(return_X_y=True)
    chosen = np.random.default_rng(seed).choice(len(X), 160, replace=False)
    return X[chosen], hide(y[chosen], per_class=4, random_state=seed)


SETS = (cloud, equal_points, lattice, archipelago, digits)
