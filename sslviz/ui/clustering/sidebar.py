"""What is asked on the page of clusters: a method and its parameters, and what to look at."""

from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

import sslviz
from sslviz.abilities import Trains
from sslviz.params import Choice, Number, params_of
from sslviz.ui.controls import (
    choose_method,
    choose_option,
    choose_parameter,
    choose_parameters,
    word,
)
from sslviz.ui.problem import Problem
from sslviz.ui.server import memory

HUBS = ("k_graph", "k_hub", "n_hubs", "sigma", "gamma")  # what SGSC asks, SEDC asks too


class Look(NamedTuple):
    """What the picture shows."""

    colour: str  # "winner", "mix" or "truth"
    mistakes: bool
    hubs: bool


def methods() -> dict[str, type]:
    """By short name and title."""
    names = ("SEDC", "SGSC", "IMSAT", "DEC", "SpectralNet", "KMeans", "SpectralClustering")
    found = [getattr(sslviz, name) for name in names]
    return {
        m.title if short_name(m) == m.title else f"{short_name(m)}: {m.title}": m for m in found
    }


def short_name(method: Any) -> str:
    """Its letters if it is known by them, else its title."""
    name: str = method.__name__
    return name if name.isupper() else method.title


def choose_clusterer(problem: Problem) -> tuple[Any, Look]:
    """The controls of the sidebar: the estimator they describe, and the look."""
    Method = choose_method("Method", methods(), "cluster_method", help="What finds the groups.")
    values: dict[str, Any] = {"n_clusters": _clusters(Method, problem)}
    names = [p.name for p in params_of(Method) if p.name != "n_clusters"]
    values |= choose_parameters(Method, only=tuple(n for n in names if n not in (*HUBS, "hidden")))
    if "hidden" in names:
        values["hidden"] = _hidden(Method)
    if "k_hub" in names:
        if Method is not sslviz.SGSC:
            st.markdown("**The hubs**")
        values |= choose_parameters(sslviz.SGSC, only=HUBS)
    seed = st.slider(
        "Draw",
        0,
        99,
        key="clusters.seed",
        bind="query-params",
        help="Seed of all that is left to chance: first weights, batches, starts of k-means.",
    )
    st.divider()
    model = Method(**values, memory=memory(), random_state=seed)
    return model, _look("k_hub" in names, issubclass(Method, Trains))


def _clusters(Method: type, problem: Problem) -> int:
    """As many as there are classes unless told otherwise; every set remembers its own number."""
    p = next(p for p in params_of(Method) if p.name == "n_clusters")
    assert isinstance(p.spec, Number)
    classes = problem.dataset.n_classes
    spec = replace(p.spec, shown=(2, max(20, classes)))
    asked = p._replace(default=max(2, classes), spec=spec)
    return choose_parameter(asked, f"clusters.C.{problem.dataset.name}")


def _hidden(Method: type) -> tuple[int, ...]:
    """A small network unless told otherwise: the printed ones are too slow to be watched."""
    spec = next(p.spec for p in params_of(Method) if p.name == "hidden")
    assert isinstance(spec, Choice)
    sizes = {word(v): v for v in spec.valid if isinstance(v, tuple)}
    small, printed = sizes
    picked = choose_option(
        "Hidden layers",
        (small, printed),
        f"{Method.__name__}.hidden",
        help=f"{spec.help} **{small}**: small and quick; **{printed}**: as printed, some ten to "
        "twenty times slower. For images without a GPU this is a matter of many minutes.",
    )
    return sizes[picked]


def _look(hubs: bool, doubts: bool) -> Look:
    colour = choose_option(
        "Points",
        ("winner", *(["mix"] if doubts else []), "truth"),
        "clusters.colour" if doubts else "clusters.colours",
        help="The cluster of each point"
        + ("; the mix of all clusters by their chances (muddy: torn)" if doubts else "")
        + "; or its true class, which no method here has seen.",
    )
    mistakes = st.toggle(
        "Ring the mistakes", key="mistakes", bind="query-params", help="Compare with the truth."
    )
    marked = hubs and st.toggle(
        "Mark the hubs",
        True,
        key="clusters.hubs",
        bind="query-params",
        help="Stars, in the mix of the clusters they belong to by spectral clustering.",
    )
    return Look(colour, mistakes, marked)
