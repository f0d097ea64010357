r"""Kernel spectral clustering (KSC): the basis in which Semi-KSC is a filter of eigenvalues.

    S = D^{-1/2} K D^{-1/2},   s = D^{-1/2} 1,   P = I − ss'/s's,   P S P = V diag(λ) V'

D are the row sums of K. The eigenvectors V are KSC's directions, weighted by D^{1/2}: the leading
ones are nearly constant on each cluster. They depend neither on labels nor on the two weights of
Semi-KSC. Every score vector is e = Ψy + b with Ψ = D^{1/2}V, and in these coordinates

    ½w'w − (γ₁/2) e'D⁻¹e = ½ Σ_j (1/λ_j − γ₁) y_j² − ½ γ₁ (ΣD⁻¹) b²

so that only a system of the size of the labels is left: ρ = γ₂(c − e) at the labelled points.
"""

from typing import NamedTuple

import numpy as np

from sslviz.memo import stage

MIN_EIGENVALUE = 1e-12  # of KSC: points that are all equal have none
NEAR_POLE = 1e-3  # |1 − γ₁λ| below which a coordinate is an unknown of its own


@stage("spectrum")
def ksc_basis(K: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """λ (n,) largest first, the last one 0; Ψ (n, n) with ΨᵀD⁻¹Ψ = I; and D (n,)."""
    degrees = K.sum(axis=1)
    s = 1.0 / np.sqrt(degrees)
    S = s[:, None] * K * s
    unit = s / np.linalg.norm(s)
    row = S @ unit
    S -= np.outer(unit, row)
    S -= np.outer(row - (unit @ row) * unit, unit)
    lam, V = np.linalg.eigh((S + S.T) / 2)
    V -= np.outer(unit, unit @ V)  # exactly in the range of P: rounding would enter the bias
    return np.maximum(lam[::-1], 0.0), V[:, ::-1] / s[:, None], degrees


class Weights(NamedTuple):
    """The two weights of the objective."""

    gamma1: float  # of the spread of the scores
    gamma2: float  # of the labels


def weights_of(
    lam: np.ndarray, degrees: np.ndarray, count: int, *, pull: float, trust: float
) -> Weights:
    """γ₁ = pull/λ₁ and γ₂ = trust γ₁ ΣD⁻¹/l for l = `count` labels."""
    gamma1 = pull / max(lam[0], MIN_EIGENVALUE)
    return Weights(gamma1, trust * gamma1 * (1.0 / degrees).sum() / count)


class Saddle(NamedTuple):
    """The stationary point: scores, coefficients, bias, and the shape of the objective there."""

    e: np.ndarray  # (n, C) scores
    alpha: np.ndarray  # (n, C) with e = K alpha + bias, columns with sum 0
    bias: np.ndarray  # (C,)
    negative: int  # negative eigenvalues of the Hessian in (w, b)


def saddle(
    K: np.ndarray,
    basis: tuple[np.ndarray, np.ndarray, np.ndarray],
    given: np.ndarray,
    c: np.ndarray,
    weights: Weights,
) -> Saddle:
    """Solve for targets ±1 c (l, C) at the points `given` (l,), from the `ksc_basis` of K."""
    lam, Psi, degrees = basis
    inverse, P = 1.0 / degrees, Psi[given]
    gap = 1.0 - weights.gamma1 * lam
    near = np.abs(gap) < NEAR_POLE
    f = np.where(near, 0.0, lam / np.where(near, 1.0, gap))
    count, poles = P.shape[0], int(near.sum())
    # Unknowns: ρ (l, C), the coordinates near the pole, and the constant part of e.
    system = np.zeros((count + poles + 1, count + poles + 1))
    system[:count, :count] = (P * f) @ P.T + np.eye(count) / weights.gamma2
    system[:count, count:-1], system[:count, -1] = P[:, near], 1.0
    system[count:, :count] = system[:count, count:].T
    system[count:-1, count:-1] = -np.diag(gap[near] / lam[near])
    system[-1, -1] = weights.gamma1 * inverse.sum()
    found = np.linalg.solve(system, np.vstack([c, np.zeros((poles + 1, c.shape[1]))]))
    rho = found[:count]
    y = f[:, None] * (P.T @ rho)
    y[near] = found[count:-1]
    e = Psi @ y + found[-1]
    alpha = weights.gamma1 * inverse[:, None] * e
    alpha[given] += rho
    alpha -= alpha.mean(axis=0)  # zero up to rounding
    bias = inverse @ (e - K @ alpha) / inverse.sum()
    # Haynsworth: eliminating a coordinate keeps the numbers of positive and negative eigenvalues.
    before = int((gap[~near] < 0).sum()) - count
    return Saddle(e, alpha, bias, before + int((np.linalg.eigvalsh(system) > 0).sum()))
