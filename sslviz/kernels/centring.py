r"""A kernel centred on the mean of the unlabelled points in feature space.

    C_ij = ⟨φ(x_i) − φ̄, φ(x_j) − φ̄⟩,   φ̄ = Σ_j share_j φ(x_j),   C share = 0

For a linear kernel the centred points themselves take the place of C: they have fewer columns.
"""

import numpy as np

from sslviz.memo import stage


def is_factorised(C: np.ndarray) -> bool:
    """Whether these are coordinates of points instead of their kernel matrix."""
    return C.shape[1] < len(C)


def unlabelled_shares(free: np.ndarray) -> np.ndarray:
    """(n,) the weight of each point in the mean: equal for unlabelled ones, 0 for the others."""
    return free / max(free.sum(), 1)


@stage("kernel")
def centred_on_unlabelled(K: np.ndarray, free: np.ndarray) -> np.ndarray:
    """C for the kernel K of all pairs; `free` is true for unlabelled points.

    Points with fewer coordinates (n, d), whose products are a linear kernel, become Φ with ΦΦᵀ = C.
    """
    means = unlabelled_shares(free) @ K
    if is_factorised(K):
        return K - means
    means -= 0.5 * (unlabelled_shares(free) @ means)
    C = K - means
    C -= means[:, None]
    return C
