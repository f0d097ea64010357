r"""Codes and terms of FDDL and S2D2: every class explains its own points and no others.

    ‖x − aD‖² + Σ_c f_c‖x − a_c D_c‖² + s_c‖a_c D_c‖² + 2λ‖a‖₁      for every point

FDDL has f_c = 1 for the class of a point and s_c = 1 for all others; S2D2 has f_c = P_c² and
s_c = (1 − P_c)². Labelled codes also have Fisher's term with weight λ₂,

    S_w − S_b + ‖A‖² = 2 S_w + n‖m‖²,   S_w = Σ_i ‖a_i − m_{y_i}‖²,   S_b = Σ_c n_c‖m_c − m‖²

which is convex: S_w + S_b + n‖m‖² = ‖A‖². All but 2λ‖A‖₁ is quadratic, so FISTA finds the codes.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from sslviz.device import to_numpy, to_torch
from sslviz.dictionary.stages.class_blocks import blocks


class FisherTerms(NamedTuple):
    """The terms of the objective; their sum is the objective."""

    reconstruction: float  # ‖X − A D‖²
    own_class: float  # Σ f_c‖x − a_c D_c‖²
    other_classes: float  # Σ s_c‖a_c D_c‖²
    sparsity: float  # 2λ‖A‖₁
    fisher: float  # λ₂(S_w − S_b + ‖A‖²)


class ClassWeights(NamedTuple):
    """How much each class must explain each point, and how much it must keep out of it."""

    fit: np.ndarray  # (n, C) f
    suppress: np.ndarray  # (n, C) s


@dataclass(frozen=True)
class FisherForm:
    """S_w − S_b + ‖A‖² of the labelled codes as the quadratic form tr(AᵀMA)."""

    given: torch.Tensor  # labelled points
    labels: torch.Tensor  # their classes
    means: torch.Tensor  # (C, labelled points): a row averages the points of a class

    def add_product(self, result: torch.Tensor, Z: torch.Tensor, factor: float) -> None:
        """Add factor · MZ to `result`: M Z is 2(Z − class means) + mean for labelled rows."""
        mine = Z[self.given]
        product = 2 * (mine - (self.means @ mine)[self.labels]) + mine.mean(dim=0)
        result.index_add_(0, self.given, factor * product)


def fisher_form(target: np.ndarray, device: torch.device) -> FisherForm:
    """The form for these labels, -1 for none."""
    labels = target[target >= 0]
    members = (labels == np.arange(int(target.max()) + 1)[:, None]).astype(np.float64)
    return FisherForm(
        to_torch(np.flatnonzero(target >= 0), device),
        to_torch(labels, device),
        to_torch(members / members.sum(axis=1, keepdims=True), device),
    )


@dataclass(frozen=True)
class FisherQuadratic:
    """The quadratic part of the objective in the codes A (n, p)."""

    linear: torch.Tensor
    G: torch.Tensor  # 2 D Dᵀ, twice that within the blocks of the classes
    block: list[tuple[slice, torch.Tensor]]  # per class: its atoms, and 2 D_c D_cᵀ
    unsure: torch.Tensor  # points with f + s ≠ 1 for some class: unlabelled ones
    excess: torch.Tensor  # (unsure points, C) f + s − 1
    fisher: float
    form: FisherForm

    def gradient(self, Z: torch.Tensor) -> torch.Tensor:
        result = torch.addmm(self.linear, Z, self.G)
        if len(self.unsure):
            mine, more = Z[self.unsure], torch.empty_like(Z[self.unsure])
            for c, (atoms, within) in enumerate(self.block):
                more[:, atoms] = self.excess[:, c, None] * (mine[:, atoms] @ within)
            result.index_add_(0, self.unsure, more)
        if self.fisher > 0:
            self.form.add_product(result, Z, 2 * self.fisher)
        return result


def fisher_quadratic(
    X: torch.Tensor,
    target: np.ndarray,
    D: torch.Tensor,
    atom_class: np.ndarray,
    weights: ClassWeights,
    fisher: float,
) -> FisherQuadratic:
    """The quadratic in the codes for atoms D, which stand class by class."""
    n_classes, device = weights.fit.shape[1], X.device
    fit, G, B = to_torch(weights.fit, device), 2 * D @ D.T, X @ D.T
    linear, block = -2 * B, []
    for c, mine in blocks(atom_class, n_classes):
        atoms = slice(int(mine[0]), int(mine[-1]) + 1)
        block.append((atoms, G[atoms, atoms].clone()))
        linear[:, atoms] -= 2 * fit[:, c, None] * B[:, atoms]
    for atoms, within in block:
        G[atoms, atoms] += within
    excess = weights.fit + weights.suppress - 1
    unsure = np.flatnonzero(excess.any(axis=1))
    return FisherQuadratic(
        linear,
        G,
        block,
        to_torch(unsure, device),
        to_torch(excess[unsure], device),
        fisher,
        fisher_form(target, device),
    )


def fisher_value(A: np.ndarray, labels: np.ndarray) -> float:
    """S_w − S_b + ‖A‖² = 2 S_w + n‖m‖² of labelled codes."""
    within = sum(
        float(np.square(A[labels == c] - A[labels == c].mean(axis=0)).sum())
        for c in np.unique(labels)
    )
    return 2 * within + len(A) * float(np.square(A.mean(axis=0)).sum())


def fisher_terms(
    X: np.ndarray,
    target: np.ndarray,
    A: np.ndarray,
    D: np.ndarray,
    atom_class: np.ndarray,
    weights: ClassWeights,
    *,
    row_weight: np.ndarray,
    lam: float,
    fisher: float,
) -> FisherTerms:
    """The terms of the objective, points weighted by `row_weight`."""
    fits, kept_out = 0.0, 0.0
    for c, mine in blocks(atom_class, weights.fit.shape[1]):
        made = A[:, mine] @ D[mine]
        fits += float((row_weight * weights.fit[:, c]) @ np.square(X - made).sum(axis=1))
        kept_out += float((row_weight * weights.suppress[:, c]) @ np.square(made).sum(axis=1))
    given = target >= 0
    return FisherTerms(
        float(row_weight @ np.square(X - A @ D).sum(axis=1)),
        fits,
        kept_out,
        2 * lam * float(row_weight @ np.abs(A).sum(axis=1)),
        fisher * fisher_value(A[given], target[given]),
    )


def atom_sums(
    X: torch.Tensor,
    A: torch.Tensor,
    atom_class: np.ndarray,
    weights: ClassWeights,
    row_weight: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """S and B with which the terms of D are tr(DᵀSD) − 2 tr(BᵀD): as AᵀA and AᵀX in a plain one."""
    omega = to_torch(row_weight, X.device)[:, None]
    weighted = omega * A
    S, B = A.T @ weighted, weighted.T @ X
    fit = to_torch(weights.fit, X.device)
    total = fit + to_torch(weights.suppress, X.device)
    for c, mine in blocks(atom_class, weights.fit.shape[1]):
        part = to_torch(mine, X.device)
        own = weighted[:, part]
        S[part[:, None], part] += A[:, part].T @ (total[:, c, None] * own)
        B[part] += (fit[:, c, None] * own).T @ X
    return to_numpy(S), to_numpy(B)
