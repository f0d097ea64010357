r"""Labels and projection take turns in making the labelled points agree with what they hear.

    recipe   labels, projection, labels, …   a few steps each, |A| held fixed
    fixed    labels, labels, …               A = PCA throughout
    printed  projection, labels, …           each to its end, until neither moves (Eq. 14)

Where every point is labelled there is no half-step of the labels.
"""

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import numpy as np
import torch

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.embedding.base import sign_of_first_large
from sslviz.embedding.stages.flp_objective import (
    harmony,
    label_gradient,
    neighbour_weights,
    on_the_sphere,
    projection_gradient,
)
from sslviz.memo import stage
from sslviz.solve.lbfgs import descend

TURNS = {
    "recipe": ("labels", "projection"),
    "fixed": ("labels",),
    "printed": ("projection", "labels"),
}
TO_THE_END = 200  # L-BFGS steps after which a half-step as printed has converged, or never will
STILL = 1e-6  # ε of Eq. 14


class HalfStep(NamedTuple):
    """What one half-step leaves: a map of the points, their labels, and who is heard."""

    iteration: int
    objective: float  # H
    half: str  # what has moved: "labels" or "projection"
    A: torch.Tensor  # (d, p): the map is X @ A
    F: torch.Tensor  # (n, C) label distributions
    influence: torch.Tensor  # (n,) how much the labelled points hear of each, Σ_i p_ij


class Harmony(NamedTuple):
    """What the last half-step leaves, and H from the start on."""

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
    """A `Harmony`: all half-steps from A (d, p) and c (n, C), π = softmax(c), to the last."""
    values = []
    for last in half_steps(X, target, A, c, mode=mode, outer=outer, inner=inner, device=device):
        values.append(last.objective)
    return tuple(harmonised(last, values))


def harmonised(last: HalfStep, values: list[float]) -> Harmony:
    """The outcome of a run that ended with `last`, and H from its start on."""
    A, F, influence = (to_numpy(t) for t in (last.A, last.F, last.influence))
    return Harmony(A, F, influence, np.array(values))


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
    turn = _Turn(X, target, A, c, unit, pick_device(device))
    moves = {
        "labels": lambda: turn.labels(TO_THE_END if printed else inner),
        "projection": lambda: (
            turn.free_projection(TO_THE_END) if printed else turn.projection(inner)
        ),
    }
    halves = [half for half in TURNS[mode] if half == "projection" or len(turn.c)]
    yield turn.frame(0, "")
    iterations = count(1)
    for _ in range(outer):
        before = turn.A, turn.c
        for half in halves:
            moves[half]()
            yield turn.frame(next(iterations), half)
        if printed and turn.still(*before):
            break


class _Turn:
    """A and c as they stand, with the labelled points first and A in units of `unit`.

    Where |A| is held its unit is this length: the first step of L-BFGS has length 1, and
    scaling X must not change how far it goes.
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
        # H does not change when X is moved; distances about the origin keep their digits.
        self.X = to_torch(unit * (X - X.mean(axis=0))[order], device)
        self.F_l = to_torch(given.astype(np.float64), device)
        self.A = to_torch(A / unit, device)
        self.c = to_torch(c[order[self.n :]], device)

    @property
    def F(self) -> torch.Tensor:
        return torch.cat([self.F_l, torch.softmax(self.c, dim=1)])

    def frame(self, iteration: int, half: str) -> HalfStep:
        P, F = neighbour_weights(self.X @ self.A, self.n), self.F
        H, A = float(harmony(P, F)), self.unit * self.A
        return HalfStep(iteration, H, half, A, F[self.back], P.sum(0)[self.back])

    def labels(self, max_iter: int) -> None:
        P = neighbour_weights(self.X @ self.A, self.n)
        self.c = descend(lambda c: label_gradient(c, P, self.F_l), self.c, max_iter=max_iter)

    def projection(self, max_iter: int) -> None:
        F = self.F
        B = descend(lambda B: on_the_sphere(B, self.X, F, self.n), self.A, max_iter=max_iter)
        self.A = B / B.norm()

    def free_projection(self, max_iter: int) -> None:
        F = self.F
        self.A = descend(
            lambda A: projection_gradient(A, self.X, F, self.n), self.A, max_iter=max_iter
        )

    def still(self, A: torch.Tensor, c: torch.Tensor) -> bool:
        """Eq. 14: neither A nor the labels have moved worth mentioning."""
        moved = torch.softmax(self.c, dim=1) - torch.softmax(c, dim=1)
        turned = (self.A - A).norm() <= STILL * A.numel()
        return bool(turned and moved.norm() <= STILL * c.numel())
