"""The training or merging on the page "Clustering", shared by sessions that ask for the same."""

from dataclasses import replace

import streamlit as st

from sslviz.abilities import MergesClusters, Pretrains
from sslviz.memo import Stage
from sslviz.recordings.clustering import ClusteringRun
from sslviz.recordings.linkage import LinkageRun
from sslviz.ui.clustering.result import ClusteringResult, run_name
from sslviz.ui.clustering.space import cluster_space
from sslviz.ui.runs import run_store, start_training


def start_clustering(
    r: ClusteringResult, at_once: bool
) -> tuple[ClusteringRun | LinkageRun, Stage]:
    """The run of the result's model; it waits for Start unless it is to begin at once."""
    data, places = r.problem.dataset, None if r.plane is None else r.plane.places
    shared = r.model, data.X, data.y, data.n_classes
    if isinstance(r.model, MergesClusters):
        return start_training(run_name(r), LinkageRun, *shared, places, at_once=at_once)
    more = r.moment.order, places, _shorter_run(r), r.given
    return start_training(run_name(r), ClusteringRun, *shared, *more, at_once=at_once)


def _shorter_run(r: ClusteringResult) -> ClusteringRun | None:
    """A finished training of fewer epochs and the same settings, to continue; the longest."""
    if isinstance(r.model, Pretrains):  # the pretraining would be shorter, too
        return None
    for epochs in range(r.model.epochs - 1, 0, -1):
        found = run_store().find(run_name(r, epochs=epochs))
        if isinstance(found, ClusteringRun) and found.done:
            return found
    return None


def show_start_over(r: ClusteringResult, run: ClusteringRun | LinkageRun) -> None:
    """A button that forgets what was learnt, once something was."""
    if run.taken and not r.running:
        st.button(
            "Begin again",
            key="clusters.again",
            icon=":material/restart_alt:",
            help="Forget what was learnt and begin again, with the same random seed.",
            on_click=run_store().forget,
            args=(run_name(r),),
        )


def result_of_run(r: ClusteringResult, run: ClusteringRun | LinkageRun) -> ClusteringResult:
    """The present predictions of a run; all points are predicted where it does not go on."""
    if isinstance(run, ClusteringRun) and run.taken and (run.done or run.paused):
        run.complete()
    return replace(r, moment=run.moment, run=run)


def settled_result(r: ClusteringResult) -> ClusteringResult:
    """The result of a run that is not going on, with the space in which k-means runs."""
    if r.run is None or not r.run.has_clusters or r.running:
        return r
    fitted = r.run.settle()
    mixture = "codes" in r.moment.picture  # shown with its components
    space = None if mixture else cluster_space(fitted, r.hubs, r.moment.P)
    return replace(r, fitted=fitted, space=space)
