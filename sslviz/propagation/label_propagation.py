r"""A walker on the graph stops at the first label it meets: where does it end?

    P = D⁻¹W,   w_ij = exp(−d_ij²/σ²),   F_u = P_uu F_u + P_ul Y_l   ⇔   L_uu F_u = W_ul Y_l

From every unlabelled point a random walker follows edges, near neighbours more often than far ones,
until it steps on a labelled point. F holds the chance of ending at each class: every unlabelled
point is the weighted mean of its neighbours, a harmonic function. Points from which no label can be
reached have no opinion and stay undetermined.

**What to look for:** labels flow along chains of close points and around gaps. Where k is too large
an edge bridges the gap, and one label floods the other side. On the *directed* graph, as printed in
the thesis, walkers get caught by few labels; the undirected graph is fairer and mostly better.
*Class mass* rescales the columns so that classes appear as often as among the labels.

Zhu, Ghahramani. Learning from labeled and unlabeled data with label propagation. 2002.
Zhu, Ghahramani, Lafferty. Semi-supervised learning using Gaussian fields and harmonic functions.
ICML 2003.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, check_memory, validate_data

from sslviz.device import pick_device, to_torch
from sslviz.graph.neighbours import knn
from sslviz.graph.parameters import Neighbours, Width
from sslviz.graph.underflow import rescale_underflowing
from sslviz.graph.weights import relative_degrees, transitions, undirected, width
from sslviz.memo import stage
from sslviz.params import Choice, Flag
from sslviz.propagation.stages.out_of_sample import extend
from sslviz.propagation.stages.sweeps import Sweep, sweeps
from sslviz.solve.absorbing_chain import absorb
from sslviz.validation import check_labelled, clip_to_available, decode_argmax, row_of, rows_to_one


class Prepared(NamedTuple):
    """What is known before the solve: the data, its classes and the walker's steps."""

    X: np.ndarray
    target: np.ndarray  # (n,) class index, -1 without label
    classes: np.ndarray
    k: int
    sigma: float
    P: sparse.csr_array
    weights: np.ndarray | None  # degrees of the points, if the graph is undirected


@stage("solve")
def absorption(
    P: sparse.csr_array,
    target: np.ndarray,
    weights: np.ndarray | None = None,
    *,
    n_targets: int,
    device: str = "auto",
) -> np.ndarray:
    """(n, n_targets): the chance that a walk from each point ends at each target.

    `target` is -1 where the walk goes on and the number of a target where it ends; `weights` are
    the degrees of an undirected graph.
    """
    F = (target[:, None] == np.arange(n_targets)).astype(np.float64)
    free = np.flatnonzero(target < 0)
    steps = sparse.csr_array(P[free])
    onto_labels = steps @ F  # F is zero on free points
    F[free] = absorb(
        sparse.csr_array(steps[:, free]),
        onto_labels.sum(axis=1),
        onto_labels,
        weights=None if weights is None else weights[free],
        device=device,
    )
    return F / np.maximum(F.sum(axis=1, keepdims=True), 1)  # rounding aside, no sum exceeds 1


@stage("basins")
def basins(
    P: sparse.csr_array,
    target: np.ndarray,
    weights: np.ndarray | None = None,
    *,
    device: str = "auto",
) -> np.ndarray:
    """(n, l): the chance that a walk ends at each of the l labelled points, in their order."""
    each = np.where(target >= 0, np.cumsum(target >= 0) - 1, -1)
    return absorption(P, each, weights, n_targets=int(each.max()) + 1, device=device)


