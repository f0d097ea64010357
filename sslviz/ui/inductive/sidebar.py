"""The sidebar of the page "Decision boundaries": the method, its parameters, colours and rings."""

from typing import Any, NamedTuple

import streamlit as st

import sslviz
from sslviz.abilities import Eigenfunctions, HasMargin
from sslviz.data import Dataset
from sslviz.params import params_of
from sslviz.ui.controls import choose_method, choose_option, choose_parameters
from sslviz.ui.inductive.result import InductiveLook
from sslviz.ui.state.page_state import widget_value

FIRST_METHOD = "Laplacian least squares (LapRLS)"  # links leave it out


class InductiveChoice(NamedTuple):
    """A method, its parameters, and whether the classes are numbered backwards."""

    Method: Any
    parameters: dict[str, Any]
    backwards: bool

    def seconds(self, dataset: Dataset) -> float:
        """Estimated time of a fit."""
        linear = self.parameters.get("kernel") == "linear"  # no matrix of all pairs
        n, d = dataset.X.shape
        return 0.0 if linear else self.Method.seconds(n, d, dataset.n_classes)


def choose_fit() -> InductiveChoice:
    """A method with its parameters."""
    family = {m.title: m for m in sslviz.METHODS if m.family == "inductive"}
    methods = {FIRST_METHOD: family[FIRST_METHOD]} | family
    Method = choose_method(
        "Method", methods, "inductive.method", help="What learns the decision function."
    )
    linear = widget_value(f"{Method.__name__}.kernel") == "linear"
    names = [p.name for p in params_of(Method) if not (linear and p.name == "sigma")]
    parameters = choose_parameters(Method, only=tuple(names))
    backwards = issubclass(Method, Eigenfunctions) and st.toggle(
        "Swap class numbers",
        key="inductive.swap",
        bind="query-params",
        help="Number the classes backwards before fitting; names and colours stay.",
    )
    return InductiveChoice(Method, parameters, backwards)


def choose_look(Method: type, classes: tuple[str, ...]) -> InductiveLook:
    """Colours, rings, and the class whose decision function is shown in parts."""
    colour = choose_option(
        "Colour of the points",
        ("winner", "mix", "truth"),
        "inductive.colour",
        help="**winner**: the predicted class. **mix**: the classes' colours mixed by their "
        "probabilities; mixed colours mean the method is unsure. **truth**: the true class.",
    )
    margin = issubclass(Method, HasMargin)
    rings = choose_option(
        "Rings",
        ("mistakes", *(["margin"] if margin else []), "none"),
        f"inductive.rings.{'margin' if margin else 'plain'}",
        help="Around points with a wrong prediction"
        + (", or around unlabelled points inside the margin." if margin else "."),
    )
    if not issubclass(Method, Eigenfunctions):
        return InductiveLook(colour, rings=rings)
    name = st.selectbox(
        "Decision function of class",
        classes,
        index=len(classes) - 1,
        key="inductive.class",
        bind="query-params",
        help="Each class has its own decision function; the largest value wins. This one is shown "
        "in parts below the picture.",
    )
    return InductiveLook(colour, rings=rings, part_of=classes.index(name))
