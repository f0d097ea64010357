r"""Digits that a filter loses at steep prices, won back from what the equation leaves over.

    M a = JY,   M = JK + γ(I + ρLK) = (γI + JK̃)(I + ρLK),   γ = λ₁l,   J marks labelled points

Where ρ is large or γ small, K̃ holds numbers of very different size and the filter is right to some
digits only. But it is cheap, and M, written with K and L themselves, is far better conditioned:
what a leaves over is solved for again by the filter, until nothing is gained.
"""

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from sslviz.kernels.deformed import Manifold

MOST = 20  # turns; each gains a factor of 1/(share that the filter gets wrong)


def refined(
    coef: np.ndarray, bent: Manifold, given: np.ndarray, Y: np.ndarray, *, gamma: float, rho: float
) -> np.ndarray:
    """a (n, C) nearer to M a = JY than `coef`, for targets Y (l, C) of the `given` points."""
    assert bent.K is not None
    filtered = 1.0 / (1.0 + rho * bent.s)
    free = np.ones(len(coef), bool)
    free[given] = False

    def bend(v: np.ndarray) -> np.ndarray:
        return bent.B @ (filtered[:, None] * (bent.B.T @ v))

    known = bent.B[given]
    try:
        factor = cho_factor((known * filtered) @ known.T + gamma * np.eye(len(given)))
    except LinAlgError:
        return coef
    best, least = coef, np.inf
    for _ in range(MOST):
        F = bent.K @ coef
        rest = -gamma * (coef + rho * (bent.L @ F))
        rest[given] += Y - F[given]
        size = np.abs(rest).max()
        if not size < 0.5 * least:
            return best if size >= least else coef
        best, least = coef, size
        v = np.where(free[:, None], rest / gamma, 0.0)
        v[given] = cho_solve(factor, rest[given] - bend(v)[given])
        coef = coef + v - rho * (bent.L @ bend(v))
    return best
