"""What the methods with at most T atoms per code share: their first atoms, and their records."""

from typing import Any, NamedTuple

import numpy as np
import torch

from sslviz.dictionary.stages.alternation import first_atoms
from sslviz.dictionary.stages.laplacians import project_to_simplex
from sslviz.solve.dictionary_learning import unit_atoms
from sslviz.solve.ridge import ridge

NO_CLASS = -1  # an atom that started as a random direction


class L0Round(NamedTuple):
    """The state after one round. F: class probabilities, one-hot for labelled points."""

    iteration: int
    objective: float
    terms: Any  # NamedTuple of the terms of the objective
    D: np.ndarray  # (atoms, d)
    A: np.ndarray  # (n, atoms)
    W: np.ndarray  # (C, atoms)
    F: torch.Tensor  # (n, C)
    more: tuple[np.ndarray, ...] = ()  # what else the method has learnt

    def learnt(self) -> tuple[np.ndarray, ...]:
        """D, A, W and what else there is."""
        return self.D, self.A, self.W, *self.more


class FirstAtoms(NamedTuple):
    """Points as atoms, those of a class side by side."""

    D: np.ndarray  # (atoms, d), unit rows
    owner: np.ndarray  # (atoms,) class index, or NO_CLASS: last


def unit_rows(X: np.ndarray) -> np.ndarray:
    """Rows scaled to length 1 in double precision, however small; zero rows stay zero."""
    X = np.asarray(X, np.float64)
    largest = np.abs(X).max(axis=1, keepdims=True)
    return unit_atoms(np.divide(X, largest, out=np.zeros_like(X), where=largest > 0))


def points_as_atoms(
    X: np.ndarray, target: np.ndarray, count: int, rng: np.random.RandomState
) -> FirstAtoms:
    """The first atoms: labelled points, evenly from all classes, those of a class side by side.

    Unlabelled points do not serve: as atoms they would code themselves and nobody else, and the
    classifier would know nothing of them. With 50 labels and 200 atoms, that is 31% right instead
    of 86% on scikit-learn's digits (JDL). Zero points are left out, too; if the others do not
    suffice, random directions follow.
    """
    usable = np.flatnonzero(X.any(axis=1) & (target >= 0))
    chosen = usable[first_atoms(target[usable], min(count, len(usable)), rng)]
    chosen = chosen[np.argsort(target[chosen], kind="stable")]
    others = rng.normal(size=(count - len(chosen), X.shape[1]))
    owner = np.concatenate([target[chosen], np.full(len(others), NO_CLASS)])
    return FirstAtoms(unit_atoms(np.vstack([X[chosen], others])), owner)


def indicator(target: np.ndarray, n_classes: int) -> np.ndarray:
    """(l, C) one-hot rows."""
    return (target[:, None] == np.arange(n_classes)).astype(np.float64)


def ideal_code_matrix(target: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """(l, atoms) 1 where point and atom have the same class."""
    return (target[:, None] == owner).astype(np.float64)


def ridge_map(A: np.ndarray, Y: np.ndarray, weight: float) -> np.ndarray:
    """(p, k): the M of least ‖Y − A M‖² + weight·‖M‖²."""
    return ridge(A, Y, weight)[0]


def label_probabilities(A: np.ndarray, W: np.ndarray, target: np.ndarray) -> torch.Tensor:
    """(n, C) `score_probabilities`, one-hot for labelled points."""
    given = target[:, None] >= 0
    F = np.where(given, indicator(target, len(W)), score_probabilities(A @ W.T))
    return torch.from_numpy(F)


def score_probabilities(scores: np.ndarray) -> np.ndarray:
    """(n, C) the class probabilities nearest to scores, which were fitted to one-hot labels.

    A softmax would give the largest of ten classes at most 23% where the fit is perfect.
    """
    return project_to_simplex(scores, 1.0)
