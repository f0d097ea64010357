"""Frames and traces of maps, taken as they are.

plotly.py checks every property of every trace and frame, colour by colour, and frames twice. With
sixty frames of two hundred colours that took two thirds of the time of a page. They come from our
own functions, and tests/test_views.py checks them; here they are only stored.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import plotly.graph_objects as go


class StoredFrame(go.Frame):
    """A frame whose properties are kept unchecked; reading `data` gives a checked copy."""

    @property
    def data(self) -> Any:
        return go.Frame(data=self._props["data"]).data


def set_frames(fig: go.Figure, frames: Sequence[dict[str, Any]]) -> None:
    """Give a figure its frames: dicts with `name`, `traces` and `data`, one dict per trace.

    plotly.py has no public way around its checks: `fig.frames = …` and the constructor both do
    them. Reading `fig.frames` works as usual.
    """
    fig._frame_objs = [StoredFrame(_validate=False, **frame) for frame in frames]


def extend_frames(
    fig: go.Figure, traces: Sequence[int], changes: Sequence[Sequence[dict[str, Any]]]
) -> None:
    """Let frames change further traces, too; `changes` has a dict for each frame and trace."""
    for frame, more in zip(fig._frame_objs, changes, strict=True):
        frame["data"] = [*frame._props["data"], *more]
        frame["traces"] = [*frame._props["traces"], *traces]


def skip_checks(fig: go.Figure) -> go.Figure:
    """Let a figure take traces unchecked; its layout is still checked. Returns the figure."""
    check = fig._data_validator.validate_coerce  # the figure's own, not shared with others
    fig._data_validator.validate_coerce = partial(check, _validate=False)
    return fig
