"""What every map of points gets: neighbours on hover, the next point to label, names of keys."""

from typing import Any

import numpy as np

from sslviz.graph.neighbours import knn_lists
from sslviz.memo import stage
from sslviz.ui.components.live_figure import Neighbours
from sslviz.ui.components.static_files import publish
from sslviz.ui.server import memory
from sslviz.ui.state.manual_labels import class_keys
from sslviz.ui.state.slots import NEXT_POINT

NEIGHBOURS_SENT = 10
MAX_POINTS = 5000  # of which neighbours are sent


def mark_options(problem: Any, k: int = NEIGHBOURS_SENT) -> dict[str, Any]:
    """Arguments of `show_figure` for a map whose graph has k neighbours."""
    names = class_keys(problem.dataset.classes).items()
    labels = {key: problem.dataset.classes[c] for key, c in names}
    return {
        "selects": True,
        "ring": NEXT_POINT.get(where_of(problem)),
        "neighbours": neighbours_of(problem.dataset.X, k),
        "keys": labels | {"Delete": "no label"},
    }


def where_of(problem: Any) -> tuple[str, str]:
    """What the next point belongs to."""
    return (problem.setting.dataset, str(problem.setting.options))


def neighbours_of(X: np.ndarray, k: int) -> Neighbours | None:
    """The nearest neighbours of all points, published for the browser; None of too many points."""
    if len(X) > MAX_POINTS or len(X) < 2:
        return None
    lists = memory().cache(neighbour_file, ignore=["memory"])(X, memory=memory())
    width = min(NEIGHBOURS_SENT, len(X) - 1)
    return Neighbours(publish(lists, ".bin"), width, min(int(k), width))


@stage("neighbours to show")
def neighbour_file(X: np.ndarray, *, memory: Any = None) -> bytes:
    """The NEIGHBOURS_SENT nearest of every point as uint16, row after row."""
    near, _ = knn_lists(X, min(NEIGHBOURS_SENT, len(X) - 1), memory)
    return near.astype("<u2").tobytes()
