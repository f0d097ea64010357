r"""The rounds of SSR-D: weights of the points, codes, atoms in turn.

    Σ_i h(‖x_i − a_i D‖) + λ Σ_g ‖A_g‖_{2,q}^q,   h(r) = r,  but (r²/ε + ε)/2 below a small ε

h ≤ w r² + a constant with w = 1/(2 max(r, ε)) from the round before: points that fit badly weigh
less. With these weights codes and atoms are a weighted group lasso and weighted least squares. No
update raises the objective.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch

from sslviz.dictionary.stages.atom_groups import (
    concave_penalty,
    group_members,
    group_norms,
    smoothing_width,
    tangent_weights,
)
from sslviz.dictionary.stages.class_blocks import BlockRound, one_hot_rows
from sslviz.solve.dictionary_learning import sparse_codes, update_atoms
from sslviz.solve.group_lasso import sweep_groups

GROUP_SWEEPS = 10  # through the atoms, for the codes of a group in a round
MIN_SWEEP_GAIN = 0.01  # of a round's gain: a sweep that gains less ends it
EXACT_FIT = 0.01  # residuals below this share of the mean length of the points count as squares


class RobustTerms(NamedTuple):
    """The terms of the objective; their sum is the objective."""

    reconstruction: float  # Σ h(‖x − aD‖)
    labelled_groups: float  # λ Σ_c ‖A_c‖_{2,q}^q
    unlabelled_group: float  # λ‖A_u‖_{2,q}^q


def point_weights(X: np.ndarray, A: np.ndarray, D: np.ndarray, least: float) -> np.ndarray:
    """(n,) 1/(2‖x − aD‖), at most 1/(2·least)."""
    return 1 / (2 * np.maximum(np.linalg.norm(X - A @ D, axis=1), least))


def least_residual(X: np.ndarray) -> float:
    """The residual below which a point counts as fitted."""
    return EXACT_FIT * (float(np.linalg.norm(X, axis=1).mean()) or 1.0)


def robust_rounds(
    X: np.ndarray,
    target: np.ndarray,
    *,
    start: np.ndarray,
    lam: float,
    q: float,
    max_iter: int,
) -> Iterator[BlockRound]:
    """One record per round; its parts are D, A and the weights of the points."""
    D, A = start, sparse_codes(X, start, lam)
    groups, least = group_members(target, with_unlabelled=True), least_residual(X)
    F = torch.as_tensor(one_hot_rows(target, int(target.max()) + 1))
    for iteration in range(1, max_iter + 1):
        weight = point_weights(X, A, D, least)
        A = improved_groups(X, A, D, weight, groups, lam, q)
        weighted = weight[:, None] * A
        D = update_atoms(A.T @ weighted, weighted.T @ X, D)
        terms = robust_terms(X, A, D, groups, int(target.max()) + 1, lam, q)
        parts = (D, A, point_weights(X, A, D, least))
        yield BlockRound(iteration, sum(terms), terms, F, parts)


def improved_groups(
    X: np.ndarray,
    A: np.ndarray,
    D: np.ndarray,
    weight: np.ndarray,
    groups: list[np.ndarray],
    lam: float,
    q: float,
) -> np.ndarray:
    """(n, atoms) better codes, group by group."""
    G, B, A = D @ D.T, X @ D.T, A.copy()
    slopes = lam * tangent_weights(group_norms(A, groups), q, smoothing_width(X))
    for rows, slope in zip(groups, slopes, strict=True):
        codes = np.ascontiguousarray(A[rows].T)  # (atoms, points)
        C = np.ascontiguousarray(B[rows].T) - G @ codes
        sweep_groups(G, C, codes, weight[rows], slope, GROUP_SWEEPS, MIN_SWEEP_GAIN)
        A[rows] = codes.T
    return A


def robust_terms(
    X: np.ndarray,
    A: np.ndarray,
    D: np.ndarray,
    groups: list[np.ndarray],
    n_classes: int,
    lam: float,
    q: float,
) -> RobustTerms:
    """The terms of the objective."""
    r, least = np.linalg.norm(X - A @ D, axis=1), least_residual(X)
    norms, epsilon = group_norms(A, groups), smoothing_width(X)
    return RobustTerms(
        float(np.where(r > least, r, (np.square(r) / least + least) / 2).sum()),
        lam * concave_penalty(norms[:n_classes], q, epsilon),
        lam * concave_penalty(norms[n_classes:], q, epsilon),
    )
