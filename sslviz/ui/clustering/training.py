"""The training on the page "Clustering", shared by all sessions that ask for the same."""

from dataclasses import replace

from sslviz.abilities import Pretrains
from sslviz.memo import Stage
from sslviz.recordings.clustering import ClusteringRun
from sslviz.ui.clustering.result import ClusteringResult, training_name
from sslviz.ui.clustering.space import cluster_space
from sslviz.ui.runs import run_store, start_training


def start_clustering(r: ClusteringResult, at_once: bool) -> tuple[ClusteringRun, Stage]:
    """The training of the result's model; it waits for Start unless it is to begin at once."""

    def new_run() -> ClusteringRun:
        data = r.problem.dataset
        places = None if r.plane is None else r.plane.places
        return ClusteringRun(
            r.model, data.X, data.y, data.n_classes, r.moment.order, places, _shorter_run(r)
        )

    name = training_name(r.model, r.problem, r.model.epochs)
    return start_training(name, new_run, at_once=at_once)


def _shorter_run(r: ClusteringResult) -> ClusteringRun | None:
    """A finished training of fewer epochs and the same settings, to continue; the longest."""
    if isinstance(r.model, Pretrains):  # the pretraining would be shorter, too
        return None
    for epochs in range(r.model.epochs - 1, 0, -1):
        found = run_store().find(training_name(r.model, r.problem, epochs))
        if isinstance(found, ClusteringRun) and found.done:
            return found
    return None


def result_of_run(r: ClusteringResult, run: ClusteringRun) -> ClusteringResult:
    """The result with the present predictions of its training."""
    return replace(r, moment=run.moment, run=run)


def settled_result(r: ClusteringResult) -> ClusteringResult:
    """The result of a training that is not going on, with the space in which k-means runs."""
    if r.run is None or r.run.training is None or r.running:
        return r
    return replace(r, space=cluster_space(r.run.settle(), r.hubs, r.moment.P))
