"""The sidebar of the page "Label propagation": one method or two, colours, recording."""

from typing import Any

import streamlit as st

import sslviz
from sslviz.abilities import Absorbs, Method, Steps
from sslviz.ui.controls import choose_method, choose_option, choose_parameters, with_effect
from sslviz.ui.look import choose_mistakes
from sslviz.ui.result import Look

POINTS_RECORDED = 3000  # up to so many the sweeps are recorded by default

Choice = tuple[type[Method], dict[str, Any]]  # a method and its parameters


def choose_methods() -> list[Choice]:
    """One method, and optionally another to compare it with."""
    methods = {m.title: m for m in sslviz.METHODS if m.family == "propagation"}
    Method = choose_method(
        "Method", methods, "method", help="The method that predicts the hidden labels."
    )
    chosen = [(Method, choose_parameters(Method, only=with_effect(Method, Method.__name__)))]
    Other = choose_method(
        "Compare with",
        {"nothing": None} | methods,
        "versus",
        help="A second map beside the first: same data, same labels, same zoom. Choose the same "
        "method again to compare two settings of it.",
    )
    if Other:
        prefix = f"versus.{Other.__name__}"
        only = with_effect(Other, prefix)
        chosen.append((Other, choose_parameters(Other, only=only, prefix=prefix)))
    return chosen


def choose_look(methods: list[type], n: int) -> Look:
    """Colours, recording of the sweeps, rings around mistakes."""
    basins = issubclass(methods[0], Absorbs)
    colour = choose_option(
        "Colour",
        ("mix", "winner", *(["basin"] if basins else [])),
        "colour",
        help="**mix**: the classes' colours mixed by their probabilities; mixed colours mean the "
        "method is unsure. **winner**: the predicted class alone. **basin** (label propagation): "
        "the given label at which a random walk most likely ends.",
    )
    small = n <= POINTS_RECORDED
    iterative = any(issubclass(m, Steps) for m in methods) and colour != "basin"
    record = iterative and st.toggle(
        "Record the sweeps",
        small,
        key=f"sweeps.{'small' if small else 'large'}",
        bind="query-params",
        help="Keep the iterations, to play and scrub under the picture.",
    )
    return Look(colour, choose_mistakes(), record)
