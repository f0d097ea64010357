"""Controls of the page "Embeddings"."""

from typing import Any

import streamlit as st

import sslviz
from sslviz.abilities import Witness
from sslviz.params import params_of
from sslviz.ui.controls import choose_method, choose_option, choose_parameters, chosen_value
from sslviz.ui.look import choose_mistakes
from sslviz.ui.result import Look

MAX_DIMENSIONS = 10


def methods_shown() -> list[Any]:
    """The embeddings of this page."""
    return [m for m in sslviz.METHODS if m.page_name() == "embedding"]


def choose_embedding() -> tuple[Any, dict[str, Any]]:
    """A method and its parameters."""
    methods = {m.title: m for m in methods_shown()}
    Method = choose_method(
        "Method", methods, "embedding.method", help="What learns the coordinates."
    )
    p = st.slider(
        "Dimensions (p)",
        1,
        MAX_DIMENSIONS,
        2,
        key="embedding.p",
        bind="query-params",
        help="Coordinates of the embedding. One is drawn as strips, two as a plane, three as a "
        "space; of more, some are drawn and all count for the accuracy.",
    )
    declared = {q.name: q for q in params_of(Method)}
    gaussian = (
        "kernel" in declared
        and chosen_value(declared["kernel"], f"{Method.__name__}.kernel") == "rbf"
    )
    unused = ("n_components",) if gaussian else ("n_components", "sigma")
    shown = tuple(name for name in declared if name not in unused)
    return Method, {"n_components": p} | choose_parameters(Method, only=shown)


def choose_look(Method: type, flat: bool) -> tuple[Look, bool]:
    """Colours and rings, and whether the data are shown beside the embedding."""
    soft = issubclass(Method, Witness)
    colour = choose_option(
        "Colour",
        ("soft labels", "answer", "truth") if soft else ("answer", "truth"),
        f"embedding.colour.{'soft' if soft else 'plain'}",
        help="**soft labels**: the class probabilities that the embedding is learned from, grey "
        "where there are none. **answer**: the class of the nearest given label in the embedding. "
        "**truth**: the true class.",
    )
    mistakes = choose_mistakes("Where the nearest given label in the embedding is wrong.")
    beside = st.toggle(
        "Show the data beside it",
        flat,
        key=f"embedding.data.{'plain' if flat else 'many'}",
        bind="query-params",
        help="The same points and colours on a map of the data.",
    )
    return Look(colour, mistakes), beside


def choose_axes(dimensions: int) -> str:
    """Which coordinates are drawn; the space of the first three, or a pair."""
    if dimensions <= 2:
        return "1 · 2"
    pairs = tuple(f"{i} · {i + 1}" for i in range(1, dimensions))
    meaning = "Which coordinates are drawn; the first ones matter most."
    return choose_option(
        "Axes", ("1 · 2 · 3", *pairs), f"embedding.axes.{dimensions}", help=meaning
    )
