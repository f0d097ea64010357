r"""The rounds of SSD-LP: a dictionary per class, learnt from its points and from likely ones.

    Σ_c ‖X_c − A_c D_c‖² + λ‖A_c‖₁ + γ‖A_c − M_c‖² + Σ_jc P_jc‖x_j − a_jc D_c‖² + λ‖a_jc‖₁

Labelled points are coded by the atoms of their own class, unlabelled ones by those of each class
apart. With P fixed no update raises the objective; P is computed anew in every round.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from sslviz.dictionary.stages.class_blocks import (
    BlockRound,
    block_codes,
    blocks,
    class_residuals,
)
from sslviz.dictionary.stages.error_propagation import propagate_errors, relative_errors
from sslviz.solve.dictionary_learning import sparse_codes, update_atoms
from sslviz.solve.fista import lasso

MEAN_SWEEPS = 2  # alternations between codes and their mean, in a round
PRINTED_STEPS = 200  # of FISTA for the printed sign, in a round
MIN_WEIGHT = 1e-9  # P below it counts as 0: its codes are zero at any sensible scale


class SpreadTerms(NamedTuple):
    """The terms of the objective; their sum is the objective."""

    labelled: float  # Σ_c ‖X_c − A_c D_c‖²
    spread: float  # γ Σ_c ‖A_c − M_c‖², negative as printed
    unlabelled: float  # Σ_jc P_jc‖x_j − a_jc D_c‖²
    sparsity: float  # λ times all absolute coefficients


@dataclass(frozen=True)
class PrintedQuadratic:
    """‖X − A D‖² − γ‖A − M‖² with M the mean of A; convex while γ ≤ λ_min(DDᵀ)."""

    linear: torch.Tensor
    G: torch.Tensor  # 2 D Dᵀ
    gamma: float

    def gradient(self, Z: torch.Tensor) -> torch.Tensor:
        return self.linear + Z @ self.G - 2 * self.gamma * (Z - Z.mean(dim=0))


def labelled_codes(
    X: np.ndarray, D: np.ndarray, mean: np.ndarray, lam: float, gamma: float
) -> np.ndarray:
    """(n_c, p_c) codes of the points of a class, pulled towards their mean, from `mean` on."""
    A = sparse_codes(X, D, lam, ridge=gamma, pull=gamma * mean)
    for _ in range(MEAN_SWEEPS - 1 if gamma > 0 else 0):
        A = sparse_codes(X, D, lam, ridge=gamma, pull=gamma * A.mean(axis=0))
    return A


def printed_codes(
    X: np.ndarray, D: np.ndarray, A: np.ndarray, lam: float, gamma: float
) -> np.ndarray:
    """(n_c, p_c) codes pushed away from their mean, from A on."""
    rows, atoms = torch.as_tensor(X), torch.as_tensor(D)
    f = PrintedQuadratic(-2 * rows @ atoms.T, 2 * atoms @ atoms.T, gamma)
    return lasso(f, torch.as_tensor(A), lam, max_iter=PRINTED_STEPS, tol=1e-6).Z.numpy()


def weighted_codes(X: np.ndarray, D: np.ndarray, weight: np.ndarray, lam: float) -> np.ndarray:
    """(n, p_c) minimisers of P‖x − aD‖² + λ‖a‖₁; with t = Pa this is ‖Px − tD‖² + λ‖t‖₁."""
    A, used = np.zeros((len(X), len(D))), weight > MIN_WEIGHT
    scale = weight[used, None]
    A[used] = sparse_codes(scale * X[used], D, lam) / scale
    return A


def least_curvature(D: np.ndarray, target: np.ndarray, atom_class: np.ndarray) -> float:
    """The least eigenvalue of D_c D_cᵀ over all classes with two labelled points or more.

    A smaller γ leaves ‖X_c − A_c D_c‖² − γ‖A_c − M_c‖² convex; a larger one unbounded below, along
    codes that move apart in the direction of the eigenvector.
    """
    values = [np.inf]
    for c, mine in blocks(atom_class, int(target.max()) + 1):
        if np.count_nonzero(target == c) > 1:
            values.append(np.linalg.eigvalsh(D[mine] @ D[mine].T)[0])
    return float(max(np.min(values), 0.0))


def first_separate_codes(
    X: np.ndarray, target: np.ndarray, D: np.ndarray, atom_class: np.ndarray, lam: float
) -> tuple[np.ndarray, np.ndarray]:
    """(n, atoms) codes before the first round, zero outside the class of a labelled point; errors.

    Errors (n, C) are those of plain sparse codes by each class.
    """
    n_classes = int(target.max()) + 1
    A = block_codes(X, D, atom_class, n_classes, lam)
    E = class_residuals(X, A, D, atom_class, n_classes)
    return A * ((target < 0)[:, None] | (target[:, None] == atom_class)), E


def ssd_lp_rounds(
    X: np.ndarray,
    target: np.ndarray,
    *,
    start: np.ndarray,
    atom_class: np.ndarray,
    lam: float,
    gamma: float,
    n_links: int,
    as_printed: bool,
    max_iter: int,
    device: str,
) -> Iterator[BlockRound]:
    """One record per round; its parts are D, A, P, error vectors, and why it stopped."""
    D = start.copy()
    A, E = first_separate_codes(X, target, D, atom_class, lam)
    sign = -1.0 if as_printed else 1.0
    for iteration in range(1, max_iter + 1):
        if iteration > 1:
            E = first_separate_codes(X, target, D, atom_class, lam)[1]
        U = relative_errors(E)
        P = propagate_errors(U, target, n_links, device)
        reason = _unbounded_reason(D, target, atom_class, gamma) if as_printed else ""
        if not reason:
            A = _improved_codes(X, target, D, A, P, atom_class, lam, sign * gamma)
            D = _improved_atoms(X, target, D, A, P, atom_class)
        terms = spread_terms(X, target, D, A, P, atom_class, lam, sign * gamma)
        parts = (D, A, P, U, reason)
        yield BlockRound(iteration, sum(terms), terms, torch.as_tensor(P), parts)
        if reason:
            return


def _improved_codes(
    X: np.ndarray,
    target: np.ndarray,
    D: np.ndarray,
    A: np.ndarray,
    P: np.ndarray,
    atom_class: np.ndarray,
    lam: float,
    gamma: float,
) -> np.ndarray:
    """(n, atoms) codes for the atoms D; γ < 0 pushes codes away from their mean, as printed."""
    A, free = A.copy(), np.flatnonzero(target < 0)
    for c, mine in blocks(atom_class, P.shape[1]):
        rows = np.flatnonzero(target == c)
        here, atoms = np.ix_(rows, mine), D[mine]
        if gamma < 0:
            A[here] = printed_codes(X[rows], atoms, A[here], lam, -gamma)
        else:
            A[here] = labelled_codes(X[rows], atoms, A[here].mean(axis=0), lam, gamma)
        A[np.ix_(free, mine)] = weighted_codes(X[free], atoms, P[free, c], lam)
    return A


def _improved_atoms(
    X: np.ndarray,
    target: np.ndarray,
    D: np.ndarray,
    A: np.ndarray,
    P: np.ndarray,
    atom_class: np.ndarray,
) -> np.ndarray:
    """Better atoms for codes A; each class learns from its points and, with weight P, others."""
    D = D.copy()
    for c, mine in blocks(atom_class, P.shape[1]):
        used = P[:, c] > MIN_WEIGHT
        codes = A[np.ix_(used, mine)]
        weighted = P[used, c, None] * codes
        D[mine] = update_atoms(codes.T @ weighted, weighted.T @ X[used], D[mine])
    return D


def spread_terms(
    X: np.ndarray,
    target: np.ndarray,
    D: np.ndarray,
    A: np.ndarray,
    P: np.ndarray,
    atom_class: np.ndarray,
    lam: float,
    gamma: float,
) -> SpreadTerms:
    """The terms of the objective; as printed γ is negative."""
    E = class_residuals(X, A, D, atom_class, P.shape[1])
    given, spread = target >= 0, 0.0
    for c, mine in blocks(atom_class, P.shape[1]):
        codes = A[np.ix_(target == c, mine)]
        spread += float(np.square(codes - codes.mean(axis=0)).sum())
    return SpreadTerms(
        float(E[given, target[given]].sum()),
        gamma * spread,
        float((P[~given] * E[~given]).sum()),
        lam * float(np.abs(A).sum()),
    )


def _unbounded_reason(
    D: np.ndarray, target: np.ndarray, atom_class: np.ndarray, gamma: float
) -> str:
    """Why the printed objective has no minimum; "" if it has one."""
    least = least_curvature(D, target, atom_class)
    if gamma <= least:
        return ""
    return (
        f"the printed objective has no minimum: γ = {gamma:g} is larger than {least:.3g}, the "
        "least eigenvalue of D_c D_cᵀ, so codes of a class that move apart lower it without bound"
    )