class LabelPropagation(ClassifierMixin, BaseEstimator):
    """Absorption probabilities of a random walk on the kNN graph, weights exp(−d²/σ²).

    New points take the weighted mean of their nearest training points (stages/out_of_sample.py).

    Attributes: `classes_`, `transduction_` (-1: no label can be reached), `label_distributions_`
    (n, C) absorption probabilities, not renormalised, `class_weights_` (C,) the factors of class
    mass normalisation (ones without), `sigma_` and `n_neighbors_` the values used.
    """

    title, family = "Label propagation", "propagation"
    paper = "Zhu & Ghahramani 2002; Zhu, Ghahramani & Lafferty, ICML 2003"

    # `steps` shows the iteration that leads to the limit: until it moves less than this.
    _still, _most_sweeps = 1e-6, 1000

    def __init__(
        self,
        n_neighbors: Neighbours = 5,
        sigma: Width = "mean",
        graph: Annotated[
            str,
            Choice(
                "Whether an edge can be walked both ways.",
                ("undirected", "directed"),
                ("an edge if either point lists the other", "as printed: only to one's own list"),
                label="edges",
            ),
        ] = "undirected",
        class_mass: Annotated[
            bool,
            Flag("Rescale so that classes appear as often as among the given labels."),
        ] = False,
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.n_neighbors = n_neighbors
        self.sigma = sigma
        self.graph = graph
        self.class_mass = class_mass
        self.device = device
        self.memory = memory

    def fit(self, X: Any, y: Any) -> "LabelPropagation":
        """Solve for the limit of the walk; y holds -1 for unlabelled points."""
        return self._finish(self._prepare(X, y))

    def steps(self, X: Any, y: Any) -> Iterator[Sweep]:
        """Sweeps F ← P F with the labels held fixed; run to the end, it leaves `fit`'s result."""
        walk = self._prepare(X, y)
        device = pick_device(self.device)
        Y = (walk.target[:, None] == np.arange(len(walk.classes))).astype(np.float64)
        A = sparse.csr_array(sparse.diags_array((walk.target < 0).astype(float)) @ walk.P)
        for sweep in sweeps(to_torch(A, device), to_torch(Y, device)):
            yield sweep
            if sweep.change < self._still or sweep.iteration == self._most_sweeps:
                break
        self._finish(walk)

    def _prepare(self, X: Any, y: Any) -> Prepared:
        X, target, classes = check_labelled(self, X, y)
        k = clip_to_available(self, "n_neighbors", len(X) - 1)
        G = knn(X, k, self.memory, device=self.device)
        sigma = width(self.sigma, graph=G, X=X, y=target)
        weights = None
        if self.graph == "undirected":
            G = check_memory(self.memory).cache(undirected)(G)
            weights = relative_degrees(G, sigma)
        P = rescale_underflowing(transitions(G, sigma), G, sigma, target >= 0)
        return Prepared(X, target, classes, k, sigma, P, weights)

    def _finish(self, walk: Prepared) -> "LabelPropagation":
        F = check_memory(self.memory).cache(absorption)(
            walk.P, walk.target, walk.weights, n_targets=len(walk.classes), device=self.device
        )
        free = walk.target < 0
        self._X, self._P, self._target, self._weights = walk.X, walk.P, walk.target, walk.weights
        self.n_neighbors_ = walk.k
        self.classes_, self.sigma_ = walk.classes, walk.sigma
        self.class_weights_ = _class_weights(F, free) if self.class_mass else np.ones(F.shape[1])
        self.label_distributions_ = F
        self.transduction_ = decode_argmax(
            F * np.where(free[:, None], self.class_weights_, 1), walk.classes
        )
        return self

    def links(self, point: int) -> tuple[np.ndarray, np.ndarray]:
        """The training points a walker at `point` may step to, and with which chance each."""
        check_is_fitted(self, "transduction_")
        return row_of(self._P, point)

    def absorbers(self) -> tuple[np.ndarray, np.ndarray]:
        """The labelled points, and (n, l) the chance of a walk from each point to end at each."""
        check_is_fitted(self, "transduction_")
        found = check_memory(self.memory).cache(basins)(
            self._P, self._target, self._weights, device=self.device
        )
        return np.flatnonzero(self._target >= 0), found

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) opinions of new points, rows summing to 1, or to 0 where there is none."""
        check_is_fitted(self, "transduction_")
        Q = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        F = extend(
            Q,
            self._X,
            self.label_distributions_,
            k=self.n_neighbors_,
            sigma=self.sigma_,
            device=self.device,
        )
        return rows_to_one(F * self.class_weights_)

    def predict(self, X: Any) -> np.ndarray:
        """The class of each new point; -1 where its neighbours have no opinion."""
        return decode_argmax(self.predict_proba(X), self.classes_)


def _class_weights(F: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Zhu's class mass normalisation: (share among the labels) / (mass among the others)."""
    share, mass = F[~free].mean(axis=0), F[free].sum(axis=0)
    return np.divide(share, mass, out=np.ones_like(share), where=mass > 0)
