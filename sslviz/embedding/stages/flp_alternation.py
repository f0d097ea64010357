r"""The alternation of FLP: half-steps of the labels and of the projection, each lowering H.

    recipe   labels, projection, labels, …   some L-BFGS steps each, |A| fixed
    fixed    labels, labels, …               A = PCA throughout
    printed  projection, labels, …           each to convergence, until neither changes (Eq. 14)

Where every point is labelled there is no half-step of the labels.
"""

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import numpy as np
import torch

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.embedding.stages.flp_objective import (
    harmony,
    label_gradient,
    neighbour_weights,
    projection_gradient,
    sphere_gradient,
)
from sslviz.embedding.stages.linear_projection import sign_of_first_large
from sslviz.memo import stage
from sslviz.solve.lbfgs import descend

HALVES = {
    "recipe": ("labels", "projection"),
    "fixed": ("labels",),
    "printed": ("projection", "labels"),
}
MAX_PRINTED_STEPS = 200  # of L-BFGS: by then a half-step as printed has converged, or never will
PRINTED_TOLERANCE = 1e-6  # ε of Eq. 14


class HalfStep(NamedTuple):
    """The state after one half-step: projection, label distributions, influence of each point."""

    iteration: int
    objective: float  # H
    half: str  # what has changed: "labels" or "projection"
    A: torch.Tensor  # (d, p): the embedding is X @ A
    F: torch.Tensor  # (n, C) label distributions
    influence: (
        torch.Tensor
    )  # (n,) weight of each point in the labelled points' predictions, Σ_i p_ij


class Solution(NamedTuple):
    """The state after the last half-step, and H from the start on."""

    A: np.ndarray
    F: np.ndarray
    influence: np.ndarray
    harmony: np.ndarray


@stage("PCA")
def principal_directions(X: np.ndarray) -> np.ndarray:
    """(min(n, d), d): all directions of PCA, the one of largest variance first."""
    Z = X - X.mean(axis=0)
    if X.shape[1] <= len(X):
        V = np.linalg.eigh(Z.T @ Z).eigenvectors[:, ::-1].T
    else:
        V = np.linalg.svd(Z, full_matrices=False)[2]
    return V * sign_of_first_large(V.T)[:, None]


@stage("comparison")
def alternate(
    X: np.ndarray,
    target: np.ndarray,
    A: np.ndarray,
    c: np.ndarray,
    *,
    mode: str,
    outer: int,
    inner: int,
    device: str = "auto",
) -> tuple[np.ndarray, ...]:
    """A `Solution`: all half-steps from A (d, p) and c (n, C), π = softmax(c), to the last."""
    values = []
    for last in half_steps(X, target, A, c, mode=mode, outer=outer, inner=inner, device=device):
        values.append(last.objective)
    return tuple(solution(last, values))


def solution(last: HalfStep, values: list[float]) -> Solution:
    """The result of a run that ended with `last`, with H after every half-step."""
    A, F, influence = (to_numpy(t) for t in (last.A, last.F, last.influence))
    return Solution(A, F, influence, np.array(values))


def half_steps(
    X: np.ndarray,
    target: np.ndarray,
    A: np.ndarray,
    c: np.ndarray,
    *,
    mode: str,
    outer: int,
    inner: int,
    device: str = "auto",
) -> Iterator[HalfStep]:
    """The start, as iteration 0, and every half-step after it."""
    printed = mode == "printed"
    unit = 1.0 if printed else float(np.linalg.norm(A))
    state = _State(X, target, A, c, unit, pick_device(device))
    steps = MAX_PRINTED_STEPS if printed else inner
    move = {
        "labels": state.move_labels,
        "projection": state.move_projection if printed else state.turn_projection,
    }
    halves = [half for half in HALVES[mode] if half == "projection" or len(state.c)]
    yield state.record(0, "")
    iterations = count(1)
    for _ in range(outer):
        before = state.A, state.c
        for half in halves:
            move[half](steps)
            yield state.record(next(iterations), half)
        if printed and state.has_converged(*before):
            break


class _State:
    """The current A and c, with the labelled points first and A in units of `unit`.

    Where |A| is fixed its unit is this length: the first step of L-BFGS has length 1, so that
    scaling X does not change the result.
    """

    def __init__(
        self,
        X: np.ndarray,
        target: np.ndarray,
        A: np.ndarray,
        c: np.ndarray,
        unit: float,
        device: torch.device,
    ):
        order = np.argsort(target < 0, kind="stable")
        self.n, self.unit = int((target >= 0).sum()), unit
        given = target[order[: self.n], None] == np.arange(c.shape[1])
        self.back = to_torch(np.argsort(order), device)
        # H does not depend on the origin; centred points lose fewer digits in their distances.
        self.X = to_torch(unit * (X - X.mean(axis=0))[order], device)
        self.F_l = to_torch(given.astype(np.float64), device)
        self.A = to_torch(A / unit, device)
        self.c = to_torch(c[order[self.n :]], device)

    @property
    def F(self) -> torch.Tensor:
        return torch.cat([self.F_l, torch.softmax(self.c, dim=1)])

    def record(self, iteration: int, half: str) -> HalfStep:
        P, F = neighbour_weights(self.X @ self.A, self.n), self.F
        H, A = float(harmony(P, F)), self.unit * self.A
        return HalfStep(iteration, H, half, A, F[self.back], P.sum(0)[self.back])

    def move_labels(self, max_iter: int) -> None:
        P = neighbour_weights(self.X @ self.A, self.n)
        self.c = descend(lambda c: label_gradient(c, P, self.F_l), self.c, max_iter=max_iter)

    def turn_projection(self, max_iter: int) -> None:
        """Lower H over projections of fixed norm |A|."""
        F = self.F
        B = descend(lambda B: sphere_gradient(B, self.X, F, self.n), self.A, max_iter=max_iter)
        self.A = B / B.norm()

    def move_projection(self, max_iter: int) -> None:
        """Lower H over all projections."""
        F = self.F
        self.A = descend(
            lambda A: projection_gradient(A, self.X, F, self.n), self.A, max_iter=max_iter
        )

    def has_converged(self, A: torch.Tensor, c: torch.Tensor) -> bool:
        """Eq. 14: neither A nor the labels have changed by more than ε."""
        change = torch.softmax(self.c, dim=1) - torch.softmax(c, dim=1)
        turn = (self.A - A).norm() <= PRINTED_TOLERANCE * A.numel()
        return bool(turn and change.norm() <= PRINTED_TOLERANCE * c.numel())
