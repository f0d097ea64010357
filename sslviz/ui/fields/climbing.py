"""A semi-supervised machine on its way: pictures as the price of unlabelled points climbs.

A machine at a neighbouring λ₁ that is there already is followed: from its sides to nearly a minimum
of the new problem. That is drawn at once, until the climb, which does not depend on where one comes
from, has ended.
"""

import threading
from concurrent.futures import Future, ThreadPoolExecutor, wait
from time import perf_counter
from typing import Any

import numpy as np
import streamlit as st
from sklearn.base import clone

from sslviz.digest import digest
from sslviz.memo import Stage
from sslviz.ui.learnt import kept
from sslviz.ui.saying import lasting

AT_ONCE = 0.08  # seconds after which the first picture is drawn, however far it is
PATIENCE = 0.03  # seconds that it waits at least: one turn may take longer than it is given
EVERY = 0.4  # seconds between two pictures: clicks are answered in the time that drawing leaves
SLICE = 0.5  # seconds of turns that a picture asks for and does not wait for
LAST = "fields:climb"  # of this session
NEAR = 2.5  # times smaller a λ₁ may be to follow a machine
MOST = 4000  # points: a climb under way holds a kernel of all pairs, and a dozen are kept


class Climb:
    """An S3VM that takes turns in slices; sessions share it, and whatever interrupts, it stays.

    Turns are taken in a thread of its own: some last seconds, and a page that waited for them would
    answer no click.
    """

    def __init__(self, model: Any, X: np.ndarray, y: np.ndarray, before: "Climb | None" = None):
        self._model, self._problem, self._lock = model, (X, y), threading.Lock()
        self._thread = ThreadPoolExecutor(1, "climb")
        self._slice: Future[None] | None = None
        self.lam1, self.lam2, self.followed = model.lam1, model.lam2, before is not None
        self._turns, begun = model.steps(X, y), perf_counter()
        self.turn: Any = (
            model.follow(X, y, before.turn, exactly=False) if before else next(self._turns)
        )
        self._last = self.turn
        self.height = 0.0 if self.followed else self.turn.weight  # what is charged by now
        self.done, self.seconds = False, perf_counter() - begun

    def leads(self, lam1: float, lam2: float) -> bool:
        """Whether a machine with another λ₁ had better begin from here.

        Far down in λ₁ the minimum next to this one is a poor one; and of one λ₁ the rungs are kept.
        """
        solved = (self.followed or self.done) and min(self.turn.weight, lam2) > 0
        return solved and lam1 != self.lam1 and lam1 >= self.lam1 / NEAR

    def go_on(self, seconds: float) -> Future[None]:
        """Let turns be taken for so long, one at least if any, unless some are under way."""
        with self._lock:
            if self._slice is None or self._slice.done():
                if self._slice is not None:
                    self._slice.result()  # raises what a turn has raised
                self._slice = self._thread.submit(self._take, seconds)
            return self._slice

    def advance(self, seconds: float) -> None:
        """The same, and wait for them; but not for a long turn."""
        if seconds <= 0 or self.done:
            return
        under_way = self.go_on(seconds)
        if wait([under_way], max(seconds, PATIENCE)).done:
            under_way.result()

    def _take(self, seconds: float) -> None:
        while seconds > 0 and not self.done:
            begun = perf_counter()
            turn = next(self._turns, None)
            if turn is None:
                self.turn, self.done = self._last, True
            else:
                self._last, self.height = turn, turn.weight
                self.turn = self.turn if self.followed else turn
            took = perf_counter() - begun
            seconds, self.seconds = seconds - took, self.seconds + took

    def model(self) -> Any:
        """The machine as it now stands."""
        if self.done:
            return self._model
        return clone(self._model).settle(*self._problem, self.turn)


def climb_of(model: Any, X: np.ndarray, y: np.ndarray) -> tuple[Climb, Stage]:
    """The climb of this model, all of it if that is quickly done, and what it cost just now."""
    values = {k: v for k, v in model.get_params(deep=False).items() if k != "memory"}
    where = digest(type(model).__name__, values | {"lam1": 0, "lam2": 0}, X, y)
    place, last = st.session_state.get(LAST, ("", None))
    before = last if place == where and last.leads(model.lam1, model.lam2) else None
    begun = perf_counter()
    climb: Climb = kept().get(digest(where, values), lambda: Climb(model, X, y, before))
    reused = climb.done
    left = max(begun + AT_ONCE - perf_counter(), AT_ONCE / 10)
    climb.advance(0 if climb.followed else left)
    st.session_state[LAST] = where, climb
    return climb, Stage("separated", reused, perf_counter() - begun)


def height_said(climb: Climb) -> None:
    """How much of the price of unlabelled points is charged by now."""
    part = round(climb.lam2 / climb.height) if climb.height > 0 else None
    height = "nothing yet" if part is None else f"1/{part:,} of λ₂" if part > 1 else "all of λ₂"
    if climb.done:
        steps, took = climb.turn.iteration, lasting(climb.seconds)
        said = f"The price of unlabelled points has climbed to λ₂: {steps} steps in {took}."
    elif climb.followed:
        said = (
            "**From the machine before:** near the minimum next to it. The climb, which does not "
            f"depend on where one comes from, is under way: unlabelled points pay {height}."
        )
    else:
        said = f"**On its way:** unlabelled points pay {height}."
        flipped = climb.turn.flipped
        changes = f" {flipped:,} change{'' if flipped == 1 else 's'} of side."
        said += changes if part else " Labels alone so far."
    st.caption(said)
