"""Charts of FLP: objective and accuracy, influence, kernel width, number of dimensions."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.charts.basic import LEGEND_ABOVE
from sslviz.figures.theme import ACCENT, BACKDROP, OKABE_ITO, add_line

VANISHED_SHARE = 0.01  # of its first value, below which H is marked as zero
LOWEST_POWER, HIGHEST_POWER = -3, 1  # of ten, in the histogram of influence
BINS_PER_POWER = 5


def objective_curves(
    harmony: np.ndarray, accuracy: np.ndarray, influential: np.ndarray, chance: float
) -> go.Figure:
    """H relative to its start, accuracy and share of influential points, over half-steps (T,).

    Lines mark where H is almost zero, and the accuracy of guessing. Where no label is hidden,
    `accuracy` and `influential` are nan, and H is drawn alone.
    """
    fig = _chart("half-step", "share")
    start = harmony[0] if harmony[0] > 0 else 1.0
    curves = (
        ("H, relative to its start", harmony / start, OKABE_ITO[5], "solid"),
        ("accuracy", accuracy, OKABE_ITO[0], "solid"),
        ("points with influence", influential, OKABE_ITO[2], "dash"),
    )
    for name, share, colour, dash in curves:
        if np.isnan(share).all():
            continue
        fig.add_scatter(
            x=np.arange(len(share)),
            y=share,
            name=name,
            mode="lines+markers",
            line={"color": colour, "dash": dash},
            marker_size=5,
            hovertemplate="%{y:.1%}<extra>" + name + "</extra>",
        )
    if len(fig.data) > 1:
        add_line(fig, {"dash": "dot", "width": 1.5, "color": BACKDROP}, y=chance)
        fig.add_annotation(  # left of the end, where the player's line starts
            x=len(harmony) - 1, xshift=-6, y=chance, text="guessing", showarrow=False,
            xanchor="right", yanchor="bottom", font={"size": 11},
        )  # fmt: skip
    zero = np.flatnonzero(harmony <= VANISHED_SHARE * start)
    if len(zero) and harmony[0] > 0:
        _mark_value(fig, int(zero[0]), "H ≈ 0")
    fig.update_yaxes(range=[-0.03, 1.06], tickformat=".0%")
    return fig


def influence_histogram(influence: np.ndarray, right: np.ndarray) -> go.Figure:
    """Histogram of the influence of points, in units of the mean, right and wrong ones stacked.

    The scale is logarithmic; the first bar holds all points without influence.
    """
    fig = _chart("influence, relative to the mean", "points")
    count = (HIGHEST_POWER - LOWEST_POWER) * BINS_PER_POWER
    level = np.log10(np.maximum(influence, np.finfo(float).tiny))
    at = np.clip(np.floor((level - LOWEST_POWER) * BINS_PER_POWER), -1, count - 1).astype(int)
    centre = LOWEST_POWER + (np.arange(-1, count) + 0.5) / BINS_PER_POWER
    for name, mask, colour in (("right", right, OKABE_ITO[2]), ("wrong", ~right, OKABE_ITO[5])):
        bars = np.bincount(at[mask] + 1, minlength=count + 1)
        fig.add_bar(
            x=centre,
            y=bars,
            name=name,
            marker_color=colour,
            width=0.94 / BINS_PER_POWER,
            hovertemplate="%{y} points<extra>" + name + "</extra>",
        )
    ticks = {LOWEST_POWER - 0.5 / BINS_PER_POWER: "none", -2: "1/100", -1: "1/10", 0: "1", 1: "10"}
    fig.update_xaxes(tickvals=list(ticks), ticktext=list(ticks.values()), zeroline=False)
    fig.update_layout(barmode="stack", bargap=0.05, legend_traceorder="normal")
    return fig


def width_curves(
    widths: np.ndarray, accuracy: np.ndarray, influential: np.ndarray, now: float, baseline: float
) -> go.Figure:
    """Accuracy and share of influential points over the kernel width (t,), on a log scale."""
    fig = _chart("spread of the projection (inverse kernel width)", "share")
    for name, share, colour, dash in (
        ("accuracy", accuracy, OKABE_ITO[0], "solid"),
        ("points with influence", influential, OKABE_ITO[2], "dash"),
    ):
        fig.add_scatter(
            x=widths,
            y=share,
            name=name,
            mode="lines+markers",
            line={"color": colour, "dash": dash},
            hovertemplate="%{x:.3g}: %{y:.1%}<extra>" + name + "</extra>",
        )
    add_line(fig, {"dash": "dot", "width": 1.5, "color": BACKDROP}, y=baseline)
    fig.add_annotation(
        x=0, xref="paper", y=baseline, text="1-NN on all features", showarrow=False, xanchor="left",
        yanchor="top", font={"size": 11},
    )  # fmt: skip
    _mark_value(fig, now, "now", log=True)
    fig.update_xaxes(type="log", tickvals=[0.1, 1, 10, 100], ticktext=["0.1", "1", "10", "100"])
    fig.update_yaxes(tickformat=".0%", range=[0, 1.04])
    return fig


def dimension_curves(
    dimensions: np.ndarray,
    curves: dict[str, np.ndarray],
    now: int,
    usual: int,
    span: tuple[float, float],
) -> go.Figure:
    """Accuracies (t,) over the number of dimensions (t,); nan where a method has fewer.

    The first curve is thick. Lines mark the present number and the `usual` one, C − 1. `span` is
    the range of the other axis, so that two charts can be compared.
    """
    fig = _chart("dimensions", "accuracy")
    for i, (name, share) in enumerate(curves.items()):
        fig.add_scatter(
            x=dimensions,
            y=share,
            name=name,
            mode="lines+markers",
            line={"color": OKABE_ITO[(0, 4, 1, 2, 3)[i % 5]], "width": 4 if i == 0 else 2},
            hovertemplate="%{x}: %{y:.1%}<extra>" + name + "</extra>",
        )
    add_line(fig, {"dash": "dot", "width": 1.5, "color": BACKDROP}, x=usual)
    if now != usual:
        _mark_value(fig, now, "now")
    fig.update_xaxes(tickvals=dimensions)
    fig.update_yaxes(tickformat=".0%", range=span)
    return fig


def add_directions(fig: go.Figure, points: np.ndarray, A: np.ndarray) -> None:
    """Lines along the directions of projections (2, 2, p) of the plane: at the start and the end.

    Those of the start are thin and dotted, those of the end thick.
    """
    centre, length = points.mean(axis=0), 0.55 * np.ptp(points, axis=0).max()
    for matrix, name, line in (
        (A[0], "direction at the start", {"color": BACKDROP, "width": 2, "dash": "dot"}),
        (A[1], "direction found", {"color": ACCENT, "width": 3}),
    ):
        unit = matrix / np.maximum(np.linalg.norm(matrix, axis=0), np.finfo(float).tiny)
        strength = np.linalg.norm(matrix, axis=0) / max(np.linalg.norm(matrix), 1e-300)
        ends = [
            np.stack([centre - length * s * u, centre + length * s * u, np.full(2, np.nan)])
            for s, u in zip(strength, unit.T, strict=True)
        ]
        x, y = np.concatenate(ends).T
        fig.add_scatter(x=x, y=y, mode="lines", name=name, line=line, hoverinfo="skip")


def _mark_value(fig: go.Figure, x: float, text: str, log: bool = False) -> None:
    add_line(fig, {"dash": "dot", "width": 2, "color": ACCENT}, x=x)
    fig.add_annotation(
        x=np.log10(x) if log else x, y=0.8, yref="paper", text=text, showarrow=False,
        xanchor="left", xshift=3, font={"color": ACCENT},
    )  # fmt: skip


def _chart(x: str, y: str) -> go.Figure:
    return go.Figure(
        layout={
            "margin": {"l": 52, "r": 12, "t": 36, "b": 44},
            "legend": LEGEND_ABOVE,
            "showlegend": True,  # also of a single curve
            "dragmode": False,
            "hovermode": "closest",
            "xaxis": {"title": x, "fixedrange": True},
            "yaxis": {"title": y, "fixedrange": True},
        }
    )
