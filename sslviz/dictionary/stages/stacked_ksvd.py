r"""K-SVD of points with their labels beside them, as in D-KSVD and LC-KSVD.

    ‖X − AD‖² + ψ‖Q − AU‖² + γ‖Y − AWᵀ‖² = ‖[X, √ψQ, √γY] − A [D, √ψU, √γWᵀ]‖²

K-SVD keeps stacked atoms at length 1. Afterwards d, u and w are divided by ‖d‖ and the coefficients
multiplied by it: AD, AU and AWᵀ, and with them the objective, stay as they are, and the atoms d can
code points without labels. An atom whose length is in its labels alone cannot; it occurs where
equal points have different labels. It is removed from the codes of that round.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sslviz.dictionary.stages.l0_rounds import (
    FirstAtoms,
    L0Round,
    ideal_code_matrix,
    indicator,
    label_probabilities,
    points_as_atoms,
    ridge_map,
)
from sslviz.memo import stage
from sslviz.solve.dictionary_learning import unit_atoms
from sslviz.solve.ksvd import KSVDRound, ksvd_rounds, residuals
from sslviz.solve.omp import omp

CLASS_ROUNDS = 10  # of K-SVD for the first atoms of each class
FIRST_RIDGE = 1.0  # of the first U and W, and of the W of LC-KSVD1: that of the authors' programs
MIN_ATOM_LENGTH = 1e-6  # of a stacked atom of length 1; less is in the labels alone


class StackedTerms(NamedTuple):
    """The terms of the objective with their factors."""

    reconstruction: float  # ‖X − AD‖²
    consistency: float  # ψ‖Q − AU‖²
    classification: float  # γ‖Y − AWᵀ‖²


class StackedDictionary(NamedTuple):
    """Atoms, codes of the labelled points, U and W."""

    D: np.ndarray  # (p, d)
    A: np.ndarray  # (l, p)
    U: np.ndarray  # (p, p), or (p, 0) without ideal codes
    W: np.ndarray  # (C, p)


@stage("first atoms")
def atoms_of_classes(
    X: np.ndarray, target: np.ndarray, count: int, n_nonzero: int, seed: int
) -> FirstAtoms:
    """Labelled points as atoms, improved by K-SVD on the points of their class."""
    D, owner = points_as_atoms(X, target, count, np.random.RandomState(seed))
    for c in np.unique(owner[owner >= 0]):
        mine, points = owner == c, X[target == c]
        if mine.sum() < len(points):
            rounds = ksvd_rounds(points, D[mine], n_nonzero)
            D[mine] = [next(rounds).D for _ in range(CLASS_ROUNDS)][-1]
    return FirstAtoms(D, owner)


@stage("first codes")
def first_stacked(
    X: np.ndarray, target: np.ndarray, D: np.ndarray, owner: np.ndarray, n_nonzero: int, ideal: bool
) -> StackedDictionary:
    """Codes without labels, and the ridge regressions of their labels."""
    A = omp(X, D, n_nonzero)
    Q = ideal_code_matrix(target, owner)[:, : len(D) if ideal else 0]
    Y = indicator(target, target.max() + 1)
    return StackedDictionary(D, A, ridge_map(A, Q, FIRST_RIDGE), ridge_map(A, Y, FIRST_RIDGE).T)


def stacked_rounds(
    X: np.ndarray,
    target: np.ndarray,
    *,
    start: StackedDictionary,
    owner: np.ndarray,
    n_nonzero: int,
    gamma: float,
    psi: float,
    max_iter: int,
) -> Iterator[L0Round]:
    """One record per round. ψ = 0: no ideal codes (D-KSVD). γ = 0: W by ridge (LC-KSVD1)."""
    given, C = np.flatnonzero(target >= 0), len(start.W)
    Y, Q = indicator(target[given], C), ideal_code_matrix(target[given], owner)
    Q = Q[:, : start.U.shape[1]]
    weights = np.sqrt([1.0, psi, gamma])
    signals = _stack((X[given], Q, Y), weights)
    signals[~X[given].any(axis=1)] = 0  # zero points have labels only, and zero codes
    atoms = unit_atoms(_stack((start.D, start.U, start.W.T), weights))
    rounds = ksvd_rounds(signals, atoms, n_nonzero)
    for iteration in range(1, max_iter + 1):
        found = _split_atoms(next(rounds), start, weights)
        if gamma == 0:
            found = found._replace(W=ridge_map(found.A, Y, FIRST_RIDGE).T)
        D, codes, U, W = found
        terms = StackedTerms(
            _square(residuals(X[given], codes, D)),
            psi * _square(residuals(Q, codes, U)),
            gamma * _square(Y - codes @ W.T),
        )
        A = np.empty((len(X), len(D)))
        A[given] = codes
        A[target < 0] = omp(X[target < 0], D, n_nonzero)
        F = label_probabilities(A, W, target)
        yield L0Round(iteration, sum(terms), terms, D, A, W, F, (U,))


def _stack(parts: tuple[np.ndarray, ...], weights: np.ndarray) -> np.ndarray:
    return np.hstack([w * part for w, part in zip(weights, parts, strict=True)])


def _split_atoms(
    last: KSVDRound, start: StackedDictionary, weights: np.ndarray
) -> StackedDictionary:
    """D, U and W of stacked atoms, rescaled to ‖d‖ = 1, with the codes that belong to them."""
    d, k = start.D.shape[1], start.U.shape[1]
    length = np.linalg.norm(last.D[:, :d], axis=1)
    kept = length > MIN_ATOM_LENGTH
    scale = np.divide(1, length, out=np.zeros_like(length), where=kept)[:, None]
    D = np.where(kept[:, None], last.D[:, :d] * scale, start.D)
    U, W = last.D[:, d : d + k] * scale, last.D[:, d + k :] * scale
    inverse = np.divide(1, weights, out=np.zeros(3), where=weights > 0)
    A = last.A * np.where(kept, length, 0)
    return StackedDictionary(D, A, inverse[1] * U, inverse[2] * W.T)


def _square(R: np.ndarray) -> float:
    return float(np.square(R).sum())
