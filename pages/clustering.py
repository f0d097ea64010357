"""Clusters: no label at all. Hubs and their spectrum, and networks that one watches learn."""

import streamlit as st

from sslviz.clustering.vat import reach, shaken
from sslviz.ui.clustering import finding, inside
from sslviz.ui.clustering.buttons import buttons
from sslviz.ui.clustering.choosing import chosen
from sslviz.ui.clustering.code import code_of
from sslviz.ui.clustering.matching import matched
from sslviz.ui.clustering.samples import samples_said
from sslviz.ui.clustering.shaking import shaking_said
from sslviz.ui.clustering.showing import Scene, shown
from sslviz.ui.clustering.training import Training
from sslviz.ui.fields.plane import plane_of
from sslviz.ui.presets import offered
from sslviz.ui.problem import choose
from sslviz.ui.saying import (
    code_said,
    idea_said,
    method_explained,
    problems_said,
    stages_said,
)
from sslviz.ui.server import memory
from sslviz.ui.shell import begin

CELLS = 4000  # of the plane: asked at every repaint
EVERY = 0.1  # seconds; a picture that takes longer delays the next one, and none piles up

begin("Clusters")
st.markdown(
    "**No label is given.** A method sees the points alone and groups them; afterwards its groups "
    "are matched to the classes as well as can be, to give them colours and to count what is right."
)
offered("pages/clustering.py")
problem = choose(labelled=False)
with st.sidebar:
    st.divider()
    model, look = chosen(problem)
Method, X, truth = type(model), problem.dataset.X, problem.dataset.y
classes, learns = problem.dataset.n_classes, finding.is_learner(model)
idea_said(Method)

exact = plane_of(problem.points, X.shape[1], CELLS)
plane = exact if exact is not None and exact.exact else None
with memory().watch() as stages, problems_said(), st.spinner("Preparing …", show_time=True):
    hubs, order = finding.hubs_of(model), None
    if hubs is not None:
        hubs.fit(X)
        order = matched(hubs.hub_labels_, truth[hubs.hubs_], model.n_clusters, classes, None)
    beside = finding.baselines(model, problem)
    found: finding.Still | Training
    if learns:
        name = finding.name_of(model, problem)
        found = finding.training_of(name, lambda: finding.begun(model, problem, plane, order))
    else:
        found = finding.still(model.fit(X), problem, plane)
scene = Scene(problem, model, hubs, plane, look, beside)

if isinstance(found, Training):
    with st.container():  # there even if empty: what follows keeps its place
        finding.left_behind_said(found)
    buttons(found, name, model.epochs)
    every = EVERY if found.running else None
    st.fragment(shown, run_every=every)(scene, found, model.epochs)
else:
    shown(scene, found)
inside.map_said(scene, found)
stages_said(stages)

if hubs is not None:
    inside.hubs_said(scene)
if isinstance(found, Training) and not found.running and found.then is None:
    model.settle(found.course)
inside.embedding_said(scene, found, model)
if isinstance(found, Training) and hasattr(model, "xi"):
    radii = model.alpha * reach(X, memory=memory())
    st.fragment(shaking_said)(scene, found, radii, shaken)
samples_said(scene, found)

with st.expander(f"{Method.title}: idea, formula, paper", icon=":material/school:"):
    method_explained(Method)
code_said(code_of(model, problem.setting, found.iterations))
