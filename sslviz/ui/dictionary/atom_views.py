"""The atoms of a film as a wall, and one atom from close up: who uses it, whom it speaks for."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from sslviz.figures.animated.atoms import arrow_map, profile_wall
from sslviz.figures.charts.codes import signed_bars
from sslviz.figures.maps.image_grid import MARGIN, NOBODY, image_wall, shape_of, tiles_for
from sslviz.figures.theme import class_colours, css
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.problem import Problem
from sslviz.ui.state.clicks import on_click_remember

BUDGET = 3_000_000  # cells in all frames of a wall together
FAINT = 0.02  # of the largest weight: below it an atom speaks for nobody
USERS = 12
FEWER = 8  # frames of the pictures beside the wall
HEIGHT = 460  # of the map, and at most of the wall beside it
STRIP = 200  # pixels: at most the height of a few images
WIDE = 1.2  # of a wall of images; profiles have wide tiles


def moments_of(film: Any, most: int = 40) -> np.ndarray:
    """The moments that become frames, all or evenly some, the first and the last among them."""
    last = len(film.D) - 1
    most = int(np.clip(BUDGET // film.D[0].size, 4, most))
    return np.unique(np.rint(np.linspace(0, last, min(most, last + 1))).astype(int))


def names_of(moments: np.ndarray) -> list[str]:
    return ["start" if i == 0 else f"round {i}" for i in moments]


def dominant_classes(W: np.ndarray) -> np.ndarray:
    """(atoms,): the class that each atom speaks for most, by the classifier W (C, atoms)."""
    most = W.max(axis=0)
    return np.where(most > FAINT * max(np.abs(W).max(), 1e-12), W.argmax(axis=0), NOBODY)


def facts_of(model: Any, classes: tuple[str, ...]) -> list[str]:
    """What the label under the cursor says of each atom."""
    used, W = (model.codes_ != 0).sum(axis=0), model.coef_
    said = []
    for j, count in enumerate(used):
        up, down = W[:, j].argmax(), W[:, j].argmin()
        votes = f"for {classes[up]} ({W[up, j]:+.2f}), against {classes[down]} ({W[down, j]:+.2f})"
        said.append(f"atom {j} · used by {count} points<br>" + (votes if count else "by nobody"))
    return said


def wall(film: Any, model: Any, X: np.ndarray, problem: Problem, clicked: int | None) -> go.Figure:
    """Atoms as images, as arrows over a plane or space, or as profiles; a frame per moment."""
    dataset, moments = problem.dataset, moments_of(film)
    D, speaks = list(film.D[moments]), [dominant_classes(W) for W in film.W[moments]]
    names, facts = names_of(moments), facts_of(model, dataset.classes)
    view = f"{dataset.name}:{len(D[0])}"
    if dataset.image_shape is not None:
        columns = tiles_for(len(D[0]), dataset.image_shape, WIDE).columns
        return image_wall(
            D,
            dataset.image_shape,
            speaks,
            len(dataset.classes),
            names,
            columns=columns,
            facts=facts,
            clicked=clicked,
            uirevision=view,
        )
    if X.shape[1] in (2, 3):
        return arrow_map(
            D, X, film.P[-1], speaks, names, facts=facts, clicked=clicked, uirevision=view
        )
    columns = tiles_for(len(D[0]), (1, 1.6), WIDE).columns
    return profile_wall(
        D,
        speaks,
        len(dataset.classes),
        names,
        columns=columns,
        facts=facts,
        clicked=clicked,
        uirevision=view,
    )


def show_image_grid(fig: go.Figure, *, key: str, height: int, **how: Any) -> None:
    """A wall that is `height` high, or less where its column is too narrow to fill that.

    Only the browser knows how wide a column is.
    """
    shape = shape_of(fig)
    if shape is not None:
        whole = f"calc({2 * MARGIN}px + {shape:.4f} * (100cqw - {2 * MARGIN}px))"
        st.html(
            f"<style>.st-key-{key} {{ container-type: inline-size; }} "
            f".st-key-{key} .sslviz-plot {{ min-height: 0; max-height: {whole}; }}</style>"
        )
    show_figure(fig, key=key, height=height, **how)


def show_wall(problem: Problem, X: np.ndarray) -> None:
    """What to look for in the wall."""
    drawn = "**Blue** is ink, **red** takes ink away, paper is zero"
    if problem.dataset.image_shape is None:
        drawn = "One bar per feature, up or down from the middle"
        if X.shape[1] in (2, 3):
            drawn = "Each arrow is a direction that points are written in"
    st.caption(
        f"{drawn}; the colour around an atom is the class it speaks for most, grey for none. "
        "**Play**: at the start atoms are points, the labelled ones first; watch them turn into "
        "parts that several points share. **Click an atom** to see who uses it."
    )


def users_of(model: Any, atom: int, problem: Problem) -> None:
    """One atom: its class weights, and the points that use it most."""
    names, truth = problem.dataset.classes, problem.dataset.y
    st.subheader(f"Atom {atom}")
    users = model.atom_users(atom, USERS)
    colours = [css(c) for c in class_colours(len(names))]
    bars = signed_bars(model.coef_[:, atom], list(names), "weight", colours)
    show_figure(bars, key="dictionary_votes", height=190, tools=False)
    count = int((model.codes_[:, atom] != 0).sum())
    own = np.bincount(truth[users], minlength=len(names)).max() if len(users) else 0
    st.caption(
        f"What the classifier makes of it: up for a class, down against it. {count} of "
        f"{len(truth)} points use it; of the {len(users)} that use it most, {own} are of one "
        "class. **Look for** atoms that one class uses and atoms that all do."
    )
    if not len(users):
        st.info("No point uses this atom: more atoms than needed, or λ too large.")
        return
    weights = [f"{model.codes_[i, atom]:+.2f}" for i in users]
    points_shown(users, weights, problem, key="dictionary_users", across=6)


def points_shown(
    points: np.ndarray, weights: list[str], problem: Problem, *, key: str, across: int
) -> None:
    """Points with a number each: as images, else as a table. A click on an image picks it."""
    names, truth, shape = problem.dataset.classes, problem.dataset.y, problem.dataset.image_shape
    if shape is None:
        rows = {"point": points, "class": [names[c] for c in truth[points]], "weight": weights}
        height = min(36 * (len(points) + 1), 220)
        st.table(rows, hide_index=True, hide_header=False, height=height)
        return
    facts = [
        f"point {i} · truly {names[truth[i]]} · weight {w}"
        for i, w in zip(points, weights, strict=True)
    ]
    fig = image_wall(
        [problem.dataset.X[points]],
        shape,
        [truth[points]],
        len(names),
        [""],
        columns=across,
        ids=points.tolist(),
        facts=facts,
        titles=weights,
    )
    show_image_grid(fig, key=key, height=STRIP, tools=False, on_event=on_click_remember())
