r"""Every point takes its neighbours' opinion, mixed with its own label.

    F_{t+1} = α S F_t + (1 − α) Y,   S = D^{-1/2} W D^{-1/2},   w_ij = exp(−d_ij²/2σ²)
    F_∞ = (1 − α)(I − α S)⁻¹ Y

Labels spread like heat that leaks: after each step a share 1 − α is lost and the given labels feed
in new. Unlike label propagation the given labels are not held fixed but outvoted if they disagree
with their surroundings, and distant labels count for less.

**What to look for:** with small α only the neighbourhood of a label is warm; as α nears 1 the whole
component takes part and the largest cluster of labels may flood. A wrong label amid many right ones
is overruled, which label propagation cannot do.

Zhou, Bousquet, Lal, Weston, Schölkopf. Learning with local and global consistency. NIPS 2003.
"""

from collections.abc import Iterator
from math import ceil, log
from typing import Annotated, Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, check_memory, validate_data

from sslviz.device import pick_device, to_torch
from sslviz.graph.neighbours import knn
from sslviz.graph.parameters import Neighbours, Width
from sslviz.graph.weights import (
    log_degrees,
    normalised,
    relative_degrees,
    transitions,
    undirected,
    width,
)
from sslviz.memo import stage
from sslviz.params import Number
from sslviz.propagation.stages.out_of_sample import extend
from sslviz.propagation.stages.sweeps import Sweep, sweeps
from sslviz.solve.absorbing_chain import absorb
from sslviz.validation import check_labelled, clip_to_available, decode_argmax, row_of, rows_to_one


class Prepared(NamedTuple):
    """What is known before the solve: the data, its classes and the undirected graph."""

    X: np.ndarray
    target: np.ndarray  # (n,) class index, -1 without label
    classes: np.ndarray
    k: int
    sigma: float
    graph: sparse.csr_array
    S: sparse.csr_array


@stage("solve")
def spread(
    G: sparse.csr_array,
    target: np.ndarray,
    *,
    sigma: float,
    alpha: float,
    n_targets: int,
    device: str = "auto",
) -> np.ndarray:
    """(n, n_targets): D^{-1/2} F_∞, up to one common factor.

    With F = D^{1/2} F̂ the fixed point reads F̂ = α P F̂ + (1 − α) D^{-1/2} Y: a walk that stops at
    each step with chance 1 − α, which is what `absorb` solves.
    """
    P = transitions(G, sigma, halved=True)
    given = np.flatnonzero(target >= 0)
    half = -0.5 * log_degrees(G, sigma, halved=True)[given]
    B = np.zeros((len(target), n_targets))
    # Degrees e^300 apart have no influence on each other, but their factors must stay finite.
    factor = np.exp(np.clip(half - np.median(half), -300, 300))
    B[given, target[given]] = (1 - alpha) * factor
    P.data *= alpha
    weights = relative_degrees(G, sigma, halved=True)
    return absorb(P, np.full(len(target), 1 - alpha), B, weights=weights, device=device)


