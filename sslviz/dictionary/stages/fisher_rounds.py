"""The rounds of FDDL and S2D2: class probabilities P, codes A, atoms D in turn.

FDDL has no P. With P fixed no update raises the objective; P itself is computed anew in every round
of S2D2, and then the objective may rise.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from scipy.special import softmax

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.dictionary.stages.class_blocks import BlockRound, class_residuals, one_hot_rows
from sslviz.dictionary.stages.fisher_coding import (
    ClassWeights,
    atom_sums,
    fisher_quadratic,
    fisher_terms,
)
from sslviz.solve.dictionary_learning import sparse_codes, update_atoms
from sslviz.solve.fista import lasso

CODE_STEPS = 100  # of FISTA, in a round
# Codes need not be more exact than the atoms of their round.
MIN_CODE_GAIN = 0.003  # of a round's gain: five FISTA steps that gain less end the round
CODE_TOL = 0.001  # norm of the remaining gradient, relative to the penalty


def class_weights(P: np.ndarray, target: np.ndarray, as_printed: bool) -> ClassWeights:
    """f = P² and s = (1 − P)²; as printed, every class must explain every labelled point."""
    fit, suppress = np.square(P), np.square(1 - P)
    if as_printed:
        fit[target >= 0], suppress[target >= 0] = 1.0, 0.0
    return ClassWeights(fit, suppress)


def mean_codes(A: np.ndarray, target: np.ndarray, n_classes: int) -> np.ndarray:
    """(C, atoms) the mean code of the labelled points of each class."""
    return np.stack([A[target == c].mean(axis=0) for c in range(n_classes)])


def fisher_residuals(
    X: np.ndarray,
    A: np.ndarray,
    D: np.ndarray,
    atom_class: np.ndarray,
    means: np.ndarray,
    mean_weight: float,
) -> np.ndarray:
    """(n, C) ‖x − a_c D_c‖² + w‖a − m_c‖²."""
    residual = class_residuals(X, A, D, atom_class, len(means))
    if mean_weight > 0:
        for c, mean in enumerate(means):
            residual[:, c] += mean_weight * np.square(A - mean).sum(axis=1)
    return residual


def soft_labels(
    X: np.ndarray,
    target: np.ndarray,
    A: np.ndarray,
    D: np.ndarray,
    atom_class: np.ndarray,
    mean_weight: float,
) -> np.ndarray:
    """(n, C) P: softmax(−residual), one-hot for labelled points."""
    n_classes = int(target.max()) + 1
    means = mean_codes(A, target, n_classes)
    residual = fisher_residuals(X, A, D, atom_class, means, mean_weight)
    known = one_hot_rows(target, n_classes)
    return np.where(target[:, None] >= 0, known, softmax(-residual, axis=1))


def first_state(
    X: np.ndarray,
    target: np.ndarray,
    D: np.ndarray,
    atom_class: np.ndarray,
    lam: float,
    mean_weight: float,
) -> tuple[np.ndarray, ...]:
    """D, plain sparse codes and P before the first round."""
    A = sparse_codes(X, D, 2 * lam)
    return D, A, soft_labels(X, target, A, D, atom_class, mean_weight)


def fisher_rounds(
    X: np.ndarray,
    target: np.ndarray,
    *,
    start: np.ndarray,
    atom_class: np.ndarray,
    lam: float,
    fisher: float,
    mean_weight: float,
    max_iter: int,
    device: str,
    unlabelled_weight: float = 1.0,
    as_printed: bool = False,
) -> Iterator[BlockRound]:
    """One record per round from the atoms `start` on; its parts are D, A and P."""
    where, tau = pick_device(device), 1.0
    points, D = to_torch(X, where), start
    A = sparse_codes(X, D, 2 * lam)
    row_weight = np.where(target >= 0, 1.0, unlabelled_weight)
    settings: dict[str, Any] = {"row_weight": row_weight, "lam": lam, "fisher": fisher}
    for iteration in range(1, max_iter + 1):
        P = soft_labels(X, target, A, D, atom_class, mean_weight)
        weights = class_weights(P, target, as_printed)
        found = lasso(
            fisher_quadratic(points, target, to_torch(D, where), atom_class, weights, fisher),
            to_torch(A, where),
            2 * lam,
            tau=tau,
            max_iter=CODE_STEPS,
            tol=CODE_TOL,
            min_gain=MIN_CODE_GAIN,
        )
        A, tau = to_numpy(found.Z), found.tau
        D = update_atoms(*atom_sums(points, found.Z, atom_class, weights, row_weight), D)
        terms = fisher_terms(X, target, A, D, atom_class, weights, **settings)
        yield BlockRound(iteration, sum(terms), terms, torch.as_tensor(P), (D, A, P))
