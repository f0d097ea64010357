r"""The weight of unlabelled points climbs from nothing to λ₂; on every rung the signs settle.

The rungs are 0, then 1/1024 and its doubles below λ₂, and λ₂, first roughly, then exactly. They do
not depend on λ₂: where stages are remembered, they are there when λ₂ moves. Classes know nothing of
each other and share the cores.

The kernel is that of all pairs, or points in a few coordinates whose products it is: then another
solver serves (rounding.py).
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
from sslviz.kernels.centring import (
    centred_on_unlabelled,
    is_factorised,
    shifted_inverse,
    unlabelled_shares,
)
from sslviz.memo import stage
from sslviz.solve.svm.box_active_set import CentredKernel
from sslviz.solve.svm.box_qp import solve_box_qp

FIRST_WEIGHT = 2.0**-10  # weight of the first rung
COLUMNS_FOR_INVERSE = 3  # columns from which on an inverse is worth its price


class PathPoint(NamedTuple):
    """The fields at one weight when no sign changes any more; a column per class, one for two."""

    lam1: float
    weight: float  # what stands for λ₂
    objective: float  # with this weight, columns added up
    gap: float  # between the machines and their duals, on the same scale
    flipped: int  # changes of sign on this rung
    F: np.ndarray  # (n, columns) scores
    B: np.ndarray  # (n, columns) β


def continuation(
    K: np.ndarray, Y: np.ndarray, *, lam1: float, lam2: float, memory: Any = None
) -> Iterator[PathPoint]:
    """Rungs for every column of Y (n, columns): ±1 where labelled, 0 where not."""
    stage = check_memory(memory).cache
    C = stage(centred_on_unlabelled)(K, Y[:, 0] == 0)
    rung = stage(solve_supervised)(C, Y, lam1=lam1)
    yield rung
    if lam2 == 0:
        return
    raised = stage(warm_start)
    for weight in weight_schedule(lam2):
        rung = raised(C, Y, rung.B, rung.F, paid=rung[:2], lam1=lam1, weight=weight)
        yield rung
    yield _end_exactly(stage, C, Y, rung)


def follow(
    K: np.ndarray,
    Y: np.ndarray,
    rung: PathPoint,
    *,
    lam1: float,
    lam2: float,
    exactly: bool,
    memory: Any = None,
) -> PathPoint:
    """The minimum that one comes to from a rung at another λ₁ or weight: no climb, so at once."""
    stage = check_memory(memory).cache
    C = stage(centred_on_unlabelled)(K, Y[:, 0] == 0)
    near = stage(warm_start)(C, Y, rung.B, rung.F, paid=rung[:2], lam1=lam1, weight=lam2)
    return _end_exactly(stage, C, Y, near) if exactly else near


def _end_exactly(stage: Any, C: np.ndarray, Y: np.ndarray, rung: PathPoint) -> PathPoint:
    many = 2 * _count_on_margin(rung.B, dual_bounds(Y, *rung[:2])).max() > len(Y)
    P = (
        stage(shifted_inverse)(C)
        if many and Y.shape[1] >= COLUMNS_FOR_INVERSE and not is_factorised(C)
        else None
    )
    return stage(solve_exactly)(C, P, Y, rung.B, lam1=rung.lam1, weight=rung.weight)


def weight_schedule(lam2: float) -> list[float]:
    """The rungs up to λ₂."""
    doublings = max(0, int(np.ceil(np.log2(lam2 / FIRST_WEIGHT))))
    return [*(FIRST_WEIGHT * 2.0**j for j in range(doublings)), lam2]


def dual_bounds(Y: np.ndarray, lam1: float, weight: float) -> np.ndarray:
    """(n,) what a point in the margin pays at most, for 1/(2λ₁) times the objective."""
    free = Y[:, 0] == 0
    return np.where(free, weight / free.sum(), 1 / (~free).sum()) / (2 * lam1)


@stage("solve")
def solve_supervised(C: np.ndarray, Y: np.ndarray, *, lam1: float) -> PathPoint:
    """The machines that mind the labelled points alone: small problems."""
    given = np.flatnonzero(Y[:, 0])
    rows, signs = C @ C[given].T if is_factorised(C) else C[:, given], Y[given]
    block = np.ascontiguousarray(C[given] if is_factorised(C) else rows[given])
    walls, mean = signs / (2 * lam1 * len(given)), signs.mean(axis=0)

    def solve(c: int) -> list[SwitchingRound]:
        y, nothing, beta = signs[:, c].copy(), np.zeros(len(given)), np.zeros(len(Y))
        if is_factorised(C):
            found = solve_smoothed(block, y, mean[c], np.abs(walls[:, c]), nothing, exactly=True)
            beta[given], gap = found[-1].beta, found[-1].gap
        else:
            low, high = np.minimum(walls[:, c], 0), np.maximum(walls[:, c], 0)
            corner = solve_box_qp(block, y - mean[c], low, high, nothing, mean[c] - y, EXACT_GAP)
            beta[given], gap = corner.beta, corner.gap
        return [SwitchingRound(beta, rows @ beta[given] + mean[c], gap, 0)]

    return _path_point(Y, lam1, 0.0, _solve_columns(solve, np.ones(Y.shape[1])))


@stage("solve")
def warm_start(
    C: np.ndarray,
    Y: np.ndarray,
    B: np.ndarray,
    F: np.ndarray,
    *,
    paid: tuple[float, float],
    lam1: float,
    weight: float,
) -> PathPoint:
    """The rung at this λ₁ and weight, roughly, from the one at those paid before."""
    now, before, free = (
        dual_bounds(Y, lam1, weight),
        dual_bounds(Y, *paid),
        np.argmin(np.abs(Y[:, 0])),
    )
    change = Bounds(now, before, now[free] / before[free] if before[free] > 0 else 1.0)
    kernel, mean = CentredKernel(C, None, unlabelled_shares(Y[:, 0] == 0)), _mean(Y)

    def solve(c: int) -> list[SwitchingRound]:
        here = B[:, c].copy(), F[:, c].copy()
        if is_factorised(C):
            return solve_smoothed(C, Y[:, c].copy(), mean[c], now, here[0], exactly=False)
        return list(switch_until_stable(kernel, Y[:, c].copy(), mean[c], change, here, ROUGH_GAP))

    return _path_point(Y, lam1, weight, _solve_columns(solve, _count_on_margin(B, before)))


@stage("solve")
def solve_exactly(
    C: np.ndarray, P: np.ndarray | None, Y: np.ndarray, B: np.ndarray, *, lam1: float, weight: float
) -> PathPoint:
    """The rung at this weight, exactly, from what it roughly is."""
    price, free, mean = dual_bounds(Y, lam1, weight), Y[:, 0] == 0, _mean(Y)
    kernel, same = CentredKernel(C, P, unlabelled_shares(free)), Bounds(price, price, 1.0)

    def solve(c: int) -> list[SwitchingRound]:
        beta = B[:, c].copy()
        if is_factorised(C):
            return solve_smoothed(C, Y[:, c].copy(), mean[c], price, beta, exactly=True)
        here = beta, C @ beta + mean[c]  # afresh: what was added up on the way has rounded
        return list(switch_until_stable(kernel, Y[:, c].copy(), mean[c], same, here, EXACT_GAP))

    return _path_point(Y, lam1, weight, _solve_columns(solve, _count_on_margin(B, price)))


def _mean(Y: np.ndarray) -> np.ndarray:
    return Y[Y[:, 0] != 0].mean(axis=0)


def _count_on_margin(B: np.ndarray, price: np.ndarray) -> np.ndarray:
    """(columns,) how many points stand on the edge of the margin: with them grows the cost."""
    return ((B != 0) & (np.abs(B) < price[:, None])).sum(axis=0)


def _solve_columns(
    solve: Callable[[int], list[SwitchingRound]], edges: np.ndarray
) -> list[list[SwitchingRound]]:
    """Turns of every column, on all cores, the dearest first."""
    if len(edges) == 1:
        return [solve(0)]
    with _blas().limit(limits=1, user_api="blas"):
        work = {int(c): _pool(os.getpid()).submit(solve, int(c)) for c in np.argsort(-edges)}
        return [work[c].result() for c in range(len(edges))]


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """The threads of this process: they stay, and with them the memory they work in."""
    return ThreadPoolExecutor(os.cpu_count(), "climb")


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController()


def _path_point(
    Y: np.ndarray, lam1: float, weight: float, columns: list[list[SwitchingRound]]
) -> PathPoint:
    last = [turns[-1] for turns in columns]
    B, F = (np.column_stack(parts) for parts in ([t.beta for t in last], [t.f for t in last]))
    S = np.column_stack([sides(f, y) for f, y in zip(F.T, Y.T, strict=True)])
    losses = dual_bounds(Y, lam1, weight) @ np.maximum(1 - S * F, 0).sum(axis=1)
    objective = 2 * lam1 * (0.5 * float(np.sum(B * (F - _mean(Y)))) + float(losses))
    gap = 2 * lam1 * sum(turn.gap for turn in last)
    flipped = sum(turn.flips for turns in columns for turn in turns)
    return PathPoint(lam1, weight, objective, gap, flipped, F, B)
