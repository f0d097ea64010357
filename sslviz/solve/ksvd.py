r"""K-SVD: atoms for codes with at most T entries, learnt by singular value decompositions.

    min_{A, D} ‖X − A D‖²,  ‖a‖₀ ≤ T,  ‖d‖ = 1

A round codes every point by OMP; then each atom and its coefficients become the best rank-one
approximation of what the other atoms leave of the points that use it. OMP is greedy: where it is
worse than the code of the round before, the point keeps that code, and the objective never rises.
An atom that no point uses becomes the point that is reconstructed worst.

Aharon, Elad, Bruckstein. K-SVD: an algorithm for designing overcomplete dictionaries for sparse
representation. IEEE TSP 2006.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from sklearn.utils import check_random_state

from sslviz.solve.dictionary_learning import unit_atoms
from sslviz.solve.omp import omp
from sslviz.solve.rank_one import sweep_atoms_and_codes

WORTH_AN_ATOM = 1e-12  # of a point's squared length: with less left, it needs no atom of its own


class KSVDRound(NamedTuple):
    """Atoms and codes after a round."""

    D: np.ndarray  # (atoms, d), unit rows
    A: np.ndarray  # (n, atoms), at most T entries in a row
    error: float  # ‖X − A D‖²


def ksvd(
    X: np.ndarray, n_atoms: int, n_nonzero: int, max_iter: int = 10, random_state: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """Atoms (n_atoms, d) and codes (n, n_atoms) after `max_iter` rounds; atoms start as points."""
    X = np.ascontiguousarray(X, np.float64)
    for name, value in (("n_atoms", n_atoms), ("n_nonzero", n_nonzero), ("max_iter", max_iter)):
        if value < 1:
            raise ValueError(f"ksvd: {name}={value} is not at least 1")
    start = sample_atoms(X, n_atoms, check_random_state(random_state))
    last = next(islice(ksvd_rounds(X, start, n_nonzero), max_iter - 1, None))
    return last.D, last.A


def ksvd_rounds(
    X: np.ndarray, start: np.ndarray, n_nonzero: int, codes: np.ndarray | None = None
) -> Iterator[KSVDRound]:
    """Endless rounds from the unit atoms `start` on, and from `codes` if there are any."""
    X, D = np.ascontiguousarray(X, np.float64), np.array(start, np.float64, order="C")
    A, R = codes, np.empty_like(X) if codes is None else residuals(X, codes, D)
    while True:
        A, R = better_codes(X, D, A, R, omp(X, D, n_nonzero))
        D = D.copy()
        sweep_atoms_and_codes(R, A, D)
        R = residuals(X, A, D)
        replace_unused(X, R, A, D)
        yield KSVDRound(D, A, float(np.square(R).sum()))


def better_codes(
    X: np.ndarray, D: np.ndarray, A: np.ndarray | None, R: np.ndarray, new: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The new code of every row or its old one, whichever leaves less; and what it leaves.

    R = X − A D; a new array of codes, since the old ones belong to a record.
    """
    left = residuals(X, new, D)
    if A is None:
        return new, left
    worse = np.square(left).sum(axis=1) > np.square(R).sum(axis=1)
    return np.where(worse[:, None], A, new), np.where(worse[:, None], R, left)


def sample_atoms(X: np.ndarray, count: int, rng: np.random.RandomState) -> np.ndarray:
    """Points of length 1, drawn without repetition, then random directions if they do not suffice.

    Zero points are left out.
    """
    usable = rng.permutation(np.flatnonzero(X.any(axis=1)))[:count]
    others = rng.normal(size=(count - len(usable), X.shape[1]))
    return unit_atoms(np.vstack([X[usable], others]))


@njit(cache=True, nogil=True)
def residuals(X: np.ndarray, A: np.ndarray, D: np.ndarray) -> np.ndarray:
    """X − A D for sparse codes in a dense array."""
    R = X.copy()
    for i in range(len(A)):
        row = R[i]
        for j in range(A.shape[1]):
            share = A[i, j]
            if share != 0:
                for k in range(len(row)):
                    row[k] -= share * D[j, k]
    return R


def replace_unused(X: np.ndarray, R: np.ndarray, A: np.ndarray, D: np.ndarray) -> None:
    """Make atoms that no code uses the points of which most is left, in place; R = X − A D."""
    unused = np.flatnonzero(~A.any(axis=0))
    if len(unused) == 0:
        return
    left = np.square(R).sum(axis=1)
    worst = np.argsort(-left, kind="stable")[: len(unused)]
    worst = worst[left[worst] > WORTH_AN_ATOM * np.square(X[worst]).sum(axis=1)]
    D[unused[: len(worst)]] = unit_atoms(X[worst])
