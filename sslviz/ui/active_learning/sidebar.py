"""The sidebar of the page "Active learning": the strategy, the number of queries, the graph."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

import sslviz
from sslviz.experiments.active_learning import STRATEGIES
from sslviz.ui.controls import choose_option, choose_parameters

GRAPH_PARAMETERS = ("n_neighbors", "sigma")


@dataclass(frozen=True)
class QueryChoice:
    """What the visitor has chosen; `colour` is "answers" or "help"."""

    strategy: str
    count: int
    parameters: dict[str, Any]  # of label propagation
    colour: str


def choose_queries() -> QueryChoice:
    """The controls of the page."""
    strategy = choose_option(
        "Strategy",
        STRATEGIES,
        "active_learning.strategy",
        help="Which label to ask for next (the *query*). **expected risk**: the point whose label "
        "is expected to leave the fewest mistakes. **most unsure**: the point with the smallest "
        "margin between its two most probable classes. **at random**: any point.",
    )
    count = st.slider(
        "Queries",
        1,
        40,
        15,
        key="active_learning.count",
        bind="query-params",
        help="How many labels are asked for, one after the other.",
    )
    parameters = choose_parameters(sslviz.LabelPropagation, only=GRAPH_PARAMETERS)
    colour = choose_option(
        "Colour",
        ("answers", "help"),
        "active_learning.colour",
        help="**answers**: the classes' colours mixed by their probabilities. **help**: how much "
        "the label of each point is expected to help, by the chosen strategy.",
    )
    return QueryChoice(strategy, count, parameters, colour)
