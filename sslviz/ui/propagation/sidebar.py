"""The sidebar of the page "Label propagation": one method or two, colours, recording."""

from typing import Any

import streamlit as st

import sslviz
from sslviz.abilities import Absorbs, Steps
from sslviz.params import params_of
from sslviz.ui.controls import choose_method, choose_option, choose_parameters
from sslviz.ui.look import choose_mistakes
from sslviz.ui.result import Look
from sslviz.ui.state.page_state import widget_value

POINTS_RECORDED = 3000  # up to so many the sweeps are recorded by default

Choice = tuple[type, dict[str, Any]]  # a method and its parameters


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


def with_effect(Method: Any, prefix: str) -> tuple[str, ...]:
    """The parameters that have an effect at the present values of the others."""
    declared = {p.name: p for p in params_of(Method)}
    values = {name: widget_value(f"{prefix}.{name}", p.default) for name, p in declared.items()}
    conditions = Method.only_with
    return tuple(
        name
        for name in declared
        if name not in conditions or values[conditions[name][0]] in conditions[name][1]
    )


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
