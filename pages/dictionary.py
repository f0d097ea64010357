"""Atoms: SSDL-GA and USSDL learn what points are made of, and read classes off the recipe."""

from functools import partial
from inspect import signature
from typing import Any

import numpy as np
import streamlit as st

import sslviz
from sslviz.content_hash import digest
from sslviz.figures.theme import ACCENT
from sslviz.nearest_label import one_nn
from sslviz.params import params_of
from sslviz.recordings.dictionary import DictionaryRun, unlike_neighbours
from sslviz.snippet import dictionary_snippet
from sslviz.ui import runs
from sslviz.ui.app import page_header
from sslviz.ui.components.legend import show_legend
from sslviz.ui.controls import choose_parameter, choose_parameters
from sslviz.ui.dictionary import point_views, sidebar, training_views
from sslviz.ui.dictionary.atom_views import (
    HEIGHT,
    moments_of,
    show_image_grid,
    show_wall,
    users_of,
    wall,
)
from sslviz.ui.messages import (
    show_code,
    show_method_docs,
    show_method_summary,
    show_metrics,
    show_stage_times,
    stop_on_error,
)
from sslviz.ui.problem import choose_problem
from sslviz.ui.result import PLAIN, percent
from sslviz.ui.server import memory
from sslviz.ui.state.clicks import ATOM, clicked, on_click_remember

SSDLGA, USSDL = sslviz.SSDLGA, sslviz.USSDL
FEW = 600  # points: a round then takes a tenth of a second
EXTRA = {"knn": ("sigma",), "threshold": ("sigma", "share"), "learnt": ("spread",)}

page_header("Atoms")
show_method_summary(SSDLGA)
problem = choose_problem(few=FEW, first=sidebar.DATA)
dataset, y = problem.dataset, problem.y
truth, names, hidden = dataset.y, dataset.classes, problem.y < 0
declared = {p.name: p for p in params_of(SSDLGA)}
kind = sidebar.kind_of(dataset)
with st.sidebar:
    st.divider()
    steps, noise = sidebar.choose_preprocessing(kind)
    st.divider()
    atoms = declared["n_atoms"]._replace(default=sidebar.ATOMS[kind])
    parameters = {"n_atoms": choose_parameter(atoms, f"SSDLGA.n_atoms.{kind}")}
    parameters |= choose_parameters(SSDLGA, only=("lam", "beta", "gamma", "mu", "n_neighbors", "r"))
    laplacian = choose_parameter(declared["laplacian"], "SSDLGA.laplacian")
    parameters |= {
        "laplacian": laplacian,
        "max_iter": choose_parameter(declared["max_iter"], "SSDLGA.max_iter"),
    }
    parameters |= choose_parameters(
        SSDLGA, only=(*EXTRA.get(laplacian, ()), "inner", "batch_size", "epochs")
    )
    st.divider()
    go_on = st.toggle(
        "Go on from where it is",
        key="dictionary.go_on",
        help="Off: every setting starts anew, from points as atoms, so that two settings can be "
        "compared. On: when a parameter moves, learning goes on from the atoms and codes that are "
        "there (warm start). Other data, labels or numbers of atoms always start anew.",
    )
    versus = st.toggle(
        "USSDL beside it (β = 0)",
        key="dictionary.versus",
        bind="query-params",
        help="The same settings without the graph, learnt anew: a second wall, and numbers.",
    )
    mistakes = st.toggle(
        "Ring the mistakes", key="mistakes", bind="query-params", help="Compare with the truth."
    )
sidebar.show_limits(dataset, parameters["n_atoms"])


def begun(Method: type, X: np.ndarray, settings: dict[str, Any], before: Any) -> DictionaryRun:
    """A learning of these settings, from where a fitted model is or anew."""
    if before is None:
        return DictionaryRun(Method(**settings, memory=memory()), X, y)
    return DictionaryRun(before.set_params(**settings, warm_start=True), X, y)


