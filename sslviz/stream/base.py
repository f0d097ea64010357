"""Base class of the online methods: labels and a cover are kept, and answer the next point.

Nodes of the graph are the labelled points, the centroids in order of age, and last, with
`own_node`, the new point. Distances among labelled points and centroids are kept and change only
where these do. Whatever the length of the stream, memory holds l + n_c points and their distances.
"""

from abc import abstractmethod
from copy import copy, deepcopy
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, check_memory, validate_data

from sslviz.abilities import Method
from sslviz.labels import known_classes
from sslviz.params import check_params
from sslviz.stream.doubling_cover import STATE_ARRAYS, DoublingCover
from sslviz.stream.parameters import Capacity
from sslviz.stream.stages.distances import pairwise_distances
from sslviz.validation import check_labelled, check_targets, decode_argmax


class Nodes(NamedTuple):
    """Nodes of the graph: labelled points, then centroids, then perhaps a new point."""

    D: np.ndarray  # (n, n) distances
    target: np.ndarray  # (n,) class index, -1 without label
    m: np.ndarray  # (n,) multiplicities, 1 for labelled and new points


class OnlineAttributes:
    """Fitted attributes, and parameters that a subclass declares after its own ones."""

    own_node: bool
    merge: str
    classes_: np.ndarray
    cover_: DoublingCover
    last_distribution_: np.ndarray
    _L: np.ndarray
    _target: np.ndarray


