"""A clustering of the data, matched to the classes, with the hubs behind it and other methods."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

import sslviz
from sslviz.abilities import HubBased, MergesClusters, Predicts, Trains
from sslviz.content_hash import digest
from sslviz.data.plane_grid import Plane, plane_of
from sslviz.graph.density import DENSITY_NEIGHBOURS, KERNEL_FEATURES, kernel_density, nearness
from sslviz.graph.neighbours import knn, knn_lists
from sslviz.graph.shortest_paths import geodesic_path
from sslviz.graph.weights import undirected
from sslviz.labels import hide, one_hot
from sslviz.metrics import clustering_accuracy, confident_argmax, match_clusters, matched_columns
from sslviz.recordings.clustering import ClusteringRun, Moment
from sslviz.recordings.linkage import LinkageRun
from sslviz.snippet import Setting
from sslviz.ui.clustering.space import ClusterSpace, cluster_space
from sslviz.ui.problem import UNKNOWN, Problem
from sslviz.ui.result import Look

PLANE_CELLS = 4000  # predicted at every step of a training
SPECTRAL_POINTS = 5000  # up to which spectral clustering of all points is a baseline
PATH_NEIGHBOURS = 10  # of the graph for paths, where the method has none of its own


@dataclass(frozen=True)
class ClusterLook(Look):
    """Colours and marks: `colour` is "winner", "mix" or "truth"."""

    colour: str = "winner"
    hubs: bool = False


class GraphPath(NamedTuple):
    """The shortest path between two points along the graph of k neighbours; empty if none."""

    ends: tuple[int, int]
    points: list[int]
    k: int
    length: float
    straight: float


@dataclass(frozen=True)
class ClusteringResult:
    """Clusters of all points at one moment; `run` is the training they come from, if any."""

    problem: Problem
    model: Any
    moment: Moment
    look: ClusterLook = field(default_factory=ClusterLook)
    plane: Plane | None = None
    hubs: Any = None  # clustering of the hubs
    density: np.ndarray | None = None  # (n,) where there are hubs
    baselines: dict[str, float] = field(default_factory=dict)  # accuracy by method
    run: ClusteringRun | LinkageRun | None = None
    space: ClusterSpace | None = None
    given: np.ndarray | None = None  # (n,) labels that the method uses, -1 for none
    fitted: Any = None  # the method with what it has learnt, while no training goes on

    @property
    def trained(self) -> bool:
        """Whether there are clusters: not those of random initial weights."""
        return self.run is None or self.run.has_clusters

    @property
    def running(self) -> bool:
        return self.run is not None and not (self.run.done or self.run.paused)

    @property
    def truth(self) -> np.ndarray:
        return self.problem.dataset.y

    @property
    def names(self) -> tuple[str, ...]:
        """Of the colours: classes, then clusters that are matched to none."""
        classes = self.problem.classes
        spare = range(len(classes), self.model.n_clusters)
        return (*classes, *(f"no class ({i + 1 - len(classes)})" for i in spare))

    @cached_property
    def labels(self) -> np.ndarray:
        """(n,) clusters by number."""
        return self.moment.P.argmax(axis=1)

    @cached_property
    def mistakes(self) -> np.ndarray:
        """(n,) points whose cluster is matched to another class than theirs."""
        scored = (self.truth >= 0) & self.moment.P.any(axis=1)
        return (self.moment.order[self.labels] != self.truth) & scored

    @cached_property
    def accuracy(self) -> float:
        """Of all clusters; while they are merged, there are more than the moment shows."""
        if isinstance(self.run, LinkageRun) and self.run.has_clusters:
            return self.run.accuracy
        return accuracy_where_known(self.truth, self.labels)

    @cached_property
    def without_learning(self) -> float:
        """Accuracy of the same method with learning switched off."""
        twin = clone(self.model).set_params(learn=False).fit(self.problem.dataset.X)
        return accuracy_where_known(self.truth, twin.labels_)

    @property
    def no_accuracy(self) -> str:
        return UNKNOWN

    @property
    def used(self) -> int:
        """Clusters with at least one point."""
        return len(np.unique(self.labels))

    def colours(self, moment: Moment) -> np.ndarray:
        """(n, colours) what colours the points at a moment."""
        if self.look.colour == "truth":
            return one_hot(self.truth, np.arange(len(self.names)))
        P = confident_argmax(moment.P) if self.look.colour == "winner" else moment.P
        return self.matched(P, moment.order)

    def matched(self, P: np.ndarray, order: np.ndarray | None = None) -> np.ndarray:
        """Columns of P (m, C) in the order of the colours."""
        return matched_columns(P, self.moment.order if order is None else order, len(self.names))

    @cached_property
    def hover(self) -> list[str]:
        """The text under the cursor for every point."""
        P = self.moment.P
        sure = np.asarray(confident_argmax(P).any(axis=1))
        clusters = [f"cluster of {self.names[c]}" for c in self.moment.order]
        texts = self.problem.point_texts()
        rows = zip(texts, self.labels, P.max(axis=1), sure, strict=True)
        return [
            f"{text}<br>" + (f"{clusters[c]} ({p:.0%})" if known else "no cluster yet")
            for text, c, p, known in rows
        ]


def accuracy_where_known(truth: np.ndarray, labels: np.ndarray) -> float:
    """Clustering accuracy on the points of known class; nan if there are none."""
    known = truth >= 0
    return clustering_accuracy(truth[known], labels[known]) if known.any() else np.nan


def given_labels(problem: Problem, per_class: int) -> tuple[np.ndarray | None, Setting]:
    """Labels for a method that uses some, None for no label, and the setting with them."""
    if not per_class or not (problem.dataset.y >= 0).any():
        return None, problem.setting
    given = hide(problem.dataset.y, per_class=per_class, random_state=problem.setting.seed)
    return given, problem.setting._replace(per_class=per_class)


def is_watched(model: Any) -> bool:
    """Whether the method trains or merges while one watches."""
    return isinstance(model, Trains | MergesClusters)


def cluster(
    model: Any, problem: Problem, look: ClusterLook, memory: Any, given: np.ndarray | None = None
) -> ClusteringResult:
    """The clusters of a method; of one that trains, what is known before."""
    X, truth, C = problem.dataset.X, problem.dataset.y, model.n_clusters
    model.check_size(len(X))  # before anything is started
    n_classes = problem.dataset.n_classes
    plane = plane_of(problem.points, X.shape[1], PLANE_CELLS)
    plane = plane if plane is not None and plane.exact else None
    hubs = model.hub_clustering(X) if isinstance(model, HubBased) else None
    density = None if hubs is None else _density(problem, memory)
    order, moment = np.arange(C), Moment(0, np.zeros((len(X), C)), np.arange(C))
    if hubs is not None:
        order = match_clusters(hubs.labels, truth[hubs.hubs], C, n_classes, None)
        moment = moment._replace(order=order)
    space = None
    if not is_watched(model):
        model.fit(X)
        order = match_clusters(model.labels_, truth, C, n_classes, None)
        moment = Moment(0, np.eye(C)[model.labels_], order, _predicted_field(model, plane, C))
        space = cluster_space(model, hubs, moment.P)
    elif hubs is not None:
        space = cluster_space(model, hubs, moment.P)
    baselines = _baselines(model, problem)
    return ClusteringResult(
        problem, model, moment, look, plane, hubs, density, baselines, space=space, given=given
    )


def _predicted_field(model: Any, plane: Plane | None, C: int) -> np.ndarray | None:
    if plane is None or not isinstance(model, Predicts):
        return None
    return 255 * np.eye(C, dtype=np.uint8)[model.predict(plane.places)]


def _density(problem: Problem, memory: Any) -> np.ndarray:
    X = problem.dataset.X
    if X.shape[1] <= KERNEL_FEATURES:
        return memory.cache(kernel_density)(X, ~problem.outliers)
    return nearness(knn_lists(X, min(DENSITY_NEIGHBOURS, len(X) - 1), memory)[1])


def _baselines(model: Any, problem: Problem) -> dict[str, float]:
    """Accuracies of quick methods with as many clusters, but for the model's own method."""
    X, truth = problem.dataset.X, problem.dataset.y
    methods = (sslviz.KMeans, *([sslviz.SpectralClustering] if len(X) <= SPECTRAL_POINTS else []))
    shared = {name: getattr(model, name) for name in ("n_clusters", "memory", "random_state")}
    return {
        m.title: accuracy_where_known(truth, m(**shared).fit(X).labels_)
        for m in methods
        if m.title != type(model).title
    }


def run_name(r: ClusteringResult, **changes: Any) -> str:
    """The name of a run: everything its result depends on."""
    values = r.model.get_params(deep=False) | changes
    del values["memory"]
    data = r.problem.dataset
    given = () if r.given is None else (r.given,)
    return digest("clustering", data.X, data.y, type(r.model).__name__, values, *given)


def graph_path(r: ClusteringResult, ends: Sequence[int], memory: Any) -> GraphPath | None:
    """The shortest path between two points; None until both are chosen."""
    if len(ends) < 2:
        return None
    X = r.problem.dataset.X
    k = min(r.model.k_graph if r.hubs is not None else PATH_NEIGHBOURS, len(X) - 1)
    found = geodesic_path(memory.cache(undirected)(knn(X, k, memory)), ends[0], ends[1])
    length = float(np.linalg.norm(np.diff(X[found], axis=0), axis=1).sum()) if found else np.inf
    straight = float(np.linalg.norm(X[ends[1]] - X[ends[0]]))
    return GraphPath((ends[0], ends[1]), list(found), k, length, straight)
