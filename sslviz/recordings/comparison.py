"""A comparison of methods as a run: every method on every choice of labels, one fit at a step."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import sslviz
from sslviz.experiments.comparison import (
    MethodSpec,
    MethodSummary,
    Trial,
    label_counts,
    summaries,
    trial,
    trial_order,
)
from sslviz.memo import Memo
from sslviz.recordings.run import Run

SECONDS_OF_A_FIT = 3.0  # a method whose first two fits both take longer is not repeated


class ComparisonRun(Run):
    """`trials` are the fits that are finished; `slow` are the methods that are not repeated."""

    def __init__(
        self,
        specs: Sequence[MethodSpec],
        X: np.ndarray,
        truth: np.ndarray,
        per_class: int,
        draws: int,
        memory: Memo,
    ):
        self.titles, self.per_class, self.draws = [s.title for s in specs], per_class, draws
        self.label_counts = label_counts(truth, per_class)
        self.trials: list[Trial] = []
        self.slow: set[str] = set()
        self.total = len(specs) * draws * len(self.label_counts)
        super().__init__(self._fits(specs, X, truth, memory))

    def _fits(
        self, specs: Sequence[MethodSpec], X: np.ndarray, truth: np.ndarray, memory: Memo
    ) -> Iterator[Trial]:
        stage = memory.cache(named_trial, ignore=["memory"])
        for per_class, seed in trial_order(self.label_counts, self.per_class, self.draws):
            for spec in specs:
                if spec.title not in self.slow:
                    yield Trial(*stage(*spec.named, X, truth, per_class, seed, memory=memory))

    def take(self, step: Trial | None) -> None:
        if step is None:
            return
        self.trials = [*self.trials, step]  # other threads may be reading the old list
        seconds = [t.seconds for t in self.trials if t.method == step.method]
        if len(seconds) > 1 and min(seconds) > SECONDS_OF_A_FIT:  # the first may include compiling
            self.slow.add(step.method)

    def summaries(self, per_class: int | None = None) -> list[MethodSummary]:
        """Of every method at one number of labels, the present one by default."""
        at = self.per_class if per_class is None else per_class
        return summaries(self.trials, self.titles, at, self.draws)

    def status(self) -> str:
        if not self.done:
            verb = "Stopped after" if self.paused else "**Running:**"
            return f"{verb} {len(self.trials):,} of {self.total:,} fits."
        slow = f" Too slow to be repeated: {', '.join(sorted(self.slow))}." if self.slow else ""
        return f"{len(self.trials):,} fits, {self.draws} random choices of labels each.{slow}"


def named_trial(
    title: str,
    method: str | None,
    params: dict[str, Any],
    X: np.ndarray,
    truth: np.ndarray,
    per_class: int,
    seed: int,
    memory: Any = None,
) -> tuple:
    """The trial of a method given by name: plain values in and out, for a memory of stages."""
    spec = _spec(title, method, params)
    return tuple(trial(spec, X, truth, per_class=per_class, seed=seed, memory=memory))


def named_prediction(
    title: str,
    method: str | None,
    params: dict[str, Any],
    X: np.ndarray,
    y: np.ndarray,
    memory: Any = None,
) -> np.ndarray:
    """(n,) the prediction of a method given by name."""
    return _spec(title, method, params).answer(X, y, memory)


def _spec(title: str, method: str | None, params: dict[str, Any]) -> MethodSpec:
    return MethodSpec(title, getattr(sslviz, method) if method else None, params)
