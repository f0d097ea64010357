"""Small multiples: functions over the plane, directions as images or rows, similarity matrices.

Signed values have a diverging scale that is symmetric about zero: white is 0.
"""

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from sslviz.figures.theme import PANEL_TITLE_SIZE, add_line, class_colours, css_of

MAX_PANELS = 12  # panels of one figure
SIGNED_SCALE = "RdBu"  # red below zero, blue above


def field_panels(
    fields: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    points: np.ndarray,
    given: np.ndarray,
    classes: tuple[str, ...],
) -> go.Figure:
    """Contours of the function of each class (len(y), len(x), C), with the given labels.

    `points` (n, 2) and `given` (n,) class indices; those without label, -1, are small dots. All
    panels share one scale.
    """
    shown = min(fields.shape[2], MAX_PANELS)
    columns = min(shown, 3)
    fig = _grid(shown, columns, [f"towards {name}" for name in classes[:shown]])
    high = float(np.abs(fields).max()) or 1.0
    at, rest = np.flatnonzero(given >= 0), np.flatnonzero(given < 0)
    colours = [css_of(c) for c in class_colours(len(classes))[given[at]]]
    for c in range(shown):
        where = {"row": c // columns + 1, "col": c % columns + 1}
        contour = go.Contour(
            z=fields[:, :, c].astype(np.float32),
            x=x,
            y=y,
            zmin=-high,
            zmax=high,
            colorscale=SIGNED_SCALE,
            showscale=False,
            contours={"start": -high, "end": high, "size": high / 8},
            line={"width": 0.5},
            hovertemplate=f"pull towards {classes[c]}: %{{z:.3g}}<extra></extra>",
        )
        fig.add_trace(contour, **where)
        dots = go.Scatter(x=points[rest, 0], y=points[rest, 1], mode="markers", hoverinfo="skip")
        fig.add_trace(
            dots.update(marker={"size": 2.5, "color": "#10151C", "opacity": 0.5}), **where
        )
        marker = {"size": 9, "symbol": "diamond", "color": colours}
        marker["line"] = {"width": 1.5, "color": "#FFFFFF"}
        labels = go.Scatter(x=points[at, 0], y=points[at, 1], mode="markers", marker=marker)
        fig.add_trace(labels.update(hoverinfo="skip"), **where)
    fig.update_xaxes(range=[x[0], x[-1]])
    fig.update_yaxes(range=[y[0], y[-1]])
    return fig


def direction_images(directions: np.ndarray, image_shape: tuple[int, int]) -> go.Figure:
    """Rows of `directions` (p, d) as images, each with its own symmetric scale."""
    shown = min(len(directions), MAX_PANELS)
    columns = min(shown, 5)
    fig = _grid(shown, columns, [f"{i + 1}" for i in range(shown)])
    for i in range(shown):
        image = directions[i].reshape(image_shape)
        high = float(np.abs(image).max()) or 1.0
        trace = go.Heatmap(
            z=image.astype(np.float32),
            zmin=-high,
            zmax=high,
            colorscale=SIGNED_SCALE,
            showscale=False,
            hovertemplate="row %{y}, column %{x}: %{z:.3g}<extra></extra>",
        )
        fig.add_trace(trace, row=i // columns + 1, col=i % columns + 1)
    for i in range(1, shown + 1):
        axes = "" if i == 1 else str(i)
        fig.layout[f"yaxis{axes}"].update(scaleanchor=f"x{axes}", autorange="reversed")
        fig.layout[f"xaxis{axes}"].update(constrain="domain")
        fig.layout[f"yaxis{axes}"].update(constrain="domain")
    return fig


def direction_rows(directions: np.ndarray) -> go.Figure:
    """Directions (p, d) of a few features as rows of a signed heat map."""
    p, d = directions.shape
    scale = np.abs(directions).max(axis=1, keepdims=True)
    share = np.divide(directions, scale, out=np.zeros((p, d)), where=scale > 0)
    fig = go.Figure(
        go.Heatmap(
            z=share,
            x=np.arange(1, d + 1),
            y=np.arange(1, p + 1),
            customdata=directions,
            zmin=-1,
            zmax=1,
            colorscale=SIGNED_SCALE,
            showscale=False,
            xgap=1,
            ygap=1,
            hovertemplate="direction %{y}, feature %{x}: %{customdata:.3g}<extra></extra>",
        )
    )
    fig.update_layout(
        margin={"l": 48, "r": 12, "t": 8, "b": 48},
        xaxis={"title": "feature", "fixedrange": True, "dtick": max(1, d // 15)},
        yaxis={"title": "direction", "fixedrange": True, "dtick": 1, "autorange": "reversed"},
    )
    return fig


def similarity_matrix(
    Y: np.ndarray, group: np.ndarray, classes: tuple[str, ...], chosen: np.ndarray
) -> go.Figure:
    """YYᵀ in percent over the points `chosen`, sorted by true class `group` and then by label.

    Cells hold whole percents, so that a matrix of 300 points is small to send.
    """
    winner, share = Y.argmax(axis=1), Y.max(axis=1, initial=0)
    own = winner == group
    order = np.lexsort((chosen, -share[chosen], winner[chosen], ~own[chosen], group[chosen]))
    at = chosen[order]
    product = np.rint(100 * Y[at] @ Y[at].T).clip(0, 100).astype(np.uint8)
    fig = go.Figure(
        go.Heatmap(
            z=product,
            colorscale="Cividis",
            zmin=0,
            zmax=100,
            colorbar={"title": "%", "thickness": 12},
            hovertemplate="labels alike: %{z}%<extra></extra>",
        )
    )
    present, starts, sizes = np.unique(group[at], return_index=True, return_counts=True)
    ticks = {
        "tickvals": starts + (sizes - 1) / 2,
        "ticktext": [classes[c] for c in present],
        "fixedrange": True,
        "showgrid": False,
        "constrain": "domain",
    }
    for start in starts[1:]:
        line = {"color": "#FFFFFF", "width": 1}
        add_line(fig, line, x=start - 0.5)
        add_line(fig, line, y=start - 0.5)
    fig.update_layout(
        margin={"l": 72, "r": 12, "t": 8, "b": 48},
        xaxis=ticks,
        yaxis={**ticks, "autorange": "reversed", "scaleanchor": "x"},
    )
    return fig


def _grid(count: int, columns: int, titles: list[str]) -> go.Figure:
    """Empty panels without axes, `columns` in a row."""
    fig = make_subplots(
        rows=-(-count // columns),
        cols=columns,
        subplot_titles=titles,
        horizontal_spacing=0.02,
        vertical_spacing=min(0.12, 0.3 / -(-count // columns)),
    )
    fig.update_layout(margin={"l": 8, "r": 8, "t": 28, "b": 8}, showlegend=False, dragmode=False)
    fig.update_annotations(font_size=PANEL_TITLE_SIZE)
    fig.update_xaxes(visible=False, fixedrange=True)
    fig.update_yaxes(visible=False, fixedrange=True)
    return fig
