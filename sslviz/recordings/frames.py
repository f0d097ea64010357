"""Which steps of a run are kept as frames: one rule for all animations."""

from collections.abc import Sequence
from typing import Any

import numpy as np


def frame_count(size: int, budget: int, fewest: int, most: int) -> int:
    """How many frames of `size` numbers fit into a budget, within limits."""
    return int(np.clip(budget // max(size, 1), fewest, most))


class Frames:
    """At most `count` frames of a run: the first, some between, and with `newest` the newest.

    With `last` they are spaced geometrically up to that step, for methods that change most at the
    start. Without it they are spaced evenly over a run of any length: whenever there are too many,
    every second one is dropped.
    """

    def __init__(self, count: int, last: int | None = None, *, newest: bool = True):
        self.count, self.newest = max(count, 2), newest
        self.last = last
        self._wanted = set() if last is None else _geometric(self.count, last)
        self._kept: list[tuple[int, Any]] = []
        self._stride = 1

    @property
    def iterations(self) -> list[int]:
        return [iteration for iteration, _ in self._kept]

    @property
    def frames(self) -> list[Any]:
        return [frame for _, frame in self._kept]

    def add(self, iteration: int, frame: Any) -> None:
        """Add a frame; the one before is dropped if it was kept only as the newest.

        A frame of the same iteration is replaced.
        """
        kept = list(self._kept)  # other threads may be reading the old list
        if kept and kept[-1][0] == iteration:
            kept[-1] = iteration, frame
            self._kept = kept
            return
        if self.last is None:
            if len(kept) > 1 and kept[-1][0] - kept[-2][0] < self._stride:
                kept.pop()
        elif kept and kept[-1][0] not in self._wanted:
            kept.pop()
        if self.last is None or self.newest or iteration in self._wanted:
            kept.append((iteration, frame))
        if self.last is None and len(kept) > self.count:
            del kept[1:-1:2]
            self._stride = iteration // (len(kept) - 1)
        self._kept = kept


def _geometric(count: int, last: int) -> set[int]:
    return {int(v) for v in np.rint(np.geomspace(1, last, count))}


def values_at(moments: Sequence[int], steps: Sequence[int], values: Sequence[float]) -> list[float]:
    """At each moment the value of the last step up to it; nan before the first step."""
    at = np.searchsorted(np.asarray(steps), np.asarray(moments), side="right") - 1
    return [float(values[i]) if i >= 0 else np.nan for i in at.tolist()]
