r"""The Gaussian kernel between two sets of points, whole or only its products.

    k(x, q) = exp(−‖x − q‖²/2σ²)

Points are centred and measured in σ first: the kernel cannot tell, its arithmetic can.
"""

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import rbf_kernel

from sslviz.memo import stage

BLOCK = 2**22  # entries of the kernel held at once: 32 MB
FAR = 1e3  # in σ: ‖x‖² − 2xᵀq + ‖q‖² is rounded at FAR² · 1e-16, and the kernel with it


@stage("kernel")
def gram(X: np.ndarray, sigma: float) -> np.ndarray:
    """(n, n) kernel of all pairs."""
    C = _measured(X, X.mean(axis=0, dtype=np.float64), sigma)
    return _kernel(C, C)


@stage("kernel")
def times(Q: np.ndarray, X: np.ndarray, B: np.ndarray, sigma: float) -> np.ndarray:
    """(m, c) K B with K = k(Q, X), without holding K."""
    mean = X.mean(axis=0, dtype=np.float64)
    C = _measured(X, mean, sigma)
    result = np.empty((len(Q), B.shape[1]))
    step = max(1, BLOCK // len(X))
    for i in range(0, len(Q), step):
        result[i : i + step] = _kernel(_measured(Q[i : i + step], mean, sigma), C) @ B
    return result


def _measured(X: np.ndarray, mean: np.ndarray, sigma: float) -> np.ndarray:
    return np.subtract(X, mean, dtype=np.float64) / sigma


def _kernel(P: np.ndarray, C: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        if np.linalg.norm(C, axis=1).max() < FAR:
            return rbf_kernel(P, C, gamma=0.5)
        return np.exp(-np.square(cdist(P, C)) / 2)  # difference by difference
