"""The animated map of the page "FLP": projection, labels and influence after every half-step."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.animated.projection import (
    LABELS_WITH_REACH,
    ProjectionFrame,
    animated_projection,
)
from sslviz.figures.charts.flp import add_directions
from sslviz.figures.maps.points import NO_LINKS, add_links, class_map
from sslviz.ui.flp.result import FLPResult

LINES_DRAWN = 80  # to the neighbours of a clicked point
CHANGED = {"": "start", "labels": "labels", "projection": "map"}  # short: a phone has little room
PLAYED = {
    "recipe": "labels change, then the projection, and so on",
    "printed": "the projection changes, then labels, and so on",
    "fixed": "labels change, and the projection stays",
}


def projection_map(r: FLPResult) -> go.Figure:
    """The coordinates with a frame for every kept half-step."""
    return animated_projection(
        _frames(r),
        r.y,
        r.classes,
        rows=np.where(r.truth < 0, r.labels.clip(0), r.truth),  # or as predicted
        clicked=r.point if r.marks_point else None,
        facts=r.hover,
        uirevision=_view(r),
    )


def _frames(r: FLPResult) -> list[ProjectionFrame]:
    steps, shown = r.steps, 3 if r.space else min(r.dimensions, 2)
    clicked = r.problem.point
    return [
        ProjectionFrame(
            f"{t} · {CHANGED[steps.halves[t]]}",
            places[:, :shown],
            F,
            steps.influence[t],
            float(reach) if r.dimensions <= 2 else None,  # of more, a plane shows a shadow
            _mistakes(r, t) if r.look.mistakes else None,
            steps.neighbours(i, clicked, LINES_DRAWN) if clicked is not None else None,
        )
        for i, (t, places, reach, F) in enumerate(
            zip(steps.kept, steps.places, steps.reach, steps.F, strict=True)
        )
    ]


def _mistakes(r: FLPResult, t: int) -> np.ndarray:
    found = r.steps.predictions[t]
    return (found != r.truth) & r.held_out & (found >= 0)


def _view(r: FLPResult) -> str:
    """A name for what is drawn and its units: zoom is kept while it stays the same."""
    problem = r.problem
    scaled = problem.setting.options.get("standardise")
    shown = min(r.dimensions, 2)
    return f"{problem.dataset.name}:{scaled}:{r.mode == 'printed'}:{shown}:{r.space}"


def data_map(r: FLPResult) -> go.Figure:
    """The points on the map of the data, with the directions of the projection in a plane."""
    points = r.problem.points
    fig = class_map(points, r.F, r.y, r.classes, facts=r.hover, uirevision=r.problem.view)
    if r.problem.dataset.n_features == 2:
        add_directions(fig, points, r.steps.A)
    if r.marks_point:
        add_links(fig, points, r.point, *NO_LINKS)
    return fig


def map_caption(r: FLPResult) -> str:
    """What is played and what to look for."""
    texts = []
    if r.hidden.any() or r.mode != "fixed":  # else nothing moves
        played = PLAYED[r.mode] if r.hidden.any() else "the projection changes"
        texts.append(
            f"**Press Play**: {played}. The numbers above and the line in the chart follow; bars "
            "and sentences are those of the end."
        )
    if r.dimensions == 1:
        texts.append("One row per true class: counts above the line, points below it.")
    elif r.dimensions > 2:
        texts.append(f"Of {r.dimensions} dimensions the widest are drawn.")
    if r.hidden.any():
        texts.append(
            "A point's size is its influence on the labelled points: **look for** points that "
            "shrink away."
        )
    if r.dimensions <= 2 and (~r.hidden).sum() <= LABELS_WITH_REACH:
        reach = "sides" if r.dimensions == 1 else "rings"
        texts.append(f"Pale {reach} around given labels: the width of the kernel.")
        if r.mode == "printed":
            texts.append(f"Maps are drawn at one size: as A grows, the {reach} shrink.")
    return " ".join([*texts, "Click a point to see its neighbours."])


def note(r: FLPResult) -> tuple[str, str]:
    """A warning or an explanation above the map, and its icon; empty if there is none."""
    if r.dimensions_asked is not None and r.dimensions < r.dimensions_asked:
        few = (
            f"{r.dimensions_asked} dimensions are asked for, but the data span only {r.dimensions}."
        )
        return few, ":material/straighten:"
    if not r.hidden.any():
        moves = (
            "and the projection stays at PCA: nothing changes."
            if r.mode == "fixed"
            else "so only the projection changes. FLP is then a supervised method, related to NCA."
        )
        return f"Every label is given, {moves}", ":material/school:"
    if r.mode != "printed":
        return "", ""
    H, chance = r.steps.harmony, r.chance
    fell = f"H fell to **{H[-1] / max(H[0], 1e-300):.0e}** of its start"
    found, left = r.accuracies[-1], r.influential[-1]
    if left < 0.5 and found < chance + 0.5 * (1 - chance):
        return (
            f"A perfect objective, worthless labels: {fell}, and **{1 - left:.0%}** of the hidden "
            "points have no influence on it. They keep their random initial label: accuracy "
            f"**{found:.0%}**, where guessing has {chance:.0%}.",
            ":material/warning:",
        )
    return (
        f"{fell}, and {left:.0%} of the hidden points still have an influence: with so few "
        "features the projection cannot separate them all. On *wine* it does.",
        ":material/info:",
    )
