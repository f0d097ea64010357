"""What the clusterers that train a network share: courses, epochs, and answers for new points."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from numbers import Integral
from typing import Annotated, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted, check_memory

from sslviz.clustering.base import Clusterer
from sslviz.clustering.stages.training import EPOCH, Epoch, Objective, TrainingRun, asked
from sslviz.params import Choice, Number

SMALL, PRINTED = (128, 128), (1200, 1200)
WIDE = 50  # features; from there on "auto" is the printed network


class Layers(Choice):
    """Sizes of hidden layers: any tuple of numbers, the usual ones offered."""

    @property
    def domain(self) -> str:
        words = "".join(f"{v!r} or " for v in self.valid if isinstance(v, str))
        return f"{words}tuples of one to ten sizes from 1 to 100000, such as (128, 128)"

    def accepts(self, value: Any, kind: type = str) -> bool:
        if not isinstance(value, tuple):
            return super().accepts(value, kind)
        whole = all(isinstance(v, Integral) and not isinstance(v, bool) for v in value)
        return whole and 1 <= len(value) <= 10 and all(1 <= v <= 10**5 for v in value)


Hidden = Annotated[
    tuple[int, ...] | str,
    Layers(
        "Sizes of the hidden layers.",
        ("auto", SMALL, PRINTED),
        ("by the number of features", "small and quick", "as printed"),
        label="hidden layers",
        advanced=True,
    ),
]
Epochs = Annotated[
    int,
    Number(
        "How long the network learns, in hundreds of iterations.",
        valid=(1, 10**6),
        shown=(1, 100),
        label="epochs",
    ),
]
Share = Annotated[
    float,
    Number(
        "How far answers should hold, in distances to the tenth neighbour. Large: the network "
        "dares no border inside anything, and at last none at all.",
        valid=(0, np.inf),
        shown=(0.05, 2),
        log=True,
        above=True,
        label="radius",
        symbol="α",
    ),
]
Look = Annotated[
    float,
    Number(
        "How far from a point the worst direction is looked for, in its radii. Close by it is "
        "found well; far off, as with the thesis' ten units of the data, it is a random one.",
        valid=(0, np.inf),
        shown=(0.01, 1000),
        log=True,
        above=True,
        label="look-ahead",
        symbol="ξ",
    ),
]


class DeepClusterer(Clusterer, ABC):
    """A subclass makes plans (arrays and plain values), and names the lesson made of one.

    `course` gives the training to be advanced as one likes, and `settle` makes of a course, also
    one left early, a fitted estimator; `fit` does both with all epochs.
    """

    epochs: int
    _lesson: Callable[..., Objective]
    _learnt: Callable[..., tuple[np.ndarray, ...]]  # a stage: the state after all epochs

    @abstractmethod
    def _plan(self, X: np.ndarray) -> dict[str, Any]:
        """Arguments of the lesson."""

    def fit(self, X: Any, y: Any = None) -> "DeepClusterer":
        """Learn for all epochs; y is ignored."""
        X = self._checked(X)
        plan = self._plan(X)
        state = check_memory(self.memory).cache(type(self)._learnt)(epochs=self.epochs, **plan)
        course = TrainingRun(type(self)._lesson(**plan), X)
        return self.settle(course.restore(dict(zip(course.state(), state, strict=True))))

    def course(self, X: Any) -> TrainingRun:
        """The training, ready to be advanced."""
        X = self._checked(X)
        return TrainingRun(type(self)._lesson(**self._plan(X)), X)

    def steps(
        self, X: Any, y: Any = None, *, since: Mapping[str, np.ndarray] | None = None
    ) -> Iterator[Epoch]:
        """One record per epoch, going on from the state `since`; to the end, it leaves a fit."""
        course = self.course(X)
        if since is not None:
            course.restore(since)
        for _ in epochs_of(course, self.epochs):
            yield course.epoch
        self.settle(course)

    def settle(self, course: TrainingRun) -> "DeepClusterer":
        """Keep what the course has learnt so far: the estimator is fitted with it."""
        self._answer = course.lesson.answer()
        self.losses_ = course.losses
        self.labels_ = asked(self._answer, course.X).argmax(axis=1)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) chances of every cluster."""
        check_is_fitted(self, "labels_")
        return asked(self._answer, self._checked(X, reset=False))

    def predict(self, X: Any) -> np.ndarray:
        """The cluster of each point."""
        return self.predict_proba(X).argmax(axis=1)


def layers(
    n_features: int,
    hidden: tuple[int, ...] | str,
    outputs: int,
    *,
    few: tuple[int, ...] = SMALL,
    many: tuple[int, ...] = PRINTED,
) -> tuple[int, ...]:
    """All sizes from input to output; "auto" is `few` in few dimensions and `many` in many."""
    if isinstance(hidden, str):
        hidden = few if n_features < WIDE else many
    return n_features, *hidden, outputs


def epochs_of(course: TrainingRun, epochs: int) -> Iterator[None]:
    """Advance to the end of one epoch after the other, until all are done or nothing changes."""
    while course.iteration < epochs * EPOCH and not course.lesson.still:
        course.advance(EPOCH - course.iteration % EPOCH)
        yield


def finished(course: TrainingRun, epochs: int) -> tuple[np.ndarray, ...]:
    """Its state after all epochs, in the order of `Course.state`."""
    for _ in epochs_of(course, epochs):
        pass
    return tuple(course.state().values())
