r"""Iterative refinement of LapRLS: recover digits that the spectral filter loses.

    M a = JY,   M = JK + γ(I + ρLK) = (γI + JK̃)(I + ρLK),   γ = λ₁l,   J marks labelled points

Where ρ is large or γ small, K̃ has entries of very different size and the filter is accurate to some
digits only. But it is cheap, and M, written with K and L themselves, is far better conditioned: the
residual of a is solved by the filter again, until it no longer shrinks.
"""

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from sslviz.kernels.deformed import Manifold

MAX_REFINEMENTS = 20  # each divides the residual by 1/(relative error of the filter)


def refined_coefficients(
    coef: np.ndarray, space: Manifold, given: np.ndarray, Y: np.ndarray, *, gamma: float, rho: float
) -> np.ndarray:
    """a (n, C) with a smaller residual of M a = JY, for targets Y (l, C) of the `given` points."""
    assert space.K is not None
    filtered = 1.0 / (1.0 + rho * space.s)
    free = np.ones(len(coef), bool)
    free[given] = False

    def deform(v: np.ndarray) -> np.ndarray:
        return space.B @ (filtered[:, None] * (space.B.T @ v))

    known = space.B[given]
    try:
        factor = cho_factor((known * filtered) @ known.T + gamma * np.eye(len(given)))
    except LinAlgError:
        return coef
    best, least = coef, np.inf
    for _ in range(MAX_REFINEMENTS):
        F = space.K @ coef
        residual = -gamma * (coef + rho * (space.L @ F))
        residual[given] += Y - F[given]
        size = np.abs(residual).max()
        if not size < 0.5 * least:
            return best if size >= least else coef
        best, least = coef, size
        v = np.where(free[:, None], residual / gamma, 0.0)
        v[given] = cho_solve(factor, residual[given] - deform(v)[given])
        coef = coef + v - rho * (space.L @ deform(v))
    return best
