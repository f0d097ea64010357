"""Tuning as a run with progress: the settings of a grid are tried one after the other."""

from collections.abc import Callable, Iterator
from typing import Any

from sslviz.recordings.run import Run


class TuningRun(Run):
    """Several searches, one after the other; each yields reports with `done`, `total`, `tuning`.

    `searches` are functions that begin one; `tunings` are the results of those that have ended.
    """

    def __init__(self, searches: dict[str, Callable[[], Iterator[Any]]]):
        self.tunings: dict[str, Any] = {}
        self._title, self._share = "", 0.0
        super().__init__(self._reports(searches))

    def _reports(self, searches: dict[str, Callable[[], Iterator[Any]]]) -> Iterator[Any]:
        for number, (title, search) in enumerate(searches.items()):
            for report in search():
                self._title = title
                self._share = (number + report.done / report.total) / len(searches)
                yield report
            self.tunings[title] = report.tuning

    @property
    def share(self) -> float | None:
        return 1.0 if self.done else self._share

    def status(self) -> str:
        return f"{self._title} …"
