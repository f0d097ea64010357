"""Base classes of the propagation methods: classifiers on the neighbour graph of all points.

`WeightedGraphClassifier` serves the methods with Gaussian weights on the edges: new points take the
weighted mean of their neighbours. `GeodesicVoter` serves the methods that end in a vote along
shortest paths: new points ask the nearest voters.
"""

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, check_memory, validate_data

from sslviz.abilities import Method
from sslviz.graph.neighbours import knn, nearest, search_seconds
from sslviz.graph.parameters import Neighbours, Width
from sslviz.graph.power_lengths import PowerLengths
from sslviz.graph.shortest_paths import geodesic_path
from sslviz.graph.weights import undirected, width
from sslviz.propagation.stages.geodesic_voting import Votes, tally, voters_of_new_points
from sslviz.propagation.stages.out_of_sample import extend
from sslviz.validation import (
    check_labelled,
    check_point,
    clip_to_available,
    decode_argmax,
    rows_to_one,
)


class FittedAttributes:
    """What `fit` leaves. Declared here, since a dataclass would take them for parameters."""

    classes_: np.ndarray
    label_distributions_: np.ndarray
    n_neighbors_: int
    sigma_: float
    voters_: np.ndarray
    voter_distances_: np.ndarray
    _X: np.ndarray
    _scores: np.ndarray  # (n, C) of which new points take the weighted mean
    _G: sparse.csr_array  # undirected lengths, raised to the power of edges
    _lengths: PowerLengths
    _links: int  # neighbours of a new point
    _ballot: np.ndarray  # (n,) class index that each point votes for, -1 if it does not vote
    _own: np.ndarray  # (n,) whether the answer of a point is its own rather than voted


@dataclass(repr=False, eq=False)
class GraphClassifier(FittedAttributes, Method, ClassifierMixin, BaseEstimator):
    """A classifier on the kNN graph; a subclass has `fit` and `predict_proba`."""

    family = "propagation"

    _: KW_ONLY
    device: str = "auto"
    memory: Any = None

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        return search_seconds(n, n_features)

    def predict_proba(self, X: Any) -> np.ndarray:
        raise NotImplementedError

    def predict(self, X: Any) -> np.ndarray:
        """The class of each new point; -1 where no label is reached."""
        return decode_argmax(self.predict_proba(X), self.classes_)

    def _check_new(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "transduction_")
        return validate_data(self, X, reset=False, dtype=[np.float64, np.float32])


class Prepared(NamedTuple):
    """Checked data and their graph, before anything is solved."""

    X: np.ndarray
    target: np.ndarray  # (n,) class index, -1 without label
    classes: np.ndarray
    k: int
    sigma: float
    graph: sparse.csr_array  # lengths

    @property
    def one_hot(self) -> np.ndarray:
        """(n, C) the given labels; zero rows for unlabelled points."""
        return (self.target[:, None] == np.arange(len(self.classes))).astype(np.float64)


@dataclass(repr=False, eq=False)
class WeightedGraphClassifier(GraphClassifier):
    """A classifier on Gaussian weights of the kNN graph.

    New points take the weighted mean of their nearest training points (stages/out_of_sample.py).
    """

    n_neighbors: Neighbours = 5
    sigma: Width = "mean"

    halved: ClassVar[bool] = False  # weights exp(−d²/2σ²) instead of exp(−d²/σ²)

    @property
    def undetermined_because(self) -> str:
        return "the weights on the path to a label are too small to count. Raise σ"

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) class probabilities of new points; a row is 0 where no label is reached."""
        Q = self._check_new(X)
        F = extend(
            Q, self._X, self._scores,
            k=self.n_neighbors_, sigma=self.sigma_, halved=self.halved, device=self.device,
        )  # fmt: skip
        return rows_to_one(F)

    def _prepare(self, X: Any, y: Any, *, directed: bool = False) -> Prepared:
        X, target, classes = check_labelled(self, X, y)
        k = clip_to_available(self, "n_neighbors", len(X) - 1)
        G = knn(X, k, self.memory, device=self.device)
        sigma = width(self.sigma, graph=G, X=X, y=target)
        if not directed:
            G = check_memory(self.memory).cache(undirected)(G)
        return Prepared(X, target, classes, k, sigma, G)

    def _keep(self, prepared: Prepared) -> None:
        """Fitted attributes that do not depend on the solution."""
        self._X, self.classes_ = prepared.X, prepared.classes
        self.n_neighbors_, self.sigma_ = prepared.k, prepared.sigma


@dataclass(repr=False, eq=False)
class GeodesicVoter(GraphClassifier):
    """A classifier that ends in a vote of the points nearest along the graph.

    A new point is linked to its nearest training points, as many as in the graph, and asks its own
    nearest voters along these links. A point equal to a training point takes its answer.
    """

    def explain(self, point: int) -> Votes:
        """The vote on a training point. A labelled point, and a hub, is its own only voter."""
        check_is_fitted(self, "transduction_")
        check_point(point, len(self._ballot))
        F = self.label_distributions_[point]
        winner = int(F.argmax()) if F.any() else -1
        if self._own[point]:
            return Votes(
                np.array([point]), np.zeros(1), np.array([winner]), np.ones(1), [[point]], False,
                winner,
            )  # fmt: skip
        reached = self.voters_[point] >= 0
        voters, distances = self.voters_[point][reached], self.voter_distances_[point][reached]
        classes = self._ballot[voters]
        weights = np.full(len(voters), 1 / max(len(voters), 1))
        paths = [geodesic_path(self._G, point, int(voter)) for voter in voters]
        counts = np.bincount(classes, minlength=1)
        tied = int((counts == counts.max()).sum()) > 1 and len(voters) > 0
        return Votes(voters, distances, classes, weights, paths, tied, winner)

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) shares of the votes on new points; rows sum to 1, or to 0 without any voter."""
        Q = self._check_new(X)
        near, lengths = nearest(Q, self._X, min(self._links, len(self._X)), device=self.device)
        raised = self._lengths.raised
        voters = voters_of_new_points(
            near, raised(lengths), self.voters_, raised(self.voter_distances_)
        )
        F = tally(np.where(voters >= 0, self._ballot[voters], -1), len(self.classes_))
        same = lengths[:, 0] == 0
        F[same] = self.label_distributions_[near[same, 0]]
        owned = same & self._own[near[:, 0]]
        F[owned] = rows_to_one(F[owned])
        return F
