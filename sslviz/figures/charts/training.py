"""Charts of a training: loss terms, accuracy, clusters used, and adversarial perturbations."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.charts.basic import small_chart
from sslviz.figures.maps.points import marker_size
from sslviz.figures.theme import (
    ACCENT,
    BACKDROP,
    DIFFERENCE,
    OKABE_ITO,
    add_line,
    class_colours,
    empty_map,
    log_axis,
    mixed_colours,
)

SMALLEST_TERM = 1e-5  # smaller values are drawn there, on a scale of logarithms
TERM_COLOURS = tuple(OKABE_ITO[i] for i in (0, 5, 2, 3, 1))


def training_chart(
    iterations: np.ndarray,
    terms: dict[str, np.ndarray],
    used: np.ndarray,
    accuracy: np.ndarray,
    clusters: int,
    total: int,
    ceiling: tuple[float, str] | None = None,
) -> go.Figure:
    """Three charts over one axis: clusters used, accuracy, loss terms.

    All arrays are (t,); `total` is the number of iterations of the whole training. Terms that have
    a `ceiling`, a value with its name, are not on a scale of logarithms.
    """
    fig = small_chart("iterations", "").update_layout(
        uirevision="training",
        hovermode="closest",
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": -0.16, "yanchor": "top"},
        xaxis={"range": [0, total], "anchor": "y"},
        yaxis={"domain": [0, 0.42], **(ticks(terms) if ceiling is None else {})},
        yaxis2={"domain": [0.58, 0.74], "fixedrange": True, "range": [0, 1.05]},
        yaxis3={"domain": [0.82, 1], "fixedrange": True, "range": [0, clusters + 0.5]},
    )
    for (name, y), colour in zip(terms.items(), TERM_COLOURS, strict=False):
        if len(y) and not y.any():
            continue  # a term that is switched off
        fig.add_scatter(
            x=iterations, y=np.maximum(y, SMALLEST_TERM if ceiling is None else 0.0), name=name,
            mode="lines",
            line={"color": colour, "width": 2},
            hovertemplate="%{x}: %{y:.3g}<extra>" + name + "</extra>",
        )  # fmt: skip
    fig.add_scatter(
        x=iterations, y=accuracy, name="accuracy", mode="lines", yaxis="y2", showlegend=False,
        line={"color": DIFFERENCE, "width": 2}, hovertemplate="%{x}: %{y:.1%}<extra></extra>",
    )  # fmt: skip
    fig.add_scatter(
        x=iterations, y=used, name="clusters used", mode="lines", yaxis="y3", showlegend=False,
        line={"color": ACCENT, "width": 2, "shape": "hv"},
        hovertemplate="%{x}: %{y} clusters<extra></extra>",
    )  # fmt: skip
    fig.update_layout(
        yaxis2={"tickformat": ".0%", "nticks": 3}, yaxis3={"nticks": 3, "tickformat": "d"}
    )
    titles = (
        ("loss terms", 0.49),
        ("accuracy", 0.745),
        ("clusters used", 1.0),
    )
    for text, place in titles:
        fig.add_annotation(
            text=text, x=0, xref="paper", xanchor="left", y=place, yref="paper", yanchor="bottom",
            showarrow=False,
        )  # fmt: skip
    levels = [(clusters, "y3"), *([(ceiling[0], "y")] if ceiling else [])]
    for level, axis in levels:
        fig.add_shape(
            type="line", x0=0, x1=1, xref="paper", y0=level, y1=level, yref=axis,
            line={"dash": "dot", "width": 1.5, "color": BACKDROP},
        )  # fmt: skip
    if ceiling is not None:
        fig.layout.yaxis.range = [0, 1.15 * ceiling[0]]
        fig.add_annotation(
            text=ceiling[1], x=1, xref="paper", xanchor="right", y=ceiling[0], yref="y",
            yanchor="bottom", showarrow=False,
        )  # fmt: skip
    return fig


def ticks(terms: dict[str, np.ndarray]) -> dict[str, object]:
    """The axis of the terms."""
    values = np.concatenate([np.maximum(y, SMALLEST_TERM) for y in terms.values()] or [np.ones(1)])
    return log_axis(values)


def arrow_plane(
    points: np.ndarray, F: np.ndarray, starts: np.ndarray, moves: np.ndarray, *, uirevision: str
) -> go.Figure:
    """Arrows `moves` (m, 2) from places `starts` (m, 2) of the plane; all points pale behind."""
    fig = empty_map(uirevision)
    marker = {"size": 0.8 * marker_size(len(points)), **mixed_colours(F, class_colours(F.shape[1]))}
    fig.add_scattergl(
        x=points[:, 0].astype(np.float32),
        y=points[:, 1].astype(np.float32),
        mode="markers",
        marker=marker,
        opacity=0.35,
        hoverinfo="skip",
        showlegend=False,
    )
    start, end = starts, starts + moves
    gap = np.full(start.shape, np.nan)
    line = np.stack([start, end, gap], axis=1).reshape(-1, 2)
    fig.add_scatter(
        x=line[:, 0], y=line[:, 1], mode="lines", line={"color": ACCENT, "width": 2},
        hoverinfo="skip", showlegend=False,
    )  # fmt: skip
    turn = np.degrees(np.arctan2(moves[:, 0], moves[:, 1]))  # clockwise from up
    fig.add_scatter(
        x=end[:, 0], y=end[:, 1], mode="markers", hoverinfo="skip", showlegend=False,
        marker={"symbol": "arrow", "size": 9, "angle": turn, "color": ACCENT},
    )  # fmt: skip
    return fig


def ratio_curve(xi: np.ndarray, ratio: np.ndarray, now: float, thesis: float) -> go.Figure:
    """Effect of the direction found over that of a random one, against the probe distance ξ."""
    fig = small_chart("probe distance ξ, in radii", "adversarial / random")
    fig.update_xaxes(**log_axis(xi)).update_yaxes(rangemode="tozero")
    fig.add_scatter(
        x=xi, y=ratio, mode="lines+markers", line={"color": OKABE_ITO[0]},
        hovertemplate="ξ = %{x:.3g}: %{y:.2f} times<extra></extra>",
    )  # fmt: skip
    add_line(fig, {"dash": "dot", "width": 2, "color": BACKDROP}, y=1)
    for at, text, colour in ((now, "ξ", ACCENT), (thesis, "thesis", DIFFERENCE)):
        add_line(fig, {"dash": "dot", "width": 2, "color": colour}, x=at)
        fig.add_annotation(
            x=float(np.log10(at)), y=1, yref="paper", yanchor="bottom", text=text, showarrow=False
        )
    return fig
