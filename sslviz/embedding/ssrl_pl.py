r"""SSRL-PL: soft labels from nearby labelled points, then directions that depend on them most.

    max_V tr(VᵀX H Y Yᵀ H Xᵀ V)/(n − 1)²,  VᵀV = I,   y_i^c = Σ_{j ∈ L_ik, y_j = c} s_ij / Σ_j s_ij

An unlabelled point takes as soft label the class shares among L_ik, its k nearest labelled points,
weighted by s_ij = exp(−d_ij²/2σₛ²). The projection then maximises the dependence (HSIC, the
Hilbert-Schmidt independence criterion) between points and labels, along straight directions or in
the feature space of the kernel exp(−d²/2σ²). The model is determined by C witness functions, one
for each class: how strongly a place is associated with that class.

**What to look for:** C classes determine at most C − 1 directions; further eigenvalues are zero.
With two classes the direction is the difference of the soft class means. The spread within classes
is ignored: where it matters, discriminant analysis is better. Compare *labelled only* and *all
labels*: on MNIST and USPS the labelled points alone do as well, so unlabelled points help little.
A kernel much narrower than the median distance overfits.

Banijamali, Ghodsi. Semi-supervised representation learning based on probabilistic labeling. 2016.
"""

import warnings
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted, check_memory

from sslviz.embedding.base import Embedding, warn_fewer_components
from sslviz.embedding.parameters import KernelWidth, LabelWidth
from sslviz.embedding.stages.hsic import centred_labels
from sslviz.embedding.stages.maps import kernel_map, linear_map
from sslviz.embedding.stages.soft_labels import (
    labelled_neighbours,
    neighbour_shares,
    one_hot_maximum,
    soft_labels,
)
from sslviz.graph.median_distance import median_distance
from sslviz.labels import UNLABELLED, one_hot
from sslviz.params import Choice, Number, split_rule
from sslviz.validation import check_labelled


