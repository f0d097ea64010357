"""One point as a recipe: atoms times weights, what they make, and whom the point resembles."""

from typing import Any

import numpy as np
import streamlit as st

from sslviz.figures.charts.codes import code_bars, profile_pair
from sslviz.figures.maps.image_grid import FREE, image_wall
from sslviz.figures.maps.points import add_links, opinion_frames, opinion_map
from sslviz.figures.theme import DIFFERENCE, scatter
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.dictionary.atom_views import (
    FEWER,
    HEIGHT,
    STRIP,
    dominant_classes,
    moments_of,
    names_of,
    points_shown,
    show_image_grid,
)
from sslviz.ui.problem import Problem
from sslviz.ui.result import answer_of, hover_texts
from sslviz.ui.state.clicks import ATOM, on_click_remember

PARTS = 12  # atoms of a recipe drawn as images
ACROSS = 8
LINKS = 12


def links_of(model: Any, point: int) -> tuple[np.ndarray, np.ndarray]:
    """The points that draw on this one, and the weights with which they do; none without a graph.

    A point's neighbours are its row of the weights, its in-links are its column.
    """
    if model.weights_ is None:
        return np.empty(0, np.int64), np.empty(0)
    column = model.weights_[:, [point]].tocoo()
    order = np.argsort(-np.abs(column.data), kind="stable")
    return column.row[order].astype(np.int64), column.data[order]


def add_in_links(fig: Any, points: np.ndarray, point: int, others: np.ndarray) -> None:
    """Thin lines from a point to those that draw on it."""
    lines = np.full((len(others), 3, points.shape[1]), np.nan)
    lines[:, 0], lines[:, 1] = points[point], points[others]
    line = {"color": DIFFERENCE, "width": 1.5}
    at = lines.reshape(-1, points.shape[1])
    if len(others):
        fig.add_trace(scatter(at, mode="lines", line=line, name="draw on it", hoverinfo="skip"))


def show_recipe(model: Any, film: Any, point: int, X: np.ndarray, problem: Problem) -> None:
    """The point, its reconstruction, and the atoms it is made of."""
    names, truth = problem.dataset.classes, problem.dataset.y
    found = model.reconstruct(point)
    size = float(np.square(X[point]).sum()) or 1.0
    st.subheader(f"Point {point}")
    shape = problem.dataset.image_shape
    if shape is None:
        show_figure(
            code_bars(found.code),
            key="dictionary_code",
            height=190,
            tools=False,
            on_event=on_click_remember(ATOM),
        )
        pair = profile_pair(X[point], found.reconstruction)
        show_figure(pair, key="dictionary_made", height=190, tools=False)
    else:
        _tiles(found, X[point], film, shape, len(names))
    P = film.P[-1][point]
    told = (
        "its label is given"
        if problem.y[point] >= 0
        else f"held for {names[P.argmax()]} ({P.max():.0%})"
    )
    used = int((found.code != 0).sum())
    drawn = min(PARTS, used) if shape is not None else min(24, used)
    st.caption(
        f"Truly {names[truth[point]]}, {told}. It is written with **{used}** of {len(found.code)} "
        f"atoms, the {drawn} heaviest are drawn, each with how much of it is taken; the squared "
        f"error left is {found.error:.3g}, **{found.error / size:.1%}** of the point. **Look for** "
        "many small corrections after a few large parts: raise λ and they go."
    )


