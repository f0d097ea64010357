"""Base class of the online methods: labels and a few unlabelled points answer the next one.

A subclass decides which unlabelled points are kept, what stays of the others, and how a new point
is answered. Kept points are called centroids, whether they stand for others or for themselves only.
"""

from abc import abstractmethod
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, check_memory, validate_data

from sslviz.abilities import Method
from sslviz.labels import known_classes
from sslviz.params import check_params
from sslviz.stream.parameters import Capacity
from sslviz.validation import check_labelled, check_targets, decode_argmax


class OnlineAttributes:
    """Fitted attributes. Declared here, since a dataclass would take them for parameters."""

    classes_: np.ndarray
    last_distribution_: np.ndarray
    n_features_in_: int
    _L: np.ndarray  # (l, d) labelled points
    _target: np.ndarray  # (l,) class index of each


@dataclass(repr=False, eq=False)
class OnlineClassifier(OnlineAttributes, Method, ClassifierMixin, BaseEstimator):
    """An online classifier; a subclass defines what is kept (`_keep`) and the answer (`_ask`)."""

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
    def _ask(self, row: np.ndarray) -> np.ndarray:
        """(C,) the answer to a new point, a matrix of one row; nothing is learnt."""

    @abstractmethod
    def _keep(self, X: np.ndarray) -> None:
        """Learn unlabelled points in their order."""

    @abstractmethod
    def centroid_distributions(self) -> np.ndarray:
        """(c, C) label distributions of the centroids on the present graph."""

    @property
    @abstractmethod
    def births_(self) -> np.ndarray:
        """(c,) the position of each centroid among the unlabelled points of the stream, from 0."""

    @property
    @abstractmethod
    def owners_(self) -> np.ndarray:
        """(b,) the centroid that each point of the last batch belongs to, -1 for none."""

    def _begin(self, n_features: int, classes: np.ndarray) -> None:
        self.classes_ = classes
        self._L, self._target = np.empty((0, n_features)), np.empty(0, np.int64)

    def _first(self, X: np.ndarray, target: np.ndarray, found: np.ndarray) -> None:
        """Learn the points known before the stream."""
        self._learn(X, target, found)

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None) -> "OnlineClassifier":
        """Learn points without answering; y holds -1 for unlabelled ones.

        The first call takes what is known before the stream: at least two classes of labelled
        points, and unlabelled ones, which become the first centroids. Later, labelled points join
        the labels, unlabelled ones (all points if y is None) the summary. A class that is new is
        added to `classes_`, unless it is among the `classes` named in the first call.
        """
        if not hasattr(self, "classes_"):
            X, target, found = check_labelled(self, X, y)
            self._begin(X.shape[1], found if classes is None else np.union1d(found, classes))
            self._first(np.ascontiguousarray(X, np.float64), target, found)
            return self
        if y is None:
            X = validate_data(self, X, reset=False, dtype=np.float64, order="C")
            self._keep(X)
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
        self.last_distribution_ = self._arrive(row)
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
            F[i] = self._ask(X[i : i + 1])
        return F

    def predict(self, X: Any) -> np.ndarray:
        """The class of each new point; -1 where no label can be reached."""
        return decode_argmax(self.predict_proba(X), self.classes_)

    def centroid_labels(self) -> np.ndarray:
        """(c,) the class of each centroid on the present graph; -1 where no label is reached."""
        return decode_argmax(self.centroid_distributions(), self.classes_)

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
        return {"points": self._L.copy(), "target": self._target.copy(), "classes": classes.copy()}

    def restore(self, state: Any) -> "OnlineClassifier":
        """Go on from a `state`, as if the stream had never been interrupted."""
        check_params(self)
        needed = ("points", "target", "classes", *self._state_added)
        if missing := [name for name in needed if name not in state]:
            raise ValueError(f"{type(self).__name__}: the state lacks {', '.join(missing)}")
        points = np.array(state["points"], np.float64)
        self._begin(points.shape[1], np.array(state["classes"]))
        self.n_features_in_ = points.shape[1]
        self._L, self._target = points, np.array(state["target"], np.int64)
        return self

    def _arrive(self, row: np.ndarray) -> np.ndarray:
        """(C,) the answer to a new point, which is then learnt."""
        answer = self._ask(row)
        self._keep(row)
        return answer

    def _learn(self, X: np.ndarray, target: np.ndarray, found: np.ndarray) -> None:
        """Points whose `target` is an index into the classes `found`, or -1."""
        given = target >= 0
        if given.any():
            self._label(X[given], found[target[given]])
        if not given.all():
            self._keep(X[~given])

    def _label(self, X: np.ndarray, y: np.ndarray) -> None:
        """Labelled points join those known before."""
        classes = np.union1d(self.classes_, y)
        if len(classes) > len(self.classes_):
            self._target = np.searchsorted(classes, self.classes_)[self._target]
            self.classes_ = classes
        self._L = np.vstack([self._L, X])
        self._target = np.concatenate([self._target, np.searchsorted(self.classes_, y)])

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
