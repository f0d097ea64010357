"""A semi-supervised machine on its way: pictures as the price of unlabelled points climbs.

A machine at a neighbouring λ₁ that is there already is followed: from its sides to nearly a minimum
of the new problem. That is drawn at once, until the climb, which does not depend on where one comes
from, has ended.
"""

from time import perf_counter
from typing import Any

import numpy as np
import streamlit as st
from sklearn.base import clone

from sslviz.content_hash import digest
from sslviz.memo import Stage
from sslviz.recordings.run import Run
from sslviz.ui.messages import format_seconds
from sslviz.ui.runs import start_run

LAST = "fields:climb"  # of this session
NEAR = 2.5  # times smaller a λ₁ may be to follow a machine
MOST = 4000  # points: a climb under way holds a kernel of all pairs, and a dozen are kept


class Climb(Run):
    """An S3VM that takes turns in slices, or follows a machine before until it has."""

    def __init__(self, model: Any, X: np.ndarray, y: np.ndarray, before: "Climb | None" = None):
        self._model, self._problem = model, (X, y)
        self.lam1, self.lam2, self.ready = model.lam1, model.lam2, before is not None
        turns, begun = model.steps(X, y), perf_counter()
        self.turn: Any = model.follow(X, y, before.turn, exactly=False) if before else next(turns)
        self._last = self.turn
        self.height = 0.0 if self.ready else self.turn.weight  # what is charged by now
        super().__init__(turns)
        self.seconds = perf_counter() - begun

    def leads(self, lam1: float, lam2: float) -> bool:
        """Whether a machine with another λ₁ had better begin from here.

        Far down in λ₁ the minimum next to this one is a poor one; and of one λ₁ the rungs are kept.
        """
        solved = (self.ready or self.done) and min(self.turn.weight, lam2) > 0
        return solved and lam1 != self.lam1 and lam1 >= self.lam1 / NEAR

    def take(self, step: Any | None) -> None:
        if step is not None:
            self._last, self.height = step, step.weight
        if step is None or not self.ready:
            self.turn = self._last

    def model(self) -> Any:
        """The machine as it now stands."""
        if self.done:
            return self._model
        return clone(self._model).settle(*self._problem, self.turn)

    def status(self) -> str:
        """How much of the price of unlabelled points is charged by now."""
        part = round(self.lam2 / self.height) if self.height > 0 else None
        height = "nothing yet" if part is None else f"1/{part:,} of λ₂" if part > 1 else "all of λ₂"
        if self.done:
            steps, took = self.turn.iteration, format_seconds(self.seconds)
            return f"The price of unlabelled points has climbed to λ₂: {steps} steps in {took}."
        if self.ready:
            return (
                "**From the machine before:** near the minimum next to it. The climb, which does "
                "not depend on where one comes from, is under way: unlabelled points pay "
                f"{height}."
            )
        if part is None:
            return f"**On its way:** unlabelled points pay {height}. Labels alone so far."
        flipped = self.turn.flipped
        changes = f"{flipped:,} change{'' if flipped == 1 else 's'} of side"
        return f"**On its way:** unlabelled points pay {height}. {changes}."


def climb_of(model: Any, X: np.ndarray, y: np.ndarray) -> tuple[Climb, Stage]:
    """The climb of this model, all of it if that is quickly done, and what it cost just now."""
    values = {k: v for k, v in model.get_params(deep=False).items() if k != "memory"}
    where = digest(type(model).__name__, values | {"lam1": 0, "lam2": 0}, X, y)
    place, last = st.session_state.get(LAST, ("", None))
    before = last if place == where and last.leads(model.lam1, model.lam2) else None
    climb, stage = start_run(digest(where, values), lambda: Climb(model, X, y, before))
    st.session_state[LAST] = where, climb
    return climb, stage
