"""Projections told the labelled points only, behind the interface of the others.

What can be done without unlabelled points is what a method that uses them has to beat.
"""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np

from sslviz.embedding.base import Projection, check_differ, project, warn_fewer_components
from sslviz.labels import UNLABELLED
from sslviz.validation import check_labelled


class Told(NamedTuple):
    """The labelled points and what is asked of them."""

    X: np.ndarray  # (l, d)
    target: np.ndarray  # (l,) class indices
    n_classes: int
    n_components: int

    @property
    def thin(self) -> bool:
        """Whether the points of each class are one point, to rounding: no width within classes."""
        sums = np.zeros((self.n_classes, self.X.shape[1]))
        np.add.at(sums, self.target, self.X)
        means = sums / np.bincount(self.target, minlength=self.n_classes)[:, None]
        within = np.abs(self.X - means[self.target]).max()
        return bool(within <= 1e-13 * np.abs(self.X).max())


class LabelledProjection(Projection, ABC):
    """z = A(x − m) with A and m found from the labelled points by `_directions`."""

    n_components: int | None
    most = "the labelled points determine no more"  # why there may be fewer than asked for

    @abstractmethod
    def _directions(self, told: Told) -> tuple[np.ndarray, np.ndarray]:
        """A (p, d) and m (d,)."""

    def fit(self, X: Any, y: Any) -> Any:
        """Fit on the labelled points and project all; y holds -1 for unlabelled points."""
        X, target, classes = check_labelled(self, X, y)
        known = target != UNLABELLED
        check_differ(self, X[known])
        p = len(classes) - 1 if self.n_components is None else self.n_components
        p = min(p, X.shape[1])
        told = Told(X[known].astype(np.float64), target[known], len(classes), p)
        self.components_, self.mean_ = self._directions(told)
        warn_fewer_components(self, len(self.components_), self.most)
        self.embedding_ = project(X, self.mean_, self.components_)
        self.classes_ = classes
        return self
