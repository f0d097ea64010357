"""Charts of codes by class: ideal codes beside learnt ones, atoms that classes switch off."""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from sslviz.figures.charts.codes import PLUS, add_weights
from sslviz.figures.frames import set_frames
from sslviz.figures.theme import BACKDROP, OKABE_ITO, PANEL_TITLE_SIZE, rgb_of

PANEL_COLUMNS = 2
VANISHING = 1e-2  # of the largest size: below it sizes have a log axis


class CodePanel(NamedTuple):
    """A matrix of points by atoms, (m, p), with the classes (m,) of its points.

    With a `unit` colours are shares of it; without, roots of shares of the largest value.
    """

    title: str
    values: np.ndarray
    group: np.ndarray
    unit: float | None = None


def code_panels(
    panels: tuple[CodePanel, ...], classes: tuple[str, ...], atoms: np.ndarray
) -> go.Figure:
    """Matrices in two columns: a column for each point, sorted by class, and a row for each atom.

    Atoms are in the order `atoms`; colours as in the map of all codes, unless a panel has a unit.
    """
    rows = -(-len(panels) // PANEL_COLUMNS)
    fig = make_subplots(
        rows=rows, cols=PANEL_COLUMNS, horizontal_spacing=0.04, vertical_spacing=0.16,
        subplot_titles=[panel.title for panel in panels],
    )  # fmt: skip
    for place, panel in enumerate(panels):
        where = {"row": place // PANEL_COLUMNS + 1, "col": place % PANEL_COLUMNS + 1}
        _add_panel(fig, panel, classes, atoms, where)
    fig.update_yaxes(
        fixedrange=True, showgrid=False, showticklabels=False, range=[len(atoms) - 0.5, -0.5]
    )
    fig.update_yaxes(title="atoms", col=1)
    fig.update_annotations(font_size=PANEL_TITLE_SIZE)
    fig.update_xaxes(tickfont_size=10)  # names of classes side by side in half a column
    margin = {"l": 40, "r": 12, "t": 28, "b": 28}
    return fig.update_layout(margin=margin, showlegend=False, dragmode=False)


def _add_panel(
    fig: go.Figure,
    panel: CodePanel,
    classes: tuple[str, ...],
    atoms: np.ndarray,
    where: dict[str, int],
) -> None:
    at = np.lexsort((np.arange(len(panel.group)), panel.group))
    add_weights(fig, panel.values[at][:, atoms].T, panel.unit, **where)
    present, starts, sizes = np.unique(panel.group[at], return_index=True, return_counts=True)
    for border in starts[1:] - 0.5:
        fig.add_vline(border, line={"color": BACKDROP, "width": 1}, **where)
    ticks = {"tickvals": starts + (sizes - 1) / 2, "ticktext": [classes[c] for c in present]}
    fig.update_xaxes(fixedrange=True, showgrid=False, **ticks, **where)


def group_map(norms: list[np.ndarray], groups: list[str], names: list[str]) -> go.Figure:
    """How much each group (row) uses each atom (column): (G, p) norms, one per frame."""
    order = np.argsort(-norms[-1].sum(axis=0), kind="stable")
    most = max(float(n.max()) for n in norms) or 1.0
    shades = [np.rint(100 * np.sqrt(n[:, order] / most)).astype(np.uint8) for n in norms]
    red, green, blue = rgb_of(PLUS)
    colour = f"rgba({red:.0f},{green:.0f},{blue:.0f},{{}})"
    fig = go.Figure(
        go.Heatmap(
            z=shades[-1],
            y=groups,
            zmin=0,
            zmax=100,
            colorscale=[[0, colour.format(0)], [0.01, colour.format(0.25)], [1, colour.format(1)]],
            showscale=False,
            hoverinfo="skip",
            ygap=2,
        )
    )
    if len(names) > 1:
        set_frames(
            fig,
            [
                {"name": name, "data": [{"type": "heatmap", "z": z}], "traces": [0]}
                for name, z in zip(names, shades, strict=True)
            ],
        )
    fig.update_xaxes(title="atoms, most used first", fixedrange=True, showgrid=False)
    fig.update_yaxes(type="category", autorange="reversed", fixedrange=True, automargin=True)
    return fig.update_layout(margin={"l": 60, "r": 12, "t": 8, "b": 44}, dragmode=False)


def objective_and_codes(objective: np.ndarray, size: np.ndarray) -> go.Figure:
    """Above the objective (t,) after each round, below the mean ‖a‖₁ (t + 1,) from the start.

    Sizes that shrink by orders of magnitude have a log axis.
    """
    fig = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.08)
    rounds = np.arange(len(size))
    panels = ((rounds[1:], objective, "objective"), (rounds, size, "size of codes"))
    for row, (x, y, title) in enumerate(panels, start=1):
        colour = OKABE_ITO[(0, 5)[row - 1]]
        fig.add_scatter(x=x, y=y, mode="lines+markers", line_color=colour, row=row, col=1)
        fig.data[-1].update(hovertemplate="%{y:.4g}<extra></extra>", marker_size=4)
        fig.update_yaxes(title=title, fixedrange=True, row=row, col=1)
    if 0 < size.min() < VANISHING * size.max():
        fig.update_yaxes(type="log", exponentformat="power", nticks=5, row=2, col=1)
    else:
        fig.update_yaxes(rangemode="tozero", row=2, col=1)
    fig.update_xaxes(fixedrange=True)
    fig.update_xaxes(title="round", row=2, col=1)
    margin = {"l": 64, "r": 12, "t": 12, "b": 44}
    return fig.update_layout(margin=margin, showlegend=False, dragmode=False)