@dataclass(repr=False, eq=False)
class SSRLPL(Embedding):
    """Semi-supervised representation learning by probabilistic labels, linear or with a kernel.

    Attributes: `classes_`, `embedding_` (n, p), `components_` (p, d) orthonormal directions, or for
    rbf `dual_coef_` (n, p) with βᵀKβ = I, `eigenvalues_` (C,) of XHYYᵀHXᵀ/(n − 1)², largest first,
    the last one zero, `label_distributions_` (n, C) the labels used (zero rows for points that are
    not used), `neighbours_` (n, k) the labelled points that a soft label comes from, nearest first,
    -1 where there is none, `n_neighbors_`, `sigma_` and `sigma_labels_` the values used, None where
    the parameter had no effect.
    """

    title = "SSRL-PL"
    paper = "Banijamali & Ghodsi 2016"
    formula = (
        r"\max_{V^\top V=I}\operatorname{tr}(V^\top XHYY^\top HX^\top V)/(n-1)^2,"
        r"\;V\in\mathbb R^{d\times p}",
        r"\textcolor{unlabelled}{y_i^c}=\sum_{j\in\mathcal L_k(i),\,y_j=c}s_{ij}\,/"
        r"\sum_{j\in\mathcal L_k(i)}s_{ij}",
        r"s_{ij}=e^{-d_{ij}^2/2\sigma_s^2}",
        r"\text{kernel }e^{-d^2/2\sigma^2}",
    )
    unlabelled_off: ClassVar[dict[str, Any]] = {"labels": "labelled"}

    n_components: Annotated[
        int,
        Number(
            "Directions kept. C classes determine at most C − 1.",
            valid=(1, 10**6),
            shown=(1, 10),
            label="dimensions",
            symbol="p",
        ),
    ] = 2
    n_neighbors: Annotated[
        int,
        Number(
            "Nearest labelled points that give an unlabelled point its soft label.",
            valid=(1, 10**6),
            shown=(1, 30),
            label="labelled neighbours",
            symbol="k",
        ),
    ] = 5
    sigma_labels: LabelWidth = "median"
    kernel: Annotated[
        str,
        Choice(
            "Straight directions, or directions in the feature space of a Gaussian kernel.",
            ("linear", "rbf"),
            ("projection on directions", "Gaussian of width σ around every point"),
            titles=("linear", "Gaussian"),
        ),
    ] = "linear"
    sigma: KernelWidth = "median"
    labels: Annotated[
        str,
        Choice(
            "Which labels the projection is fitted to.",
            ("soft", "wta", "labelled", "all"),
            (
                "class shares among the labelled neighbours",
                "winner takes all, only the largest share counts",
                "the labelled points alone, Eq. 5",
                "the true label of every point: y must hold them all",
            ),
            titles=("soft", "hard", "labelled", "all"),
        ),
    ] = "soft"
    complete: Annotated[
        str | None,
        Choice(
            "What to add beyond the directions that the labels determine.",
            (None, "pca"),
            ("nothing: fewer dimensions, and a warning", "principal components of the rest"),
            label="further dimensions",
            advanced=True,
        ),
    ] = None

    def fit(self, X: Any, y: Any) -> Self:
        """Estimate the soft labels, then the projection; y holds -1 for unlabelled points."""
        X, target, classes = check_labelled(self, X, y)
        Y = self._label(X, target, len(classes))
        used = Y.sum(axis=1) > 0
        HY = centred_labels(Y, used)
        self.sigma_ = None if self.kernel == "linear" else self._width("sigma", X)
        p, more = self.n_components, self.complete is not None
        if self.sigma_ is None:
            found = linear_map(X, HY, p, complete=more, memory=self.memory)
        else:
            found = kernel_map(X, HY, self.sigma_, p, complete=more, memory=self.memory)
        dimensions = found.embedding.shape[1]
        if dimensions == 0:
            raise ValueError(
                "SSRLPL: the means of all classes are equal, so no direction separates them; "
                "n_neighbors, sigma_labels or sigma may be too large"
            )
        rank = np.count_nonzero(found.S)
        warn_fewer_components(
            self,
            dimensions,
            "the data have no further direction"
            if more
            else f"{len(classes)} classes determine {rank} (complete='pca' adds others)",
        )
        self._map, self.embedding_ = found.map, found.embedding
        self.classes_, self.label_distributions_ = classes, Y
        self.eigenvalues_ = np.square(found.S / (np.count_nonzero(used) - 1))
        return self

    def _label(self, X: np.ndarray, target: np.ndarray, n_classes: int) -> np.ndarray:
        """(n, C) the labels used; a point that is not used has a zero row."""
        hidden = int(np.count_nonzero(target == UNLABELLED))
        if self.labels == "all" and hidden:
            raise ValueError(
                f"SSRLPL: labels='all' needs the label of every point, {hidden} of y are "
                f"{UNLABELLED} (unlabelled)"
            )
        k = self.n_neighbors_ = min(self.n_neighbors, len(X) - hidden)
        self.neighbours_, self._shares = np.full((len(X), k), UNLABELLED), np.zeros((len(X), k))
        self.sigma_labels_ = None
        if self.labels in ("labelled", "all"):
            return one_hot(target, np.arange(n_classes))
        if hidden and k < self.n_neighbors:
            warnings.warn(
                f"SSRLPL: n_neighbors={self.n_neighbors} but {k} points are labelled; taking {k}",
                UserWarning,
                stacklevel=3,
            )
        neighbours = labelled_neighbours(X, target, k, self.memory, device=self.device)
        weights = neighbours.distances
        if hidden:
            self.sigma_labels_ = self._width("sigma_labels", X)
            weights = neighbour_shares(neighbours.distances, self.sigma_labels_)
            self.neighbours_[neighbours.free] = neighbours.indices
            self._shares[neighbours.free] = weights
        Y = soft_labels(target, n_classes, neighbours, weights)
        return one_hot_maximum(Y) if self.labels == "wta" else Y

    def _width(self, name: str, X: np.ndarray) -> float:
        """A width as a number: given directly, or a multiple of the median distance."""
        value = getattr(self, name)
        if not isinstance(value, str):
            return float(value)
        median = check_memory(self.memory).cache(median_distance)(X)
        if median == 0:
            raise ValueError(f"SSRLPL: {name}={value!r} is 0: most points are equal; give a number")
        return split_rule(value)[0] * median

    @property
    def components_(self) -> np.ndarray:
        """(p, d) the orthonormal directions of the linear projection."""
        return self._fitted("components", "kernel='linear'")

    @property
    def dual_coef_(self) -> np.ndarray:
        """(n, p) the coefficients β of the kernel projection."""
        return self._fitted("coefficients", "kernel='rbf'")

    def _fitted(self, name: str, when: str) -> np.ndarray:
        if not hasattr(vars(self).get("_map"), name):
            raise AttributeError(f"SSRLPL has {name} once it is fitted with {when}")
        return getattr(self._map, name)

    def transform(self, X: Any) -> np.ndarray:
        """(m, p) coordinates of new points."""
        Q = self._new_points(X)
        return self._map.at(Q)

    def witness(self, X: Any) -> np.ndarray:
        """(m, C) Σ_i (HY)_ic k(x_i, x): the witness function of each class at new points."""
        Q = self._new_points(X)
        return self._map.witness(Q)

    def links(self, point: int) -> tuple[np.ndarray, np.ndarray]:
        """The labelled points behind the soft label of `point`, nearest first, and their shares.

        Both are empty for a point that is labelled or not used.
        """
        check_is_fitted(self, "embedding_")
        listed = self.neighbours_[point] != UNLABELLED
        return self.neighbours_[point][listed], self._shares[point][listed]
