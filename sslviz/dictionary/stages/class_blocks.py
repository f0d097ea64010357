r"""Atoms in blocks, one block per class, and what each block leaves of a point.

    r_c(x) = ‖x − a_c D_c‖²,   D = [D_1; …; D_C],   a = [a_1, …, a_C]

A point is given to the class of the least residual r_c.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch

from sslviz.solve.dictionary_learning import sparse_codes, unit_atoms


class BlockRound(NamedTuple):
    """The state after one round of a method with a classifier by residuals.

    F are the class probabilities with which points take part: one-hot for labelled points, zero
    for unlabelled points that are not used.
    """

    iteration: int
    objective: float
    terms: Any  # a NamedTuple of numbers that add up to the objective
    F: torch.Tensor  # (n, C)
    parts: tuple[Any, ...]

    def learnt(self) -> tuple[Any, ...]:
        """What the fitted model keeps."""
        return self.parts


class LassoTerms(NamedTuple):
    """The terms of the lasso; their sum is the objective."""

    reconstruction: float  # ‖X − A D‖²
    sparsity: float  # λ‖A‖₁


def share_out(total: int, room: np.ndarray) -> np.ndarray:
    """(C,) how many of `total` atoms each class gets, at most `room`.

    Each class gets the same number if it has room for it; what is left over goes to the classes
    with more room, one atom each in their order.
    """
    share = np.zeros(len(room), np.int64)
    for _ in range(len(room) + 1):
        wants = np.flatnonzero(share < room)
        left = total - int(share.sum())
        if left <= 0 or len(wants) == 0:
            break
        if left < len(wants):
            share[wants[:left]] += 1
            break
        step = left // len(wants)
        share[wants] = np.minimum(share[wants] + step, room[wants])
    return share


def block_classes(share: np.ndarray) -> np.ndarray:
    """(atoms,) the class index of every atom, for blocks of these sizes."""
    return np.repeat(np.arange(len(share)), share)


def mixed_atoms(
    X: np.ndarray, target: np.ndarray, share: np.ndarray, rng: np.random.RandomState
) -> np.ndarray:
    """(atoms, d) first atoms of length 1: random positive mixtures of labelled points of a class.

    As many points as atoms would stay atoms for ever: each codes itself.
    """
    mixed = [
        rng.exponential(size=(count, np.count_nonzero(target == c))) @ X[target == c]
        for c, count in enumerate(share)
    ]
    return unit_atoms(np.vstack(mixed))


def sample_atoms(
    X: np.ndarray, target: np.ndarray, share: np.ndarray, rng: np.random.RandomState
) -> np.ndarray:
    """(atoms, d) first atoms of length 1: labelled points, drawn class by class."""
    drawn = [
        np.sort(rng.choice(np.flatnonzero(target == c), count, replace=False))
        for c, count in enumerate(share)
    ]
    return unit_atoms(X[np.concatenate(drawn)])


def blocks(atom_class: np.ndarray, n_classes: int) -> Iterator[tuple[int, np.ndarray]]:
    """Every class with the indices of its atoms, of which there may be none."""
    for c in range(n_classes):
        yield c, np.flatnonzero(atom_class == c)


def class_residuals(
    X: np.ndarray, A: np.ndarray, D: np.ndarray, atom_class: np.ndarray, n_classes: int
) -> np.ndarray:
    """(n, C) ‖x − a_c D_c‖² for every point and class; ‖x‖² for a class without atoms."""
    residual = np.empty((len(X), n_classes))
    for c, mine in blocks(atom_class, n_classes):
        residual[:, c] = np.square(X - A[:, mine] @ D[mine]).sum(axis=1)
    return residual


def block_codes(
    X: np.ndarray, D: np.ndarray, atom_class: np.ndarray, n_classes: int, lam: float
) -> np.ndarray:
    """(n, atoms) every class codes every point by its own atoms alone: C lassos per point."""
    A = np.zeros((len(X), len(D)))
    for _, mine in blocks(atom_class, n_classes):
        if len(mine):
            A[:, mine] = sparse_codes(X, D[mine], lam)
    return A


def one_hot_rows(target: np.ndarray, n_classes: int) -> np.ndarray:
    """(n, C) rows with a one at the label; zero rows without one."""
    return (target[:, None] == np.arange(n_classes)).astype(np.float64)
