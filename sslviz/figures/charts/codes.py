"""Charts of codes and their classifier: heat map, weights, margins, objective."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from sslviz.figures.frames import set_frames, skip_checks
from sslviz.figures.theme import ACCENT, BACKDROP, OKABE_ITO, class_colours, css_of, rgb_of

PLUS, MINUS = "#2E90D9", "#E0660A"  # as far from black as from white: pages may be dark
LEAST_OPACITY = 0.25  # opacity of the smallest weight that is not zero
FULL_COLOUR = 70  # of 100, the root of the largest weight: half of it already has the full colour
CLASSES_DRAWN = 12  # classes whose scores are drawn
BINS = np.linspace(-2.5, 2.5, 51)
TICKS = 6  # of a log axis, about
ROUNDING_DECADES = 12  # what is smaller than the largest value by so many is rounding


def code_map(
    A: np.ndarray,
    group: np.ndarray,
    classes: tuple[str, ...],
    atoms: np.ndarray,
    chosen: np.ndarray,
    *,
    clicked: int | None = None,
    atom: int | None = None,
) -> go.Figure:
    """Codes A (n, p) of the points `chosen`, sorted by class, over the atoms in the order `atoms`.

    Colours follow the square root of a weight, so that small ones are visible. Above: how many
    atoms each code uses. A click in a column reports its point. `clicked` and `atom` mark a column
    and a row.
    """
    at = chosen[np.lexsort((chosen, group[chosen]))]
    part = A[at][:, atoms].T  # (p, m)
    fig = make_subplots(
        rows=2, cols=1, shared_xaxes=True, row_heights=[0.16, 0.84], vertical_spacing=0.02
    )
    used = (part != 0).sum(axis=0)
    fig.add_bar(x=np.arange(len(at)), y=used, marker_color=BACKDROP, hoverinfo="skip", row=1, col=1)
    add_weights(fig, part, row=2, col=1)
    texts = [f"point {i} · {classes[group[i]]} · {u} atoms" for i, u in zip(at, used, strict=True)]
    fig.add_heatmap(
        z=[[0] * len(at)],
        x=np.arange(len(at) + 1) - 0.5,
        y=[-0.5, len(atoms) - 0.5],
        customdata=[at.tolist()],  # rows must be lists
        text=[texts],
        hovertemplate="%{text}<extra></extra>",
        opacity=0,
        showscale=False,
        row=2,
        col=1,
    )
    present, starts, sizes = np.unique(group[at], return_index=True, return_counts=True)
    lines = [_vertical_line(start - 0.5, BACKDROP, 1) for start in starts[1:]]
    if clicked is not None and clicked in at:
        lines.append(_vertical_line(int(np.flatnonzero(at == clicked)[0]), ACCENT, 2))
    if atom is not None and atom in atoms:
        row = int(np.flatnonzero(atoms == atom)[0])
        line = {"color": ACCENT, "width": 2}
        lines.append(dict(type="line", xref="x2 domain", yref="y2", x0=0, x1=1, y0=row, y1=row,
                          line=line))  # fmt: skip
    fig.update_layout(shapes=lines)
    fig.update_layout(
        margin={"l": 52, "r": 12, "t": 8, "b": 40},
        showlegend=False,
        dragmode=False,
        bargap=0,
        hovermode="closest",
    )
    fig.update_xaxes(fixedrange=True, showgrid=False, range=[-0.5, len(at) - 0.5])
    fig.update_yaxes(fixedrange=True, showgrid=False)
    ticks = {"tickvals": starts + (sizes - 1) / 2, "ticktext": [classes[c] for c in present]}
    fig.update_xaxes(ticks, row=2, col=1)
    fig.update_yaxes(title="used", nticks=3, row=1, col=1)
    shown = {"showticklabels": False, "title": "atoms", "range": [len(atoms) - 0.5, -0.5]}
    fig.update_yaxes(shown, row=2, col=1)
    return fig


def add_weights(
    fig: go.Figure, values: np.ndarray, unit: float | None = None, **where: int
) -> None:
    """A matrix of weights as a heat map, on its own scale: the roots of positive and negative ones.

    With a `unit` the values themselves, as shares of it: small ones are hardly visible, as they
    should be where no entry is exactly zero. `where` is the row and column of a panel.
    """
    most = unit or float(np.abs(values).max(initial=0)) or 1.0
    shares = np.clip(values / most, -1, 1)
    shown = shares if unit else np.sign(shares) * np.sqrt(np.abs(shares))
    full = 100 if unit else FULL_COLOUR
    fig.add_heatmap(
        z=np.rint(100 * shown).astype(np.int8),
        zmin=-full,
        zmax=full,
        colorscale=plain_scale() if unit else signed_scale(),
        showscale=False,
        hoverinfo="skip",
        **where,
    )


def signed_scale() -> list[list[Any]]:
    """A scale of -FULL … FULL over any page: zero is transparent, all other values are visible."""
    minus, plus = _colours_by_opacity()
    one = 0.5 / FULL_COLOUR
    faint = [
        [0.5 - one, minus.format(LEAST_OPACITY)],
        [0.5, plus.format(0)],
        [0.5 + one, plus.format(LEAST_OPACITY)],
    ]
    return [[0, minus.format(1)], *faint, [1, plus.format(1)]]


def plain_scale() -> list[list[Any]]:
    """A scale over any page whose opacity is the size of a value."""
    minus, plus = _colours_by_opacity()
    return [
        [0, minus.format(1)],
        [0.5, minus.format(0)],
        [0.5, plus.format(0)],
        [1, plus.format(1)],
    ]


def _colours_by_opacity() -> tuple[str, str]:
    """The colours of negative and positive values, with a place for the opacity."""
    minus, plus = ("rgba({:.0f},{:.0f},{:.0f},{{}})".format(*rgb_of(c)) for c in (MINUS, PLUS))
    return minus, plus


def _vertical_line(x: float, colour: str, width: float) -> dict[str, Any]:
    """A line over the whole height of the lower panel."""
    line = {"color": colour, "width": width}
    return dict(type="line", xref="x2", yref="y2 domain", x0=x, x1=x, y0=0, y1=1, line=line)


def signed_bars(
    values: np.ndarray, labels: list[str], y: str, colours: list[str] | None = None
) -> go.Figure:
    """One bar per label; without `colours` blue above zero and orange below."""
    fig = _blank_chart("", y)
    tones = colours or [PLUS if v >= 0 else MINUS for v in values]
    fig.add_bar(
        x=labels, y=values, marker_color=tones, hovertemplate="%{x}: %{y:.3g}<extra></extra>"
    )
    fig.update_layout(xaxis_type="category", margin={"l": 48, "r": 12, "t": 8, "b": 40})
    fig.update_yaxes(automargin=True)
    return fig


def code_bars(code: np.ndarray, most: int = 24) -> go.Figure:
    """The heaviest entries of a code; a click reports the atom."""
    at = np.argsort(-np.abs(code), kind="stable")[:most]
    at = at[code[at] != 0]
    fig = signed_bars(code[at], [str(i) for i in at], "weight")
    fig.data[0].update(customdata=at, hovertemplate="atom %{x}: %{y:.3g}<extra></extra>")
    return fig.update_xaxes(title="atom")


def profile_pair(x: np.ndarray, made: np.ndarray) -> go.Figure:
    """A point and its reconstruction, feature by feature."""
    fig = _blank_chart("feature", "value")
    features = np.arange(1, len(x) + 1)
    if len(x) <= 40:
        fig.add_bar(x=features, y=x, name="point", marker_color=BACKDROP)
        fig.add_bar(x=features, y=made, name="reconstruction", marker_color=PLUS)
    else:
        fig.add_scatter(x=features, y=x, name="point", line_color=BACKDROP, mode="lines")
        fig.add_scatter(x=features, y=made, name="reconstruction", line_color=PLUS, mode="lines")
    legend = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}
    return fig.update_layout(showlegend=True, legend=legend, barmode="group")


def margin_rows(
    scores: list[np.ndarray],
    predicted: list[np.ndarray],
    classes: tuple[str, ...],
    names: list[str],
) -> go.Figure:
    """Per class a row: scores of the points predicted to be of it, and below them of all others.

    `scores` (n, C) and `predicted` (n,) classes, one of each per frame. The margins are the
    lines at ±1.
    """
    shown = min(len(classes), CLASSES_DRAWN)
    frames = [_ridges(s, h, shown) for s, h in zip(scores, predicted, strict=True)]
    edge = np.concatenate([[BINS[0]], np.repeat(BINS[1:-1], 2), [BINS[-1]]])
    x = np.concatenate([edge, edge[::-1], [np.nan]]).astype(np.float32)
    fig = skip_checks(_blank_chart("score", ""))
    colours = [*(css_of(c) for c in class_colours(len(classes))[:shown]), BACKDROP]
    look = {"type": "scatter", "mode": "lines", "fill": "toself", "hoverinfo": "skip"}
    fig.add_traces(
        [
            {**look, "x": np.tile(x, len(y) // len(x)), "y": y, "opacity": 0.85,
             "fillcolor": colour, "line": {"color": colour, "width": 1}}
            for y, colour in zip(frames[-1], colours, strict=True)
        ]
    )  # fmt: skip
    line = {"dash": "dash", "width": 1.5, "color": ACCENT}
    margins = [
        dict(type="line", xref="x", yref="y domain", x0=at, x1=at, y0=0, y1=1, line=line)
        for at in (-1, 1)
    ]
    ticks = {"tickvals": list(range(shown)), "ticktext": [c[:16] for c in classes[:shown]]}
    fig.update_layout(
        shapes=margins,
        margin_l=20 + 7 * min(max(map(len, classes[:shown])), 16),
        xaxis={"range": [BINS[0], BINS[-1]], "tickvals": [-2, -1, 0, 1, 2]},
        yaxis={"range": [shown - 0.4, -0.6], "showgrid": False, "zeroline": False, **ticks},
    )
    if len(names) > 1:
        set_frames(
            fig,
            [
                {
                    "name": name,
                    "traces": list(range(shown + 1)),
                    "data": [{"type": "scatter", "y": y} for y in ridges],
                }
                for name, ridges in zip(names, frames, strict=True)
            ],
        )
    return fig


def term_lines(terms: Mapping[str, np.ndarray]) -> go.Figure:
    """The terms of the objective, each (t,), and their sum; terms that are always 0 are left out.

    In log scale, and zeros are not drawn; where a term is negative in linear scale. What is below
    the rounding of the sum is cut off.
    """
    fig = _blank_chart("round", "objective")
    curves = {"sum": np.sum(list(terms.values()), axis=0), **terms}
    rounds = np.arange(1, len(curves["sum"]) + 1)
    for (name, y), colour in zip(curves.items(), (BACKDROP, *OKABE_ITO), strict=False):
        if not (y != 0).any():
            continue
        name = name.replace("_", " ")
        fig.add_scatter(x=rounds, y=y, name=name, line_color=colour, mode="lines+markers")
        fig.data[-1].update(hovertemplate=f"%{{y:.4g}}<extra>{name}</extra>", marker_size=4)
    legend = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}
    if not has_negative(terms):
        low, high = _decades(curves)
        fig.update_yaxes(type="log", dtick=max(1, round((high - low) / TICKS)), range=[low, high])
    return fig.update_layout(showlegend=True, legend=legend)


def _decades(curves: Mapping[str, np.ndarray]) -> tuple[float, float]:
    """The range of a log axis that holds all curves, down to the rounding of the largest."""
    values = np.concatenate([np.ravel(y) for y in curves.values()])
    positive = np.log10(values[values > 0])
    if not len(positive):
        return -1.0, 1.0
    high = float(positive.max())
    low = max(float(positive.min()), high - ROUNDING_DECADES)
    gap = max(0.05 * (high - low), 0.05)
    return low - gap, high + gap


def has_negative(terms: Mapping[str, np.ndarray]) -> bool:
    """Whether a term is negative somewhere: there is no logarithm of it."""
    return any((np.asarray(y) < 0).any() for y in terms.values())


def _ridges(scores: np.ndarray, predicted: np.ndarray, shown: int) -> list[np.ndarray]:
    """Outlines of histograms: above its line one for each class, below them all others in one."""
    above: list[np.ndarray] = []
    below: list[np.ndarray] = []
    for c in range(shown):
        for own, way, lines in ((predicted == c, -1, above), (predicted != c, 1, below)):
            count, _ = np.histogram(np.clip(scores[own, c], BINS[0], BINS[-1]), BINS)
            share = np.sqrt(count / max(count.max(), 1))  # roots: a single point is still seen
            high = way * 0.42 * np.repeat(share, 2)
            lines.append(np.concatenate([c + high, c + 0 * high, [np.nan]]).astype(np.float32))
    return [*above, np.concatenate(below)]


def _blank_chart(x: str, y: str) -> go.Figure:
    return go.Figure(
        layout={
            "margin": {"l": 52, "r": 12, "t": 24, "b": 44},
            "bargap": 0.1,
            "showlegend": False,
            "dragmode": False,
            "xaxis": {"title": x, "fixedrange": True},
            "yaxis": {"title": y, "fixedrange": True},
        }
    )
