"""Base class of the online methods that keep a cover: a few centroids, each standing for many.

Nodes of the graph are the labelled points, the centroids in order of age, and last, with
`own_node`, the new point. Distances among labelled points and centroids are kept and change only
where these do. Whatever the length of the stream, memory holds l + n_c points and their distances.
"""

from abc import abstractmethod
from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sslviz.stream.base import OnlineClassifier
from sslviz.stream.doubling_cover import STATE_ARRAYS, DoublingCover
from sslviz.stream.stages.distances import pairwise_distances

COVER_ARRAYS = tuple(f"cover_{name}" for name in STATE_ARRAYS)  # their names in a state


class Nodes(NamedTuple):
    """Nodes of the graph: labelled points, then centroids, then perhaps a new point."""

    D: np.ndarray  # (n, n) distances
    target: np.ndarray  # (n,) class index, -1 without label
    m: np.ndarray  # (n,) multiplicities, 1 for labelled and new points


class CoverAttributes:
    """The fitted cover, and parameters that a subclass declares after its own ones."""

    own_node: bool
    merge: str
    cover_: DoublingCover


@dataclass(repr=False, eq=False)
class CoverClassifier(CoverAttributes, OnlineClassifier):
    """An online classifier on a cover; a subclass defines the answer on `Nodes`."""

    _state_added = COVER_ARRAYS

    @abstractmethod
    def _answer(self, nodes: Nodes, points: np.ndarray) -> np.ndarray:
        """(p, C) label distributions of some of the nodes."""

    def _tune(self, nodes: Nodes) -> None:
        """Choose parameters once, before the stream."""

    def centroid_distributions(self) -> np.ndarray:
        """(c, C) label distributions of the centroids on the present graph."""
        check_is_fitted(self, "classes_")
        nodes = self._nodes()
        return self._answer(nodes, np.arange(len(self._target), len(nodes.target)))

    @property
    def centroids_(self) -> np.ndarray:
        return self.cover_.centroids_

    @property
    def multiplicities_(self) -> np.ndarray:
        return self.cover_.multiplicities_

    @property
    def births_(self) -> np.ndarray:
        return self.cover_.births_

    @property
    def owners_(self) -> np.ndarray:
        return self.cover_.labels_

    @property
    def radius_(self) -> float:
        return self.cover_.radius_

    def state(self) -> dict[str, np.ndarray]:
        """Everything kept of the stream, as plain arrays: `np.savez(file, **model.state())`."""
        mine = super().state()
        return mine | {f"cover_{name}": part for name, part in self.cover_.state().items()}

    def restore(self, state: Any) -> "CoverClassifier":
        """Go on from a `state`, as if the stream had never been interrupted."""
        super().restore(state)
        arrays = zip(STATE_ARRAYS, COVER_ARRAYS, strict=True)
        self.cover_.restore({name: state[long] for name, long in arrays})
        self._D_labels = pairwise_distances(self._L, self._L)
        self._births = self.cover_.births_
        self._D_across = pairwise_distances(self._L, self.cover_.centroids_)
        return self

    def _begin(self, n_features: int, classes: np.ndarray) -> None:
        super()._begin(n_features, classes)
        self.cover_ = DoublingCover(self.capacity, self.merge)
        self.cover_.begin(n_features)
        self._D_labels, self._D_across = np.empty((0, 0)), np.empty((0, 0))
        self._births = np.empty(0, np.int64)  # of the centroids in the columns of _D_across

    def _first(self, X: np.ndarray, target: np.ndarray, found: np.ndarray) -> None:
        super()._first(X, target, found)
        if self.cover_.n_seen_:
            self._tune(self._nodes())

    def _label(self, X: np.ndarray, y: np.ndarray) -> None:
        across = pairwise_distances(self._L, X)
        self._D_labels = np.block([[self._D_labels, across], [across.T, pairwise_distances(X, X)]])
        self._D_across = np.vstack([self._D_across, pairwise_distances(X, self.cover_.centroids_)])
        super()._label(X, y)

    def _keep(self, X: np.ndarray) -> None:
        """Unlabelled points join the cover; distances to new centroids are measured."""
        self.cover_.extend(X)
        if self.cover_.events_.opened == 0:
            return
        births, before = self.cover_.births_, self._births  # both sorted
        kept = np.isin(births, before)
        across = np.empty((len(self._L), len(births)))
        across[:, kept] = self._D_across[:, np.isin(before, births)]
        across[:, ~kept] = pairwise_distances(self._L, self.cover_.centroids_[~kept])
        self._D_across, self._births = across, births

    def _nodes(self, row: np.ndarray | None = None) -> Nodes:
        given, centroids = self._D_across.shape
        end = given + centroids
        n = end + (row is not None)
        D, target, m = np.zeros((n, n)), np.full(n, -1), np.ones(n)
        D[:given, :given], D[given:end, given:end] = self._D_labels, self.cover_.distances_
        D[:given, given:end], D[given:end, :given] = self._D_across, self._D_across.T
        target[:given], m[given:end] = self._target, self.cover_.multiplicities_
        if row is not None:
            D[-1, :given] = pairwise_distances(row, self._L)[0]
            D[-1, given:end] = self.cover_.distances_to(row)[0]
            D[:-1, -1] = D[-1, :-1]
        return Nodes(D, target, m)

    def _ask(self, row: np.ndarray) -> np.ndarray:
        if self.own_node:
            nodes = self._nodes(row)
            return self._answer(nodes, np.array([len(nodes.target) - 1]))[0]
        twin = copy(self)
        twin.cover_ = deepcopy(self.cover_)
        return twin._arrive(row)

    def _arrive(self, row: np.ndarray) -> np.ndarray:
        if self.own_node:
            return super()._arrive(row)
        self._keep(row)
        return self.centroid_distributions()[self.owners_[0]]
