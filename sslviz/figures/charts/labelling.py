"""Accuracy against the number of labels: those given by hand beside a band of random ones."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.charts.basic import small_chart
from sslviz.figures.theme import ACCENT, BACKDROP

LEGEND_ABOVE = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}


def labelling_chart(
    labels: np.ndarray,
    accuracy: np.ndarray,
    band: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None,
) -> go.Figure:
    """A dot after each label by hand; `band` is labels, 10%, median and 90% of random draws."""
    fig = small_chart("labels", "accuracy", height=220)
    if band is not None:
        at, low, median, high = band
        fig.add_scatter(
            x=np.concatenate([at, at[::-1]]),
            y=np.concatenate([low, high[::-1]]),
            mode="lines",
            fill="toself",
            fillcolor="rgba(169,178,191,0.35)",
            line={"width": 0},
            hoverinfo="skip",
            showlegend=False,
        )
        fig.add_scatter(
            x=at,
            y=median,
            mode="lines",
            line={"color": BACKDROP, "width": 2, "dash": "dash"},
            name="random: median, 10–90%",
            hovertemplate="%{x} labels, random: %{y:.1%}<extra></extra>",
        )
    fig.add_scatter(
        x=labels,
        y=accuracy,
        mode="lines+markers",
        line={"color": ACCENT, "width": 2},
        marker={"size": 6},
        name="by hand",
        hovertemplate="%{x} labels: %{y:.1%}<extra></extra>",
    )
    fig.update_layout(
        yaxis_tickformat=".0%",
        showlegend=True,
        legend=LEGEND_ABOVE,
        margin={"t": 52, "r": 8, "b": 40},
    )
    return fig
