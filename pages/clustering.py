"""Clusters: no label at all. Hubs and their spectrum, and networks that one watches learn."""

import streamlit as st

from sslviz.clustering.stages.vat import reach, shaken
from sslviz.data.plane_grid import plane_of
from sslviz.recordings.clustering import Training
from sslviz.ui.app import begin
from sslviz.ui.clustering import result, views
from sslviz.ui.clustering.code import code_of
from sslviz.ui.clustering.image_rows import samples_said
from sslviz.ui.clustering.map_view import Scene, shown
from sslviz.ui.clustering.matching import matched
from sslviz.ui.clustering.sidebar import chosen
from sslviz.ui.clustering.training_buttons import buttons
from sslviz.ui.clustering.vat_view import shaking_said
from sslviz.ui.messages import code_said, idea_said, method_explained, problems_said, stages_said
from sslviz.ui.presets.apply import offered
from sslviz.ui.problem import choose
from sslviz.ui.server import memory

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
classes, learns = problem.dataset.n_classes, result.is_learner(model)
idea_said(Method)

exact = plane_of(problem.points, X.shape[1], CELLS)
plane = exact if exact is not None and exact.exact else None
with memory().watch() as stages, problems_said(), st.spinner("Preparing …", show_time=True):
    hubs, order = result.hubs_of(model), None
    if hubs is not None:
        hubs.fit(X)
        order = matched(hubs.hub_labels_, truth[hubs.hubs_], model.n_clusters, classes, None)
    beside = result.baselines(model, problem)
    found: result.Still | Training
    if learns:
        name = result.name_of(model, problem)
        found = result.training_of(name, lambda: result.begun(model, problem, plane, order))
    else:
        found = result.still(model.fit(X), problem, plane)
scene = Scene(problem, model, hubs, plane, look, beside)

if isinstance(found, Training):
    with st.container():  # there even if empty: what follows keeps its place
        result.left_behind_said(found)
    buttons(found, name, model.epochs)
    every = EVERY if found.running else None
    st.fragment(shown, run_every=every)(scene, found, model.epochs)
else:
    shown(scene, found)
views.map_said(scene, found)
stages_said(stages)

if hubs is not None:
    views.hubs_said(scene)
if isinstance(found, Training) and not found.running and found.then is None:
    model.settle(found.course)
views.embedding_said(scene, found, model)
if isinstance(found, Training) and hasattr(model, "xi"):
    radii = model.alpha * reach(X, memory=memory())
    st.fragment(shaking_said)(scene, found, radii, shaken)
samples_said(scene, found)

with st.expander(f"{Method.title}: idea, formula, paper", icon=":material/school:"):
    method_explained(Method)
code_said(code_of(model, problem.setting, found.iterations))
