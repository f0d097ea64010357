"""Labels asked for one after the other, and the accuracy after each."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sslviz.experiments.active_learning import (
    STRATEGIES,
    accuracies,
    query_run,
    strategy_curves,
)
from sslviz.ui.active_learning.sidebar import QueryChoice
from sslviz.ui.problem import Problem


@dataclass(frozen=True)
class QueryResult:
    """A run of t queries; index 0 of the arrays over time is before the first."""

    problem: Problem
    choice: QueryChoice
    points: np.ndarray  # (t,) whose label was asked for
    risks: np.ndarray  # (t + 1,) expected mistakes
    F: np.ndarray  # (t + 1, n, C) class probabilities
    help: np.ndarray  # (t + 1, n) expected benefit of each label, nan where given
    accuracies: np.ndarray  # (t + 1,) on the points neither given nor asked for
    means: np.ndarray  # (strategies, t + 1)
    stds: np.ndarray

    @property
    def truth(self) -> np.ndarray:
        return self.problem.dataset.y

    @property
    def answers(self) -> dict[int, int]:
        """The labels asked for: class by point."""
        return {int(p): int(self.truth[p]) for p in self.points}


def ask(choice: QueryChoice, problem: Problem, memory: Any) -> QueryResult:
    """Ask for labels by the chosen strategy, and compare all strategies."""
    arrays = problem.dataset.X, problem.y, problem.dataset.y
    stage = memory.cache(query_run)
    found = stage(choice.parameters, *arrays, choice.strategy, choice.count, 0)
    means, stds = strategy_curves(STRATEGIES, choice.parameters, *arrays, choice.count, memory)
    points, risks, F, help = found
    right = accuracies(found, problem.y, problem.dataset.y)
    return QueryResult(problem, choice, points, risks, F, help, right, means, stds)
