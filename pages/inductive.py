"""Decision fields: an answer at every place, from labelled and unlabelled points together."""

from typing import Any

import numpy as np
import streamlit as st

import sslviz
from sslviz.data.plane_grid import plane_of
from sslviz.inductive.ssdr import spectrum_curve
from sslviz.inductive.stages.eigenfunctions import eigenfunctions
from sslviz.kernels import gram
from sslviz.params import params_of
from sslviz.recordings.mixture import MixtureRun, mixture_key
from sslviz.snippet import model_snippet
from sslviz.ui.app import page_header
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.controls import choose_method, choose_option, choose_parameters
from sslviz.ui.inductive import kernel_views, views
from sslviz.ui.inductive.cost_warning import confirm_if_slow
from sslviz.ui.inductive.map_view import Look, picture
from sslviz.ui.inductive.result import FieldResult, evaluate_field, filmed, relabel, show_accuracy
from sslviz.ui.inductive.s3vm_run import MOST, Climb, climb_of
from sslviz.ui.inductive.spanning_tree_view import show_spanning_tree
from sslviz.ui.messages import (
    show_code,
    show_method_docs,
    show_method_summary,
    show_stage_times,
    stop_on_error,
    warn_if_clipped,
)
from sslviz.ui.presets.apply import show_preset_links
from sslviz.ui.problem import choose_problem
from sslviz.ui.result import percent
from sslviz.ui.runs import start_run, watch
from sslviz.ui.server import memory
from sslviz.ui.state.clicks import on_click_remember

FEW = 1000  # points unless more are asked for: most methods here compare all pairs
FIRST = sslviz.LapRLS  # the plainest story: the graph bends the field

page_header("Decision fields")
st.markdown(
    "A **field** answers at every place, also where no point lies. Labels say what it should be at "
    "a few points; the unlabelled ones say where it may turn."
)
show_preset_links("pages/inductive.py")
problem = choose_problem(few=FEW)
X, y, names = problem.dataset.X, problem.y, problem.dataset.classes
hidden = y < 0
if not hidden.any():
    st.info("Every label is given, nothing is left to find: give fewer labels per class.")
    st.stop()

with st.sidebar:
    st.divider()
    family = [m for m in sslviz.METHODS if m.family == "inductive" and m is not FIRST]
    methods = {m.title: m for m in (FIRST, *family)}
    Method = choose_method("Method", methods, "field_method", help="What makes the field.")
    kernel = f"{Method.__name__}.kernel"
    linear = "linear" in (st.session_state.get(kernel), st.query_params.get(kernel))
    declared = [p.name for p in params_of(Method) if not (linear and p.name == "sigma")]
    parameters = choose_parameters(Method, only=tuple(declared))
    swapped = Method is sslviz.SDSC and st.toggle(
        "Swap class numbers",
        key="fields.swap",
        bind="query-params",
        help="Number the classes backwards before fitting; names and colours stay.",
    )
    st.divider()
    colour = choose_option(
        "Points",
        ("winner", "mix", "truth"),
        "fields.colour",
        help="The winning class of each point; the mix of all classes by their share, of "
        "more than two by its square (muddy: torn); or the truth.",
    )
    margin = Method in (sslviz.LapSVM, sslviz.S3VM)
    rings = choose_option(
        "Rings",
        ("mistakes", *(["margin"] if margin else []), "none"),
        f"fields.rings.{'margin' if margin else 'plain'}",
        help="Around points whose answer is wrong"
        + (", or around unlabelled ones that stand in the margin." if margin else "."),
    )
    look = Look(colour, rings)
show_method_summary(Method)
if not linear and confirm_if_slow(Method, len(X), X.shape[1], len(names), gram.MOST):
    st.stop()

order = np.arange(len(names))[:: -1 if swapped else 1]  # the number each class is fitted under
plane = plane_of(problem.points, X.shape[1])
model, target = Method(**parameters, memory=memory()), relabel(y, order)
way: Climb | MixtureRun | None = None  # of a method whose steps are drawn


def now() -> FieldResult:
    """What the method says, or as much of it as there is by now."""
    if isinstance(way, MixtureRun):
        return filmed(model, way.film(), problem, plane)
    return evaluate_field(model if way is None else way.model(), problem, plane, order)


with memory().watch() as stages, stop_on_error(), st.spinner("Fitting …", show_time=True):
    if Method is sslviz.SemiSupervisedGMM:
        places = plane.places if plane is not None and plane.exact else None
        name = mixture_key(model, X, target, problem.points, places)
        way, took = start_run(name, lambda: MixtureRun(model, X, target, problem.points, places))
    elif Method is sslviz.S3VM and len(X) <= MOST:
        way, took = climb_of(model, X, target)
    else:
        model.fit(X, target)
    found = now()
if way is not None:
    stages.append(took)
warn_if_clipped(model)


def inner_of(model: Any) -> Any:
    """What a method lets one see of itself, if anything."""
    if Method is sslviz.SSDR:
        return spectrum_curve(model.eigenvalues_, model.lam, model.gamma2 / model.gamma1)
    if Method is not sslviz.SDSC:
        return None
    if plane is not None and plane.exact:
        return eigenfunctions(model, X, plane.places)
    return model.eigenfunctions_


def shown(found: FieldResult) -> None:
    """Numbers, picture and charts of an answer."""
    head = st.container()  # filled below: the picture comes first
    point = problem.clicked()
    show_figure(
        picture(found, problem, plane, look, point),
        key="fields_map",
        height=560,
        thumbnails=problem.thumbnails,
        alt=f"Field of {Method.title} on {problem.dataset.name}; "
        f"{percent(found.answer.accuracy(hidden))} right",
        film="fields",
        moments=None if found.film is None else found.film.iterations,
        on_event=on_click_remember(),
    )
    if way is not None:
        st.caption(way.status())
    views.show_field(found, plane, X.shape[1])
    show_stage_times(stages)
    with head:
        show_accuracy(found, problem, order)
    views.show_panels(found, problem, plane, point, inner_of(found.model))


if way is None:
    with st.container():  # as a fragment has one: the picture stays the same element
        shown(found)
else:
    watch(way, lambda: shown(now()))

if Method is sslviz.SDSC:
    kernel_views.show_renamed(model, problem, np.where(hidden, -1, order[y]))
if found.width is not None:
    show_spanning_tree(problem, found.width, found.exponent)

with st.expander(f"{Method.title}: idea, formula, paper", icon=":material/school:"):
    show_method_docs(Method)
code = model_snippet(model, problem.setting)
show_code(kernel_views.renamed_code(code) if swapped else code)
