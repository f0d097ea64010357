"""A contest on its way: trials are run in slices while the page draws how they stand."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import sslviz
from sslviz.content_hash import digest
from sslviz.experiments.comparison import (
    MethodSpec,
    Standing,
    Trial,
    order,
    sizes_for,
    standings,
    trial,
)
from sslviz.memo import Memo
from sslviz.recordings.run import Run
from sslviz.ui.runs import start_run

EVERY, SLICE = 1.0, 2.0  # seconds between two pictures, and of fits that a picture asks for
PATIENCE = 3.0  # seconds of both its first fits after which a method is not tried on other draws


class Contest(Run):
    """Every entrant on every draw; `trials` are those there are by now."""

    def __init__(
        self,
        entrants: list[MethodSpec],
        X: np.ndarray,
        truth: np.ndarray,
        per_class: int,
        draws: int,
        memory: Memo,
    ):
        self.titles, self.per_class, self.draws = [e.title for e in entrants], per_class, draws
        self.sizes = sizes_for(truth, per_class)
        self.trials: list[Trial] = []
        self.slow: set[str] = set()
        self.total = len(entrants) * draws * len(self.sizes)
        super().__init__(self._run(entrants, X, truth, memory))

    def _run(
        self, entrants: list[MethodSpec], X: np.ndarray, truth: np.ndarray, memory: Memo
    ) -> Iterator[Trial]:
        def tried(
            title: str,
            method: str | None,
            params: dict[str, Any],
            X: np.ndarray,
            truth: np.ndarray,
            per_class: int,
            seed: int,
        ) -> tuple:
            """A stage: the memory that it uses inside changes no answer."""
            entrant = MethodSpec(title, getattr(sslviz, method) if method else None, params)
            return tuple(trial(entrant, X, truth, per_class=per_class, seed=seed, memory=memory))

        stage = memory.cache(tried)
        for per_class, seed in order(self.sizes, self.per_class, self.draws):
            for entrant in entrants:
                if entrant.title not in self.slow:
                    yield Trial(*stage(*entrant.named, X, truth, per_class, seed))

    def take(self, step: Trial | None) -> None:
        if step is None:
            return
        self.trials.append(step)
        took = [t.seconds for t in self.trials if t.entrant == step.entrant]
        if len(took) > 1 and min(took) > PATIENCE:  # the first may have compiled something
            self.slow.add(step.entrant)

    def standings(self, per_class: int | None = None) -> list[Standing]:
        """Of every entrant at one number of labels, the present one by default."""
        at = self.per_class if per_class is None else per_class
        return standings(list(self.trials), self.titles, at, self.draws)

    def status(self) -> str:
        """How far it has come, and who was left behind."""
        if not self.done:
            return f"**On its way:** {len(self.trials):,} of {self.total:,} fits."
        behind = f" Too slow to be repeated: {', '.join(sorted(self.slow))}." if self.slow else ""
        return f"{len(self.trials):,} fits: {self.draws} draws of the labels for everyone.{behind}"


def contest_of(
    entrants: list[MethodSpec],
    X: np.ndarray,
    truth: np.ndarray,
    per_class: int,
    draws: int,
    memory: Memo,
) -> Contest:
    """The contest of these entrants, shared by all sessions and begun if there is none."""
    name = digest("contest", [e.named for e in entrants], X, truth, per_class, draws)
    return start_run(name, lambda: Contest(entrants, X, truth, per_class, draws, memory))[0]


def answered(
    entrants: list[MethodSpec], X: np.ndarray, y: np.ndarray, memory: Memo
) -> Iterator[Any]:
    """What everyone answers to the present labels, one after the other: (n,), or why not."""

    def answers_of(
        title: str, method: str | None, params: dict[str, Any], X: np.ndarray, y: np.ndarray
    ) -> np.ndarray:
        entrant = MethodSpec(title, getattr(sslviz, method) if method else None, params)
        return entrant.answer(X, y, memory)

    stage = memory.cache(answers_of)
    for entrant in entrants:
        try:
            yield stage(*entrant.named, X, y)
        except (ValueError, np.linalg.LinAlgError) as error:
            yield str(error)
