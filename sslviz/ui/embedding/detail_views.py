"""A closer look at an embedding: one part at a time, drawn only when it is picked."""

from typing import Any

import numpy as np
import streamlit as st

from sslviz.data.dataset import stratified
from sslviz.figures.maps.small_multiples import (
    direction_images,
    direction_rows,
    field_panels,
    similarity_matrix,
)
from sslviz.figures.maps.strips import bound_curves, share_bars, small_map, strip_places
from sslviz.labels import one_hot
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.problem import Problem
from sslviz.ui.result import percent
from sslviz.ui.state.clicks import on_click_remember

SAMPLE = 300  # points of the matrix
DRAWN = 500  # points of each small map
SIDE = 60  # places of a field along each axis
ROWS = 100  # features that can still be told apart in a row


PARTS = {
    "All methods": "which view is worth most",
    "Unseen points": "labelled only, soft and all labels side by side, with points nobody saw",
    "Labels alike": "whose labels agree",
    "Directions": "the coordinates as images or rows",
    "Fields": "what pulls at each place of the plane",
    "The bound": "what is lost for want of labels, and what theory says of it",
}
PARTS_HELP = "; ".join(f"**{part}**: {meaning}" for part, meaning in PARTS.items()) + "."
TOLD = {"soft": "soft labels", "wta": "winner takes all"}


def unavailable(part: str, model: Any, problem: Problem) -> str:
    """Why a part cannot be shown for this model and these data; empty if it can."""
    title, fields = type(model).title, hasattr(model, "witness")
    if part in ("Labels alike", "The bound", "Fields") and not fields:
        return f"{title} gives unlabelled points no labels of their own: SSRL-PL does."
    if part == "Fields" and problem.dataset.n_features != 2:
        return "Fields are drawn over a plane: take a set of two features, such as two_moons."
    if part == "Directions" and getattr(model, "kernel", "linear") == "rbf":
        return "A kernel map bends: it has no directions. Switch the kernel to *linear*."
    return ""


def show_similarity(F: np.ndarray, problem: Problem) -> None:
    """YYᵀ over a sample of the points that have labels."""
    truth, names = problem.dataset.y, problem.dataset.classes
    followed = np.flatnonzero(F.any(axis=1))
    chosen = followed[stratified(truth[followed], 0)[:SAMPLE]]
    fig = similarity_matrix(F, truth, names, chosen)
    left, right = st.columns([3, 2], vertical_alignment="center")
    with left:
        show_figure(fig, key="embedding_similarity", height=520, tools=False)
    sample = f" of {len(followed):,}, a fair sample" if len(chosen) < len(followed) else ""
    right.caption(
        f"How alike the labels of two points are, YYᵀ, for {len(chosen)} points{sample}, sorted by "
        "true class. **Look for** light blocks on the diagonal: there the labels say what is true. "
        "Light beside the diagonal: two classes the labels mix up. A block that fades has soft "
        "labels: lower σₛ or k to sharpen them."
    )


