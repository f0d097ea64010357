"""Charts of decision functions: spectrum, scores, and small maps of functions over the plane."""

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from sslviz.figures.charts.basic import LEGEND_ABOVE, add_right_and_wrong, small_chart
from sslviz.figures.theme import (
    ACCENT,
    BACKDROP,
    OKABE_ITO,
    PANEL_TITLE_SIZE,
    add_line,
    class_colours,
    css_of,
    log_axis,
)

SIGNED_SCALE = "RdBu"  # red below zero, blue above
MIN_EIGENVALUE_SHARE = 1e-8  # of the largest eigenvalue: smaller ones are rounding errors


def spectrum_lines(mu: np.ndarray, curves: dict[str, np.ndarray], now: str) -> go.Figure:
    """Filtered eigenvalues over the eigenvalues μ (n,), largest first; `now` is the curve in use.

    The dotted diagonal is the identity.
    """
    kept = mu > MIN_EIGENVALUE_SHARE * mu[0]
    mu = mu[kept]
    fig = small_chart("eigenvalue μ of the kernel", "filtered eigenvalue μ̃")
    fig.update_layout(showlegend=True, legend=LEGEND_ABOVE, margin_l=56)
    fig.add_scatter(
        x=mu[[0, -1]],
        y=mu[[0, -1]],
        mode="lines",
        name="unchanged",
        line={"dash": "dot", "color": BACKDROP, "width": 2},
        hoverinfo="skip",
    )
    for (name, values), colour in zip(curves.items(), OKABE_ITO[:1] + OKABE_ITO[5:6], strict=True):
        mine = name == now
        fig.add_scatter(
            x=mu,
            y=values[kept],
            mode="lines+markers" if mine else "lines",
            name=name,
            line={"color": colour, "width": 3 if mine else 1.5},
            marker={"size": 4},
            opacity=1 if mine else 0.6,
            hovertemplate="μ = %{x:.3g} → %{y:.3g}<extra>" + name + "</extra>",
        )
    fig.update_xaxes(log_axis(mu))
    fig.update_yaxes(log_axis(np.concatenate([mu, *(v[kept] for v in curves.values())])))
    return fig


def amplification_bars(ridge: np.ndarray, factor: np.ndarray, names: list[str]) -> go.Figure:
    """Lengths (k,) of kernel ridge regression along k directions, and these times a factor.

    A bar below zero is reversed.
    """
    fig = small_chart("direction", "length along it")
    fig.update_layout(showlegend=True, legend=LEGEND_ABOVE, barmode="group", bargap=0.15)
    fig.update_xaxes(type="category")
    fig.add_bar(
        x=names,
        y=ridge,
        name="kernel ridge",
        marker_color=BACKDROP,
        offsetgroup="ridge",
        hovertemplate="%{y:.3g}<extra>kernel ridge</extra>",
    )
    shown = [f"×{f:.1f}" if abs(f) < 10 else f"×{f:.0f}" for f in factor]
    for name, mask, colour in (
        ("amplified", factor >= 0, OKABE_ITO[0]),
        ("reversed", factor < 0, OKABE_ITO[5]),
    ):
        fig.add_bar(
            x=[names[i] for i in np.flatnonzero(mask)],
            y=(factor * ridge)[mask],
            name=name,
            marker_color=colour,
            offsetgroup="amplified",
            text=[shown[i] for i in np.flatnonzero(mask)],
            textposition="outside",
            textangle=0,
            constraintext="none",
            textfont_size=10,
            cliponaxis=False,
            hovertemplate="%{y:.3g}, %{text}<extra>" + name + "</extra>",
        )
    fig.update_xaxes(categoryorder="array", categoryarray=names)
    return fig


