"""The sidebar of the page "Clustering": a method with its parameters, colours and marks."""

from dataclasses import replace
from typing import Any

import streamlit as st

import sslviz
from sslviz.abilities import HubBased, Trains
from sslviz.params import Choice, Number, params_of
from sslviz.ui.clustering.result import ClusterLook
from sslviz.ui.controls import (
    choose_method,
    choose_option,
    choose_parameter,
    choose_parameters,
    option_text,
    with_effect,
)
from sslviz.ui.look import choose_mistakes
from sslviz.ui.problem import Problem
from sslviz.ui.server import memory

HUB_PARAMETERS = (
    "k_graph",
    "k_hub",
    "n_hubs",
    "sigma",
    "gamma",
    "power",
)  # of SGSC, SEDC


def methods() -> dict[str, Any]:
    """The clusterers by their options; the one of hubs and a network comes first."""
    family = [m for m in sslviz.METHODS if m.family == "clustering"]
    family.sort(key=lambda m: not (issubclass(m, HubBased) and issubclass(m, Trains)))
    return {m.option(): m for m in family}


def choose_clusterer(problem: Problem) -> Any:
    """The estimator that the controls describe."""
    Method = choose_method("Method", methods(), "cluster_method", help="What finds the clusters.")
    values: dict[str, Any] = {"n_clusters": _choose_clusters(Method, problem)}
    names = [n for n in with_effect(Method, Method.__name__) if n != "n_clusters"]
    own = tuple(n for n in names if n not in (*HUB_PARAMETERS, "hidden"))
    if issubclass(Method, HubBased) and not own:
        return _estimator(
            Method, values | choose_parameters(Method, prefix="SGSC", only=HUB_PARAMETERS)
        )
    values |= choose_parameters(Method, only=own)
    if "hidden" in names:
        values["hidden"] = _choose_layers(Method)
    if issubclass(Method, HubBased):
        with st.expander("Hubs"):
            values |= choose_parameters(Method, prefix="SGSC", only=HUB_PARAMETERS)
    return _estimator(Method, values)


def _estimator(Method: Any, values: dict[str, Any]) -> Any:
    seed = st.slider(
        "Random seed",
        0,
        99,
        key="clusters.seed",
        bind="query-params",
        help="Of everything random: initial weights, batches, starts of k-means.",
    )
    return Method(**values, memory=memory(), random_state=seed)


def choose_labels(model: Any, problem: Problem) -> int:
    """Labels per class for a method that uses some if there are any; 0 for others."""
    if not model.takes_labels:
        return 0
    per_class = st.slider(
        "Labels per class",
        0,
        20,
        key="clusters.labels",
        bind="query-params",
        help="With labels the method is a classifier: cluster c is class c. 0: it clusters.",
    )
    if per_class:
        model.set_params(n_clusters=max(model.n_clusters, problem.dataset.n_classes))
    return per_class


def choose_training() -> bool:
    """Whether a network is trained without pressing Start."""
    return st.toggle(
        "Train at once",
        key="clusters.train",
        bind="query-params",
        help="Train the network whenever a setting changes. Off: press **Start** above the map.",
    )


def _choose_clusters(Method: type, problem: Problem) -> int:
    """As many as there are classes by default; every data set remembers its own number."""
    p = next(p for p in params_of(Method) if p.name == "n_clusters")
    assert isinstance(p.spec, Number)
    classes = problem.dataset.n_classes
    spec = replace(p.spec, shown=(2, max(20, classes)))
    return choose_parameter(
        p._replace(default=max(2, classes), spec=spec), f"clusters.C.{problem.dataset.name}"
    )


def _choose_layers(Method: type) -> tuple[int, ...]:
    """A small network by default: training the paper's network takes too long to watch."""
    spec = next(p.spec for p in params_of(Method) if p.name == "hidden")
    assert isinstance(spec, Choice)
    sizes = {option_text(v): v for v in spec.valid if isinstance(v, tuple)}
    quick, paper = sizes
    picked = choose_option(
        "Hidden layers",
        (quick, paper),
        f"{Method.__name__}.hidden",
        help=f"{spec.help} **{quick}**: small and quick; **{paper}**: {spec.explained[-1]}, up to "
        "twenty times slower. For images without a GPU that means many minutes.",
    )
    return sizes[picked]


def choose_look(Method: type) -> ClusterLook:
    """Colours of the points, rings and stars."""
    soft = issubclass(Method, Trains)  # such a method has probabilities
    colour = choose_option(
        "Colour",
        ("winner", *(["mix"] if soft else []), "truth"),
        "clusters.colour" if soft else "clusters.colours",
        help="**winner**: the cluster of each point. "
        + ("**mix**: all clusters mixed by their probabilities. " if soft else "")
        + "**truth**: the true class, which no method on this page uses.",
    )
    mistakes = choose_mistakes("Ring the points whose cluster is matched to another class.")
    hubs = issubclass(Method, HubBased) and st.toggle(
        "Mark the hubs",
        True,
        key="clusters.hubs",
        bind="query-params",
        help="Stars: the points of highest degree, in the colours of their cluster probabilities.",
    )
    return ClusterLook(colour, mistakes, hubs=hubs)
