"""What a worker does with a cell: draw its points, fit its method, score it.

The last two draws and the results of stages stay in the worker, for its next cells: the data set
is read, and a graph is built, once per worker and draw, not once per method.
"""

import traceback
from pathlib import Path

from sslviz.experiments.sampling import Sample, draw, points
from sslviz.experiments.scoring import CellScore, evaluate
from sslviz.experiments.table import Cell
from sslviz.memo import process_memo

_last_draws: list[tuple[tuple, Sample]] = []  # at most two: the points of a row and a seed


def compute(cell: Cell, shared: bool) -> CellScore | str:
    """The result of a cell, or what went wrong; with `shared` stages of earlier cells are used."""
    try:
        return evaluate(cell, _sample(cell), process_memo() if shared else None)
    except Exception as error:  # an error of one method must not stop the others
        return message(error)


def message(error: BaseException) -> str:
    """Kind, text and place of an error, in one line."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


def _sample(cell: Cell) -> Sample:
    key = (cell.row.protocol(), cell.seed)
    for known, sample in _last_draws:
        if known == key:
            return sample
    sample = draw(points(cell.row), cell.row, cell.seed)
    _last_draws[:] = [*_last_draws[-1:], (key, sample)]
    return sample
