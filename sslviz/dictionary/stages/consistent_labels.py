r"""Labels beside the codes in OSSDL and LC-RLSDLA: the terms they share.

    Σ_i s_i‖x_i − a_iD‖² + ψ‖Q − AU‖² + ψμ‖U‖² + γ‖Y − AWᵀ‖² + γμ‖W‖²,   s = 1, unlabelled: ρ

Q, Y and the A beside them have a row for every labelled point. If labels are in the code, labelled
points are coded on [D, √ψU, √γWᵀ], otherwise on D alone as new points are; then γ and ψ do not
influence the atoms, and W, U are plain ridge regressions on the codes.
"""

from typing import NamedTuple

import numpy as np

from sslviz.dictionary.stages.l0_rounds import (
    ideal_code_matrix,
    indicator,
    points_as_atoms,
    ridge_map,
)
from sslviz.memo import stage
from sslviz.solve.ksvd import residuals
from sslviz.solve.omp import omp, omp_gram


class ConsistentTerms(NamedTuple):
    """The terms of the objective with their factors."""

    labelled: float  # ‖X_l − A_lD‖²
    unlabelled: float  # ρ‖X_u − A_uD‖²
    consistency: float  # ψ‖Q − A_lU‖²
    classification: float  # γ‖Y − A_lWᵀ‖²
    ridge: float  # μ(ψ‖U‖² + γ‖W‖²)


class LabelWeights(NamedTuple):
    """The factors of the objective, and whether labelled points are coded with their labels."""

    gamma: float
    psi: float
    rho: float
    mu: float
    labels_in_code: bool


class LabelMaps(NamedTuple):
    """What the codes of labelled points should give: Q = AU, Y = AWᵀ."""

    U: np.ndarray  # (p, p)
    W: np.ndarray  # (C, p)


class LabelledAtoms(NamedTuple):
    """Atoms, the classes they were given to, and the label maps of their codes."""

    D: np.ndarray  # (p, d)
    owner: np.ndarray  # (p,) class index, -1 without class
    maps: LabelMaps


@stage("first codes")
def first_labelled_atoms(
    X: np.ndarray, target: np.ndarray, count: int, n_nonzero: int, mu: float, seed: int
) -> tuple[LabelledAtoms, np.ndarray]:
    """Points as atoms with the label maps of their codes, which are found without labels."""
    D, owner = points_as_atoms(X, target, count, np.random.RandomState(seed))
    A = omp(X, D, n_nonzero)
    maps = fit_label_maps(A, target, owner, int(target.max()) + 1, mu)
    return LabelledAtoms(D, owner, maps), A


def fit_label_maps(
    A: np.ndarray, target: np.ndarray, owner: np.ndarray, C: int, mu: float
) -> LabelMaps:
    """Ridge regressions of the ideal codes and the labels on the codes of labelled points."""
    given = target >= 0
    both = ridge_map(A[given], label_goals(target[given], owner, C), mu)
    return LabelMaps(both[:, : len(owner)], both[:, len(owner) :].T)


def label_goals(target: np.ndarray, owner: np.ndarray, C: int) -> np.ndarray:
    """(l, p + C) what codes of labelled points should give: ideal codes, then labels."""
    return np.hstack([ideal_code_matrix(target, owner), indicator(target, C)])


def code_points(
    X: np.ndarray, target: np.ndarray, atoms: LabelledAtoms, n_nonzero: int, weights: LabelWeights
) -> np.ndarray:
    """(n, p) codes by OMP, those of labelled points with their labels if these are in the code."""
    G, B = atoms.D @ atoms.D.T, X @ atoms.D.T
    if not weights.labels_in_code:
        return omp_gram(G, B, n_nonzero)
    given, A = target >= 0, np.empty_like(B)
    A[~given] = omp_gram(G, B[~given], n_nonzero)
    U, W = atoms.maps
    Q, Y = ideal_code_matrix(target[given], atoms.owner), indicator(target[given], len(W))
    G = G + weights.psi * U @ U.T + weights.gamma * W.T @ W
    B = B[given] + weights.psi * Q @ U.T + weights.gamma * Y @ W
    A[given] = omp_gram(G, B, n_nonzero)
    return A


def consistent_terms(
    X: np.ndarray, target: np.ndarray, A: np.ndarray, atoms: LabelledAtoms, weights: LabelWeights
) -> ConsistentTerms:
    """The terms of the objective; `target` may hold labels of points that have joined."""
    given, (U, W) = target >= 0, atoms.maps
    Q, Y = ideal_code_matrix(target[given], atoms.owner), indicator(target[given], len(W))
    left = np.square(residuals(X, A, atoms.D)).sum(axis=1)
    sizes = weights.psi * np.square(U).sum() + weights.gamma * np.square(W).sum()
    return ConsistentTerms(
        float(left[given].sum()),
        weights.rho * float(left[~given].sum()),
        weights.psi * float(np.square(residuals(Q, A[given], U)).sum()),
        weights.gamma * float(np.square(Y - A[given] @ W.T).sum()),
        weights.mu * float(sizes),
    )
