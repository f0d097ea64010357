"""Charts of clusters being merged, and of the shares of clusters."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.charts.basic import small_chart
from sslviz.figures.theme import (
    ACCENT,
    BACKDROP,
    DIFFERENCE,
    HUB_COLOUR,
    add_line,
    class_colours,
    css_of,
    log_axis,
)


def merge_chart(
    iterations: np.ndarray, clusters: np.ndarray, accuracy: np.ndarray, learning: np.ndarray,
    target: int,
) -> go.Figure:  # fmt: skip
    """Number of clusters and accuracy over merges and epochs, all (t,); epochs are shaded."""
    fig = small_chart("merges and epochs", "").update_layout(
        uirevision="merges",
        hovermode="closest",
        xaxis={"anchor": "y"},
        yaxis={"domain": [0, 0.52], **log_axis(np.array([target, *clusters]))},
        yaxis2={
            "domain": [0.66, 0.94], "fixedrange": True, "range": [0, 1.05], "tickformat": ".0%",
            "nticks": 3,
        },
    )  # fmt: skip
    fig.add_scatter(
        x=iterations, y=clusters, mode="lines", line={"color": ACCENT, "width": 2, "shape": "hv"},
        hovertemplate="%{y} clusters<extra></extra>", name="clusters",
    )  # fmt: skip
    fig.add_scatter(
        x=iterations, y=accuracy, mode="lines", yaxis="y2",
        line={"color": DIFFERENCE, "width": 2}, hovertemplate="%{y:.1%}<extra></extra>",
        name="accuracy",
    )  # fmt: skip
    add_line(fig, {"dash": "dot", "width": 1.5, "color": BACKDROP}, y=target)
    for first, last in stretches(learning):
        fig.add_vrect(
            x0=iterations[first], x1=iterations[last], fillcolor=HUB_COLOUR, opacity=0.18,
            line_width=0,
        )  # fmt: skip
    for text, place in (("clusters left", 0.53), ("accuracy", 0.95)):
        fig.add_annotation(
            text=text, x=0, xref="paper", xanchor="left", y=place, yref="paper", yanchor="bottom",
            showarrow=False,
        )  # fmt: skip
    return fig


def stretches(mask: np.ndarray) -> list[tuple[int, int]]:
    """First and last position of every stretch of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], np.asarray(mask, int), [0]])))
    return [(int(a), int(b) - 1) for a, b in edges.reshape(-1, 2)]


def share_bars(
    shares: np.ndarray, true_shares: np.ndarray | None, names: tuple[str, ...]
) -> go.Figure:
    """Share of every cluster in its colour; a line at equal shares, diamonds at the true ones."""
    fig = small_chart("", "share of the points")
    colours = [css_of(c) for c in class_colours(len(names))]
    x = np.arange(len(names))
    fig.add_bar(
        x=x, y=shares, marker_color=colours, hovertemplate="%{y:.1%}<extra></extra>", name="p̄"
    )
    if true_shares is not None:
        fig.add_scatter(
            x=x, y=true_shares, mode="markers", name="true class",
            marker={"symbol": "diamond", "size": 10, "color": ACCENT},
            hovertemplate="true share %{y:.1%}<extra></extra>",
        )  # fmt: skip
    add_line(fig, {"dash": "dot", "width": 2, "color": BACKDROP}, y=1 / len(names))
    fig.update_xaxes(tickvals=x, ticktext=list(names))
    fig.update_yaxes(tickformat=".0%", rangemode="tozero")
    return fig
