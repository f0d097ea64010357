"""Active learning: a map with a frame per query."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.frames import set_frames
from sslviz.figures.maps.points import class_map
from sslviz.figures.theme import (
    ACCENT,
    BACKDROP,
    PAPER,
    class_colours,
    css_of,
    mixed_colours,
    scatter,
)

BENEFIT_COLOURS = [[0, BACKDROP], [0.5, "#E69F00"], [1, "#C00000"]]  # from little benefit to much


def square_root_scale(help: np.ndarray, most: float) -> np.ndarray:
    """The square root of the benefit as a share of the largest: later queries bring much less."""
    return np.sqrt(np.maximum(np.nan_to_num(help), 0.0) / most).astype(np.float32)


def query_map(
    points: np.ndarray,
    probabilities: list[np.ndarray],
    given: np.ndarray,
    truth: np.ndarray,
    asked: list[int],
    classes: tuple[str, ...],
    names: list[str],
    *,
    help: list[np.ndarray] | None = None,
    facts: list[str],
    uirevision: str,
) -> go.Figure:
    """Points in the colours of their class probabilities (n, C), or of the benefit of their label.

    `help` (n,) is that benefit. `asked` are the queried points in order, one fewer than frames;
    each is a diamond from its query on, the newest is ringed.
    """
    fig = class_map(points, probabilities[-1], given, classes, facts=facts, uirevision=uirevision)
    colours = class_colours(len(classes))
    most = max((float(np.nanmax(h, initial=0.0)) for h in help), default=1.0) if help else 1.0
    first = len(fig.data)
    for name, marker in (
        ("queries", {"size": 11, "symbol": "diamond", "line": {"width": 1.5}}),
        ("newest query", {"size": 22, "symbol": "circle-open", "color": ACCENT}),
    ):
        fig.add_trace(
            scatter(points[:1], mode="markers", name=name, marker=marker, hoverinfo="skip")
        )
    fig.data[first].meta, fig.data[first + 1].marker.line.width = PAPER, 3

    def places(at: list[int]) -> dict[str, Any]:
        return dict(zip("xyz", points[at].T.astype(np.float32), strict=False))

    kinds = [fig.data[i].type for i in (0, first, first + 1)]
    frames = []
    for i, name in enumerate(names):
        at = asked[:i]
        ground = (
            mixed_colours(probabilities[i], colours)
            if help is None
            else {
                "color": square_root_scale(help[i], most or 1.0),
                "colorscale": BENEFIT_COLOURS,
                "cmin": 0.0,
                "cmax": 1.0,
            }
        )
        diamonds = {"color": [css_of(colours[c]) for c in truth[at]] or ["#888888"]}
        data = [
            {"type": kinds[0], "marker": ground},
            {"type": kinds[1], **places(at), "marker": diamonds},
            {"type": kinds[2], **places(at[-1:])},
        ]
        frames.append({"name": name, "traces": [0, first, first + 1], "data": data})
    set_frames(fig, frames)
    for i, change in zip((0, first, first + 1), frames[-1]["data"], strict=True):
        fig.data[i].update(change)
    return fig
