"""Small charts beside the maps: histograms, bars and curves."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.theme import OKABE_ITO, class_colours, css


def _small(x: str, y: str, height: int = 240) -> go.Figure:
    return go.Figure(
        layout={
            "height": height,
            "margin": {"l": 48, "r": 12, "t": 24, "b": 44},
            "bargap": 0.05,
            "showlegend": False,
            "dragmode": False,
            "xaxis": {"title": x, "fixedrange": True},
            "yaxis": {"title": y, "fixedrange": True},
        }
    )


def confidence_histogram(confidence: np.ndarray, right: np.ndarray) -> go.Figure:
    """How sure the answers are, right ones and wrong ones stacked."""
    fig = _small("share of the winning class", "points")
    legend = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "traceorder": "normal"}
    fig.update_layout(barmode="stack", showlegend=True, legend=legend)
    bins = np.linspace(0, 1, 21)
    for name, mask, colour in (("right", right, OKABE_ITO[2]), ("wrong", ~right, OKABE_ITO[5])):
        count, _ = np.histogram(np.clip(confidence[mask], 0, 1), bins)
        fig.add_bar(
            x=(bins[1:] + bins[:-1]) / 2, y=count, name=name, marker_color=colour, width=0.05
        )
    return fig


def degree_histogram(in_degree: np.ndarray, k: int) -> go.Figure:
    """How many points are listed how often; the mean is k, hubs are the tail."""
    fig = _small("times listed by others (in-degree)", "points")
    count = np.bincount(in_degree)
    fig.add_bar(x=np.arange(len(count)), y=count, marker_color=OKABE_ITO[0])
    fig.add_vline(x=k, line={"dash": "dot", "width": 2, "color": OKABE_ITO[5]})
    fig.add_annotation(x=k, y=1, yref="paper", yanchor="bottom", text=f"mean {k}", showarrow=False)
    return fig


def class_bars(shares: np.ndarray, classes: tuple[str, ...]) -> go.Figure:
    """One point's opinion: a bar per class."""
    fig = _small("", "share", height=200)
    colours = [css(c) for c in class_colours(len(classes))]
    fig.add_bar(x=list(classes), y=shares, marker_color=colours)
    fig.update_layout(yaxis_range=[0, 1], xaxis_type="category")
    return fig


def curve(
    x: np.ndarray, y: np.ndarray, x_title: str, y_title: str, log_y: bool = False
) -> go.Figure:
    """One line over iterations."""
    fig = _small(x_title, y_title)
    fig.add_scatter(x=x, y=y, mode="lines+markers", line_color=OKABE_ITO[0], marker_size=4)
    if log_y:
        fig.update_yaxes(type="log")
    return fig
