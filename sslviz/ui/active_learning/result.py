"""Labels asked for one after the other, and the accuracy after each."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sslviz.content_hash import digest
from sslviz.experiments.active_learning import accuracies, query_tasks, strategy_curves
from sslviz.recordings.tasks import TaskRun
from sslviz.ui.active_learning.sidebar import QueryChoice
from sslviz.ui.problem import Problem
from sslviz.ui.result import without_accuracy


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
    def no_accuracy(self) -> str:
        return without_accuracy(self.problem)

    @property
    def no_accuracy_left(self) -> str:
        """Why there is no accuracy after the queries."""
        return "all asked" if len(self.points) else self.no_accuracy

    @property
    def next_point(self) -> int:
        """The unlabelled point whose label is expected to help most, before any query."""
        return int(np.nanargmax(self.help[0]))

    @property
    def answers(self) -> dict[int, int]:
        """The labels asked for: class by point."""
        return {int(p): int(self.truth[p]) for p in self.points}


def queries_key(choice: QueryChoice, problem: Problem) -> str:
    """The name of the run: equal problems share one, whatever strategy is shown."""
    X, y, truth = problem.dataset.X, problem.y, problem.dataset.y
    return digest("queries", choice.parameters, choice.count, X, y, truth)


def queries_recipe(choice: QueryChoice, problem: Problem, memory: Any) -> tuple:
    """The class and the arguments of a run of the queries of all strategies."""
    X, y, truth = problem.dataset.X, problem.y, problem.dataset.y
    tasks = query_tasks(choice.parameters, X, y, truth, choice.count, memory)
    return TaskRun, "Choosing labels", tasks


def query_result(choice: QueryChoice, problem: Problem, run: TaskRun) -> QueryResult:
    """The chosen strategy of a finished run, and the comparison of all."""
    found, y, truth = run.results[choice.strategy, 0], problem.y, problem.dataset.y
    means, stds = strategy_curves(run.results, y, truth)
    points, risks, F, help = found
    right = accuracies(found, y, truth)
    return QueryResult(problem, choice, points, risks, F, help, right, means, stds)
