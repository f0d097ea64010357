"""A semi-supervised machine on its way: a picture after the first turn, others as weights grow."""

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

AT_ONCE = 0.1  # seconds of turns before the first picture
PATIENCE = 0.25  # seconds that it waits for them: one turn may take longer
EVERY = 0.4  # seconds between two pictures: clicks are answered in the time that drawing leaves
SLICE = 0.5  # seconds of turns that a picture asks for and does not wait for
MOST = 4000  # points: a climb under way holds a kernel of all pairs, and a dozen are kept


class Climb:
    """An S3VM that takes turns in slices; sessions share it, and whatever interrupts, it stays.

    Turns are taken in a thread of its own: some last seconds, and a page that waited for them would
    answer no click.
    """

    def __init__(self, model: Any, X: np.ndarray, y: np.ndarray):
        self._model, self._problem, self._lock = model, (X, y), threading.Lock()
        self._thread = ThreadPoolExecutor(1, "climb")
        self._slice: Future[None] | None = None
        self.lam2 = model.lam2
        begun = perf_counter()
        self._turns = model.steps(X, y)
        self.turn = next(self._turns)
        self.done, self.seconds = False, perf_counter() - begun

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
            self.turn, self.done = turn or self.turn, turn is None
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
    name = digest(type(model).__name__, values, X, y)
    climb: Climb = kept().get(name, lambda: Climb(model, X, y))
    reused, begun = climb.done, perf_counter()
    climb.advance(AT_ONCE)
    return climb, Stage("separated", reused, perf_counter() - begun)


def height_said(climb: Climb) -> None:
    """How much of the price of unlabelled points is charged by now."""
    turn = climb.turn
    if climb.done:
        said = f"{turn.iteration} turns in {climb.seconds:.2g} s; unlabelled points pay all of λ₂."
    elif turn.weight == 0:
        said = "**On its way:** labels alone so far, unlabelled points pay nothing yet."
    else:
        part = round(climb.lam2 / turn.weight)
        height = f"λ₂ at 1/{part} of its value" if part > 1 else "all of λ₂"
        said = f"**On its way:** {height}, {turn.flipped:,} changes of side."
    st.caption(said)
