"""Controls of the page "FLP"."""

from typing import Any

import streamlit as st

from sslviz import FLP
from sslviz.params import params_of
from sslviz.ui.controls import choose_option, choose_parameter, choose_parameters
from sslviz.ui.look import choose_mistakes
from sslviz.ui.problem import Problem
from sslviz.ui.result import Look

DEFAULT_DIMENSIONS = "C − 1"
MAX_DIMENSIONS = 10
MODES = {
    "recipe": "**Learnt**: the projection A starts from PCA and keeps its size; labels and "
    "projection change in turns, a few steps each, labels first. This works.",
    "printed": "**As printed**: A starts at random, changes first, each half-step runs to its end, "
    "and nothing limits the size of A. It shows what a small objective H is worth.",
    "fixed": "**Fixed A**: the projection stays at PCA and only labels change. What "
    "learning gains over this is the use of new features.",
}


def choose_mode_and_width() -> dict[str, Any]:
    """The two choices that matter most."""
    declared = {p.name: p for p in params_of(FLP)}
    mode = choose_parameter(declared["mode"], "FLP.mode")
    st.caption(MODES[mode])
    width = choose_parameter(declared["width"], "FLP.width")
    st.caption(
        "As printed the size of A is not limited, and this slider has no effect."
        if mode == "printed"
        else "A parameter that the paper does not mention. Small: all points influence each "
        "label. Large: only the nearest do."
    )
    return {"mode": mode, "width": width}


def choose_dimensions(mode: str) -> dict[str, Any]:
    """Number of dimensions, iterations and the random start."""
    asked = st.select_slider(
        "Dimensions (p)",
        [DEFAULT_DIMENSIONS, *range(1, MAX_DIMENSIONS + 1)],
        DEFAULT_DIMENSIONS,
        key="FLP.n_components",
        bind="query-params",
        help="Coordinates of the projection, by default one fewer than classes. One is drawn as "
        "strips, two as a plane; of more, the widest are drawn and all count.",
    )
    found: dict[str, Any] = {"n_components": None if asked == DEFAULT_DIMENSIONS else asked}
    found |= choose_parameters(FLP, only=("outer", "inner"))
    if mode == "printed":
        found["random_state"] = st.slider(
            "Random start (seed)",
            0,
            99,
            0,
            key="flp.start",
            bind="query-params",
            help="A and the labels start from random numbers; another seed, other numbers.",
        )
    return found


def choose_look(problem: Problem, dimensions: int) -> tuple[Look, bool, bool]:
    """Rings, whether three dimensions are drawn, whether the data are shown beside."""
    space = dimensions > 2 and choose_option(
        "Drawn as",
        ("plane", "space"),
        "flp.drawn",
        help="The two or three widest directions; H does not change under rotations.",
    )
    mistakes = choose_mistakes("Compare with the hidden labels, at every half-step.")
    flat = problem.points.shape[1] == problem.dataset.n_features
    beside = st.toggle(
        "Show the data beside it",
        flat,
        key=f"flp.data.{'plain' if flat else 'many'}",
        bind="query-params",
        help="The same points and labels on a map of the data.",
    )
    return Look(mistakes=mistakes), space == "space", beside
