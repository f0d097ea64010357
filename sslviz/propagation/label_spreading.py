r"""Label spreading: every point mixes its neighbours' values with its own label, again and again.

    F_{t+1} = α S F_t + (1 − α) Y,   S = D^{-1/2} W D^{-1/2},   w_ij = exp(−d_ij²/2σ²)
    F_∞ = (1 − α)(I − α S)⁻¹ Y

In each sweep a point takes a share α from its neighbours and 1 − α from its given label, like heat
that leaks and is fed in at the labelled points. Unlike in label propagation given labels are not
held fixed in F, so neighbours may outvote them, and distant labels count for less.

**What to look for:** with small α only the surroundings of a label are decided with confidence; as
α nears 1 the whole component takes part, and the class with most labels may spread too far. A wrong
label among many right ones is overruled in F, which label propagation cannot do.

Zhou, Bousquet, Lal, Weston, Schölkopf. Learning with local and global consistency. NIPS 2003.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, log
from typing import Annotated, Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted, check_memory

from sslviz.device import pick_device, to_torch
from sslviz.graph.parameters import Neighbours
from sslviz.graph.weights import log_degrees, normalised, relative_degrees, transitions
from sslviz.memo import stage
from sslviz.params import Number
from sslviz.propagation.base import Prepared, WeightedGraphClassifier
from sslviz.propagation.stages.sweeps import Sweep, sweeps
from sslviz.solve.absorbing_chain import absorb
from sslviz.validation import decode_argmax, row_of, rows_to_one


@stage("solve")
def spreading_limit(
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
    each step with probability 1 − α, which is what `absorb` solves.
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


@dataclass(repr=False, eq=False)
class LabelSpreading(WeightedGraphClassifier):
    """Local and global consistency on the undirected kNN graph, weights exp(−d²/2σ²).

    `fit` solves for the fixed point; `steps` shows the sweeps that lead to it. New points take the
    weighted mean of their nearest training points (stages/out_of_sample.py), with the weights
    w(x, x_i)/√d_i of a sweep.

    Attributes: `classes_`, `transduction_` (given labels kept, -1: no label can be reached),
    `label_distributions_` (n, C) rows of F_∞ scaled to sum 1, `n_iter_` the number of sweeps after
    which changes have shrunk by the factor `tol`, at most `max_iter`, `sigma_` and `n_neighbors_`
    the values used.
    """

    title = "Label spreading"
    paper = "Zhou et al., NIPS 2003"
    formula = (
        r"F_{t+1}=\textcolor{unlabelled}{\alpha\,SF_t}+\textcolor{labelled}{(1-\alpha)\,Y}",
        r"S=D^{-1/2}WD^{-1/2}",
        r"w_{ij}=e^{-d_{ij}^2/2\sigma^2},\;j\in\mathcal N_k(i)",
    )
    halved = True

    n_neighbors: Neighbours = 10
    alpha: Annotated[
        float,
        Number(
            "Share of the neighbours in a point's value; the rest is its own label. Near 1 labels "
            "spread far.",
            valid=(0, 0.9999),
            shown=(0.01, 0.99),
            above=True,
            label="neighbours' share",
            symbol="α",
        ),
    ] = 0.9
    max_iter: Annotated[
        int,
        Number("Largest number of sweeps.", valid=(1, 10**6), shown=(1, 1000), advanced=True),
    ] = 1000
    tol: Annotated[
        float,
        Number(
            "Sweeps end when changes have shrunk by this factor.",
            valid=(0, 1),
            shown=(1e-8, 1e-2),
            log=True,
            advanced=True,
        ),
    ] = 1e-6

    def fit(self, X: Any, y: Any) -> "LabelSpreading":
        """Solve for the fixed point; y holds -1 for unlabelled points."""
        return self._finish(self._prepare(X, y))

    def steps(self, X: Any, y: Any) -> Iterator[Sweep]:
        """Sweeps F ← αSF + (1 − α)Y; run to the end, it leaves `fit`'s result."""
        prepared = self._prepare(X, y)
        device = pick_device(self.device)
        S = normalised(prepared.graph, prepared.sigma, halved=True)
        A = to_torch(S, device) * self.alpha
        B = to_torch(prepared.one_hot, device) * (1 - self.alpha)
        for sweep in sweeps(A, B):
            yield sweep
            if sweep.iteration == self._sweep_count():
                break
        self._finish(prepared)

    def _sweep_count(self) -> int:
        """The t with αᵗ ≤ tol: S has norm 1, so a sweep shrinks every change by α or more."""
        needed = ceil(log(self.tol) / log(self.alpha)) if self.tol > 0 else self.max_iter
        return max(1, min(needed, self.max_iter))

    def _finish(self, prepared: Prepared) -> "LabelSpreading":
        G, target, classes = prepared.graph, prepared.target, prepared.classes
        F = check_memory(self.memory).cache(spreading_limit)(
            G, target,
            sigma=prepared.sigma, alpha=self.alpha, n_targets=len(classes), device=self.device,
        )  # fmt: skip
        self._keep(prepared)
        self._scores, self._G, self.n_iter_ = F, G, self._sweep_count()
        self.label_distributions_ = rows_to_one(F)
        self.transduction_ = np.where(target >= 0, classes[target], decode_argmax(F, classes))
        return self

    def links(self, point: int) -> tuple[np.ndarray, np.ndarray]:
        """The training points that influence `point` in a sweep, and the weight of each in S."""
        check_is_fitted(self, "transduction_")
        return row_of(normalised(self._G, self.sigma_, halved=True), point)