def _tiles(found: Any, x: np.ndarray, film: Any, shape: tuple[int, int], n_classes: int) -> None:
    heaviest = np.argsort(-np.abs(found.code), kind="stable")[:PARTS]
    heaviest = heaviest[found.code[heaviest] != 0]
    parts = [x, found.reconstruction, x - found.reconstruction]
    images = np.vstack([*parts, film.D[-1][heaviest]])
    titles = ["point", "made", "left", *(f"{a:+.2f}" for a in found.code[heaviest])]
    speaks = np.concatenate([[FREE] * 3, dominant_classes(film.W[-1])[heaviest]]).astype(int)
    ids: list[int | None] = [None] * 3 + [int(j) for j in heaviest]
    facts = ["the point", "what its atoms make", "what is left over"]
    facts += [f"{a:+.3f} × atom {j}" for j, a in zip(heaviest, found.code[heaviest], strict=True)]
    fig = image_wall(
        [images],
        shape,
        [speaks],
        n_classes,
        [""],
        columns=ACROSS,
        ids=ids,
        facts=facts,
        titles=titles,
        together=3,
    )
    show_image_grid(
        fig,
        key="dictionary_recipe",
        height=STRIP,
        tools=False,
        on_event=on_click_remember(ATOM),
    )


def show_neighbours(model: Any, point: int, problem: Problem) -> None:
    """Whom the point resembles, and who resembles it."""
    if model.weights_ is None:
        st.info("No graph: every point is coded on its own, and resembles nobody.")
        return
    found = model.reconstruct(point)
    into, weights = links_of(model, point)
    lle = model.laplacian == "lle"
    left, right = st.columns(2)
    with left:
        st.markdown(f"**{'Made of' if lle else 'Tied to'} {len(found.neighbours)} neighbours**")
        _shown(found.neighbours, found.weights, problem, "dictionary_neighbours")
    with right:
        st.markdown(f"**{len(into)} others {'are made of it' if lle else 'are tied to it'}**")
        if len(into):
            _shown(into, weights, problem, "dictionary_inlinks")
    if model.beta == 0:
        meaning = "β is 0: the weights ask nothing of the codes, every point is coded on its own."
    elif lle:
        meaning = (
            "LLE weights: the mixture that makes the point of its neighbours (they add up to 1) is "
            "asked of the codes. Points that many others are made of are hubs: their code, right "
            "or wrong, is copied far."
        )
    else:
        meaning = (
            "The heavier the edge, the more alike the two codes must be; edges have no direction "
            "here, so both lists are the same."
        )
    most = f" The {LINKS} heaviest are shown." if max(len(into), len(found.weights)) > LINKS else ""
    st.caption(meaning + most)


def _shown(points: np.ndarray, weights: np.ndarray, problem: Problem, key: str) -> None:
    said = [f"{w:+.2f}" for w in weights[:LINKS]]
    points_shown(points[:LINKS], said, problem, key=key, across=4)


def map_drawn(
    film: Any, model: Any, places: np.ndarray, problem: Problem, point: int, mistakes: bool
) -> None:
    """All points in the mix of their opinions, round by round, and the ties of one of them."""
    answer, moments, names = (
        answer_of(model, problem),
        moments_of(film, FEWER),
        problem.dataset.classes,
    )
    fig = opinion_map(
        places,
        answer.F,
        problem.y,
        names,
        facts=hover_texts(answer, problem),
        wrong=~answer.right & (problem.y < 0) if mistakes else None,
        uirevision=problem.view,
    )
    opinions, dimensions = list(film.P[moments]), places.shape[1]
    fig.frames = opinion_frames(opinions, names_of(moments), len(names), dimensions)
    add_in_links(fig, places, point, links_of(model, point)[0])
    found = model.reconstruct(point)
    add_links(fig, places, point, found.neighbours, np.abs(found.weights))
    show_figure(
        fig.update_layout(showlegend=False),
        key="dictionary_map",
        height=HEIGHT,
        thumbnails=problem.thumbnails,
        alt=f"{problem.dataset.name}, coloured by P",
        film="dictionary",
        moments=moments,
        on_event=on_click_remember(),
    )
    st.caption(
        "Every point in the mix of its opinions P, muddy where it hesitates. **Click a point** to "
        "see its recipe. Red lines lead to the neighbours it is made of, violet ones to the points "
        "made of it."
    )
