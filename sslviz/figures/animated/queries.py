"""Labels asked for one by one: a map with a frame per question."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.maps.points import opinion_map
from sslviz.figures.theme import ACCENT, PALE, PAPER, class_colours, css, mixed_colours, scatter

SHADES = [[0, PALE], [0.5, "#E69F00"], [1, "#C00000"]]  # from little help to much


def rooted(help: np.ndarray, most: float) -> np.ndarray:
    """Help as a share of the most, its root: later questions bring little beside the first."""
    return np.sqrt(np.maximum(np.nan_to_num(help), 0.0) / most).astype(np.float32)


def question_film(
    points: np.ndarray,
    opinions: list[np.ndarray],
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
    """Every point in the mix (n, C) of its classes, or in shades of the `help` (n,) of its label.

    `asked` are the points asked for, in order, one fewer than frames; each is a diamond from its
    question on, the last one ringed.
    """
    fig = opinion_map(points, opinions[-1], given, classes, facts=facts, uirevision=uirevision)
    colours = class_colours(len(classes))
    most = max((float(np.nanmax(h, initial=0.0)) for h in help), default=1.0) if help else 1.0
    first = len(fig.data)
    for name, marker in (
        ("asked", {"size": 11, "symbol": "diamond", "line": {"width": 1.5}}),
        ("last question", {"size": 22, "symbol": "circle-open", "color": ACCENT}),
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
            mixed_colours(opinions[i], colours)
            if help is None
            else {
                "color": rooted(help[i], most or 1.0),
                "colorscale": SHADES,
                "cmin": 0.0,
                "cmax": 1.0,
            }
        )
        diamonds = {"color": [css(colours[c]) for c in truth[at]] or ["#888888"]}
        data = [
            {"type": kinds[0], "marker": ground},
            {"type": kinds[1], **places(at), "marker": diamonds},
            {"type": kinds[2], **places(at[-1:])},
        ]
        frames.append({"name": name, "traces": [0, first, first + 1], "data": data})
    fig.frames = frames
    for i, change in zip((0, first, first + 1), frames[-1]["data"], strict=True):
        fig.data[i].update(change)
    return fig
