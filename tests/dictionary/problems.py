"""Problems that the tests of the dictionary methods share."""

from typing import Any

import numpy as np

from sslviz.labels import hide
from sslviz.solve.dictionary_learning import unit_atoms

SMALL: dict[str, Any] = {"n_atoms": 25, "max_iter": 4}


def three_digits(real: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """120 digits of three classes, 10 labels each: points, labels and truth."""
    d = real("usps")
    rng = np.random.default_rng(0)
    chosen = np.concatenate([rng.choice(np.flatnonzero(d.y == c), 40, False) for c in (2, 3, 5)])
    y = d.y[chosen] * 7  # class names other than 0, 1, 2
    return 5 * unit_atoms(d.X[chosen]), hide(y, per_class=10, random_state=0), y


def noise() -> tuple[np.ndarray, np.ndarray]:
    """60 points of three overlapping classes in 8 dimensions, 4 labels each."""
    y = np.arange(60) % 3
    X = np.random.default_rng(0).normal(size=(60, 8)) + 2 * np.eye(3, 8)[y]
    return X, hide(y, per_class=4, random_state=0)
