"""What the solvers are held against: Gaussian elimination without any rounding."""

from fractions import Fraction


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
