r"""The passes of OSSDL: batches of points are coded and added to the sums that determine the atoms.

    S = Σ s aᵀa,  B = Σ s aᵀx over the points seen;   d_j ∝ B_j − Σ_{k≠j} S_jk d_k

When a point is visited again, its new code replaces the old one in the sums. In the first pass each
first atom counts like one point that it codes alone (S = I, B = D), so that the first batches do
not sweep it away; LC-RLSDLA starts in the same way. The labels of training points alone speak for
it: on USPS with 20 labels per class, of which a quarter at a time is left out, 84.5% of those left
out are right (12 draws); without the start 80.8%, with a weight of 0.1 or 10 for each atom in
place of 1 83.8 and 84.2%.

At the end of a pass all points are coded with the present atoms, the sums and the label maps are
computed from these codes, and unlabelled points join the labelled: those with a share of at least
`sure` of their ‖a‖₁ on the atoms of one class take that class for good.

Mairal, Bach, Ponce, Sapiro. Online dictionary learning for sparse coding. ICML 2009.
Mairal, Bach, Ponce, Sapiro. Online learning for matrix factorization and sparse coding. JMLR 2010.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sslviz.dictionary.stages.consistent_labels import (
    LabelledAtoms,
    LabelMaps,
    LabelWeights,
    code_points,
    consistent_terms,
    fit_label_maps,
)
from sslviz.dictionary.stages.l0_atoms import sweep_sphere
from sslviz.dictionary.stages.l0_rounds import L0Round, indicator, label_probabilities

BATCH = 20  # points between two updates of the atoms


class Sums(NamedTuple):
    """What the atoms depend on; updated in place."""

    S: np.ndarray  # (p, p)
    B: np.ndarray  # (p, d)

    def exchange(self, X: np.ndarray, old: np.ndarray, new: np.ndarray, size: np.ndarray) -> None:
        """Replace the codes of points X that count `size` times."""
        self.S[:] += (new * size).T @ new - (old * size).T @ old
        self.B[:] += ((new - old) * size).T @ X


def online_rounds(
    X: np.ndarray,
    target: np.ndarray,
    *,
    start: LabelledAtoms,
    n_nonzero: int,
    weights: LabelWeights,
    sure: float,
    max_iter: int,
    seed: int,
) -> Iterator[L0Round]:
    """One record per pass; more: U, and the labels with those of the points that have joined."""
    rng, labels = np.random.RandomState(seed), target.copy()
    state, A = start, np.zeros((len(X), len(start.D)))
    sums = Sums(np.eye(len(start.D)), start.D.copy())
    for iteration in range(1, max_iter + 1):
        A = A.copy()  # the old ones belong to a record
        state = _pass(X, labels, A, state, sums, n_nonzero, weights, rng)
        A = code_points(X, labels, state, n_nonzero, weights)
        labels = join(A, labels, state.owner, len(state.maps.W), sure)
        size = _sizes(labels, weights.rho)
        sums = Sums((A * size).T @ A, (A * size).T @ X)
        state = state._replace(maps=_fit(A, labels, state, weights.mu))
        terms = consistent_terms(X, labels, A, state, weights)
        U, W = state.maps
        F = label_probabilities(A, W, target)
        yield L0Round(iteration, sum(terms), terms, state.D, A, W, F, (U, labels))


def _pass(
    X: np.ndarray,
    labels: np.ndarray,
    A: np.ndarray,
    state: LabelledAtoms,
    sums: Sums,
    n_nonzero: int,
    weights: LabelWeights,
    rng: np.random.RandomState,
) -> LabelledAtoms:
    """Visit all points once, and change the codes A and the sums in place."""
    seen = np.asarray(A.any(axis=1))
    state, order = state._replace(D=state.D.copy()), rng.permutation(len(X))
    for first in range(0, len(X), BATCH):
        rows = order[first : first + BATCH]
        new = code_points(X[rows], labels[rows], state, n_nonzero, weights)
        sums.exchange(X[rows], A[rows], new, _sizes(labels[rows], weights.rho))
        A[rows], seen[rows] = new, True
        sweep_sphere(sums.S, sums.B, state.D, 1)
        if weights.labels_in_code:
            known = np.where(seen, labels, -1)
            state = state._replace(maps=_fit(A, known, state, weights.mu))
    return state


def join(A: np.ndarray, labels: np.ndarray, owner: np.ndarray, C: int, sure: float) -> np.ndarray:
    """Labels with those of unlabelled points whose code is on the atoms of one class, mostly."""
    use = np.abs(A)
    total = use.sum(axis=1)
    share = use @ indicator(owner, C)
    joins = (labels < 0) & (total > 0) & (share.max(axis=1) >= sure * total)
    return np.where(joins, share.argmax(axis=1), labels)


def _fit(A: np.ndarray, labels: np.ndarray, state: LabelledAtoms, mu: float) -> LabelMaps:
    return fit_label_maps(A, labels, state.owner, len(state.maps.W), mu)


def _sizes(labels: np.ndarray, rho: float) -> np.ndarray:
    """(n, 1) how often each point counts."""
    return np.where(labels >= 0, 1.0, rho)[:, None]
