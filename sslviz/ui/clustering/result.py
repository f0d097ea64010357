"""What a clustering found, in the colours of the classes, and what is known beside it."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from scipy import sparse

import sslviz
from sslviz.abilities import Pretrains, Trains
from sslviz.content_hash import digest
from sslviz.data.plane_grid import Plane
from sslviz.figures.maps.decision_field import margins_over_runner_up, shades
from sslviz.graph.neighbours import knn
from sslviz.graph.weights import undirected
from sslviz.metrics import match_clusters, matched_columns
from sslviz.recordings.clustering import TrainingRecording
from sslviz.ui.problem import Problem
from sslviz.ui.server import memory

SMALL = 5000  # points up to which spectral clustering of all of them stands beside
KEPT = 4  # trainings of a session
COURSES, CURRENT = "clusters:courses", "clusters:current"


class StaticResult(NamedTuple):
    """The answer of a method that has nothing to watch; as much of a Training as is drawn."""

    P: np.ndarray
    order: np.ndarray
    ground: np.ndarray | None
    truth: np.ndarray
    wide: int

    iterations: int | None = None  # it is not learnt by any

    @property
    def labels(self) -> np.ndarray:
        return self.P.argmax(axis=1)

    @property
    def used(self) -> int:
        return len(np.unique(self.labels))

    @property
    def accuracy(self) -> float:
        return float((self.order[self.labels] == self.truth).mean())


def still(model: Any, problem: Problem, plane: Plane | None) -> StaticResult:
    """Of a fitted clusterer; the plane is coloured where the method answers at every place."""
    truth, C = problem.dataset.y, model.n_clusters
    classes = problem.dataset.n_classes
    order = match_clusters(model.labels_, truth, C, classes, None)
    wide, ground = max(C, classes), None
    if plane is not None and hasattr(model, "predict"):
        said = matched_columns(np.eye(C)[model.predict(plane.places)], order, wide)
        ground = shades(plane.cells(margins_over_runner_up(said)), 1.0)
    return StaticResult(np.eye(C)[model.labels_], order, ground, truth, wide)


def is_learner(model: Any) -> bool:
    return isinstance(model, Trains)


def hubs_of(model: Any) -> Any:
    """The SGSC behind a model, not fitted: itself, or the one whose hubs it listens to; or None."""
    if not hasattr(model, "k_hub") or isinstance(model, sslviz.SGSC):
        return model if hasattr(model, "k_hub") else None
    shared = sslviz.SGSC().get_params(deep=False)
    return sslviz.SGSC(**{name: getattr(model, name) for name in shared})


def graph_of(X: np.ndarray, k: int) -> sparse.csr_array:
    """The graph that names hubs and measures ways."""
    return memory().cache(undirected)(knn(X, min(k, len(X) - 1), memory()))


def baselines(model: Any, problem: Problem) -> dict[str, float]:
    """Accuracies of the quick methods with as many clusters, but for the model's own."""
    X, truth = problem.dataset.X, problem.dataset.y
    methods = [sslviz.KMeans, *([sslviz.SpectralClustering] if len(X) <= SMALL else [])]
    shared = {name: getattr(model, name) for name in ("n_clusters", "memory", "random_state")}
    return {
        m.title: sslviz.clustering_accuracy(truth, m(**shared).fit(X).labels_)
        for m in methods
        if not isinstance(model, m)
    }


def name_of(model: Any, problem: Problem) -> str:
    """Names a training: data, method and parameters; how long it is to last is not part of it."""
    values = model.get_params(deep=False)
    del values["memory"]
    if not isinstance(model, Pretrains):  # its first part lasts as long, before the course begins
        del values["epochs"]
    return digest(problem.dataset.name, problem.setting.options, type(model).__name__, values)


def training_of(name: str, begin: Callable[[], TrainingRecording]) -> TrainingRecording:
    """The session's training of this name, begun if there is none; another one is paused."""
    courses: dict[str, TrainingRecording] = st.session_state.setdefault(COURSES, {})
    before = courses.get(st.session_state.get(CURRENT, ""))
    if name not in courses:
        courses[name] = begin()
    found = courses[name] = courses.pop(name)
    while len(courses) > KEPT:
        del courses[next(iter(courses))]
    if before is not None and before is not found:
        before.running = False
    st.session_state[CURRENT] = name
    return found


def start_training(
    model: Any, problem: Problem, plane: Plane | None, order: np.ndarray | None
) -> TrainingRecording:
    """A training at its first iteration; `order` are the colours that the hubs give."""
    if order is None:
        order = np.arange(model.n_clusters)
    X, shared = problem.dataset.X, (problem.dataset.y, problem.dataset.n_classes, order, plane)
    if isinstance(model, Pretrains):
        return TrainingRecording(
            model.pretraining(X), *shared, then=lambda first: model.training(X, first)
        )
    return TrainingRecording(model.training(X), *shared)


def start_over(name: str) -> None:
    """Forget a training, for a button."""
    st.session_state.get(COURSES, {}).pop(name, None)


def show_left_behind(training: TrainingRecording) -> None:
    """Another training of this session that has got somewhere, while this one has not begun."""
    courses: dict[str, TrainingRecording] = st.session_state.get(COURSES, {})
    others = [t for t in courses.values() if t is not training and t.iteration]
    if training.iteration == 0 and others:
        st.info(
            "With these settings nothing is learnt yet. The training before is kept at iteration "
            f"{others[-1].iteration:,}: set the settings back to go on with it.",
            icon=":material/history:",
        )
