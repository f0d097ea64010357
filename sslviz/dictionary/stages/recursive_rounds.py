"""The passes of LC-RLSDLA: atoms and label maps move after every single point."""

from collections.abc import Iterator

import numpy as np

from sslviz.dictionary.stages.consistent_labels import (
    LabelledAtoms,
    LabelMaps,
    LabelWeights,
    code_points,
    consistent_terms,
    label_goals,
)
from sslviz.dictionary.stages.l0_rounds import L0Round, label_probabilities
from sslviz.dictionary.stages.recursive_least_squares import RecursiveFit, add_points

UNLABELLED, LABELLED, LABELLED_IN_CODE = 0, 1, 2  # kinds of points


def recursive_rounds(
    X: np.ndarray,
    target: np.ndarray,
    *,
    start: LabelledAtoms,
    n_nonzero: int,
    weights: LabelWeights,
    forgetting: float,
    max_iter: int,
    seed: int,
) -> Iterator[L0Round]:
    """One record per pass; more: U. Forgetting rises to 1, none, evenly over all points.

    The label maps start at 0 with K = I/μ, which is their ridge; atoms with K = I.
    """
    p, C, n = len(start.D), len(start.maps.W), len(X)
    rng, given = np.random.RandomState(seed), target >= 0
    scale = np.sqrt(np.repeat([weights.psi, weights.gamma], [p, C]))
    goals = np.where(given[:, None], label_goals(target, start.owner, C) * scale, 0)
    kind = np.where(given, LABELLED_IN_CODE if weights.labels_in_code else LABELLED, UNLABELLED)
    size = np.where(given, 1.0, weights.rho)
    factors = np.linspace(forgetting, 1, n * max_iter).reshape(max_iter, n)
    atoms = RecursiveFit(np.eye(p), start.D.copy())
    labels = RecursiveFit(np.eye(p) / weights.mu, np.zeros((p, p + C)))
    for iteration in range(1, max_iter + 1):
        order = rng.permutation(n)
        add_points(
            X[order],
            goals[order],
            kind[order],
            size[order],
            factors[iteration - 1],
            n_nonzero,
            atoms,
            labels,
        )
        both = labels.M / scale
        state = LabelledAtoms(atoms.M.copy(), start.owner, LabelMaps(both[:, :p], both[:, p:].T))
        A = code_points(X, target, state, n_nonzero, weights)
        terms = consistent_terms(X, target, A, state, weights)
        U, W = state.maps
        F = label_probabilities(A, W, target)
        yield L0Round(iteration, sum(terms), terms, state.D, A, W, F, (U,))
