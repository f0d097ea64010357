"""Clusters: no label at all. Hubs and their spectrum, and networks that one watches learn."""

import streamlit as st

from sslviz.clustering.stages.vat import knn_radius, perturbation_report
from sslviz.data.plane_grid import plane_of
from sslviz.metrics import match_clusters
from sslviz.recordings.clustering import TrainingRecording
from sslviz.snippet import clustering_snippet
from sslviz.ui.app import page_header
from sslviz.ui.clustering import result, views
from sslviz.ui.clustering.image_rows import show_samples
from sslviz.ui.clustering.map_view import ClusterPage, show_map
from sslviz.ui.clustering.sidebar import choose_clusterer
from sslviz.ui.clustering.training_buttons import buttons
from sslviz.ui.clustering.vat_view import show_shaking
from sslviz.ui.messages import (
    show_code,
    show_method_docs,
    show_method_summary,
    show_stage_times,
    stop_on_error,
)
from sslviz.ui.presets.apply import show_preset_links
from sslviz.ui.problem import choose_problem
from sslviz.ui.server import memory

CELLS = 4000  # of the plane: asked at every repaint
EVERY = 0.1  # seconds; a picture that takes longer delays the next one, and none piles up

page_header("Clusters")
st.markdown(
    "**No label is given.** A method sees the points alone and groups them; afterwards its groups "
    "are matched to the classes as well as can be, to give them colours and to count what is right."
)
show_preset_links("pages/clustering.py")
problem = choose_problem(labelled=False)
with st.sidebar:
    st.divider()
    model, look = choose_clusterer(problem)
Method, X, truth = type(model), problem.dataset.X, problem.dataset.y
classes, learns = problem.dataset.n_classes, result.is_learner(model)
show_method_summary(Method)

exact = plane_of(problem.points, X.shape[1], CELLS)
plane = exact if exact is not None and exact.exact else None
with memory().watch() as stages, stop_on_error(), st.spinner("Preparing …", show_time=True):
    hubs, order = result.hubs_of(model), None
    if hubs is not None:
        hubs.fit(X)
        order = match_clusters(hubs.hub_labels_, truth[hubs.hubs_], model.n_clusters, classes, None)
    beside = result.baselines(model, problem)
    found: result.StaticResult | TrainingRecording
    if learns:
        name = result.name_of(model, problem)
        found = result.training_of(
            name, lambda: result.start_training(model, problem, plane, order)
        )
    else:
        found = result.still(model.fit(X), problem, plane)
scene = ClusterPage(problem, model, hubs, plane, look, beside)

if isinstance(found, TrainingRecording):
    with st.container():  # there even if empty: what follows keeps its place
        result.show_left_behind(found)
    buttons(found, name, model.epochs)
    every = EVERY if found.running else None
    st.fragment(show_map, run_every=every)(scene, found, model.epochs)
else:
    show_map(scene, found)
views.show_map(scene, found)
show_stage_times(stages)

if hubs is not None:
    views.show_hubs(scene)
if isinstance(found, TrainingRecording) and not found.running and found.then is None:
    model.settle(found.course)
views.show_embedding(scene, found, model)
if isinstance(found, TrainingRecording) and hasattr(model, "xi"):
    radii = model.alpha * knn_radius(X, memory=memory())
    st.fragment(show_shaking)(scene, found, radii, perturbation_report)
show_samples(scene, found)

with st.expander(f"{Method.title}: idea, formula, paper", icon=":material/school:"):
    show_method_docs(Method)
show_code(clustering_snippet(model, problem.setting, found.iterations))
