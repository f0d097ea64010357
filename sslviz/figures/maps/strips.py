"""Figures of embeddings: strips of one dimension, eigenvalues, accuracies, bounds, small maps."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.maps.points import hover_template
from sslviz.figures.theme import (
    ACCENT,
    BACKDROP,
    OKABE_ITO,
    add_line,
    class_colours,
    css_of,
    mixed_colours,
)

GOLDEN_RATIO = 0.61803398875
RIDGE_BINS = 60
HALF_ROW = 0.38  # height of the points below the line of a row, and of the histogram above


def strip_places(z: np.ndarray, group: np.ndarray) -> np.ndarray:
    """(n, 2) places for one coordinate z (n,): a row for each group, points spread below its line.

    The vertical offset has no meaning; it keeps points apart.
    """
    jitter = (np.arange(len(z)) * GOLDEN_RATIO) % 1
    return np.stack([z, -group - HALF_ROW * (0.15 + 0.85 * jitter)], axis=1)


def add_ridges(fig: go.Figure, z: np.ndarray, group: np.ndarray, names: tuple[str, ...]) -> None:
    """A histogram of each group above the line of its row; `fig` is a map of strip_places."""
    for g in range(len(names)):
        x, y = ridge_outline(z[group == g], g, z.min(), z.max()).T
        fig.add_scatter(
            x=x,
            y=y,
            mode="lines",
            fill="toself",
            line={"color": css_of(class_colours(len(names))[g]), "width": 1},
            opacity=0.6,
            hoverinfo="skip",
            showlegend=False,
        )
    add_row_names(fig, names)


def ridge_outline(z: np.ndarray, row: int, low: float, high: float) -> np.ndarray:
    """(m, 2) outline of the histogram of z between low and high, on the line of a row."""
    count, edges = np.histogram(z, RIDGE_BINS, (low, high))
    line = np.repeat(-row + 1.2 * HALF_ROW * count / max(count.max(), 1), 2)
    x = np.concatenate([[edges[0]], np.repeat(edges, 2)[1:-1], [edges[-1], edges[0]]])
    return np.stack([x, np.concatenate([[-row], line, [-row, -row]])], axis=1)


def add_row_names(fig: go.Figure, names: tuple[str, ...]) -> None:
    """Names of the rows, and the axes, of a map of strip_places."""
    if len(names) <= 30:
        for g, name in enumerate(names):
            fig.add_annotation(
                x=0,
                xref="paper",
                y=-g,
                text=name,
                showarrow=False,
                xanchor="left",
                yanchor="bottom",
            )
    fig.update_layout(
        xaxis={"visible": True, "title": "coordinate", "zeroline": False},
        yaxis={"scaleanchor": None, "range": [-len(names) + 0.45, 0.6]},
        margin_b=44,
    )


def small_map(
    points: np.ndarray,
    F: np.ndarray,
    given: np.ndarray,
    classes: tuple[str, ...],
    *,
    chosen: np.ndarray,
    unseen: np.ndarray,
    facts: list[str] | None = None,
    clicked: int | None = None,
    equal: bool = True,
    uirevision: str = "small",
) -> go.Figure:
    """The `chosen` of the points (n, 2) coloured by F (n, C), `unseen` ones as open circles.

    Drawn without WebGL, since a page has few WebGL contexts: use it for some hundred points.
    `equal` gives both axes the same scale.
    """
    colours = class_colours(len(classes))
    hidden = {"visible": False, "zeroline": False}
    fig = go.Figure(
        layout={
            "uirevision": uirevision,
            "margin": {"l": 4, "r": 4, "t": 4, "b": 4},
            "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
            "hovermode": "closest",
            "xaxis": hidden,
            "yaxis": {**hidden, "scaleanchor": "x" if equal else None},
        }
    )
    drawn = np.zeros(len(points), bool)
    drawn[chosen] = True
    parts = (
        ("seen", ~unseen & (given < 0), "circle", 5),
        ("unseen", unseen, "circle-open", 5),
        ("given labels", given >= 0, "diamond", 12),
    )
    for name, mask, symbol, size in parts:
        at = np.flatnonzero(mask & drawn)
        if not len(at):
            continue
        rim: dict[str, object] = {"width": 0 if symbol == "circle" else 1.5}
        if symbol == "diamond":
            rim["color"] = "#FFFFFF"
        places = points[at].astype(np.float32)
        fig.add_scatter(
            x=places[:, 0],
            y=places[:, 1],
            mode="markers",
            name=name,
            customdata=at,
            text=[facts[i] for i in at] if facts else None,
            hovertemplate=hover_template(facts),
            marker={"size": size, "symbol": symbol, **mixed_colours(F[at], colours), "line": rim},
        )
    if clicked is not None:
        ring = {"size": 18, "color": "rgba(0,0,0,0)", "line": {"width": 3, "color": ACCENT}}
        x, y = points[clicked]
        fig.add_scatter(
            x=[x], y=[y], mode="markers", marker=ring, hoverinfo="skip", showlegend=False
        )
    return fig


def eigenvalue_bars(values: np.ndarray, kept: int, rank: int) -> go.Figure:
    """Eigenvalues, the kept ones in colour, with a line after the first `rank`."""
    fig = _chart("direction", "eigenvalue")
    colours = [OKABE_ITO[0] if i < kept else BACKDROP for i in range(len(values))]
    x = np.arange(1, len(values) + 1)
    fig.add_bar(x=x, y=values, marker_color=colours, hovertemplate="%{x}: %{y:.4g}<extra></extra>")
    line = {"dash": "dot", "width": 2, "color": OKABE_ITO[5]}
    add_line(fig, line, x=rank + 0.5)
    fig.add_annotation(
        x=rank + 0.5,
        y=1,
        yref="paper",
        yanchor="bottom",
        xanchor="right",
        text=f"C − 1 = {rank}",
        showarrow=False,
    )
    fig.update_layout(xaxis={"dtick": max(1, len(values) // 10), "range": [0.4, rank + 1.6]})
    return fig


def accuracy_bars(found: dict[str, float], now: str, baselines: tuple[str, ...]) -> go.Figure:
    """Accuracies as horizontal bars, best on top; `now` is highlighted, `baselines` are pale."""
    fig = _chart("accuracy", "")
    names = sorted(found, key=lambda name: found[name])
    colours = {name: BACKDROP for name in baselines} | {now: OKABE_ITO[0]}
    fig.add_bar(
        x=[found[name] for name in names],
        y=names,
        orientation="h",
        marker_color=[colours.get(name, OKABE_ITO[4]) for name in names],
        text=[f"{found[name]:.1%}" for name in names],
        textposition="auto",
        hovertemplate="%{y}: %{x:.1%}<extra></extra>",
    )
    fig.update_layout(
        margin={"l": 8, "t": 28},  # the buttons of a phone are above the first bar
        xaxis={"range": [0, 1.02], "tickformat": ".0%"},
        yaxis={"automargin": True, "title": None, "ticklabelstandoff": 6},
    )
    return fig


BOUND_NAMES = ("gap", "sharp bound", "printed bound", "printed, with the limit of 1-NN")


def bound_curves(labels: np.ndarray, bounds: np.ndarray, best: float) -> go.Figure:
    """Gap and bounds (t, 4) in the order of BOUND_NAMES over the number of labels, on a log scale.

    `best` = √f(V*) is an upper limit of the gap for any labels.
    """
    fig = _chart("labels given", "√f of the map")
    for i, name in enumerate(BOUND_NAMES):
        fig.add_scatter(
            x=labels,
            y=np.where(bounds[:, i] > 0, bounds[:, i], np.nan),
            name=name,
            mode="lines+markers",
            line_color=OKABE_ITO[(2, 0, 5, 1)[i]],
            hovertemplate=f"{name}: %{{y:.3g}}<extra></extra>",
        )
    fig.add_scatter(
        x=labels[[0, -1]],
        y=[best, best],
        name="maximum √f(V*)",
        mode="lines",
        line={"dash": "dot", "color": BACKDROP},
        hovertemplate="√f(V*) = %{y:.3g}<extra></extra>",
    )
    legend = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}
    fig.update_layout(showlegend=True, legend=legend, xaxis_type="log", yaxis_type="log")
    fig.update_yaxes(exponentformat="power", dtick=1)
    fig.update_xaxes(tickvals=labels, ticktext=[f"{v:,}" for v in labels.tolist()])
    return fig


def _chart(x: str, y: str) -> go.Figure:
    return go.Figure(
        layout={
            "margin": {"l": 56, "r": 12, "t": 24, "b": 44},
            "showlegend": False,
            "dragmode": False,
            "xaxis": {"title": x, "fixedrange": True},
            "yaxis": {"title": y, "fixedrange": True},
        }
    )
