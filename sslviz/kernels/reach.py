"""Reach of a Gaussian kernel: the distance beyond which its values are rounding errors."""

import numpy as np

from sslviz.graph.neighbours import nearest

MIN_KERNEL_VALUE = 1e-16  # below it a point is not affected by a label


def kernel_reach(sigma: float, exponent: float) -> float:
    """The distance at which exp(−d²/(exponent·σ²)) is 10⁻¹⁶."""
    return sigma * float(np.sqrt(-exponent * np.log(MIN_KERNEL_VALUE)))


def unreached_share(X: np.ndarray, y: np.ndarray, sigma: float, exponent: float) -> float:
    """Share of the unlabelled points (y = -1) farther than that from every labelled one."""
    distance = nearest(X, X[y >= 0], 1)[1][:, 0]
    return float((distance > kernel_reach(sigma, exponent))[y < 0].mean())
