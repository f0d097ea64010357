"""An animated map: traces with their coordinates in every frame.

All frames have the same axes, wide enough for every one of them.
"""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.frames import set_frames
from sslviz.figures.theme import empty_map, scatter

BORDER_SHARE = 0.04  # of the width of the map, left free on each side


class AnimatedMap:
    """A map with 2 or 3 dimensions: `fig` at the last frame, and the changes of each frame."""

    def __init__(self, places: list[np.ndarray], names: list[str], uirevision: str):
        self.places, self.names = places, names
        self.dimensions = places[0].shape[1]
        self.fig = empty_map(uirevision, self.dimensions)
        self._changes: list[list[dict[str, Any]]] = [[] for _ in names]
        self._moved: list[int] = []
        low = np.min([p.min(axis=0) for p in places], axis=0)
        high = np.max([p.max(axis=0) for p in places], axis=0)
        edge = BORDER_SHARE * np.maximum(high - low, np.finfo(float).tiny)
        self.low, self.high = low - edge, high + edge

    def add(
        self,
        coordinates: list[np.ndarray],
        more: list[dict[str, Any]] | None = None,
        *,
        drawn: type = go.Scattergl,
        **trace: Any,
    ) -> None:
        """A trace at the last of its coordinates; `more` also changes from frame to frame.

        A map of three dimensions takes 3-D traces; one of two may have some `drawn` without WebGL.
        """
        more = more or [{} for _ in coordinates]
        here = scatter(coordinates[-1], **trace)
        if self.dimensions == 2 and drawn is not go.Scattergl:
            here = drawn(here.to_plotly_json() | {"type": "scatter"})
        self._moved.append(len(self.fig.data))
        self.fig.add_trace(here.update(more[-1]))
        for change, places, also in zip(self._changes, coordinates, more, strict=True):
            values = np.asarray(places, np.float32).T
            change.append({"type": here.type, **dict(zip("xyz", values, strict=False)), **also})

    def done(self) -> go.Figure:
        """The figure with its axes and frames; a single frame is no animation."""
        axes = self.fig.layout if self.dimensions == 2 else self.fig.layout.scene
        for axis, low, high in zip("xyz", self.low, self.high, strict=False):
            if axes[f"{axis}axis"].range is None:
                axes[f"{axis}axis"].range = [float(low), float(high)]
        if len(self.names) > 1:
            set_frames(
                self.fig,
                [
                    {"name": name, "data": data, "traces": self._moved}
                    for name, data in zip(self.names, self._changes, strict=True)
                ],
            )
        return self.fig