def show_fields(model: Any, problem: Problem) -> None:
    """The C witness fields over the plane of two features."""
    X = problem.dataset.X
    low, high = X.min(axis=0), X.max(axis=0)
    edge = 0.08 * (high - low)
    x, y = (np.linspace(a - e, b + e, SIDE) for a, b, e in zip(low, high, edge, strict=True))
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    fields = model.witness(places).reshape(SIDE, SIDE, -1)
    names = tuple(problem.dataset.classes[c] for c in model.classes_)
    given = np.where(problem.y < 0, -1, np.searchsorted(model.classes_, problem.y))
    some = np.union1d(stratified(problem.dataset.y, 0)[:DRAWN], np.flatnonzero(given >= 0))
    fig = field_panels(fields, x, y, X[some], given[some], names)
    show_figure(fig, key="embedding_fields", height=300 * -(-min(len(names), 12) // 3), tools=False)
    st.caption(
        "These fields are the whole model: how strongly each place is pulled towards a class, blue "
        "towards it, red away, white not at all. They add up to zero everywhere, which is why one "
        "direction fewer than classes is left. "
        + (
            "**Linear**: every field is a slope, so no bend can be followed. Switch the kernel to "
            "*rbf*."
            if model.kernel == "linear"
            else "**Look for** islands around single labels: the kernel is too narrow."
        )
    )


def show_directions(directions: np.ndarray, problem: Problem) -> None:
    """Directions as images, or as rows where features are few."""
    shape, (p, d) = problem.dataset.image_shape, directions.shape
    if shape is not None:
        height = 40 + 200 * -(-min(p, 12) // 5)
        show_figure(
            direction_images(directions, shape), key="embedding_images", height=height, tools=False
        )
        look = "Ink on blue moves a point up this coordinate, ink on red down."
    elif d <= ROWS:
        show_figure(
            direction_rows(directions), key="embedding_rows", height=110 + 26 * p, tools=False
        )
        look = "A feature in blue moves a point up this coordinate, one in red down."
    else:
        st.info(f"{d} features are too many to show one by one, and they are no image.")
        return
    st.caption(
        f"{look} White has no say. **Look for** strokes that tell classes apart; with few labels "
        "the directions look like single examples, with many like averages, and overfitted ones "
        "like noise."
    )


def show_accuracies(
    found: dict[str, float], now: str, plain: dict[str, float], refused: dict[str, str]
) -> None:
    """Bars of accuracies, best first, and why a method has none; `plain` ones need no map."""
    chart = share_bars(found | plain, now, tuple(plain))
    height = 70 + 30 * (len(found) + len(plain))
    show_figure(chart, key="embedding_methods", height=height, tools=False)
    st.caption(
        "Hidden labels found by the nearest given label in each map, all of the same number of "
        "dimensions; the other methods with their usual settings. Grey: without any map. **Look "
        "for** what the map costs: few dimensions cannot hold all there is, raise p."
    )
    for title, reason in refused.items():
        st.caption(f"**{title}**: {reason}")


def show_maps(
    maps: dict[str, Any], unseen: np.ndarray, problem: Problem, point: int | None
) -> None:
    """Small maps side by side, coloured by the truth; each with its accuracies in words.

    A map has Z (n, 1 or 2) and accuracies `nearest` and `mean`, on unlabelled and unseen points.
    """
    truth, names, y = problem.dataset.y, problem.dataset.classes, problem.y
    chosen = np.union1d(stratified(truth, 0)[:DRAWN], np.flatnonzero(y >= 0))
    if point is not None:
        chosen = np.union1d(chosen, [point])
    facts = [f"point {i} · truly {names[t]}" for i, t in enumerate(truth)]
    F = one_hot(truth, np.arange(len(names)))
    for i, (column, (title, trial)) in enumerate(
        zip(st.columns(len(maps)), maps.items(), strict=True)
    ):
        flat = trial.Z.shape[1] == 1
        fig = small_map(
            strip_places(trial.Z[:, 0], truth) if flat else trial.Z,
            F,
            y,
            names,
            chosen=chosen,
            unseen=unseen,
            facts=facts,
            clicked=point,
            equal=not flat,
            uirevision=f"{problem.dataset.name}:{flat}",
        )
        with column:
            st.markdown(f"**{title[0].upper()}{title[1:]}**")
            show_figure(
                fig,
                key=f"embedding_small_{i}",
                height=320,
                thumbnails=problem.thumbnails,
                linked="embedding_small",
                on_event=on_click_remember(),
            )
            rows = [
                ("1-NN", *map(percent, trial.nearest)),
                ("nearest mean", *map(percent, trial.mean)),
            ]
            st.table({"": [r[0] for r in rows], "unlabelled": [r[1] for r in rows],
                      "unseen": [r[2] for r in rows]})  # fmt: skip
    st.caption(
        "Every second hidden point is set aside: open circles, which no map has seen. Colours are "
        "the truth. The maps are turned to lie over each other, move one and all follow; the "
        "nearest label is always one of the given ones, so that only the map differs. **Look for** "
        "unseen points that fall where their class is. *All labels* is the mark to aim at, and "
        "where *labelled only* does as well the unlabelled points added nothing."
        + (f" {DRAWN} points are drawn." if len(truth) > DRAWN else "")
    )


def show_bounds(counts: np.ndarray, bounds: np.ndarray, best: float) -> None:
    """The curves and what they are worth here."""
    show_figure(bound_curves(counts, bounds, best), key="embedding_bounds", height=360, tools=False)
    useful = [int((bounds[:, i] < best).sum()) for i in (1, 2)]
    at = f"of the {len(counts)} numbers of labels tried"
    st.caption(
        "The **gap** is what the map loses against the one drawn from all labels, √f(V*) − √f(V†). "
        "Theorem 3 bounds it; that **printed** bound says something only where it is below the "
        "dotted line, since the gap is never above it. Here it is so for "
        f"**{useful[1]}** {at}, the **sharp** bound (2/(n − 1))‖XHE‖ for **{useful[0]}**. On every "
        "real set tried the printed bound is larger than √f(V*) with few labels. Points are scaled "
        "into the unit ball, as the theorem asks. Gaps of zero are not drawn."
    )
