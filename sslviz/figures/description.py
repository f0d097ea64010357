"""A figure in words, for those who cannot see it: the text that screen readers read.

What is said is read off the figure itself, so that it changes with the result: the number of
points of a map and its classes, the values of bars, first and last values of lines.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go

NAMED = 6  # classes, bars or lines named one by one
MANY_POINTS = 60  # from so many unconnected points on it is a map


def describe_figure(fig: go.Figure) -> str:
    """One or two sentences on what a figure shows; an empty text for an empty figure."""
    traces = [trace for trace in fig.data if trace.visible is not False]
    images = [t for t in traces if t.type == "image"] + list(fig.layout.images)
    points = [t for t in traces if _is_points(t)]
    parts = [
        _map_text(fig, points) or _values_text(points),
        _bar_text(fig, [t for t in traces if t.type in ("bar", "histogram")]),
        "" if fig.layout.xaxis.visible is False else _line_text(fig, traces),
        _grid_text([t for t in traces if t.type == "heatmap"]),
        f"{len(images)} images" if images else "",
    ]
    parts.append(f"{len(fig.frames)} steps to play" if len(fig.frames) > 1 else "")
    text = "; ".join(part for part in parts if part)
    return text[:1].upper() + text[1:]


def _is_points(trace: Any) -> bool:
    return trace.type.startswith("scatter") and (trace.mode or "markers") == "markers"


def _is_lines(trace: Any) -> bool:
    drawn = trace.type.startswith("scatter") and "lines" in (trace.mode or "")
    return drawn and trace.showlegend is not False and len(_values(trace.y)) > 0


def _values(array: Any) -> np.ndarray:
    """The numbers of an array of a trace, without gaps."""
    if array is None:
        return np.zeros(0)
    found = np.asarray([np.nan if value is None else value for value in array])
    if found.dtype.kind not in "biuf":
        return np.zeros(0)
    return found[np.isfinite(found.astype(float))].astype(float)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _list_names(names: Sequence[str], noun: str) -> str:
    """Up to a few names, else how many there are."""
    return ", ".join(names) if len(names) <= NAMED else f"{len(names)} {noun}"


def _map_text(fig: go.Figure, traces: list[Any]) -> str:
    sizes = [0 if t.x is None else len(t.x) for t in traces]
    if not sizes or max(sizes) < MANY_POINTS:
        return ""
    names = {n for t in traces if t.customdata is not None for n in np.ravel(t.customdata).tolist()}
    classes = [str(name) for name, _ in (fig.layout.meta or {}).get("key", ())]
    coloured = f", coloured by {_list_names(classes, 'classes')}" if classes else ""
    marks = [
        f"{size:,} {t.name}"
        for t, size in zip(traces, sizes, strict=True)
        if t.name and size and t.showlegend is not False
    ]
    marked = f"; marked: {_list_names(marks, 'groups')}" if marks else ""
    return f"map of {max(*sizes, len(names)):,} points{coloured}{marked}"


def _values_text(traces: list[Any]) -> str:
    """A few marks beside names, as of a ranking."""
    found = [t for t in traces if t.y is not None and len(t.y) and isinstance(t.y[0], str)]
    values = [(name, v) for t in found for name, v in zip(t.y, _values(t.x), strict=False)]
    return ", ".join(f"{name} {_number(value)}" for name, value in values[: 2 * NAMED])


def _axes(fig: go.Figure) -> str:
    x, y = (axis.title.text for axis in (fig.layout.xaxis, fig.layout.yaxis))
    return f"{y} against {x}" if x and y else x or y or ""


def _bar_text(fig: go.Figure, traces: list[Any]) -> str:
    bars = [t for t in traces if len(_values(t.x if t.orientation == "h" else t.y))]
    if not bars:
        return ""
    texts = []
    for trace in bars[:NAMED]:
        names, sizes = (trace.y, trace.x) if trace.orientation == "h" else (trace.x, trace.y)
        values = _values(sizes)
        words = names is not None and len(names) == len(values) and isinstance(names[0], str)
        if words and len(values) <= NAMED:
            pairs = zip(names, values, strict=True)
            shown = ", ".join(f"{name} {_number(value)}" for name, value in pairs)
        else:
            shown = f"{len(values)} bars up to {_number(values.max())}"
        texts.append(f"{trace.name}: {shown}" if trace.name else shown)
    axes = _axes(fig)
    return f"bar chart{', ' + axes if axes else ''}: {'; '.join(texts)}"


def _line_text(fig: go.Figure, traces: list[Any]) -> str:
    lines = [t for t in traces if _is_lines(t)]
    named = [t for t in lines if t.name] or lines[:1]
    if not named:
        return ""
    texts = [f"{t.name or ''} {_course(_values(t.y))}".strip() for t in named[:NAMED]]
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    axes = _axes(fig)
    return f"lines{', ' + axes if axes else ''}: {'; '.join(texts)}{more}"


def _course(values: np.ndarray) -> str:
    """How a curve runs."""
    first, last = values[0], values[-1]
    if len(values) == 1 or all(a == b for a, b in pairwise(values)):
        return f"at {_number(last)}"
    return f"from {_number(first)} to {_number(last)}"


def _grid_text(traces: list[Any]) -> str:
    shapes = [np.shape(t.z) for t in traces if t.z is not None]
    if not shapes:
        return ""
    rows, columns = (*shapes[0], 0, 0)[:2]
    return f"heat map of {rows} × {columns} cells"