def kernel_over_distance(
    distance: np.ndarray, plain: np.ndarray, filtered: np.ndarray
) -> go.Figure:
    """k and k̃ of one point with all others over their distance."""
    fig = small_chart("distance from the point", "kernel value")
    fig.update_layout(showlegend=True, legend=LEGEND_ABOVE, margin_l=56)
    for name, values, colour in (
        ("k, the kernel", plain, BACKDROP),
        ("k̃, filtered", filtered, OKABE_ITO[0]),
    ):
        marker = {"size": 4, "color": colour, "opacity": 0.7}
        fig.add_scatter(x=distance, y=values, mode="markers", name=name, marker=marker)
    fig.update_traces(hovertemplate="%{x:.3g} away: %{y:.3g}<extra></extra>")
    return fig


def score_histogram(scores: np.ndarray, right: np.ndarray) -> go.Figure:
    """A histogram of scores, right and wrong predictions stacked, with boundary and margin ±1."""
    high = max(1.5, float(np.abs(scores).max(initial=0)))
    bins = np.linspace(-high, high, 41)
    fig = add_right_and_wrong(small_chart("score f", "unlabelled points"), scores, right, bins)
    for at, dash in ((-1, "dash"), (0, "solid"), (1, "dash")):
        add_line(fig, {"dash": dash, "width": 2, "color": BACKDROP}, x=at)
    return fig


def surfaces(
    functions: list[np.ndarray],
    titles: list[str],
    x: np.ndarray,
    y: np.ndarray,
    points: np.ndarray,
    given: np.ndarray,
    n_classes: int,
    *,
    marked: int | None = None,
    columns: int = 3,
) -> go.Figure:
    """Heat maps (len(y), len(x)) side by side on one scale, with the given labels on them.

    Red is below zero, white zero, blue above; nan is transparent. One point can be `marked`. Every
    second cell is drawn: at this size that is enough.
    """
    columns = min(columns, len(functions))
    fig = make_subplots(
        rows=-(-len(functions) // columns),
        cols=columns,
        subplot_titles=titles,
        horizontal_spacing=0.02,
        vertical_spacing=0.1,
    )
    high = max((float(np.nanmax(np.abs(z), initial=0.0)) for z in functions), default=0.0) or 1.0
    at = np.flatnonzero(given >= 0)
    colours = [css_of(c) for c in class_colours(n_classes)[given[at]]]
    for i, z in enumerate(functions):
        where = {"row": i // columns + 1, "col": i % columns + 1}
        heat = go.Heatmap(
            z=z[::2, ::2].astype(np.float32),
            x=x[::2],
            y=y[::2],
            zmin=-high,
            zmax=high,
            colorscale=SIGNED_SCALE,
            showscale=i == len(functions) - 1,
            colorbar={"thickness": 10, "len": 0.9, "y": 1, "yanchor": "top"},
            hovertemplate="%{z:.3g}<extra></extra>",
        )
        fig.add_trace(heat, **where)
        marker = {"size": 8, "symbol": "diamond", "color": colours}
        marker["line"] = {"width": 1.5, "color": "#FFFFFF"}
        dots = go.Scatter(x=points[at, 0], y=points[at, 1], mode="markers", marker=marker)
        fig.add_trace(dots.update(hoverinfo="skip"), **where)
        if marked is not None:
            ring = {"size": 16, "symbol": "circle-open", "color": ACCENT, "line": {"width": 3}}
            one = go.Scatter(x=points[[marked], 0], y=points[[marked], 1], marker=ring)
            fig.add_trace(one.update(mode="markers", hoverinfo="skip"), **where)
    fig.update_layout(margin={"l": 8, "r": 8, "t": 28, "b": 8}, showlegend=False, dragmode=False)
    fig.update_annotations(font_size=PANEL_TITLE_SIZE)
    for axis in fig.select_yaxes():  # circles stay round, and near their title
        axis.update(scaleanchor=axis.anchor, constraintoward="top")
    hidden = {"visible": False, "fixedrange": True, "constrain": "domain"}
    fig.update_xaxes(**hidden, range=[x[0], x[-1]])
    fig.update_yaxes(**hidden, range=[y[0], y[-1]])
    return fig
