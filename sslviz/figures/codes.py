"""Codes and what a classifier makes of them: heat map, weights, margins, objective."""

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from sslviz.figures.theme import ACCENT, OKABE_ITO, PALE, class_colours, css

NOTHING = "rgba(128,128,128,0)"
PLUS, MINUS = OKABE_ITO[0], OKABE_ITO[5]
MOST_ROWS = 12  # classes whose scores are drawn
BINS = np.linspace(-2.5, 2.5, 51)
TERMS = ("reconstruction", "sparsity", "graph", "discrimination")


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

    Colours follow the root of a weight, so that small ones are seen. Above: how many atoms each
    code uses. A click anywhere in a column reports its point. `clicked`
    and `atom` mark a column and a row.
    """
    at = chosen[np.lexsort((chosen, group[chosen]))]
    part = A[at][:, atoms].T  # (p, m)
    most = float(np.abs(part).max()) or 1.0
    fig = make_subplots(
        rows=2, cols=1, shared_xaxes=True, row_heights=[0.16, 0.84], vertical_spacing=0.02
    )
    used = (part != 0).sum(axis=0)
    fig.add_bar(x=np.arange(len(at)), y=used, marker_color=PALE, hoverinfo="skip", row=1, col=1)
    fig.add_heatmap(
        z=np.rint(100 * np.sign(part) * np.sqrt(np.abs(part) / most)).astype(np.int8),
        zmin=-100,
        zmax=100,
        colorscale=[[0, MINUS], [0.5, NOTHING], [1, PLUS]],
        showscale=False,
        hoverinfo="skip",
        row=2,
        col=1,
    )
    said = [f"point {i} · {classes[group[i]]} · {u} atoms" for i, u in zip(at, used, strict=True)]
    fig.add_heatmap(
        z=[[0] * len(at)],
        x=np.arange(len(at) + 1) - 0.5,
        y=[-0.5, len(atoms) - 0.5],
        customdata=[at.tolist()],  # rows must be lists
        text=[said],
        hovertemplate="%{text}<extra></extra>",
        opacity=0,
        showscale=False,
        row=2,
        col=1,
    )
    present, starts, sizes = np.unique(group[at], return_index=True, return_counts=True)
    for start in starts[1:]:
        fig.add_vline(x=start - 0.5, line={"color": PALE, "width": 1}, row=2, col=1)
    line = {"color": ACCENT, "width": 2}
    if clicked is not None and clicked in at:
        fig.add_vline(x=int(np.flatnonzero(at == clicked)[0]), line=line, row=2, col=1)
    if atom is not None and atom in atoms:
        fig.add_hline(y=int(np.flatnonzero(atoms == atom)[0]), line=line, row=2, col=1)
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


def signed_bars(
    values: np.ndarray, labels: list[str], y: str, colours: list[str] | None = None
) -> go.Figure:
    """One bar per label; without `colours` blue above zero and red below."""
    fig = _small("", y)
    tones = colours or [PLUS if v >= 0 else MINUS for v in values]
    fig.add_bar(
        x=labels, y=values, marker_color=tones, hovertemplate="%{x}: %{y:.3g}<extra></extra>"
    )
    fig.update_layout(xaxis_type="category", margin={"l": 48, "r": 12, "t": 8, "b": 40})
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
    fig = _small("feature", "value")
    features = np.arange(1, len(x) + 1)
    if len(x) <= 40:
        fig.add_bar(x=features, y=x, name="point", marker_color=PALE)
        fig.add_bar(x=features, y=made, name="reconstruction", marker_color=PLUS)
    else:
        fig.add_scatter(x=features, y=x, name="point", line_color=PALE, mode="lines")
        fig.add_scatter(x=features, y=made, name="reconstruction", line_color=PLUS, mode="lines")
    legend = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}
    return fig.update_layout(showlegend=True, legend=legend, barmode="group")


def margin_rows(
    scores: list[np.ndarray], held: list[np.ndarray], classes: tuple[str, ...], names: list[str]
) -> go.Figure:
    """Per class a row: scores of the points held to be of it, and below them of all others.

    `scores` (n, C) and `held` (n,), one of each per frame. The margins are the lines at ±1.
    """
    shown = min(len(classes), MOST_ROWS)
    frames = [_ridges(s, h, shown) for s, h in zip(scores, held, strict=True)]
    x = np.concatenate([[BINS[0]], np.repeat(BINS[1:-1], 2), [BINS[-1]]])
    x = np.concatenate([x, x[::-1]]).astype(np.float32)
    fig = _small("score", "")
    colours = [css(c) for c in class_colours(len(classes))]
    for i, y in enumerate(frames[-1]):
        own = i % 2 == 0
        colour = colours[i // 2] if own else PALE
        fig.add_scatter(x=x, y=y, mode="lines", fill="toself", hoverinfo="skip", opacity=0.85)
        fig.data[-1].update(line={"color": colour, "width": 1}, fillcolor=colour)
    for margin in (-1, 1):
        fig.add_vline(x=margin, line={"dash": "dash", "width": 1.5, "color": ACCENT})
    fig.update_xaxes(range=[BINS[0], BINS[-1]], tickvals=[-2, -1, 0, 1, 2])
    ticks = {"tickvals": list(range(shown)), "ticktext": list(classes[:shown])}
    fig.update_yaxes(range=[shown - 0.4, -0.6], showgrid=False, zeroline=False, **ticks)
    if len(names) > 1:
        fig.frames = [
            {
                "name": name,
                "traces": list(range(2 * shown)),
                "data": [{"type": "scatter", "y": y} for y in ridges],
            }
            for name, ridges in zip(names, frames, strict=True)
        ]
    return fig


def term_lines(terms: np.ndarray) -> go.Figure:
    """The four terms (t, 4) of the objective and their sum, in log scale; zeros are not drawn."""
    fig = _small("round", "objective")
    rounds = np.arange(1, len(terms) + 1)
    curves = {"sum": terms.sum(axis=1), **dict(zip(TERMS, terms.T, strict=True))}
    for (name, y), colour in zip(curves.items(), (PALE, *OKABE_ITO), strict=False):
        if not (y > 0).any():
            continue
        fig.add_scatter(x=rounds, y=y, name=name, line_color=colour, mode="lines+markers")
        fig.data[-1].update(hovertemplate=f"%{{y:.4g}}<extra>{name}</extra>", marker_size=4)
    legend = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}
    return fig.update_layout(yaxis={"type": "log", "dtick": 1}, showlegend=True, legend=legend)


def _ridges(scores: np.ndarray, held: np.ndarray, shown: int) -> list[np.ndarray]:
    """Outlines of two histograms per class, one above its line and one below."""
    lines = []
    for c in range(shown):
        for own, way in ((held == c, -1), (held != c, 1)):
            count, _ = np.histogram(np.clip(scores[own, c], BINS[0], BINS[-1]), BINS)
            share = np.sqrt(count / max(count.max(), 1))  # roots: a single point is still seen
            high = np.repeat(share, 2) * 0.42
            lines.append((c + np.concatenate([way * high, 0 * high])).astype(np.float32))
    return lines


def _small(x: str, y: str) -> go.Figure:
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
