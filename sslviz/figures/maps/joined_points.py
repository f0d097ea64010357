"""Marks of unlabelled points that have joined the labelled: crosses, wrong ones with a ring."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.frames import extend_frames
from sslviz.figures.maps.points import marker_size
from sslviz.figures.theme import ACCENT, scatter


def add_joined(fig: go.Figure, points: np.ndarray, joined: np.ndarray, wrong: np.ndarray) -> None:
    """Two traces: crosses at joined points (n,), rings around those with a wrong class."""
    size = marker_size(len(points))
    ring = {"size": size + 7, "symbol": "circle-open", "color": ACCENT}
    marks = (
        ("joined", {"size": size, "symbol": "x", "color": "#10151C",
                    "line": {"width": 1, "color": "#FFFFFF"}}, joined),
        ("joined, wrong", ring | {"line": {"width": 2, "color": ACCENT}}, joined & wrong),
    )  # fmt: skip
    for name, marker, mask in marks:
        at = _only(points, mask)
        fig.add_trace(scatter(at, mode="markers", name=name, marker=marker, hoverinfo="skip"))


def joined_frames(
    fig: go.Figure, points: np.ndarray, joined: np.ndarray, wrong: np.ndarray
) -> None:
    """The marks in every frame of a figure, (k, n) each; call after `add_joined`."""
    kind = "scattergl" if points.shape[1] == 2 else "scatter3d"
    first = next(i for i, trace in enumerate(fig.data) if trace.name == "joined")
    changes = [
        [
            {"type": kind, **dict(zip("xyz", _only(points, chosen).T, strict=False))}
            for chosen in (mask, mask & mistaken)
        ]
        for mask, mistaken in zip(joined, wrong, strict=True)
    ]
    extend_frames(fig, [first, first + 1], changes)


def _only(points: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The points of a mask in their places, the others nowhere."""
    return np.where(mask[:, None], points, np.nan).astype(np.float32)
