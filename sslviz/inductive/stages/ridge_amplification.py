r"""Semi-KSC as amplified kernel ridge regression.

    e = (I − γ₁GD⁻¹)⁻¹ m,   D^{-1/2} G D^{-1/2} = Q diag(μ) Q'

m and G are mean and covariance of a Gaussian process with kernel K, a free bias and noise 1/γ₂ at
the labelled points; m is kernel ridge regression. Along an eigenvector q_j the result is m times
1/(1 − γ₁μ_j): large where labels leave the scores undetermined and where many points agree.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse.linalg import LinearOperator, eigsh

from sslviz.memo import stage


class Amplification(NamedTuple):
    """The leading eigenvectors q: γ₁μ, the factor, and the coordinates of m and e along q."""

    gain: np.ndarray  # (count,) γ₁μ, largest first; a factor has its pole at 1
    factor: np.ndarray  # (count,) 1/(1 − γ₁μ)
    ridge: np.ndarray  # (count, C) of D^{-1/2} m
    scores: np.ndarray  # (count, C) of D^{-1/2} e


class _Posterior:
    """Mean and covariance of the Gaussian process with a flat prior on the bias."""

    def __init__(self, K: np.ndarray, given: np.ndarray, gamma2: float):
        self.K, self.rows = K, K[given]  # (l, n)
        self.factor = cho_factor(self.rows[:, given] + np.eye(len(given)) / gamma2)
        ones = cho_solve(self.factor, np.ones(len(given)))
        self.rest = 1.0 - ones @ self.rows  # of a constant, what the labels do not explain
        self.mass = ones.sum()
        self.ones = ones

    def mean(self, c: np.ndarray) -> np.ndarray:
        bias = self.ones @ c / self.mass
        return self.rows.T @ cho_solve(self.factor, c - bias) + bias

    def covariance_product(self, x: np.ndarray) -> np.ndarray:
        explained = self.rows.T @ cho_solve(self.factor, self.rows @ x)
        return self.K @ x - explained + self.rest * (self.rest @ x) / self.mass


def ridge_mean(K: np.ndarray, given: np.ndarray, c: np.ndarray, gamma2: float) -> np.ndarray:
    """m (n, C): kernel ridge regression on the targets c (l, C) with a free bias."""
    return _Posterior(K, given, gamma2).mean(c)


@stage("amplification")
def amplification(
    K: np.ndarray,
    given: np.ndarray,
    c: np.ndarray,
    *,
    gamma1: float,
    gamma2: float,
    count: int,
) -> Amplification:
    """The `count` eigenvectors with the largest μ."""
    posterior, s = _Posterior(K, given, gamma2), 1.0 / np.sqrt(K.sum(axis=1))
    n = len(K)
    count = min(count, n - 1)
    A = LinearOperator((n, n), matvec=lambda x: s * posterior.covariance_product(s * x.ravel()))
    mu, Q = eigsh(A, count, v0=s, tol=1e-9)
    order = np.argsort(-mu)
    gain = gamma1 * mu[order]
    factor = 1.0 / np.where(gain == 1, np.nan, 1.0 - gain)
    ridge = Q[:, order].T @ (s[:, None] * posterior.mean(c))
    return Amplification(gain, factor, ridge, factor[:, None] * ridge)
