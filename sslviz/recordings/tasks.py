"""Several computations one after the other, as a run with progress."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from sslviz.recordings.run import Run


class TaskRun(Run):
    """Calls each of the named `tasks`; `results` holds what they returned, by name."""

    def __init__(self, title: str, tasks: Mapping[Any, Callable[[], Any]]):
        self.title, self.total, self.results = title, len(tasks), dict[Any, Any]()
        super().__init__(self._calls(tasks))

    def _calls(self, tasks: Mapping[Any, Callable[[], Any]]) -> Iterator[Any]:
        for name, task in tasks.items():
            self.results[name] = task()
            yield name

    def status(self) -> str:
        return f"{self.title}: {self.taken} of {self.total}"


def accuracy_on(
    model: Any, X: np.ndarray, y: np.ndarray, truth: np.ndarray, counted: np.ndarray
) -> float:
    """The accuracy of a method on the points of a mask, after a fit; nan if there are none."""
    right = model.fit(X, y).transduction_ == truth
    return float(right[counted].mean()) if counted.any() else np.nan
