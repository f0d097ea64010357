r"""Codes for fixed atoms and classifier: the sparse coding step of SSDL-GA, Eq. 5, as a lasso.

    min_A ‖X − A D‖² + λ‖A‖₁ + β tr(Aᵀ L A) + γ Σ_jc Ω_jc (A Wᵀ + b − T)²_jc

Everything but λ‖A‖₁ is quadratic. D Dᵀ is formed once, L is sparse and the classes are merged
(active_points.py), so a gradient costs n·p·(min(p, 2d) + C) and one product with L.

In batches the codes of some points are improved with all others fixed, which enter through L.

Tran, Ngolè Mboula, Starck, Prost. SSDL with graph regularization and active points. 2020, appendix.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from scipy import sparse

from sslviz.device import to_torch
from sslviz.dictionary.stages.active_points import ActiveSquares
from sslviz.solve.fista import lasso

DENSE_SPEEDUP = 5  # of a dense product over a sparse one with as many stored entries


@dataclass(frozen=True)
class CodeQuadratic:
    """The quadratic part for some rows of A; L and Ω include the factors 2β and 2γ."""

    linear: torch.Tensor
    factors: tuple[torch.Tensor, ...]  # their product is 2 D Dᵀ; two factors where d is small
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
class CodingProblem:
    """What does not change while codes are improved."""

    X: torch.Tensor
    L: sparse.csr_array | None
    lam: float
    beta: float
    gamma: float


@dataclass(frozen=True)
class Classifier:
    """W, b and the weighted squares of the active points."""

    W: torch.Tensor  # (C, p)
    b: torch.Tensor  # (C,)
    active: ActiveSquares


def code_quadratic(
    problem: CodingProblem,
    A: torch.Tensor,
    D: torch.Tensor,
    classifier: Classifier | None,
    rows: np.ndarray | None = None,
) -> CodeQuadratic:
    """The quadratic in the codes of `rows` (all if None), the others fixed at A."""
    device = A.device
    chosen = slice(None) if rows is None else torch.as_tensor(rows).to(device)
    linear = -2 * (problem.X[chosen] @ D.T)
    L = weight = W = None
    if problem.L is not None and problem.beta > 0:
        within = problem.L if rows is None else sparse.csr_array(problem.L[rows][:, rows])
        L = _as_tensor(2 * problem.beta * within, A)
        if rows is not None:
            across = to_torch(sparse.csr_array(2 * problem.beta * problem.L[rows]), device, A.dtype)
            linear += across @ A - L @ A[chosen]
    if classifier is not None:
        W, active = classifier.W, classifier.active
        weight = 2 * problem.gamma * active.weight[chosen]
        linear.addmm_(weight * (classifier.b - active.target[chosen]), W)
    narrow = 2 * D.shape[1] < len(D)
    factors = (D, 2 * D.T) if narrow else (2 * D @ D.T,)
    return CodeQuadratic(linear, factors, L, weight, W)


def _as_tensor(L: sparse.csr_array, like: torch.Tensor) -> torch.Tensor:
    """L on the device of A, dense where that is faster."""
    full = DENSE_SPEEDUP * L.nnz > L.shape[0] * L.shape[1]
    return to_torch(L.toarray() if full else sparse.csr_array(L), like.device, like.dtype)


def improve_codes(
    problem: CodingProblem,
    A: torch.Tensor,
    D: torch.Tensor,
    classifier: Classifier | None,
    parts: list[np.ndarray] | None = None,
    *,
    max_iter: int = 50,
    tol: float = 1e-4,
    min_gain: float = 0.0,
    tau: float = 1.0,
) -> tuple[torch.Tensor, float]:
    """Better codes, and the last curvature; `parts` are improved one after the other."""
    options: dict[str, Any] = {"tau": tau, "max_iter": max_iter, "tol": tol, "min_gain": min_gain}
    if parts is None:
        found = lasso(code_quadratic(problem, A, D, classifier), A, problem.lam, **options)
        return found.Z, found.tau
    A = A.clone()
    for rows in parts:
        chosen = torch.as_tensor(rows).to(A.device)
        f = code_quadratic(problem, A, D, classifier, rows)
        A[chosen] = lasso(f, A[chosen], problem.lam, **options).Z
    return A, tau


def batch_rows(
    n: int, size: int | None, epochs: int, seed: int
) -> Iterator[list[np.ndarray] | None]:
    """One random partition into batches per epoch; None where one batch holds all points."""
    rng = np.random.default_rng(seed)
    for _ in range(epochs):
        if size is None or size >= n:
            yield None
        else:
            order = rng.permutation(n)
            yield [np.sort(part) for part in np.array_split(order, -(-n // size))]