class LabelSpreading(ClassifierMixin, BaseEstimator):
    """Local and global consistency on the undirected kNN graph, weights exp(−d²/2σ²).

    `fit` solves for the fixed point; `steps` shows the sweeps that lead to it. New points take the
    weighted mean of their nearest training points (propagation/stages/out_of_sample.py), weights
    w(x, x_i)/√d_i as a sweep would.

    Attributes: `classes_`, `transduction_` (given labels kept, -1: no label can be reached),
    `label_distributions_` (n, C) rows of F_∞ scaled to sum 1, `n_iter_` the sweeps after which the
    iteration has shrunk its first move by `tol`, at most `max_iter`, `sigma_` and `n_neighbors_`
    the values used.
    """

    title, family = "Label spreading", "propagation"
    paper = "Zhou et al., NIPS 2003"

    def __init__(
        self,
        n_neighbors: Neighbours = 10,
        sigma: Width = "mean",
        alpha: Annotated[
            float,
            Number(
                "Share of the neighbours' opinion; the rest is one's own label. Near 1 labels "
                "travel far.",
                valid=(0, 0.9999),
                shown=(0.01, 0.99),
                above=True,
                label="neighbours' share",
                symbol="α",
            ),
        ] = 0.9,
        max_iter: Annotated[
            int,
            Number("Sweeps shown at most.", valid=(1, 10**6), shown=(1, 1000), advanced=True),
        ] = 1000,
        tol: Annotated[
            float,
            Number(
                "Sweeps end once their moves have shrunk by this factor.",
                valid=(0, 1),
                shown=(1e-8, 1e-2),
                log=True,
                advanced=True,
            ),
        ] = 1e-6,
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.n_neighbors = n_neighbors
        self.sigma = sigma
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.device = device
        self.memory = memory

    def fit(self, X: Any, y: Any) -> "LabelSpreading":
        """Solve for the fixed point; y holds -1 for unlabelled points."""
        return self._finish(self._prepare(X, y))

    def steps(self, X: Any, y: Any) -> Iterator[Sweep]:
        """Sweeps F ← αSF + (1 − α)Y; run to the end, it leaves `fit`'s result."""
        heat = self._prepare(X, y)
        device = pick_device(self.device)
        Y = (heat.target[:, None] == np.arange(len(heat.classes))).astype(np.float64)
        A, B = to_torch(heat.S, device) * self.alpha, to_torch(Y, device) * (1 - self.alpha)
        for sweep in sweeps(A, B):
            yield sweep
            if sweep.iteration == self._sweeps():
                break
        self._finish(heat)

    def _sweeps(self) -> int:
        """The t with αᵗ ≤ tol: S has norm 1, so a sweep shrinks every move by α or more."""
        enough = ceil(log(self.tol) / log(self.alpha)) if self.tol > 0 else self.max_iter
        return max(1, min(enough, self.max_iter))

    def _prepare(self, X: Any, y: Any) -> Prepared:
        X, target, classes = check_labelled(self, X, y)
        k = clip_to_available(self, "n_neighbors", len(X) - 1)
        G = knn(X, k, self.memory, device=self.device)
        sigma = width(self.sigma, graph=G, X=X, y=target)
        G = check_memory(self.memory).cache(undirected)(G)
        return Prepared(X, target, classes, k, sigma, G, normalised(G, sigma, halved=True))

    def _finish(self, heat: Prepared) -> "LabelSpreading":
        F = check_memory(self.memory).cache(spread)(
            heat.graph,
            heat.target,
            sigma=heat.sigma,
            alpha=self.alpha,
            n_targets=len(heat.classes),
            device=self.device,
        )
        self._X, self._F, self._S = heat.X, F, heat.S
        self.n_neighbors_ = heat.k
        self.classes_, self.sigma_, self.n_iter_ = heat.classes, heat.sigma, self._sweeps()
        self.label_distributions_ = rows_to_one(F)
        answer = decode_argmax(F, heat.classes)
        self.transduction_ = np.where(heat.target >= 0, heat.classes[heat.target], answer)
        return self

    def links(self, point: int) -> tuple[np.ndarray, np.ndarray]:
        """The training points whose opinion `point` takes, and each one's weight in S."""
        check_is_fitted(self, "transduction_")
        return row_of(self._S, point)

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) opinions of new points, rows summing to 1, or to 0 where there is none."""
        check_is_fitted(self, "transduction_")
        Q = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        F = extend(
            Q,
            self._X,
            self._F,
            k=self.n_neighbors_,
            sigma=self.sigma_,
            halved=True,
            device=self.device,
        )
        return rows_to_one(F)

    def predict(self, X: Any) -> np.ndarray:
        """The class of each new point; -1 where its neighbours have no opinion."""
        return decode_argmax(self.predict_proba(X), self.classes_)
