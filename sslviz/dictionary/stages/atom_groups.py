r"""Codes in groups, one per class, that share their atoms; classes of atoms by their use.

    Σ_g ‖A_g‖_{2,q}^q = Σ_g Σ_j ‖(a_ij)_{i in g}‖₂^q

For q = 1 this is the group lasso: an atom is used by a whole class or not at all. For q < 1 it is
concave, and replaced in each round by its tangent: a group lasso with weights q(‖·‖ + ε)^{q−1}.
The small ε keeps the weight of an unused atom finite; the objective has (‖·‖ + ε)^q − ε^q.
"""

import numpy as np

SMOOTHING = 1e-3  # ε, as a share of the mean length of the points


def group_members(target: np.ndarray, with_unlabelled: bool) -> list[np.ndarray]:
    """The points of every class and, last, the unlabelled ones, if there are any."""
    groups = [np.flatnonzero(target == c) for c in range(int(target.max()) + 1)]
    free = np.flatnonzero(target < 0)
    return [*groups, free] if with_unlabelled and len(free) else groups


def smoothing_width(X: np.ndarray) -> float:
    """ε for the codes of these points."""
    return SMOOTHING * (float(np.linalg.norm(X, axis=1).mean()) or 1.0)


def concave_penalty(size: np.ndarray, q: float, epsilon: float) -> float:
    """Σ (s + ε)^q − ε^q over sizes s ≥ 0; their sum for q = 1."""
    return float(size.sum()) if q == 1 else float(((size + epsilon) ** q - epsilon**q).sum())


def tangent_weights(size: np.ndarray, q: float, epsilon: float) -> np.ndarray:
    """The slopes q(s + ε)^{q−1} of the penalty at these sizes."""
    return q * (size + epsilon) ** (q - 1)


def group_norms(A: np.ndarray, groups: list[np.ndarray]) -> np.ndarray:
    """(groups, atoms) the length of the coefficients that each group has for each atom."""
    return np.stack([np.sqrt(np.square(A[rows]).sum(axis=0)) for rows in groups])


def class_norms(A: np.ndarray, target: np.ndarray) -> np.ndarray:
    """(C + 1, atoms) the same for every class and, last, for unlabelled points."""
    return group_norms(A, [*group_members(target, False), np.flatnonzero(target < 0)])


def atoms_by_use(A: np.ndarray, target: np.ndarray) -> np.ndarray:
    """(atoms,) the class that uses each atom most, by mean |a| of its labelled points; -1: none."""
    use = np.stack([np.abs(A[target == c]).mean(axis=0) for c in range(int(target.max()) + 1)])
    return np.where(use.max(axis=0) > 0, use.argmax(axis=0), -1)
