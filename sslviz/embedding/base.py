"""Base classes of the embeddings: coordinates of the training points and of new points.

`Projection` is linear, z = A(x − m) with A (p, d) and m (d,). `LabelledProjection` fits A and m to
the labelled points alone: the baseline that a method with unlabelled points has to beat.
"""

import warnings
from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from sslviz.abilities import Method
from sslviz.embedding.parameters import Dimensions
from sslviz.embedding.stages.linear_projection import project
from sslviz.labels import UNLABELLED
from sslviz.validation import check_labelled


def warn_fewer_components(estimator: Any, found: int, why: str) -> None:
    """Warn when there are fewer directions than `n_components`."""
    wanted = estimator.n_components
    if wanted is not None and found < wanted:
        warnings.warn(
            f"{type(estimator).__name__}: n_components={wanted} but {why}; taking {found}",
            UserWarning,
            stacklevel=3,
        )


def check_points_differ(estimator: Any, X: np.ndarray) -> None:
    """Refuse labelled points that are all the same point."""
    if (X == X[0]).all():
        raise ValueError(
            f"{type(estimator).__name__}: the labelled points are all equal, so no direction "
            "separates them"
        )


@dataclass(repr=False, eq=False)
class Embedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Method, BaseEstimator):
    """An estimator that leaves `embedding_` (n, p) and maps new points by `transform`."""

    family = "embedding"

    _: KW_ONLY
    device: str = "auto"
    memory: Any = None
    embedding_: np.ndarray = field(init=False)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    @property
    def _n_features_out(self) -> int:  # scikit-learn names the coordinates by it
        return self.embedding_.shape[1]

    def _new_points(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "embedding_")
        return validate_data(self, X, reset=False, dtype=[np.float64, np.float32])


@dataclass(repr=False, eq=False)
class Projection(Embedding):
    """A linear embedding z = A(x − m): `components_` is A (p, d), `mean_` is m (d,)."""

    components_: np.ndarray = field(init=False)
    mean_: np.ndarray = field(init=False)

    def transform(self, X: Any) -> np.ndarray:
        """(m, p) coordinates of new points."""
        return project(self._new_points(X), self.mean_, self.components_)


class LabelledSet(NamedTuple):
    """The labelled points, and the number of directions to find."""

    X: np.ndarray  # (l, d)
    target: np.ndarray  # (l,) class indices
    n_classes: int
    n_components: int

    @property
    def has_no_scatter(self) -> bool:
        """Whether the points of each class coincide up to rounding."""
        sums = np.zeros((self.n_classes, self.X.shape[1]))
        np.add.at(sums, self.target, self.X)
        means = sums / np.bincount(self.target, minlength=self.n_classes)[:, None]
        within = np.abs(self.X - means[self.target]).max()
        return bool(within <= 1e-13 * np.abs(self.X).max())


@dataclass(repr=False, eq=False)
class LabelledProjection(Projection, ABC):
    """z = A(x − m), with A and m found from the labelled points by `_directions`."""

    n_components: Dimensions = None

    @abstractmethod
    def _directions(self, labelled: LabelledSet) -> tuple[np.ndarray, np.ndarray]:
        """A (p, d) and m (d,)."""

    def fit(self, X: Any, y: Any) -> Self:
        """Fit to the labelled points and project all points; y holds -1 for unlabelled ones."""
        X, target, classes = check_labelled(self, X, y)
        known = target != UNLABELLED
        check_points_differ(self, X[known])
        p = len(classes) - 1 if self.n_components is None else self.n_components
        p = min(p, X.shape[1])
        labelled = LabelledSet(X[known].astype(np.float64), target[known], len(classes), p)
        self.components_, self.mean_ = self._directions(labelled)
        why = "the labelled points determine no more"
        warn_fewer_components(self, len(self.components_), why)
        self.embedding_ = project(X, self.mean_, self.components_)
        self.classes_ = classes
        return self
