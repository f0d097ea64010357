r"""Codes that reconstruct, resemble their neighbours' and please the classifier: Eq. 5 as a lasso.

    min_A ‖X − A D‖² + λ‖A‖₁ + β tr(Aᵀ L A) + γ Σ_jc Ω_jc (A Wᵀ + b − T)²_jc

Everything but λ‖A‖₁ is quadratic. D Dᵀ is formed once, L is sparse and the classes are merged
(active.py), so a gradient costs n·p·(min(p, 2d) + C) and the neighbours.

In batches, the codes of some points are improved with all others held fixed; they feel the others
through L. One batch of everything is the whole problem.

Tran, Ngolè Mboula, Starck, Prost. SSDL with graph regularization and active points. 2020, appendix.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from scipy import sparse

from sslviz.device import to_torch
from sslviz.dictionary.stages.active_points import Active
from sslviz.solve.fista import lasso

DENSE = 5  # times as fast as a sparse product is a dense one of that many numbers


@dataclass(frozen=True)
class Smooth:
    """The quadratic part for some rows of A; L and Ω already carry 2β and 2γ."""

    linear: torch.Tensor
    factors: tuple[torch.Tensor, ...]  # their product is 2 D Dᵀ: formed, unless D is narrow
    L: torch.Tensor | None
    weight: torch.Tensor | None
    W: torch.Tensor | None

    def gradient(self, Z: torch.Tensor) -> torch.Tensor:
        *first, last = self.factors
        result = torch.addmm(self.linear, Z @ first[0] if first else Z, last)
        if self.L is not None:
            result += self.L @ Z
        if self.weight is not None and self.W is not None:
            result.addmm_(self.weight * (Z @ self.W.T), self.W)
        return result


@dataclass(frozen=True)
class Fixed:
    """What stays the same while codes are sought."""

    X: torch.Tensor
    L: sparse.csr_array | None
    lam: float
    beta: float
    gamma: float


@dataclass(frozen=True)
class Classifier:
    """W, b and the active points it is judged on."""

    W: torch.Tensor  # (C, p)
    b: torch.Tensor  # (C,)
    active: Active


def smooth(
    fixed: Fixed,
    A: torch.Tensor,
    D: torch.Tensor,
    classifier: Classifier | None,
    rows: np.ndarray | None = None,
) -> Smooth:
    """The quadratic in the codes of `rows` (all without), the others held at A."""
    device = A.device
    chosen = slice(None) if rows is None else torch.as_tensor(rows).to(device)
    linear = -2 * (fixed.X[chosen] @ D.T)
    L = weight = W = None
    if fixed.L is not None and fixed.beta > 0:
        within = fixed.L if rows is None else sparse.csr_array(fixed.L[rows][:, rows])
        L = _tensor(2 * fixed.beta * within, A)
        if rows is not None:
            across = to_torch(sparse.csr_array(2 * fixed.beta * fixed.L[rows]), device, A.dtype)
            linear += across @ A - L @ A[chosen]
    if classifier is not None:
        W, active = classifier.W, classifier.active
        weight = 2 * fixed.gamma * active.weight[chosen]
        linear.addmm_(weight * (classifier.b - active.target[chosen]), W)
    narrow = 2 * D.shape[1] < len(D)
    factors = (D, 2 * D.T) if narrow else (2 * D @ D.T,)
    return Smooth(linear, factors, L, weight, W)


def _tensor(L: sparse.csr_array, like: torch.Tensor) -> torch.Tensor:
    """L beside A: dense where that is faster."""
    full = DENSE * L.nnz > L.shape[0] * L.shape[1]
    return to_torch(L.toarray() if full else sparse.csr_array(L), like.device, like.dtype)


def code(
    fixed: Fixed,
    A: torch.Tensor,
    D: torch.Tensor,
    classifier: Classifier | None,
    parts: list[np.ndarray] | None = None,
    *,
    max_iter: int = 50,
    tol: float = 1e-4,
    enough: float = 0.0,
    tau: float = 1.0,
) -> tuple[torch.Tensor, float]:
    """Better codes, and the curvature met; `parts` are improved one after the other."""
    if parts is None:
        f = smooth(fixed, A, D, classifier)
        found = lasso(f, A, fixed.lam, tau=tau, max_iter=max_iter, tol=tol, enough=enough)
        return found.Z, found.tau
    A = A.clone()
    for rows in parts:
        chosen = torch.as_tensor(rows).to(A.device)
        f = smooth(fixed, A, D, classifier, rows)
        found = lasso(f, A[chosen], fixed.lam, tau=tau, max_iter=max_iter, tol=tol, enough=enough)
        A[chosen] = found.Z
    return A, tau


def batches(n: int, size: int | None, epochs: int, seed: int) -> Iterator[list[np.ndarray] | None]:
    """One list of parts per epoch, drawn anew for each; None where one part holds all points."""
    rng = np.random.default_rng(seed)
    for _ in range(epochs):
        if size is None or size >= n:
            yield None
        else:
            order = rng.permutation(n)
            yield [np.sort(part) for part in np.array_split(order, -(-n // size))]
