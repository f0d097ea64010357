"""Predictions of several methods for the present labels, and the run that repeats them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sslviz.content_hash import digest
from sslviz.experiments.comparison import MethodSpec, MethodSummary
from sslviz.recordings.comparison import ComparisonRun, named_prediction
from sslviz.ui.problem import Problem

BASELINE = MethodSpec("1-NN", None, {})  # always there, and first


@dataclass(frozen=True)
class ComparisonResult:
    """The methods on one problem; `failed` says by title why a method has no prediction."""

    problem: Problem
    titles: list[str]  # of all methods, the baseline first
    predictions: dict[str, np.ndarray]  # (n,) by title, -1 undetermined
    failed: dict[str, str]
    run: ComparisonRun | None  # None where no true class is known

    @property
    def truth(self) -> np.ndarray:
        return self.problem.dataset.y

    @cached_property
    def hidden(self) -> np.ndarray:
        return self.problem.y < 0

    @cached_property
    def held_out(self) -> np.ndarray:
        return self.problem.held_out

    @cached_property
    def given(self) -> np.ndarray:
        """(m, n) the predictions there are."""
        return np.stack(list(self.predictions.values()))

    @cached_property
    def right(self) -> np.ndarray:
        """(m, held out) whether each prediction is the true class."""
        return (self.given == self.truth)[:, self.held_out]

    @cached_property
    def accuracies(self) -> dict[str, float]:
        """On the held-out points of the map; nan if there are none."""
        there = self.right.shape[1] > 0
        found = self.right.mean(axis=1) if there else np.full(len(self.given), np.nan)
        return dict(zip(self.predictions, found.tolist(), strict=True))

    @cached_property
    def summaries(self) -> list[MethodSummary]:
        """Of all methods over the finished draws."""
        assert self.run is not None
        return self.run.summaries()

    @cached_property
    def point(self) -> int:
        """The clicked point, or the hidden one on which the methods differ most."""
        if self.problem.point is not None:
            return self.problem.point
        kinds = np.array([len(np.unique(column)) for column in self.given.T])
        return int(np.argmax(np.where(self.hidden, kinds, 0)))


def compare(
    specs: Sequence[MethodSpec], problem: Problem, run: ComparisonRun | None, memory: Any
) -> ComparisonResult:
    """Let every method predict the hidden labels of the problem."""
    stage = memory.cache(named_prediction, ignore=["memory"])
    predictions, failed = {}, {}
    for spec in specs:
        try:
            found = stage(*spec.named, problem.dataset.X, problem.y, memory=memory)
            predictions[spec.title] = found
        except (ValueError, np.linalg.LinAlgError) as error:
            failed[spec.title] = str(error)
    return ComparisonResult(problem, [s.title for s in specs], predictions, failed, run)


def comparison_name(specs: Sequence[MethodSpec], problem: Problem, draws: int) -> str:
    """The name of a run: everything its result depends on."""
    data = problem.dataset
    settings = [spec.named for spec in specs], problem.setting.per_class, draws
    return digest("comparison", data.X, data.y, settings)