@dataclass(repr=False, eq=False)
class OnlineClassifier(OnlineAttributes, Method, ClassifierMixin, BaseEstimator):
    """An online classifier; a subclass defines the answer on `Nodes` and its own state."""

    family = "stream"

    @classmethod
    def option(cls) -> str:
        return cls.short_title()

    _state_added: ClassVar[tuple[str, ...]] = ()  # arrays that a subclass adds to the state

    capacity: Capacity = 50
    _: KW_ONLY
    device: str = "auto"
    memory: Any = None

    @abstractmethod
    def _answer(self, nodes: Nodes, points: np.ndarray) -> np.ndarray:
        """(p, C) label distributions of some of the nodes."""

    def _tune(self, nodes: Nodes) -> None:
        """Choose parameters once, before the stream."""

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None) -> "OnlineClassifier":
        """Learn points without answering; y holds -1 for unlabelled ones.

        The first call takes what is known before the stream: at least two classes of labelled
        points, and unlabelled ones, which become the first centroids. Later, labelled points join
        the labels, unlabelled ones (all points if y is None) the cover. A class that is new is
        added to `classes_`, unless it is among the `classes` named in the first call.
        """
        if not hasattr(self, "classes_"):
            X, target, found = check_labelled(self, X, y)
            self._begin(X.shape[1], found if classes is None else np.union1d(found, classes))
            self._learn(np.ascontiguousarray(X, np.float64), target, found)
            if self.cover_.n_seen_:
                self._tune(self._nodes())
            return self
        if y is None:
            X = validate_data(self, X, reset=False, dtype=np.float64, order="C")
            self._cover(X)
        else:
            X, y = validate_data(self, X, y, reset=False, dtype=np.float64, order="C")
            y = check_targets(type(self).__name__, y)
            found = known_classes(y)
            if len(found) and (found.dtype.kind in "OUS") != (self.classes_.dtype.kind in "OUS"):
                raise ValueError(
                    f"{type(self).__name__}: labels such as {found[0]!r} join classes such as "
                    f"{self.classes_[0]!r}; names and numbers do not mix"
                )
            self._learn(X, np.where(np.isin(y, found), np.searchsorted(found, y), -1), found)
        return self

    def observe(self, x: Any) -> Any:
        """The label of one new point, which is then learnt; -1 where no label can be reached.

        Its label distribution is left in `last_distribution_`.
        """
        check_is_fitted(self, "classes_")
        row = self._vector(x)
        if self.own_node:
            self.last_distribution_ = self._ask(row)
            self._cover(row)
        else:
            self._cover(row)
            self.last_distribution_ = self.centroid_distributions()[self.cover_.labels_[0]]
        return decode_argmax(self.last_distribution_[None], self.classes_)[0]

    def fit(self, X: Any, y: Any) -> "OnlineClassifier":
        """Run over X as over a stream, and keep the answers given on arrival.

        The labelled points and the first `capacity` unlabelled ones are known before; the others
        are observed in their order. `transduction_` holds the answer to each point when it arrived,
        and for those known before the answer of the first graph.
        """
        X, target, classes = check_labelled(self, X, y)
        settings = self.get_params(deep=False)
        del settings["memory"], settings["device"]
        replay = check_memory(self.memory).cache(self._stage())
        F, state = replay(X.astype(np.float64), target, n_classes=len(classes), **settings)
        self.restore(state)
        self.classes_, self.label_distributions_ = classes, F
        self.transduction_ = decode_argmax(F, classes)
        return self

    @staticmethod
    @abstractmethod
    def _stage() -> Any:
        """The module-level function that replays a whole stream with its own class."""

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) the answer of `observe` to each point if it came next; nothing is learnt."""
        check_is_fitted(self, "classes_")
        X = validate_data(self, X, reset=False, dtype=np.float64, order="C")
        F = np.empty((len(X), len(self.classes_)))
        for i in range(len(X)):
            row = X[i : i + 1]
            if self.own_node:
                F[i] = self._ask(row)
            else:
                twin = copy(self)
                twin.cover_ = deepcopy(self.cover_)
                twin._cover(row)
                F[i] = twin.centroid_distributions()[twin.cover_.labels_[0]]
        return F

    def predict(self, X: Any) -> np.ndarray:
        """The class of each new point; -1 where no label can be reached."""
        return decode_argmax(self.predict_proba(X), self.classes_)

    def centroid_distributions(self) -> np.ndarray:
        """(c, C) label distributions of the centroids on the present graph."""
        check_is_fitted(self, "classes_")
        nodes = self._nodes()
        return self._answer(nodes, np.arange(len(self._target), len(nodes.target)))

    def centroid_labels(self) -> np.ndarray:
        """(c,) the class of each centroid on the present graph; -1 where no label is reached."""
        return decode_argmax(self.centroid_distributions(), self.classes_)

    @property
    def centroids_(self) -> np.ndarray:
        return self.cover_.centroids_

    @property
    def multiplicities_(self) -> np.ndarray:
        return self.cover_.multiplicities_

    @property
    def radius_(self) -> float:
        return self.cover_.radius_

    @property
    def labelled_points_(self) -> np.ndarray:
        return self._L.copy()

    @property
    def labelled_classes_(self) -> np.ndarray:
        return self.classes_[self._target]

    def state(self) -> dict[str, np.ndarray]:
        """Everything kept of the stream, as plain arrays: `np.savez(file, **model.state())`."""
        check_is_fitted(self, "classes_")
        classes = self.classes_.astype(str) if self.classes_.dtype == object else self.classes_
        mine = {"points": self._L, "target": self._target, "classes": classes}
        cover = {f"cover_{name}": part for name, part in self.cover_.state().items()}
        return {name: part.copy() for name, part in (mine | cover).items()}

    def restore(self, state: Any) -> "OnlineClassifier":
        """Go on from a `state`, as if the stream had never been interrupted."""
        check_params(self)
        parts = {f"cover_{name}": name for name in STATE_ARRAYS}
        needed = ("points", "target", "classes", *self._state_added, *parts)
        if missing := [name for name in needed if name not in state]:
            raise ValueError(f"{type(self).__name__}: the state lacks {', '.join(missing)}")
        points = np.array(state["points"], np.float64)
        self._begin(points.shape[1], np.array(state["classes"]))
        self.n_features_in_ = points.shape[1]
        self.cover_.restore({name: state[long] for long, name in parts.items()})
        self._L, self._target = points, np.array(state["target"], np.int64)
        self._D_labels = pairwise_distances(points, points)
        self._births = self.cover_.births_
        self._D_across = pairwise_distances(points, self.cover_.centroids_)
        return self

    def _begin(self, n_features: int, classes: np.ndarray) -> None:
        self.classes_ = classes
        self.cover_ = DoublingCover(self.capacity, self.merge)
        self.cover_.begin(n_features)
        self._L, self._target = np.empty((0, n_features)), np.empty(0, np.int64)
        self._D_labels, self._D_across = np.empty((0, 0)), np.empty((0, 0))
        self._births = np.empty(0, np.int64)  # of the centroids in the columns of _D_across

    def _learn(self, X: np.ndarray, target: np.ndarray, found: np.ndarray) -> None:
        """Points whose `target` is an index into the classes `found`, or -1."""
        given = target >= 0
        if given.any():
            self._label(X[given], found[target[given]])
        if not given.all():
            self._cover(X[~given])

    def _label(self, X: np.ndarray, y: np.ndarray) -> None:
        classes = np.union1d(self.classes_, y)
        if len(classes) > len(self.classes_):
            self._target = np.searchsorted(classes, self.classes_)[self._target]
            self.classes_ = classes
        across = pairwise_distances(self._L, X)
        self._D_labels = np.block([[self._D_labels, across], [across.T, pairwise_distances(X, X)]])
        self._D_across = np.vstack([self._D_across, pairwise_distances(X, self.cover_.centroids_)])
        self._L = np.vstack([self._L, X])
        self._target = np.concatenate([self._target, np.searchsorted(self.classes_, y)])

    def _cover(self, X: np.ndarray) -> None:
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
        nodes = self._nodes(row)
        return self._answer(nodes, np.array([len(nodes.target) - 1]))[0]

    def _vector(self, x: Any) -> np.ndarray:
        row = np.ascontiguousarray(x, np.float64)
        right = row.shape == (self.n_features_in_,)
        if not right or not np.isfinite(row).all():
            what = "holds NaN or infinity" if right else f"has shape {row.shape}"
            raise ValueError(
                f"{type(self).__name__}: observe takes one vector of {self.n_features_in_} finite "
                f"numbers, x {what}"
            )
        return row[None]
