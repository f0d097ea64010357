"""Figures of a clustering: points and regions in matched colours, hubs, eigenvalues, embeddings."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.charts.basic import small_chart
from sslviz.figures.frames import set_frames
from sslviz.figures.maps.decision_field import (
    background_shades,
    ends,
    ground,
    margins_over_runner_up,
)
from sslviz.figures.maps.hubs import hub_sizes, hub_stars, hub_symbol
from sslviz.figures.maps.points import add_colour_key, add_rings, hover_template, marker_size
from sslviz.figures.theme import (
    ACCENT,
    BACKDROP,
    HUB_COLOUR,
    INK,
    OKABE_ITO,
    PAPER,
    add_line,
    class_colours,
    empty_map,
    mixed_colours,
    scatter,
)


def cluster_map(
    points: np.ndarray,
    F: np.ndarray,
    names: tuple[str, ...],
    *,
    field: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None,
    wrong: np.ndarray | None = None,
    facts: list[str] | None = None,
    uirevision: str = "clusters",
) -> go.Figure:
    """Points in the colours of their clusters, on a background of the regions.

    `F` (n, K) are probabilities in the order of `names`; `field` those of the plane (b, a, K) with
    x (a) and y (b). The first trace holds all points in order, the second, if there is one, the
    background.
    """
    fig = empty_map(uirevision, points.shape[1])
    marker = {"size": marker_size(len(points)), **mixed_colours(F, class_colours(len(names)))}
    fig.add_trace(
        scatter(
            points,
            mode="markers",
            name="points",
            customdata=np.arange(len(points)),
            text=facts,
            hovertemplate=hover_template(facts),
            marker={**marker, "line": {"width": 0.7 if field else 0}},
            meta=PAPER,  # rims set points off from a background of their own colour
            showlegend=False,
        )
    )
    if field is not None:
        probabilities, x, y = field
        fig.add_trace(ground(region_shades(probabilities), x, y, len(names)))
        fig.update_xaxes(range=ends(x))
        fig.update_yaxes(range=ends(y))
    if wrong is not None:
        add_rings(fig, points, wrong, "mistakes", ACCENT, marker_size(len(points)) + 5)
    add_colour_key(fig, names, bool((F.sum(axis=1) == 0).any()))
    return fig


def region_shades(probabilities: np.ndarray) -> np.ndarray:
    """(b, a) colour numbers of the background: pale where no class of (b, a, K) leads much."""
    b, a, K = probabilities.shape
    margins = margins_over_runner_up(probabilities.reshape(-1, K))
    return background_shades(margins.reshape(b, a, K), 1.0)


def add_cluster_frames(
    fig: go.Figure, steps: list[tuple[str, np.ndarray, np.ndarray | None]]
) -> None:
    """Give a `cluster_map` one frame per step: name, probabilities (n, K) and field (b, a, K)."""
    kind, colours = fig.data[0].type, class_colours(steps[0][1].shape[1])
    frames = []
    for name, F, field in steps:
        data: list[dict] = [{"type": kind, "marker": mixed_colours(F, colours)}]
        if field is not None:
            data.append({"type": "heatmap", "z": region_shades(field)})
        frames.append({"name": name, "data": data, "traces": list(range(len(data)))})
    set_frames(fig, frames)


def add_hubs(
    fig: go.Figure,
    points: np.ndarray,
    hubs: np.ndarray,
    degree: np.ndarray,
    Q: np.ndarray,
    facts: list[str] | None = None,
) -> None:
    """Hubs as stars coloured by their probabilities Q (h, K), sized by `degree` (n,)."""
    scale = min(1.0, (150 / len(hubs)) ** 0.5) if len(hubs) else 1.0  # many would hide points
    size = np.maximum(0.8 * scale * hub_sizes(degree[hubs], degree.max(), len(points)), 5)
    colours, rim = mixed_colours(Q, class_colours(Q.shape[1])), 0.6 * scale  # not to hide them
    fig.add_trace(hub_stars(points, hubs, size, colours, facts, rim, meta=INK, showlegend=False))
    marker = {
        "size": 12,
        "symbol": hub_symbol(points.shape[1]),
        "color": BACKDROP,
        "line": {"width": 1},
    }
    legend = {"name": "hubs", "marker": marker, "meta": INK, "hoverinfo": "skip"}
    fig.add_trace(scatter(np.full((1, points.shape[1]), np.nan), mode="markers", **legend))


def spectrum_bars(values: np.ndarray, components: int, clusters: int) -> go.Figure:
    """Eigenvalues, largest first: one per connected component, the other leading ones, the rest."""
    place = np.arange(1, len(values) + 1)
    colours = np.where(
        place <= components, HUB_COLOUR, np.where(place <= clusters, OKABE_ITO[0], BACKDROP)
    )
    fig = small_chart("eigenvalues, largest first", "").update_layout(bargap=0.15)
    fig.add_bar(
        x=place,
        y=values,
        marker_color=colours.tolist(),
        hovertemplate="%{x}: %{y:.4f}<extra></extra>",
    )
    low = float(values.min())
    span = max(1.0 - low, 1e-3)
    fig.update_yaxes(
        range=[max(low - 0.3 * span, -1.0) if low > 0 else low - 0.05, 1 + 0.08 * span]
    )
    add_line(fig, {"dash": "dot", "width": 2, "color": ACCENT}, x=clusters + 0.5)
    text = {"text": f"C = {clusters}", "showarrow": False}
    fig.add_annotation(x=clusters + 0.5, y=1, yref="paper", yanchor="bottom", **text)
    return fig


def degree_against_density(
    density: np.ndarray, degree: np.ndarray, hubs: np.ndarray, outliers: np.ndarray
) -> go.Figure:
    """Points by rank of density and by degree: hubs violet, outliers among them ringed."""
    chosen = np.isin(np.arange(len(degree)), hubs)
    rank = (np.argsort(np.argsort(density, kind="stable"), kind="stable") + 0.5) / len(density)
    spread = degree + 0.6 * (np.random.default_rng(0).random(len(degree)) - 0.5)
    at = np.stack([rank, spread], axis=1)
    fig = small_chart("density: lowest → highest", "degree")
    legend = {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}
    fig.update_layout(showlegend=True, legend=legend)
    fig.update_xaxes(tickformat=".0%", range=[-0.02, 1.02])
    parts = (
        ("others", ~chosen, {"color": BACKDROP, "size": 4}),
        ("hubs", chosen, {"color": HUB_COLOUR, "size": 5}),
        (
            "outliers among hubs",
            chosen & outliers,
            {"size": 10, "symbol": "circle-open", "color": ACCENT, "line": {"width": 1.5}},
        ),
    )
    for name, mask, marker in parts:
        if mask.any():
            fig.add_trace(
                scatter(at[mask], mode="markers", name=name, marker=marker, hoverinfo="skip")
            )
    return fig


def space_map(
    E: np.ndarray,
    F: np.ndarray,
    ids: np.ndarray,
    *,
    centres: np.ndarray | None = None,
    uirevision: str = "space",
) -> go.Figure:
    """Coordinates E (m, 2 or 3) in the colours of F (m, K); `centres` (C, 2 or 3) are crosses."""
    fig = empty_map(uirevision, E.shape[1])
    if E.shape[1] == 3:  # clusters lie in corners of the cube, which a nearer camera cuts off
        fig.update_layout(scene_camera_eye={"x": 0.68, "y": -2.3, "z": 0.82})
    colours = mixed_colours(F, class_colours(F.shape[1]))
    fig.add_trace(
        scatter(
            E,
            mode="markers",
            name="points",
            customdata=ids,
            hovertemplate=hover_template(None),
            marker={"size": marker_size(len(E)) + 1, **colours, "line": {"width": 0}},
            showlegend=False,
        )
    )
    if centres is not None:
        marker = {"size": 9, "symbol": "cross", "color": ACCENT}
        fig.add_trace(scatter(centres, mode="markers", name="centres", marker=marker))
    return fig
