"""The sidebar of the page "Networks": a method with its parameters, colours and marks."""

from typing import Any

import streamlit as st

import sslviz
from sslviz.ui.controls import choose_method, choose_option, choose_parameters, with_effect
from sslviz.ui.look import choose_mistakes
from sslviz.ui.problem import Problem
from sslviz.ui.result import Look
from sslviz.ui.server import memory

POINTS_SHOWN = 2000  # unless more are asked for: a network is trained while one watches
FROM_DATA = ("image_shape",)  # parameters that the data set decides


def methods() -> dict[str, Any]:
    """The classifiers that train a network, by their options."""
    return {m.option(): m for m in sslviz.METHODS if m.family == "network"}


def choose_network(problem: Problem) -> Any:
    """The estimator that the controls describe."""
    Method = choose_method("Method", methods(), "network.method", help="What is trained.")
    names = with_effect(Method, Method.__name__)
    values = choose_parameters(Method, only=tuple(n for n in names if n not in FROM_DATA))
    if "image_shape" in names:
        values["image_shape"] = problem.dataset.image_shape
    seed = st.slider(
        "Random seed",
        0,
        99,
        key="network.seed",
        bind="query-params",
        help="Of everything random: initial weights, batches, noise, directions.",
    )
    return Method(**values, memory=memory(), random_state=seed)


def choose_training() -> bool:
    """Whether a network is trained without pressing Start."""
    return st.toggle(
        "Train at once",
        key="network.train",
        bind="query-params",
        help="Train the network whenever a setting changes. Off: press **Start** above the map.",
    )


def choose_look() -> Look:
    """Colours of the points and rings."""
    colour = choose_option(
        "Colour",
        ("winner", "mix", "truth"),
        "network.colour",
        help="**winner**: the predicted class. **mix**: the classes' colours mixed by their "
        "probabilities; mixed colours mean the network is unsure. **truth**: the true class.",
    )
    return Look(colour, choose_mistakes())
