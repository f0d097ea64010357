"""Active learning: runs of queries, and how the strategies compare."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.labels import UNLABELLED
from sslviz.memo import stage
from sslviz.propagation.active_learning import STRATEGIES, questions
from sslviz.propagation.label_propagation import LabelPropagation

__all__ = ["STRATEGIES", "accuracies", "query_run", "query_tasks", "strategy_curves"]

RANDOM_RUNS = 8  # of the strategy "at random"


@stage("queries")
def query_run(
    parameters: dict[str, Any],
    X: np.ndarray,
    y: np.ndarray,
    truth: np.ndarray,
    strategy: str,
    count: int,
    seed: int,
    *,
    memory: Any = None,
) -> tuple[np.ndarray, ...]:
    """Queried points (t,), risks (t + 1,), probabilities (t + 1, n, C), benefits (t + 1, n).

    A stage; `memory` keeps the neighbours for all runs and does not change the result.
    """
    model = LabelPropagation(**parameters, memory=memory).fit(X, y)
    steps = list(questions(model, truth, strategy, count, random_state=seed))
    return (
        np.array([step.point for step in steps[1:]], int),
        np.array([step.risk for step in steps]),
        np.stack([step.F for step in steps]),
        np.stack([step.help for step in steps]),
    )


def accuracies(found: tuple[np.ndarray, ...], y: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """(t + 1,) accuracy on the known points neither given nor queried, after each query."""
    points, _, F, _ = found
    shares, left = [], (y < 0) & (truth != UNLABELLED)
    for i, probabilities in enumerate(F):
        if i:
            left = left & (np.arange(len(y)) != points[i - 1])
        right = (probabilities.argmax(axis=1) == truth) & (probabilities.max(axis=1) > 0)
        shares.append(float(right[left].mean()) if left.any() else np.nan)
    return np.array(shares)


def query_tasks(
    parameters: dict[str, Any],
    X: np.ndarray,
    y: np.ndarray,
    truth: np.ndarray,
    count: int,
    memory: Any = None,
) -> dict[tuple[str, int], Callable[[], tuple[np.ndarray, ...]]]:
    """The runs of all strategies, by strategy and seed; only "at random" depends on the seed."""
    return {
        (s, seed): partial(_query_stage, parameters, X, y, truth, s, count, seed, memory=memory)
        for s in STRATEGIES
        for seed in range(RANDOM_RUNS if s == "at random" else 1)
    }


def _query_stage(*arguments: Any, memory: Any) -> tuple[np.ndarray, ...]:
    """A query run through the memory of the process that it is called in."""
    stage = check_memory(memory).cache(query_run, ignore=["memory"])
    return stage(*arguments, memory=memory)


def strategy_curves(
    runs: Mapping[tuple[str, int], tuple[np.ndarray, ...]], y: np.ndarray, truth: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Means and deviations (strategies, count + 1) of the accuracy after each query."""
    means, stds = [], []
    for strategy in STRATEGIES:
        found = [accuracies(run, y, truth) for (s, _), run in runs.items() if s == strategy]
        means.append(np.mean(found, axis=0))
        stds.append(np.std(found, axis=0, ddof=1) if len(found) > 1 else np.zeros(len(found[0])))
    return np.array(means), np.array(stds)
