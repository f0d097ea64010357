"""Small charts beside the maps: histograms, bars and curves."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.theme import (
    ACCENT,
    BACKDROP,
    HUB_COLOUR,
    OKABE_ITO,
    add_line,
    class_colours,
    css_of,
    log_axis,
)

LENGTH_BINS = 40
LEGEND_ABOVE = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}

LOG_MARGIN = 64  # px: labels such as 0.001, and the title beside them


def small_chart(x: str, y: str, height: int = 240) -> go.Figure:
    """An empty chart with titled axes, without zoom."""
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
    """A histogram of the confidence of predictions, right and wrong ones stacked."""
    fig = small_chart("share of the predicted class", "points")
    return add_right_and_wrong(fig, np.clip(confidence, 0, 1), right, np.linspace(0, 1, 21))


def add_right_and_wrong(
    fig: go.Figure, values: np.ndarray, right: np.ndarray, bins: np.ndarray
) -> go.Figure:
    """A stacked histogram of the values of right and of wrong predictions."""
    legend = LEGEND_ABOVE | {"traceorder": "normal"}
    fig.update_layout(barmode="stack", showlegend=True, legend=legend)
    middle, width = (bins[1:] + bins[:-1]) / 2, bins[1] - bins[0]
    for name, mask, colour in (("right", right, OKABE_ITO[2]), ("wrong", ~right, OKABE_ITO[5])):
        count, _ = np.histogram(values[mask], bins)
        fig.add_bar(x=middle, y=count, name=name, marker_color=colour, width=width)
    return fig


def degree_histogram(in_degree: np.ndarray, k: int) -> go.Figure:
    """Histogram of the in-degree; its mean is k, hubs are in the tail."""
    fig = small_chart("in-degree: points that list it", "points")
    count = np.bincount(in_degree)
    fig.add_bar(x=np.arange(len(count)), y=count, marker_color=OKABE_ITO[0])
    add_line(fig, {"dash": "dot", "width": 2, "color": OKABE_ITO[5]}, x=k)
    fig.add_annotation(x=k, y=1, yref="paper", yanchor="bottom", text=f"mean {k}", showarrow=False)
    return fig


def length_histogram(lengths: np.ndarray, sigma: float) -> go.Figure:
    """Histogram of the lengths of edges, and over it the weight exp(−d²/σ²) of such an edge."""
    fig = small_chart("distance d", "edges")
    count, ends = np.histogram(lengths, LENGTH_BINS, range=(0, float(lengths.max(initial=0)) or 1))
    middle = (ends[1:] + ends[:-1]) / 2
    fig.add_bar(
        x=middle, y=count, name="edges", marker_color=OKABE_ITO[0], width=0.95 * ends[1],
        hovertemplate="d ≈ %{x:.3g}: %{y} edges<extra></extra>",
    )  # fmt: skip
    d = np.linspace(0, ends[-1], 101)
    fig.add_scatter(
        x=d, y=np.exp(-((d / sigma) ** 2)), name="weight", mode="lines", yaxis="y2",
        line={"color": OKABE_ITO[5], "width": 3},
        hovertemplate="d = %{x:.3g}: weight %{y:.3g}<extra></extra>",
    )  # fmt: skip
    right = {
        "title": "weight",
        "overlaying": "y",
        "side": "right",
        "range": [0, 1.05],
        "tickvals": [0, 0.5, 1],
    }
    fig.update_layout(
        showlegend=True,
        legend=LEGEND_ABOVE,
        margin={"t": 32, "r": 52},
        yaxis2=right | {"showgrid": False, "fixedrange": True},
    )
    return fig


def class_bars(shares: np.ndarray, classes: tuple[str, ...]) -> go.Figure:
    """Class probabilities of one point, a bar for each class."""
    fig = small_chart("", "probability", height=200)
    colours = [css_of(c) for c in class_colours(len(classes))]
    fig.add_bar(x=list(classes), y=shares, marker_color=colours)
    fig.update_layout(yaxis_range=[0, 1], xaxis_type="category", margin_b=28)
    return fig


def curve(
    x: np.ndarray, y: np.ndarray, x_title: str, y_title: str, log_y: bool = False
) -> go.Figure:
    """One curve over iterations."""
    fig = small_chart(x_title, y_title)
    fig.add_scatter(x=x, y=y, mode="lines+markers", line_color=OKABE_ITO[0], marker_size=4)
    if log_y:
        fig.update_yaxes(log_axis(np.asarray(y)))
        fig.update_layout(margin_l=LOG_MARGIN)
    return fig


def absorber_bars(B: np.ndarray, given: np.ndarray, n_classes: int) -> go.Figure:
    """How many walks each label absorbs, largest first, in the colour of its class.

    `B` (n, l) holds the absorption probabilities of the unlabelled points, `given` (l,) the classes
    of the labels.
    """
    fig = small_chart("labels, largest first", "points absorbed")
    absorbed = B.sum(axis=0)
    order = np.argsort(-absorbed, kind="stable")
    colours = class_colours(n_classes)
    fig.add_bar(
        x=np.arange(1, len(order) + 1),
        y=absorbed[order],
        marker_color=[css_of(colours[given[i]]) for i in order],
        hovertemplate="%{y:.0f} points<extra></extra>",
    )
    add_line(fig, {"dash": "dot", "width": 2, "color": BACKDROP}, y=absorbed.mean())
    return fig


def share_by_tenth(density: np.ndarray, chosen: np.ndarray, x_title: str) -> go.Figure:
    """Share of the `chosen` points in each tenth of the points, ordered by density."""
    fig = small_chart(x_title, "share that are hubs")
    rank = np.argsort(np.argsort(density, kind="stable"), kind="stable")
    tenth = np.minimum(10 * rank // max(len(density), 1), 9)
    count = np.bincount(tenth, minlength=10)
    share = np.bincount(tenth, chosen, minlength=10) / np.maximum(count, 1)
    fig.add_bar(
        x=[f"{i + 1}" for i in range(10)],
        y=share,
        marker_color=HUB_COLOUR,
        hovertemplate="%{y:.0%} of the points<extra></extra>",
    )
    add_line(fig, {"dash": "dot", "width": 2, "color": BACKDROP}, y=chosen.mean())
    fig.update_layout(yaxis_tickformat=".0%", xaxis_type="category", yaxis_rangemode="tozero")
    return fig


def share_curves(
    x: np.ndarray, curves: dict[str, np.ndarray], x_title: str, y_title: str
) -> go.Figure:
    """Several curves of shares, in percent."""
    fig = small_chart(x_title, y_title)
    for i, (name, y) in enumerate(curves.items()):
        fig.add_scatter(
            x=x,
            y=y,
            name=name,
            mode="lines+markers",
            line_color=OKABE_ITO[(0, 5, 2, 3)[i % 4]],
            hovertemplate="%{y:.1%}<extra>" + name + "</extra>",
        )
    fig.update_layout(showlegend=True, legend=LEGEND_ABOVE, yaxis_tickformat=".0%")
    return fig


def score_grid(
    scores: np.ndarray, rows: tuple, columns: tuple, titles: tuple[str, str], at: tuple[int, int]
) -> go.Figure:
    """A heat map of shares in percent, with a frame around the cell `at` (row, column).

    `customdata` numbers the cells row by row, so that a click identifies one. (-1, -1) frames none.
    """
    fig = small_chart(titles[1], titles[0])
    x, y = [str(c) for c in columns], [str(r) for r in rows]
    low, high = float(np.nanmin(scores)), float(np.nanmax(scores))
    text = [[f"{100 * s:.1f}" for s in row] for row in scores]
    fig.add_heatmap(
        z=scores,
        x=x,
        y=y,
        customdata=np.arange(scores.size).reshape(scores.shape).tolist(),  # rows must be lists
        text=text,
        texttemplate="%{text}",
        hovertemplate=f"{titles[0]} %{{y}}, {titles[1]} %{{x}}: %{{text}}%<extra></extra>",
        colorscale="Cividis",
        zmin=low,
        zmax=max(high, low + 1e-9),
        showscale=False,
        xgap=2,
        ygap=2,
    )
    fig.update_layout(xaxis_type="category", yaxis_type="category")
    fig.update_xaxes(ticks="").update_yaxes(ticks="", ticklabelstandoff=6)
    if at != (-1, -1):
        i, j = at
        fig.add_shape(
            type="rect",
            x0=j - 0.5,
            x1=j + 0.5,
            y0=i - 0.5,
            y1=i + 0.5,
            line={"color": ACCENT, "width": 3},
        )
    return fig
