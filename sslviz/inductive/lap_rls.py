r"""Fit the labels, but change slowly where points lie close together.

    min_f (1/l) Σ_i (f(x_i) − y_i)² + λ₁‖f‖² + (λ₂/n²) fᵀL f,   L = D − W

The last term adds up, over all edges of the neighbour graph, the squared change of f along the
edge: f may turn steeply only in gaps between the points. Unlabelled points thus bend the field, and
unlike label propagation there is an answer at every place: f(x) = Σ_i c_i k(x, x_i) over all n,
k = exp(−‖x−z‖²/σ²), or a straight line with a bias (`kernel="linear"`).

**What to look for:** with λ₂ = 0 labelled points alone decide; raise it and the boundary leaves the
crescents and settles in the gap. Too much and the field is one constant per connected piece; an
edge that bridges the gap (large k) then ties both classes together. A straight line cannot follow a
curved gap: it is for many dimensions.

Belkin, Niyogi, Sindhwani. Manifold regularization. JMLR 7, 2006.
"""

from typing import Any

import numpy as np

from sslviz.border import check_labelled, clipped
from sslviz.graph.declared import Neighbours
from sslviz.inductive.declared import Ambient, Intrinsic, Kernel, KernelWidth
from sslviz.inductive.expansion import Expansion, signs
from sslviz.inductive.manifold import manifold
from sslviz.inductive.ridge import ridge


class LapRLS(Expansion):
    """Laplacian regularised least squares, targets ±1, one class against the rest beyond two.

    Weights exp(−d²/σ²), those of the graph with σ its mean edge length. rbf has no bias, linear an
    unpenalised one. Eq. 9 of the thesis with λ₁ times l, labels padded with zeros.

    Attributes: `classes_`, `transduction_` (given labels kept), `label_distributions_` (n, C)
    shares from the scores, `dual_coef_` (n,) or (n, C): f = K @ dual_coef_ + `intercept_`,
    `sigma_` the width of the kernel, `n_neighbors_` the number used.
    """

    title, family = "Laplacian least squares (LapRLS)", "inductive"
    paper = "Belkin, Niyogi & Sindhwani, JMLR 2006"

    def __init__(
        self,
        kernel: Kernel = "rbf",
        sigma: KernelWidth = "median",
        lam1: Ambient = 1e-4,
        lam2: Intrinsic = 1000.0,
        n_neighbors: Neighbours = 6,
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.kernel = kernel
        self.sigma = sigma
        self.lam1 = lam1
        self.lam2 = lam2
        self.n_neighbors = n_neighbors
        self.device = device
        self.memory = memory

    def fit(self, X: Any, y: Any) -> "LapRLS":
        """Bend the kernel along the graph, then least squares on the labelled points."""
        X, target, classes = check_labelled(self, X, y)
        self.n_neighbors_ = clipped(self, "n_neighbors", len(X) - 1)
        bent = manifold(
            "LapRLS",
            X,
            target,
            kernel=self.kernel,
            sigma=self.sigma,
            k=self.n_neighbors_,
            memory=self.memory,
            device=self.device,
        )
        given = np.flatnonzero(target >= 0)
        rho = self.lam2 / (self.lam1 * len(X) ** 2)
        Phi = bent.features(given, rho)
        Y = signs(target[given], len(classes))
        c, alpha, b = ridge(Phi, Y, self.lam1 * len(given), bias=self.kernel == "linear")
        F, weights = bent.field(c, rho), bent.weights(c, rho)
        spread = np.zeros_like(F)
        spread[given] = alpha
        coef = bent.coefficients(spread, F, rho)
        if len(classes) == 2:
            coef, b, F = coef[:, 0], b[0], F[:, 0]
            weights = None if weights is None else weights[:, 0]
        self._settle(X, target, classes, bent.sigma, coef, b, F + b, weights)
        return self
