"""Charts of a stream: accuracy, number of centroids and radius over time, and by dimension."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.theme import BACKDROP, DIFFERENCE, OKABE_ITO, add_line

LINE_COLOURS = (OKABE_ITO[0], OKABE_ITO[5], OKABE_ITO[2])  # of the methods
BASELINE_COLOUR = "#7D8794"
TICK_SPACING = 0.06  # share of an axis that a tick label needs
LEGEND_ABOVE = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}


def _chart(x: str, y: str, height: int = 260) -> go.Figure:
    return go.Figure(
        layout={
            "height": height,
            "margin": {"l": 60, "r": 12, "t": 28, "b": 44},
            "dragmode": False,
            "legend": LEGEND_ABOVE,
            "xaxis": {"title": x, "fixedrange": True},
            "yaxis": {"title": y, "fixedrange": True},
        }
    )


def accuracy_over_time(curves: dict[str, np.ndarray], labels_at: np.ndarray) -> go.Figure:
    """Running accuracies (T,), the last one dotted as a baseline.

    `labels_at` are the arrivals with a label: ticks at the bottom.
    """
    fig = _chart("arrivals", "accuracy")
    looks = [*((c, "solid") for c in LINE_COLOURS[: len(curves) - 1]), (BASELINE_COLOUR, "dot")]
    for (name, y), (colour, dash) in zip(curves.items(), looks, strict=True):
        fig.add_scatter(
            x=np.arange(1, len(y) + 1),
            y=y,
            name=name,
            mode="lines",
            line={"color": colour, "width": 2, "dash": dash},
            hovertemplate="%{x}: %{y:.0%}<extra>" + name + "</extra>",
        )
    if len(labels_at):
        marker = {"symbol": "diamond", "size": 7, "color": DIFFERENCE}
        fig.add_scatter(
            x=labels_at, y=np.zeros(len(labels_at)), mode="markers", name="a label", marker=marker,
            hovertemplate="a label at %{x}<extra></extra>",
        )  # fmt: skip
    fig.update_layout(yaxis_tickformat=".0%", yaxis_range=[-0.03, 1.03])
    return fig


def cover_over_time(count: np.ndarray, radius: np.ndarray, capacity: int) -> go.Figure:
    """Centroids (T + 1,) below their capacity, and the radius in powers of two above."""
    fig = _chart("arrivals", "centroids")
    t = np.arange(len(count))
    line = {"color": OKABE_ITO[0], "width": 2}
    fig.add_scatter(x=t, y=count, name="centroids |C|", mode="lines", line=line,
                    hovertemplate="%{x}: %{y} centroids<extra></extra>")  # fmt: skip
    fig.add_scatter(
        x=t,
        y=np.where(radius > 0, radius, np.nan),
        name="radius R",
        mode="lines",
        line={"color": DIFFERENCE, "width": 2, "shape": "hv"},
        yaxis="y2",
        hovertemplate="%{x}: R = %{y:.3g}<extra></extra>",
    )
    add_line(fig, {"dash": "dot", "width": 1.5, "color": BACKDROP}, y=capacity)
    fig.update_layout(
        yaxis={"domain": [0, 0.6], "range": [0, 1.08 * capacity]},
        yaxis2={"domain": [0.68, 1], "type": "log", "title": "R", "dtick": "0.30103",
                "tickformat": ".2g", "nticks": 4, "fixedrange": True},
    )  # fmt: skip
    low, high = radius[radius > 0].min(initial=np.inf), radius.max(initial=0)
    if np.isfinite(low):
        steps = max(int(np.ceil(np.log2(high / low) / 3)), 1)
        ticks = low * 2.0 ** np.arange(0, np.log2(high / low) + 1, steps)
        ends = [float(np.log10(low / 1.5)), float(np.log10(high * 1.5))]
        fig.update_layout(yaxis2={"tickvals": ticks, "dtick": None, "range": ends})
    return fig


def inherited_over_time(share: np.ndarray) -> go.Figure:
    """Shares of inherited weights (T + 1,)."""
    fig = _chart("arrivals", "share of the edges")
    fig.add_scatter(x=np.arange(len(share)), y=share, mode="lines", showlegend=False,
                    line={"color": DIFFERENCE, "width": 2},
                    hovertemplate="%{x}: %{y:.0%} inherited<extra></extra>")  # fmt: skip
    fig.update_layout(yaxis_tickformat=".0%", yaxis_range=[0, 1])
    return fig


def centroids_by_dimension(
    features: np.ndarray, curves: dict[str, np.ndarray], now: int, capacity: int
) -> go.Figure:
    """Centroids there are on average against the number of features, with a line at `now`."""
    fig = _chart("features", "centroids, on average")
    colours = {"doubling": OKABE_ITO[5], "lazy": OKABE_ITO[2]}
    for name, y in curves.items():
        fig.add_scatter(
            x=features, y=y, name=name, mode="lines+markers", line={"color": colours[name]},
            hovertemplate="%{x} features: %{y:.1f} centroids<extra>" + name + "</extra>",
        )  # fmt: skip
    add_line(fig, {"dash": "dot", "width": 1.5, "color": BACKDROP}, y=capacity)
    add_line(fig, {"dash": "dot", "width": 2, "color": DIFFERENCE}, x=now)
    kept = spaced_ticks(np.log(features))
    ticks = [str(f) for f in features[kept]]
    fig.update_layout(xaxis={"type": "log", "tickvals": features[kept], "ticktext": ticks})
    fig.update_yaxes(range=[0, 1.08 * capacity])
    return fig


def spaced_ticks(places: np.ndarray) -> np.ndarray:
    """Numbers of those of these rising places that have enough space for a tick label."""
    least, kept = TICK_SPACING * (places[-1] - places[0]), [0]
    for i in range(1, len(places)):
        if places[i] - places[kept[-1]] >= least:
            kept.append(i)
    return np.array(kept)
