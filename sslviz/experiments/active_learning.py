"""Runs of questions, and how the ways of asking compare."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.memo import stage
from sslviz.propagation.active_learning import questions
from sslviz.propagation.label_propagation import LabelPropagation

RUNS = 8  # of asking at random


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
    """A stage: points (t,), risks (t + 1,), opinions (t + 1, n, C) and helps (t + 1, n)."""
    model = LabelPropagation(**parameters).fit(X, y)
    steps = list(questions(model, truth, strategy, count, random_state=seed))
    return (
        np.array([step.point for step in steps[1:]], int),
        np.array([step.risk for step in steps]),
        np.stack([step.F for step in steps]),
        np.stack([step.help for step in steps]),
    )


def accuracies(found: tuple[np.ndarray, ...], y: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """(t + 1,) the share of right answers among points neither given nor asked, by question."""
    points, _, F, _ = found
    shares, left = [], y < 0
    for i, opinion in enumerate(F):
        if i:
            left = left & (np.arange(len(y)) != points[i - 1])
        right = (opinion.argmax(axis=1) == truth) & (opinion.max(axis=1) > 0)
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
    """Means and deviations (strategies, count + 1) of the accuracy after every question."""
    stage, means, stds = check_memory(memory).cache(asked), [], []
    for strategy in strategies:
        runs = RUNS if strategy == "at random" else 1  # the others leave nothing to chance
        found = [
            accuracies(stage(parameters, X, y, truth, strategy, count, seed), y, truth)
            for seed in range(runs)
        ]
        means.append(np.mean(found, axis=0))
        stds.append(np.std(found, axis=0, ddof=1) if runs > 1 else np.zeros(len(found[0])))
    return np.array(means), np.array(stds)
