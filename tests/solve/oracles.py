"""Rational elimination, and the conditions of the lasso."""

from fractions import Fraction

import numpy as np


def absorbed(P: list[list[Fraction]], B: list[list[Fraction]]) -> list[list[Fraction]]:
    """F with F = P F + B in rational arithmetic; every state must be able to leave."""
    n = len(P)
    rows = [[(i == j) - P[i][j] for j in range(n)] + B[i] for i in range(n)]
    for s in range(n):
        pivot = next(r for r in range(s, n) if rows[r][s] != 0)
        rows[s], rows[pivot] = rows[pivot], rows[s]
        rows[s] = [v / rows[s][s] for v in rows[s]]
        for r in range(n):
            if r != s and rows[r][s] != 0:
                factor = rows[r][s]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[s], strict=True)]
    return [row[n:] for row in rows]


def lasso_objective(X: np.ndarray, A: np.ndarray, D: np.ndarray, lam: float) -> float:
    """‖X − A D‖² + λ‖A‖₁."""
    return float(np.square(X - A @ D).sum() + lam * np.abs(A).sum())


def assert_lasso_kkt(g: np.ndarray, A: np.ndarray, lam: float, atol: float) -> None:
    """g, the gradient of the smooth part, is −λ sign(a) where a ≠ 0 and within ±λ elsewhere."""
    np.testing.assert_allclose(g[A != 0], -lam * np.sign(A[A != 0]), rtol=0, atol=atol)
    assert np.abs(g[A == 0]).max() <= lam + atol