with memory().watch() as stages, stop_on_error():
    X = memory().cache(sidebar.points_of)(dataset.X, steps, noise)
    where = digest("SSDLGA", X, y, parameters["n_atoms"])
    parameters["n_atoms"] = min(parameters["n_atoms"], len(X))
    path = runs.resume_or_start("dictionary", where, parameters, go_on, partial(begun, SSDLGA, X))
    runs.run_with_progress(path.learning, path.name, SSDLGA.title)
    model, film = path.learning.fitted(), path.learning.film()
    nearest = memory().cache(one_nn)(X, y, X)
    spread = sslviz.LabelPropagation(memory=memory()).fit(X, y).transduction_
    plain, plain_film = None, None
    shared = {k: v for k, v in parameters.items() if k in signature(USSDL).parameters}
    if versus:
        name = digest("USSDL", X, y, shared)
        other = runs.run_store().get(name, lambda: begun(USSDL, X, shared, None))
        runs.run_with_progress(other, name, USSDL.title)
        plain, plain_film = other.fitted(), other.film()


def share(labels: np.ndarray) -> str:
    return percent(float((labels == truth)[hidden].mean()) if hidden.any() else np.nan)


numbers = [
    (SSDLGA.title, share(model.transduction_), "Hidden labels found."),
    (
        "At the start" if len(path.settings) == 1 else "Before going on",
        share(film.scores[0].argmax(axis=1)),
        "What the rounds add is the difference. At the start atoms are points, and the classifier "
        "has seen the labelled codes alone.",
    ),
]
if plain is not None:
    meaning = "The same without a graph: what the graph adds is the difference."
    numbers.append((USSDL.title, share(plain.transduction_), meaning))
numbers += [
    ("1-NN", share(nearest), "The class of the nearest given label, of points as scaled here."),
    (
        "Label propagation",
        share(spread),
        f"No atoms: labels travel along the neighbour graph of points as scaled here. {PLAIN}",
    ),
    ("Atoms per point", f"{film.used[-1]:.1f}", f"Of {len(model.components_)}, on average."),
    ("Error", f"{film.error[-1]:.1%}", "Of the points' squared length, left by their codes."),
]
show_metrics(numbers)

used = np.abs(model.codes_).sum(axis=0)
point = problem.clicked()
atom = clicked(ATOM, (dataset.name, str(problem.setting.options)), len(used))
atom = int(used.argmax()) if atom is None else atom
seen = int(np.flatnonzero(hidden)[0]) if point is None and hidden.any() else point or 0

show_legend(names, {"given label": ("◆", "inherit"), "clicked": ("○", ACCENT)})
left, right = st.columns((3, 2))
with left:
    show_image_grid(
        wall(film, model, X, problem, atom),
        key="dictionary_wall",
        height=HEIGHT,
        alt=f"{len(used)} atoms of {dataset.name}; {share(model.transduction_)} found",
        film="dictionary",
        moments=moments_of(film),
        on_event=on_click_remember(ATOM),
    )
    show_wall(problem, X)
with right:
    places = X if kind == "places" else problem.points
    point_views.map_drawn(film, model, places, problem, seen, mistakes)
show_stage_times(stages)

left, right = st.columns(2)
with left:
    users_of(model, atom, problem)
with right:
    point_views.show_recipe(model, film, seen, X, problem)
    point_views.show_neighbours(model, seen, problem)

left, right = st.columns((3, 2))
with left:
    st.subheader("All codes")
    training_views.show_codes(model, film, problem, seen, atom, "dictionary_codes")
with right:
    training_views.show_margins(film, problem)
left, right = st.columns(2)
with left:
    training_views.show_terms(film)
with right:
    training_views.show_opinions(film, problem)

if plain is not None and plain_film is not None:
    st.subheader("Without the graph: USSDL")
    left, right = st.columns(2)
    with left:
        fig = wall(plain_film, plain, X, problem, None)
        show_image_grid(
            fig,
            key="dictionary_wall_plain",
            height=HEIGHT,
            alt="atoms of USSDL",
            film="dictionary",
            moments=moments_of(plain_film),
        )
    with right:
        unlike = partial(unlike_neighbours, L=model.laplacian_)
        training_views.show_without_graph(model, plain, plain_film, problem, unlike)

for Method in (SSDLGA, USSDL) if versus else (SSDLGA,):
    with st.expander(f"{Method.title}: idea, formula, paper", icon=":material/school:"):
        show_method_docs(Method)
defaults = {p.name: p.default for p in signature(SSDLGA).parameters.values()}
show_code(dictionary_snippet("SSDLGA", path.code, defaults, problem.setting, steps, noise))
