r"""Continuation of S3VM: the weight of unlabelled points grows from zero to λ₂.

The weights are 0, then 1/1024 and its doubles below λ₂, and λ₂, first roughly, then exactly. Those
below λ₂ do not depend on it: a memory of stages has them when λ₂ changes. The classes are separate
problems and run in parallel.

The kernel is a matrix of all pairs, or the points themselves in few coordinates; then another
solver is used (s3vm_primal.py).
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_memory
from threadpoolctl import ThreadpoolController

from sslviz.inductive.stages.s3vm_label_switching import (
    EXACT_GAP,
    ROUGH_GAP,
    Bounds,
    SwitchingRound,
    sides,
    switch_until_stable,
)
from sslviz.inductive.stages.s3vm_primal import solve_smoothed
from sslviz.kernels.centring import centred_on_unlabelled, is_factorised
from sslviz.memo import stage
from sslviz.solve.svm.box_qp import solve_box_qp

FIRST_WEIGHT = 2.0**-10

Rounds = list[SwitchingRound]


class PathPoint(NamedTuple):
    """The solution at one weight when no sign changes any more; a column per class, one for two."""

    lam1: float
    weight: float  # in place of λ₂
    objective: float  # with this weight, summed over columns
    gap: float  # duality gap, on the same scale
    flipped: int  # sign changes at this weight
    F: np.ndarray  # (n, columns) scores
    B: np.ndarray  # (n, columns) β


def continuation(
    K: np.ndarray, Y: np.ndarray, *, lam1: float, lam2: float, memory: Any = None
) -> Iterator[PathPoint]:
    """Solutions at all weights, for every column of Y (n, columns): ±1 if labelled, else 0."""
    cached = check_memory(memory).cache
    C = cached(centred_on_unlabelled)(K, Y[:, 0] == 0)
    point = cached(solve_supervised)(C, Y, lam1=lam1)
    yield point
    if lam2 == 0:
        return
    for weight in weight_schedule(lam2):
        point = cached(warm_start)(
            C, Y, point.B, point.F, before=point[:2], lam1=lam1, weight=weight
        )
        yield point
    yield cached(solve_exactly)(C, Y, point.B, lam1=lam1, weight=lam2)


def follow(
    K: np.ndarray,
    Y: np.ndarray,
    point: PathPoint,
    *,
    lam1: float,
    lam2: float,
    exactly: bool,
    memory: Any = None,
) -> PathPoint:
    """The minimum reached directly from the solution at another λ₁ or weight."""
    cached = check_memory(memory).cache
    C = cached(centred_on_unlabelled)(K, Y[:, 0] == 0)
    near = cached(warm_start)(C, Y, point.B, point.F, before=point[:2], lam1=lam1, weight=lam2)
    return cached(solve_exactly)(C, Y, near.B, lam1=lam1, weight=lam2) if exactly else near


def weight_schedule(lam2: float) -> list[float]:
    """The weights up to λ₂."""
    doublings = max(0, int(np.ceil(np.log2(lam2 / FIRST_WEIGHT))))
    return [*(FIRST_WEIGHT * 2.0**j for j in range(doublings)), lam2]


def dual_bounds(Y: np.ndarray, lam1: float, weight: float) -> np.ndarray:
    """(n,) bounds of |β|, which belong to 1/(2λ₁) times the objective."""
    free = Y[:, 0] == 0
    return np.where(free, weight / free.sum(), 1 / (~free).sum()) / (2 * lam1)


@stage("solve")
def solve_supervised(C: np.ndarray, Y: np.ndarray, *, lam1: float) -> PathPoint:
    """The solution at weight 0: small problems, of the labelled points alone."""
    given = np.flatnonzero(Y[:, 0])
    rows, signs = C @ C[given].T if is_factorised(C) else C[:, given], Y[given]
    block = np.ascontiguousarray(C[given] if is_factorised(C) else rows[given])
    bounds, mean = signs / (2 * lam1 * len(given)), signs.mean(axis=0)

    def solve(c: int) -> Rounds:
        y, zeros, beta = signs[:, c].copy(), np.zeros(len(given)), np.zeros(len(Y))
        if is_factorised(C):
            found = solve_smoothed(block, y, mean[c], np.abs(bounds[:, c]), zeros, exactly=True)
            beta[given], gap = found[-1].beta, found[-1].gap
        else:
            low, high = np.minimum(bounds[:, c], 0), np.maximum(bounds[:, c], 0)
            minimum = solve_box_qp(block, y - mean[c], low, high, zeros, mean[c] - y, EXACT_GAP)
            beta[given], gap = minimum.beta, minimum.gap
        return [SwitchingRound(beta, rows @ beta[given] + mean[c], gap, 0)]

    return _path_point(Y, lam1, 0.0, _solve_columns(solve, np.ones(Y.shape[1])))


@stage("solve")
def warm_start(
    C: np.ndarray,
    Y: np.ndarray,
    B: np.ndarray,
    F: np.ndarray,
    *,
    before: tuple[float, float],
    lam1: float,
    weight: float,
) -> PathPoint:
    """The solution at this λ₁ and weight, roughly, from that at the values `before`."""
    free = np.argmin(np.abs(Y[:, 0]))
    new, old = dual_bounds(Y, lam1, weight), dual_bounds(Y, *before)
    bounds = Bounds(new, old, new[free] / old[free] if old[free] > 0 else 1.0)
    mean = _mean(Y)

    def solve(c: int) -> Rounds:
        start = B[:, c].copy(), F[:, c].copy()
        if is_factorised(C):
            return solve_smoothed(C, Y[:, c].copy(), mean[c], new, start[0], exactly=False)
        return list(switch_until_stable(C, Y[:, c].copy(), mean[c], bounds, start, ROUGH_GAP))

    return _path_point(Y, lam1, weight, _solve_columns(solve, _free_coordinates(B, old)))


@stage("solve")
def solve_exactly(
    C: np.ndarray, Y: np.ndarray, B: np.ndarray, *, lam1: float, weight: float
) -> PathPoint:
    """The solution at this weight, exactly, from a rough one."""
    bounds, mean = dual_bounds(Y, lam1, weight), _mean(Y)
    same = Bounds(bounds, bounds, 1.0)

    def solve(c: int) -> Rounds:
        beta = B[:, c].copy()
        if is_factorised(C):
            return solve_smoothed(C, Y[:, c].copy(), mean[c], bounds, beta, exactly=True)
        start = beta, C @ beta + mean[c]  # computed anew: updates have accumulated rounding errors
        return list(switch_until_stable(C, Y[:, c].copy(), mean[c], same, start, EXACT_GAP))

    return _path_point(Y, lam1, weight, _solve_columns(solve, _free_coordinates(B, bounds)))


def _mean(Y: np.ndarray) -> np.ndarray:
    return Y[Y[:, 0] != 0].mean(axis=0)


def _free_coordinates(B: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """(columns,) the number of points on the edge of the margin, which determines the cost."""
    return ((B != 0) & (np.abs(B) < bounds[:, None])).sum(axis=0)


def _solve_columns(solve: Callable[[int], Rounds], costs: np.ndarray) -> list[Rounds]:
    """The rounds of every column, in parallel, the most expensive first."""
    if len(costs) == 1:
        return [solve(0)]
    with _blas().limit(limits=1, user_api="blas"):
        work = {int(c): _pool(os.getpid()).submit(solve, int(c)) for c in np.argsort(-costs)}
        return [work[c].result() for c in range(len(costs))]


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """The threads of this process; they are kept, and with them their workspaces."""
    return ThreadPoolExecutor(os.cpu_count(), "s3vm")


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController()


def _path_point(Y: np.ndarray, lam1: float, weight: float, columns: list[Rounds]) -> PathPoint:
    last = [rounds[-1] for rounds in columns]
    B, F = np.column_stack([r.beta for r in last]), np.column_stack([r.f for r in last])
    S = np.column_stack([sides(f, y) for f, y in zip(F.T, Y.T, strict=True)])
    losses = dual_bounds(Y, lam1, weight) @ np.maximum(1 - S * F, 0).sum(axis=1)
    objective = 2 * lam1 * (0.5 * float(np.sum(B * (F - _mean(Y)))) + float(losses))
    gap = 2 * lam1 * sum(r.gap for r in last)
    flipped = sum(r.flips for rounds in columns for r in rounds)
    return PathPoint(lam1, weight, objective, gap, flipped, F, B)
