"""Decision fields: an answer at every place, from labelled and unlabelled points together."""

from typing import Any

import numpy as np
import streamlit as st

import sslviz
from sslviz.figures.fields import field_map
from sslviz.figures.films import cloud_frames
from sslviz.figures.points import add_links
from sslviz.inductive.shapes import eigenfunctions
from sslviz.inductive.ssdr import spectrum_curve
from sslviz.params import params_of
from sslviz.snippet import model_snippet
from sslviz.ui.answers import facts_of, percent, winners
from sslviz.ui.clicked import clicked_point, remember
from sslviz.ui.controls import choose_method, controls, pick
from sslviz.ui.fields import around, bending
from sslviz.ui.fields.asking import asked, grounds, worth_said
from sslviz.ui.fields.plane import plane_of
from sslviz.ui.fields.spanning import spanning_tried
from sslviz.ui.live import live
from sslviz.ui.presets import offered
from sslviz.ui.problem import choose
from sslviz.ui.saying import (
    clipping_said,
    code_said,
    idea_said,
    method_explained,
    problems_said,
    stages_said,
)
from sslviz.ui.server import memory
from sslviz.ui.shell import begin

FEW = 1000  # points unless more are asked for: most methods here compare all pairs
FIRST = sslviz.LapRLS  # the plainest story: the graph bends the field

begin("Decision fields")
st.markdown(
    "A **field** answers at every place, also where no point lies. Labels say what it should be at "
    "a few points; the unlabelled ones say where it may turn."
)
offered("pages/fields.py")
problem = choose(few=FEW)
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
    parameters = controls(Method, only=tuple(declared))
    swapped = Method is sslviz.SDSC and st.toggle(
        "Swap class numbers",
        key="fields.swap",
        bind="query-params",
        help="Number the classes backwards before fitting; names and colours stay.",
    )
    st.divider()
    colour = pick(
        "Points",
        ("winner", "mix", "truth"),
        "fields.colour",
        help="The winning class of each point; the mix of all classes by their share (muddy: "
        "unsure); or the truth.",
    )
    margin = Method in (sslviz.LapSVM, sslviz.S3VM)
    rings = pick(
        "Rings",
        ("mistakes", *(["margin"] if margin else []), "none"),
        f"fields.rings.{'margin' if margin else 'plain'}",
        help="Around points whose answer is wrong"
        + (", or around unlabelled ones that stand in the margin." if margin else "."),
    )
idea_said(Method)

order = np.arange(len(names))[:: -1 if swapped else 1]  # the number each class is fitted under
plane = plane_of(problem.points, X.shape[1])
with memory().watch() as stages, problems_said(), st.spinner("Fitting …", show_time=True):
    found = asked(Method(**parameters, memory=memory()), problem, plane, order)
model, answer, film = found.model, found.answer, found.film
clipping_said(model)
head = st.container()  # filled below: the picture comes first


def drawn(F: np.ndarray) -> np.ndarray:
    """What colours the points."""
    if colour == "truth":
        return np.eye(len(names))[problem.dataset.y]
    return F if colour == "mix" else winners(F)


def mistaken(labels: np.ndarray) -> np.ndarray:
    """Which hidden points have an answer, and a wrong one."""
    return hidden & (labels >= 0) & (labels != problem.dataset.y)


point = clicked_point("fields", problem)
exact = plane is not None and plane.exact
fig = field_map(
    problem.points,
    drawn(answer.F),
    y,
    names,
    cells=found.cells,
    full=found.full,
    lines=exact and film is None,  # a boundary does not move with a film
    margin=found.scores is not None and found.scores.ndim == 1,
    wrong=mistaken(answer.labels) if rings == "mistakes" and film is None else None,
    inside=found.inside if rings == "margin" else None,
    support=np.isin(np.arange(len(X)), model.support_) & ~hidden if margin else None,
    facts=facts_of(answer, problem),
    uirevision=problem.view,
)
if film is not None:
    flat = problem.points.shape[1] == 2
    cloud_frames(
        fig,
        [f"step {i}" for i in film.iterations],
        [drawn(F) for F in film.F],
        (film.means, film.covariances) if flat else None,
        grounds(found, plane),
        [mistaken(F.argmax(axis=1)) for F in film.F] if rings == "mistakes" else None,
    )
if point is not None:
    links = model.links(point) if hasattr(model, "links") else (np.array([], int), np.array([]))
    add_links(fig, problem.points, point, links[0], np.abs(links[1]))
live(
    fig,
    key="fields_map",
    height=560,
    thumbnails=problem.thumbnails,
    alt=f"Field of {model.title} on {problem.dataset.name}; "
    f"{percent(answer.accuracy(hidden))} right",
    on_event=remember("fields"),
)
around.field_said(found, plane, X.shape[1])
stages_said(stages)
with head:
    worth_said(found, problem, order)

inner: Any = None
if Method is sslviz.SSDR:
    inner = spectrum_curve(model.eigenvalues_, model.lam, model.gamma2 / model.gamma1)
elif Method is sslviz.SDSC:
    inner = model.eigenfunctions_
    if plane is not None and plane.exact:
        inner = eigenfunctions(model, X, plane.places)
around.panels_said(found, problem, plane, point, inner)
if Method is sslviz.SDSC:
    bending.renamed_said(model, problem, np.where(hidden, -1, order[y]))
if found.width is not None:
    spanning_tried(problem, found.width, found.exponent)

with st.expander(f"{Method.title}: idea, formula, paper", icon=":material/school:"):
    method_explained(Method)
code = model_snippet(model, problem.setting)
code_said(bending.renamed_code(code) if swapped else code)
