"""Charts of FLP: H beside what it is worth, who is heard, how much width and dimensions matter."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.theme import ACCENT, BACKDROP, OKABE_ITO

VANISHED_SHARE = 0.01  # share of its start at which H counts as gone
LOWEST_POWER, HIGHEST_POWER, BINS_PER_POWER = (
    -3,
    1,
    5,
)  # the histogram of voices: powers of ten, and bins in each
LEGEND = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}


def objective_curves(
    harmony: np.ndarray, found: np.ndarray, heard: np.ndarray, chance: float
) -> go.Figure:
    """H as a share of its start, labels found and points heard, over the half-steps (T,).

    A line marks where H is gone, a dotted one what guessing finds. Where no label is hidden the
    other two are nan: then H is drawn alone.
    """
    fig = _chart("half-step", "share")
    start = harmony[0] if harmony[0] > 0 else 1.0
    curves = (
        ("H, of its start", harmony / start, OKABE_ITO[5], "solid"),
        ("labels found", found, OKABE_ITO[0], "solid"),
        ("points heard", heard, OKABE_ITO[2], "dash"),
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
        fig.add_hline(y=chance, line={"dash": "dot", "width": 1.5, "color": BACKDROP})
        fig.add_annotation(  # left of the end, where the line of the film rests
            x=len(harmony) - 1, xshift=-6, y=chance, text="guessing", showarrow=False,
            xanchor="right", yanchor="bottom", font={"size": 11},
        )  # fmt: skip
    gone = np.flatnonzero(harmony <= VANISHED_SHARE * start)
    if len(gone) and harmony[0] > 0:
        _mark_value(fig, int(gone[0]), "H ≈ 0")
    fig.update_yaxes(range=[-0.03, 1.06], tickformat=".0%")
    return fig


def influence_histogram(voice: np.ndarray, right: np.ndarray) -> go.Figure:
    """How loud points are, in fair shares on a log scale, right ones and wrong ones stacked.

    The first bar holds all that are not heard at all.
    """
    fig = _chart("voice, in fair shares", "points")
    count = (HIGHEST_POWER - LOWEST_POWER) * BINS_PER_POWER
    level = np.log10(np.maximum(voice, np.finfo(float).tiny))
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
    fig.update_layout(barmode="stack", bargap=0.05)
    return fig


def width_curves(
    widths: np.ndarray, found: np.ndarray, heard: np.ndarray, now: float, baseline: float
) -> go.Figure:
    """Labels found and points heard over the kernel's width (t,) on a log scale."""
    fig = _chart("spread of the map (the hidden kernel width)", "share")
    for name, share, colour, dash in (
        ("labels found", found, OKABE_ITO[0], "solid"),
        ("points heard", heard, OKABE_ITO[2], "dash"),
    ):
        fig.add_scatter(
            x=widths,
            y=share,
            name=name,
            mode="lines+markers",
            line={"color": colour, "dash": dash},
            hovertemplate="%{x:.3g}: %{y:.1%}<extra>" + name + "</extra>",
        )
    fig.add_hline(y=baseline, line={"dash": "dot", "width": 1.5, "color": BACKDROP})
    fig.add_annotation(
        x=0, xref="paper", y=baseline, text="1-NN without a map", showarrow=False, xanchor="left",
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

    The first curve is thick; lines mark the present number and C − 1, the `usual` one; `span` are
    the ends of the other axis, so that two charts can be compared.
    """
    fig = _chart("dimensions", "share found")
    for i, (name, share) in enumerate(curves.items()):
        fig.add_scatter(
            x=dimensions,
            y=share,
            name=name,
            mode="lines+markers",
            line={"color": OKABE_ITO[(0, 4, 1, 2, 3)[i % 5]], "width": 4 if i == 0 else 2},
            hovertemplate="%{x}: %{y:.1%}<extra>" + name + "</extra>",
        )
    fig.add_vline(x=usual, line={"dash": "dot", "width": 1.5, "color": BACKDROP})
    if now != usual:
        _mark_value(fig, now, "now")
    fig.update_xaxes(tickvals=dimensions)
    fig.update_yaxes(tickformat=".0%", range=span)
    return fig


def add_directions(fig: go.Figure, points: np.ndarray, A: np.ndarray) -> None:
    """Lines along the directions of a projection (2, 2, p) of the plane: at the start and the end.

    The first is thin and dotted, the last one thick.
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
    fig.add_vline(x=x, line={"dash": "dot", "width": 2, "color": ACCENT})
    fig.add_annotation(
        x=np.log10(x) if log else x, y=0.5, yref="paper", text=text, showarrow=False,
        xanchor="left", xshift=3, font={"color": ACCENT},
    )  # fmt: skip


def _chart(x: str, y: str) -> go.Figure:
    return go.Figure(
        layout={
            "margin": {"l": 52, "r": 12, "t": 36, "b": 44},
            "legend": LEGEND,
            "showlegend": True,  # also of one curve alone
            "dragmode": False,
            "hovermode": "closest",
            "xaxis": {"title": x, "fixedrange": True},
            "yaxis": {"title": y, "fixedrange": True},
        }
    )
