r"""The rounds of JDL: codes, atoms and classifier in turn, each with the others fixed.

    ‖X_l − A_lD‖² + ρ‖X_u − A_uD‖² + γ‖Y − A_lWᵀ‖² + γμ‖W‖²,   ‖a‖₀ ≤ T,  ‖d‖ = 1

Codes are those of OMP, labelled points with their label beside them; a point for which OMP finds
nothing better keeps its code. Atoms are swept three times, each the best on the sphere. W is a
ridge regression. So no step raises the objective.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sslviz.dictionary.stages.l0_atoms import sweep_sphere
from sslviz.dictionary.stages.l0_rounds import (
    L0Round,
    indicator,
    label_probabilities,
    points_as_atoms,
    ridge_map,
)
from sslviz.memo import stage
from sslviz.solve.ksvd import better_codes, replace_unused, residuals
from sslviz.solve.omp import omp

ATOM_SWEEPS = 3


class JointTerms(NamedTuple):
    """The terms of the objective with their factors."""

    labelled: float  # ‖X_l − A_lD‖²
    unlabelled: float  # ρ‖X_u − A_uD‖²
    classification: float  # γ‖Y − A_lWᵀ‖²
    ridge: float  # γμ‖W‖²


class JointDictionary(NamedTuple):
    """Atoms, codes of all points, classifier."""

    D: np.ndarray
    A: np.ndarray
    W: np.ndarray


@stage("first codes")
def first_joint(
    X: np.ndarray, target: np.ndarray, count: int, n_nonzero: int, mu: float, seed: int
) -> JointDictionary:
    """Points as atoms, codes without labels, and a ridge classifier of the labelled ones."""
    D = points_as_atoms(X, target, count, np.random.RandomState(seed)).D
    A, given = omp(X, D, n_nonzero), target >= 0
    Y = indicator(target[given], target.max() + 1)
    return JointDictionary(D, A, ridge_map(A[given], Y, mu).T)


def joint_rounds(
    X: np.ndarray,
    target: np.ndarray,
    *,
    start: JointDictionary,
    n_nonzero: int,
    gamma: float,
    rho: float,
    mu: float,
    max_iter: int,
) -> Iterator[L0Round]:
    """One record per round, from the state `start` on."""
    D, A, W = start
    given = target >= 0
    Y = indicator(target[given], len(W))
    weights = np.where(given, 1.0, rho)[:, None]
    for iteration in range(1, max_iter + 1):
        A = joint_codes(X, Y, given, JointDictionary(D, A, W), n_nonzero, gamma)
        D = improve_on_sphere(X, A, D, weights)
        W = ridge_map(A[given], Y, mu).T
        left = np.square(residuals(X, A, D)).sum(axis=1)
        terms = JointTerms(
            float(left[given].sum()),
            rho * float(left[~given].sum()),
            gamma * float(np.square(Y - A[given] @ W.T).sum()),
            gamma * mu * float(np.square(W).sum()),
        )
        F = label_probabilities(A, W, target)
        yield L0Round(iteration, sum(terms), terms, D, A, W, F)


def joint_codes(
    X: np.ndarray,
    Y: np.ndarray,
    given: np.ndarray,
    state: JointDictionary,
    n_nonzero: int,
    gamma: float,
) -> np.ndarray:
    """Codes that are no worse than those of the state; labelled points see their label."""
    D, A, W = state
    longer = np.zeros((len(X), X.shape[1] + len(W)))
    longer[:, : X.shape[1]] = X
    longer[given, X.shape[1] :] = np.sqrt(gamma) * Y
    atoms, codes = np.hstack([D, np.sqrt(gamma) * W.T]), np.empty_like(A)
    for rows, signals, words in ((given, longer, atoms), (~given, X, D)):
        new = omp(signals[rows], words, n_nonzero)
        before = residuals(signals[rows], A[rows], words)
        codes[rows] = better_codes(signals[rows], words, A[rows], before, new)[0]
    return codes


def improve_on_sphere(
    X: np.ndarray, A: np.ndarray, D: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Better unit atoms for points with these weights (n, 1)."""
    counts = weights[:, 0] > 0
    X, A, D = X[counts], A[counts], D.copy()
    AW = A * weights[counts]
    sweep_sphere(AW.T @ A, AW.T @ X, D, ATOM_SWEEPS)
    replace_unused(X, residuals(X, A, D), A, D)
    return D
