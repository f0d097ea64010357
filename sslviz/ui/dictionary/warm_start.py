"""Runs of dictionary methods on the page: new ones, or continued from the last of the session."""

from typing import Any

import numpy as np

from sslviz.content_hash import digest
from sslviz.memo import Stage
from sslviz.recordings.dictionary import DictionaryRun, Trail, next_trail
from sslviz.ui.runs import start_run
from sslviz.ui.state.slots import RUN_TRAILS


def start_learning(
    Method: Any, settings: dict[str, Any], X: np.ndarray, y: np.ndarray, warm: bool, memory: Any
) -> tuple[Trail, list[Stage]]:
    """The run of these settings, with `warm` continued from where this session is."""
    took: list[Stage] = []

    def start(name: str, settings: dict[str, Any], before: Any) -> DictionaryRun:
        if before is None:
            model = Method(**settings, memory=memory)
        else:
            model = before.set_params(**settings, warm_start=True)
        run, stage = start_run(name, DictionaryRun, model, X, y)
        took.append(stage)
        return run

    remembered = RUN_TRAILS.of("dictionary")  # the last runs of this session
    trails: tuple[Trail, ...] = remembered.get()
    where = digest(Method.__name__, X, y, settings.get("n_atoms"))
    trail = next_trail(trails if warm else (), where, settings, start)
    last = [one for one in trails if one.run.rounds][-1:]
    remembered.set((*last, trail))
    return trail, took


def start_beside(
    Method: Any, settings: dict[str, Any], X: np.ndarray, y: np.ndarray, memory: Any
) -> DictionaryRun:
    """The run of the method beside, always from the start."""
    name = digest(Method.__name__, X, y, settings)
    run, _ = start_run(name, DictionaryRun, Method(**settings, memory=memory), X, y)
    return run
