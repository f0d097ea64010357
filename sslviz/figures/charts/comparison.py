"""Charts that compare methods: accuracy over draws, learning curves, difficulty of the points."""

from textwrap import wrap

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.charts.basic import small_chart
from sslviz.figures.frames import set_frames
from sslviz.figures.maps.points import class_map, marker_size, ring_marker
from sslviz.figures.theme import (
    ACCENT,
    BACKDROP,
    OKABE_ITO,
    PAPER,
    add_line,
    class_colours,
    mixed_colours,
    rgb_of,
    scatter,
)

DASHES = ("solid", "dash", "dot")  # the next when all colours are used
NAME_WIDTH = 22  # letters of a name in a line


def method_line(i: int) -> dict[str, str]:
    """Colour and dash of the i-th method, the same in every chart."""
    return {"color": OKABE_ITO[i % len(OKABE_ITO)], "dash": DASHES[i // len(OKABE_ITO) % 3]}


def accuracy_chart(
    titles: list[str], accuracies: np.ndarray, present: np.ndarray, baseline: int
) -> go.Figure:
    """A row per method, best mean on top: dots for its draws (m, draws), mean and deviation.

    `present` (m,) is the accuracy on the map, a diamond. The mean of the baseline is a line through
    all rows.
    """
    fig = small_chart("accuracy", "", height=chart_height(len(titles)))
    means = np.array([np.nanmean(a) if np.isfinite(a).any() else np.nan for a in accuracies])
    names = ["<br>".join(wrap(title, NAME_WIDTH)) for title in titles]
    worst_first = np.argsort(np.where(np.isnan(means), -1, means), kind="stable")
    for i in worst_first:
        colour, there = method_line(i)["color"], accuracies[i][np.isfinite(accuracies[i])]
        row = {"y": [names[i]], "name": titles[i], "mode": "markers"}
        spread = float(there.std(ddof=1)) if len(there) > 1 else 0.0
        fig.add_scatter(
            **row,
            x=[means[i]],
            error_x={"array": [spread], "thickness": 2, "width": 6, "color": colour},
            marker={"size": 5, "symbol": "line-ns", "line": {"width": 3, "color": colour}},
            hovertemplate=f"mean %{{x:.1%}} ± {100 * spread:.1f}<extra>{titles[i]}</extra>",
        )
        fig.add_scatter(
            **row | {"y": [names[i]] * len(there)},
            x=there,
            marker={"size": 7, "color": colour, "opacity": 0.45},
            hovertemplate="a draw: %{x:.1%}<extra>" + titles[i] + "</extra>",
        )
        fig.add_scatter(
            **row,
            x=[present[i]],
            marker={"size": 10, "symbol": "diamond", "color": colour, "line": {"width": 1.5}},
            meta=PAPER,
            hovertemplate="on the map: %{x:.1%}<extra>" + titles[i] + "</extra>",
        )
    if np.isfinite(means[baseline]):
        add_line(fig, {"dash": "dot", "width": 2, "color": BACKDROP}, x=float(means[baseline]))
    order = [names[i] for i in worst_first]
    fig.update_yaxes(automargin=True, categoryorder="array", categoryarray=order)
    fig.update_layout(xaxis_tickformat=".0%", margin={"l": 8, "r": 16})
    return fig


def chart_height(rows: int) -> int:
    """The height of a chart with so many rows."""
    return max(240, 44 * rows + 80)


def learning_curves(
    sizes: list[int],
    titles: list[str],
    means: np.ndarray,
    stds: np.ndarray,
    what: str = "labels per class",
) -> go.Figure:
    """Mean accuracies (m, sizes) over the number of labels, with a band of one deviation.

    The axis of labels is logarithmic, unless there is a zero among them.
    """
    fig = small_chart(what, "accuracy", height=360)
    for i, title in enumerate(titles):
        there = np.isfinite(means[i])
        if not there.any():
            continue
        x, mean, std = np.array(sizes)[there], means[i][there], np.nan_to_num(stds[i][there])
        fig.add_scatter(
            x=np.concatenate([x, x[::-1]]),
            y=np.concatenate([np.minimum(mean + std, 1), (mean - std)[::-1]]),
            fill="toself",
            fillcolor=f"rgba{(*rgb_of(method_line(i)['color']).astype(int).tolist(), 0.12)}",
            line={"width": 0},
            mode="lines",
            hoverinfo="skip",
            showlegend=False,
        )
        fig.add_scatter(
            x=x,
            y=mean,
            name=title,
            mode="lines+markers",
            line={"width": 2.5, **method_line(i)},
            hovertemplate="%{x}: %{y:.1%}<extra>" + title + "</extra>",
        )
    legend = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}
    fig.update_layout(showlegend=True, legend=legend, yaxis_tickformat="~%", margin_l=64)
    if 0 in sizes:
        return fig
    ends = np.log10([sizes[0] * 0.9, sizes[-1] * 1.1])
    ticks = {"tickvals": sizes, "ticktext": [str(s) for s in sizes]}
    fig.update_xaxes(type="log", range=ends, **ticks)
    return fig


def right_counts(right: np.ndarray) -> go.Figure:
    """Hidden points by how many methods predict them correctly; `right` (m, hidden)."""
    fig = small_chart("methods that predict it correctly", "hidden points")
    count = np.bincount(right.sum(axis=0), minlength=len(right) + 1)
    colours = [ACCENT, *[BACKDROP] * (len(count) - 2), OKABE_ITO[2]]
    fig.add_bar(
        x=["none", *map(str, range(1, len(count) - 1)), "all"],
        y=count,
        marker_color=colours,
        hovertemplate="%{y:,} points<extra></extra>",
    )
    fig.update_layout(xaxis_type="category")
    return fig


def prediction_map(
    points: np.ndarray,
    predictions: list[np.ndarray],
    truth: np.ndarray,
    given: np.ndarray,
    classes: tuple[str, ...],
    names: list[str],
    *,
    facts: list[str],
    uirevision: str,
) -> go.Figure:
    """One map with a frame per prediction (n,), -1 grey; mistakes ringed, where the truth is known.

    Stepping between two frames shows where they differ, at any zoom.
    """
    eye, size = np.eye(len(classes)), marker_size(len(points))
    shown = [np.where(a[:, None] >= 0, eye[a], 0.0) for a in predictions]
    wrong = [(a != truth) & (a >= 0) & (given < 0) & (truth >= 0) for a in predictions]
    fig = class_map(points, shown[-1], given, classes, facts=facts, uirevision=uirevision)
    around = ring_marker(max(int(mask.sum()) for mask in wrong), ACCENT, size + 5)
    rings = scatter(points[wrong[-1]], mode="markers", marker=around, hoverinfo="skip")
    fig.add_trace(rings.update(name="mistakes"))
    colours, last = class_colours(len(classes)), len(fig.data) - 1

    def places(mask: np.ndarray) -> dict[str, np.ndarray]:
        return dict(zip("xyz", points[mask].T.astype(np.float32), strict=False))

    set_frames(
        fig,
        [
            {
                "name": name,
                "traces": [0, last],
                "data": [
                    {"type": fig.data[0].type, "marker": mixed_colours(F, colours)},
                    {"type": rings.type, **places(mask)},
                ],
            }
            for name, F, mask in zip(names, shown, wrong, strict=True)
        ],
    )
    return fig
