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

import numpy as np

from sslviz.inductive.manifold_base import ManifoldRegularised
from sslviz.inductive.stages.iterative_refinement import refined
from sslviz.kernels.deformed import Manifold
from sslviz.solve.ridge import ridge

STEEP = 1e7  # ρs, or 1/γ, from which on the filter has lost half of its digits


class LapRLS(ManifoldRegularised):
    """Laplacian regularised least squares, targets ±1, one class against the rest beyond two.

    Weights exp(−d²/σ²), those of the graph with σ its mean edge length. rbf has no bias, linear an
    unpenalised one. Eq. 9 of the thesis with λ₁ times l, labels padded with zeros.

    Attributes: `classes_`, `transduction_` (given labels kept), `label_distributions_` (n, C)
    shares from the scores, `dual_coef_` (n,) or (n, C): f = K @ dual_coef_ + `intercept_`,
    `sigma_` the width of the kernel, `n_neighbors_` the number used.
    """

    title, family = "Laplacian least squares (LapRLS)", "inductive"
    paper = "Belkin, Niyogi & Sindhwani, JMLR 2006"

    def _learn(
        self, Phi: np.ndarray, Y: np.ndarray, lam1: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return ridge(Phi, Y, lam1 * len(Y), bias=self.kernel == "linear")

    def _sharpened(
        self,
        coef: np.ndarray,
        F: np.ndarray,
        bent: Manifold,
        given: np.ndarray,
        Y: np.ndarray,
        lam1: float,
        rho: float,
    ) -> tuple[np.ndarray, np.ndarray]:
        gamma = lam1 * len(Y)
        if max(rho * bent.s[-1], 1 / gamma) < STEEP or bent.K is None:
            return coef, F
        coef = refined(coef, bent, given, Y, gamma=gamma, rho=rho)
        return coef, bent.K @ coef
