"""Which cell a free worker computes next.

A worker stays with its draw while cells of it are left, because its memory holds the points and the
graph of that draw. A new draw comes next; when all have begun, the draw with most cells left is
helped from its end, so that no worker waits for the last ones.
"""

from collections import deque
from collections.abc import Iterable

from sslviz.experiments.table import Cell

Draw = tuple[str, int]  # title of a row, seed


class Shards:
    """Cells not yet given out, by draw."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self._left: dict[Draw, deque[Cell]] = {}
        for cell in cells:
            self._left.setdefault(_draw(cell), deque()).append(cell)
        self._waiting = deque(self._left)  # draws that no worker has begun

    def next(self, last: Cell | None = None) -> Cell | None:
        """The cell for a worker that has computed `last`; None if all are given out."""
        mine = self._left.get(_draw(last)) if last else None
        if mine:
            return mine.popleft()
        if self._waiting:
            return self._left[self._waiting.popleft()].popleft()
        longest = max(self._left.values(), key=len, default=None)
        return longest.pop() if longest else None


def _draw(cell: Cell) -> Draw:
    return cell.row.title, cell.seed
