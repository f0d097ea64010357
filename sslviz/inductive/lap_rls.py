r"""Laplacian regularised least squares: fit the labels, change slowly where points lie close.

    min_f (1/l) Σ_i (f(x_i) − y_i)² + λ₁‖f‖² + (λ₂/n²) fᵀL f,   L = D − W

The last term sums, over all edges of the neighbour graph, the squared change of f along the edge:
f may be steep only in gaps between the points. So unlabelled points shape the decision function,
which, unlike label propagation, is defined everywhere: f(x) = Σ_i c_i k(x, x_i) over all n points,
k = exp(−‖x−z‖²/σ²), or linear with a bias (`kernel="linear"`).

**What to look for:** with λ₂ = 0 the labelled points alone decide; with a larger one the boundary
leaves the clusters and settles in the gap between them. With too large a λ₂ f is constant on each
connected component of the graph, and an edge that crosses the gap (large k) makes the classes one.
A linear boundary cannot follow a curved gap: it is meant for many dimensions.

Belkin, Niyogi, Sindhwani. Manifold regularization. JMLR 7, 2006.
"""

from dataclasses import dataclass

import numpy as np

from sslviz.inductive.manifold_base import ManifoldRegularised
from sslviz.inductive.stages.iterative_refinement import refined_coefficients
from sslviz.kernels.deformed import Manifold
from sslviz.solve.ridge import ridge

REFINED_FROM = 1e7  # ρs, or 1/γ, from which on the filter has lost half of its digits


@dataclass(repr=False, eq=False)
class LapRLS(ManifoldRegularised):
    """Laplacian regularised least squares, targets ±1; one class against the rest beyond two.

    Weights exp(−d²/σ²); those of the graph with σ its mean edge length. rbf has no bias, linear an
    unpenalised one. Eq. 9 of the thesis with λ₁ times l, labels padded with zeros.

    Attributes: `classes_`, `transduction_` (given labels kept), `label_distributions_` (n, C) the
    softmax of the scores, `dual_coef_` (n,) or (n, C): f = K @ dual_coef_ + `intercept_`,
    `sigma_` the width of the kernel, `n_neighbors_` the number used.
    """

    title, abbreviation = "Laplacian least squares (LapRLS)", "LapRLS"
    paper = "Belkin, Niyogi & Sindhwani, JMLR 2006"
    formula = (
        r"\min_f\;\textcolor{labelled}{\tfrac1l\sum_i(f(x_i)-y_i)^2}+\lambda_1\|f\|^2+"
        r"\textcolor{unlabelled}{\tfrac{\lambda_2}{n^2}f^\top Lf}",
        r"L=D-W\text{ of the }k\text{-NN graph}",
        r"k(x,z)=e^{-\|x-z\|^2/\sigma^2}",
    )

    def _learn(
        self, Phi: np.ndarray, Y: np.ndarray, lam1: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return ridge(Phi, Y, lam1 * len(Y), bias=self.kernel == "linear")

    def _refine(
        self,
        coef: np.ndarray,
        F: np.ndarray,
        space: Manifold,
        given: np.ndarray,
        Y: np.ndarray,
        lam1: float,
        rho: float,
    ) -> tuple[np.ndarray, np.ndarray]:
        gamma = lam1 * len(Y)
        if max(rho * space.s[-1], 1 / gamma) < REFINED_FROM or space.K is None:
            return coef, F
        coef = refined_coefficients(coef, space, given, Y, gamma=gamma, rho=rho)
        return coef, space.K @ coef
