r"""The rounds of SSP-DL: codes that keep the structure of the points, and atoms, in turn.

    ‖X − AD‖² + λ₁ Σ_c ‖A_c‖_{2,q}^q + λ₂ Σ_u |a|^q + β‖A − VA‖²

Codes of a class share their atoms, unlabelled points are coded sparsely each, and every code should
be the mixture of other codes that its point is of other points (V). No update raises the objective.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from scipy import sparse

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.dictionary.stages.atom_groups import (
    concave_penalty,
    group_members,
    group_norms,
    smoothing_width,
    tangent_weights,
)
from sslviz.dictionary.stages.class_blocks import BlockRound, one_hot_rows
from sslviz.solve.dictionary_learning import sparse_codes, update_atoms
from sslviz.solve.fista import proximal_gradient

STRUCTURE_STEPS = 50  # of FISTA, in a round
MIN_STRUCTURE_GAIN = 0.01  # of a round's gain: five FISTA steps that gain less end the round
STRUCTURE_TOL = 0.001  # norm of the remaining gradient, relative to the penalty


class StructureTerms(NamedTuple):
    """The terms of the objective; their sum is the objective."""

    reconstruction: float  # ‖X − A D‖²
    labelled_groups: float  # λ₁ Σ_c ‖A_c‖_{2,q}^q
    unlabelled_sparsity: float  # λ₂ Σ_u |a|^q
    structure: float  # β‖A − VA‖²


@dataclass(frozen=True)
class StructureQuadratic:
    """‖X − AD‖² + β‖A − VA‖² in the codes A."""

    linear: torch.Tensor
    G: torch.Tensor  # 2 D Dᵀ
    R: torch.Tensor | None  # I − V; None: β = 0
    back: torch.Tensor | None  # 2β (I − V)ᵀ

    def gradient(self, Z: torch.Tensor) -> torch.Tensor:
        result = torch.addmm(self.linear, Z, self.G)
        if self.R is not None and self.back is not None:
            result += self.back @ (self.R @ Z)
        return result


@dataclass(frozen=True)
class GroupsAndValues:
    """Σ w‖A_cj‖₂ over the groups of labelled points, Σ w|a| over unlabelled codes."""

    members: torch.Tensor  # (C, n) ones where a point belongs to a class
    group: torch.Tensor  # (n,) class of a point, C for unlabelled
    free: torch.Tensor  # unlabelled points
    group_weight: torch.Tensor  # (C, atoms)
    value_weight: torch.Tensor  # (unlabelled points, atoms)
    scale: float

    def value(self, Z: torch.Tensor) -> float:
        groups = (self.group_weight * (self.members @ Z.square()).sqrt()).sum()
        return float(groups + (self.value_weight * Z[self.free].abs()).sum())

    def shrink(self, H: torch.Tensor, tau: float) -> torch.Tensor:
        norm = (self.members @ H.square()).sqrt()
        kept = (1 - self.group_weight / (tau * norm).clamp_min(1e-300)).clamp_min(0)
        factor = torch.vstack([kept, torch.ones_like(kept[:1])])
        Z = H * factor[self.group]
        mine = H[self.free]
        Z[self.free] = mine.sign() * (mine.abs() - self.value_weight / tau).clamp_min(0)
        return Z


def structure_rounds(
    X: np.ndarray,
    target: np.ndarray,
    *,
    V: sparse.csr_array | None,
    start: np.ndarray,
    lam1: float,
    lam2: float,
    beta: float,
    q: float,
    max_iter: int,
    device: str,
) -> Iterator[BlockRound]:
    """One record per round; its parts are D and A."""
    where, tau, n_classes = pick_device(device), 1.0, int(target.max()) + 1
    points, D, A = to_torch(X, where), start, sparse_codes(X, start, lam2)
    R = None if V is None or beta == 0 else _residual_operator(V)
    R_there = None if R is None else to_torch(R, where)
    back = None if R is None else to_torch(sparse.csr_array(2 * beta * R.T), where)
    F = torch.as_tensor(one_hot_rows(target, n_classes))
    for iteration in range(1, max_iter + 1):
        atoms = to_torch(D, where)
        found = proximal_gradient(
            StructureQuadratic(-2 * points @ atoms.T, 2 * atoms @ atoms.T, R_there, back),
            to_torch(A, where),
            _penalty(A, target, lam1, lam2, q, smoothing_width(X), where),
            tau=tau,
            max_iter=STRUCTURE_STEPS,
            tol=STRUCTURE_TOL,
            min_gain=MIN_STRUCTURE_GAIN,
        )
        A, tau = to_numpy(found.Z), found.tau
        D = update_atoms(A.T @ A, A.T @ X, D)
        terms = structure_terms(X, target, A, D, R, lam1, lam2, beta, q)
        yield BlockRound(iteration, sum(terms), terms, F, (D, A))


def _residual_operator(V: sparse.csr_array) -> sparse.csr_array:
    return sparse.csr_array(sparse.eye_array(V.shape[0], format="csr") - V)


def _penalty(
    A: np.ndarray,
    target: np.ndarray,
    lam1: float,
    lam2: float,
    q: float,
    epsilon: float,
    where: torch.device,
) -> GroupsAndValues:
    """The penalty, with its slopes at A where q < 1."""
    n_classes, free = int(target.max()) + 1, target < 0
    norms = group_norms(A, group_members(target, with_unlabelled=False))
    members = (target == np.arange(n_classes)[:, None]).astype(np.float64)
    return GroupsAndValues(
        to_torch(members, where),
        to_torch(np.where(free, n_classes, target), where),
        to_torch(np.flatnonzero(free), where),
        to_torch(lam1 * tangent_weights(norms, q, epsilon), where),
        to_torch(lam2 * tangent_weights(np.abs(A[free]), q, epsilon), where),
        min(lam1, lam2),
    )


def structure_terms(
    X: np.ndarray,
    target: np.ndarray,
    A: np.ndarray,
    D: np.ndarray,
    R: sparse.csr_array | None,
    lam1: float,
    lam2: float,
    beta: float,
    q: float,
) -> StructureTerms:
    """The terms of the objective."""
    epsilon = smoothing_width(X)
    norms = group_norms(A, group_members(target, with_unlabelled=False))
    return StructureTerms(
        float(np.square(X - A @ D).sum()),
        lam1 * concave_penalty(norms, q, epsilon),
        lam2 * concave_penalty(np.abs(A[target < 0]), q, epsilon),
        0.0 if R is None else beta * float(np.square(R @ A).sum()),
    )
