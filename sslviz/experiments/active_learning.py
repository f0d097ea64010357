"""Active learning runs: which labels are asked for, and the accuracy after each query."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.memo import stage
from sslviz.propagation.active_learning import questions
from sslviz.propagation.label_propagation import LabelPropagation

RANDOM_RUNS = 8  # of the random strategy, whose accuracy is their mean


@stage("queries")
def asked(
    parameters: dict[str, Any],
    X: np.ndarray,
    y: np.ndarray,
    truth: np.ndarray,
    strategy: str,
    count: int,
    seed: int,
) -> tuple[np.ndarray, ...]:
    """One run: queried points (t,), and before and after each query the expected risk (t + 1,), the
    label distributions (t + 1, n, C) and the benefit expected of each label (t + 1, n).
    """
    model = LabelPropagation(**parameters).fit(X, y)
    steps = list(questions(model, truth, strategy, count, random_state=seed))
    return (
        np.array([step.point for step in steps[1:]], int),
        np.array([step.risk for step in steps]),
        np.stack([step.F for step in steps]),
        np.stack([step.help for step in steps]),
    )


def accuracies(found: tuple[np.ndarray, ...], y: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """(t + 1,) accuracy on points neither labelled nor queried, after each query."""
    points, _, F, _ = found
    shares, left = [], y < 0
    for i, distributions in enumerate(F):
        if i:
            left = left & (np.arange(len(y)) != points[i - 1])
        right = (distributions.argmax(axis=1) == truth) & (distributions.max(axis=1) > 0)
        shares.append(float(right[left].mean()) if left.any() else np.nan)
    return np.array(shares)


def compared(
    strategies: Sequence[str],
    parameters: dict[str, Any],
    X: np.ndarray,
    y: np.ndarray,
    truth: np.ndarray,
    count: int,
    memory: Any = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation (strategies, count + 1) of the accuracy after each query."""
    stage, means, stds = check_memory(memory).cache(asked), [], []
    for strategy in strategies:
        runs = RANDOM_RUNS if strategy == "at random" else 1  # the others are deterministic
        found = [
            accuracies(stage(parameters, X, y, truth, strategy, count, seed), y, truth)
            for seed in range(runs)
        ]
        means.append(np.mean(found, axis=0))
        stds.append(np.std(found, axis=0, ddof=1) if runs > 1 else np.zeros(len(found[0])))
    return np.array(means), np.array(stds)
