"""Clustering: no labels; spectral clustering of hubs, and networks trained while one watches."""

import streamlit as st

from sslviz.abilities import Decodes, Perturbs, Trains
from sslviz.snippet import clustering_snippet
from sslviz.ui.clustering.decoded_view import show_decoded
from sslviz.ui.clustering.hand_labels import choose_hand_labels
from sslviz.ui.clustering.picture import show_picture
from sslviz.ui.clustering.properties import show_properties
from sslviz.ui.clustering.result import cluster, is_watched
from sslviz.ui.clustering.sidebar import (
    choose_clusterer,
    choose_labels,
    choose_look,
    choose_training,
)
from sslviz.ui.clustering.training import (
    result_of_run,
    settled_result,
    show_start_over,
    start_clustering,
)
from sslviz.ui.clustering.views import HUB_VIEWS, IMAGES, SPACE, components_warning
from sslviz.ui.errors import fragment
from sslviz.ui.formula import show_formula
from sslviz.ui.messages import show_method_summary
from sslviz.ui.page import computing, footer, header
from sslviz.ui.page_downloads import clustering_downloads
from sslviz.ui.perturbations import show_perturbations
from sslviz.ui.problem import choose_problem
from sslviz.ui.runs import watch
from sslviz.ui.server import memory
from sslviz.ui.views import show_views

header(
    "Clustering",
    "**No labels are given.** A method groups the points by their positions alone. Afterwards each "
    "cluster is matched to a class, to colour it and to measure the accuracy.",
    page="clustering",
    presets=True,
)
problem = choose_problem(labelled=False)
with st.sidebar:
    st.divider()
    model = choose_clusterer(problem)
    per_class = choose_labels(model, problem)
    st.divider()
    watched = is_watched(model)
    at_once = watched and choose_training()
    look = choose_look(type(model))
show_method_summary(type(model))

given, setting = choose_hand_labels(problem, per_class)
with computing("Clustering …") as stages:
    result = cluster(model, problem, look, memory(), given)
    if watched:
        run, stage = start_clustering(result, at_once)
        stages.append(stage)
show_formula(model)
if watched:
    watch(run, lambda: show_picture(result_of_run(result, run)))
    if run.done:
        st.caption(run.status())
    result = settled_result(result_of_run(result, run))
    show_start_over(result, run)
else:
    show_picture(result)

if result.hubs is not None:
    st.header("Hubs", divider="gray")
    if text := components_warning(result):
        st.warning(text, icon=":material/broken_image:")
    show_views(HUB_VIEWS, result, columns=2)
show_views([SPACE], result, columns=1)
if isinstance(model, Perturbs) and not result.running:
    fragment(show_perturbations)(result, "clusters.xi")
if isinstance(model, Decodes) and not result.running:
    fragment(show_decoded)(result)
show_views([IMAGES], result, columns=1)
show_properties()

stopped = isinstance(model, Trains) and not run.done and result.trained
iterations = result.moment.iteration if stopped else None
footer(
    [type(model)],
    clustering_snippet(model, setting, iterations),
    stages,
    clustering_downloads(result),
)
