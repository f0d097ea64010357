r"""Laplacian support vector machine: a wide margin between the classes, measured along the data.

    min_{f, b} (1/l) Σ_i max(0, 1 − y_i f(x_i)) + λ₁‖h‖² + (λ₂/n²) fᵀL f,   f = h + b,   L = D − W

As LapRLS with the hinge loss instead of squares: labelled points beyond the margin have no loss and
no influence, only the *support vectors* do. The graph of all points deforms the kernel; what
remains is an ordinary support vector machine on the labelled points. Its dual is solved by
sequential minimal optimisation, its primal by Newton's method; both give the same function.

**What to look for:** the lines f = ±1 bound the margin. As λ₂ grows it widens along the gap between
clusters and unlabelled points leave it; labelled points on the wrong side have a larger loss and
become support vectors. With few labels nearly all of them are support vectors.

Belkin, Niyogi, Sindhwani. Manifold regularization. JMLR 7, 2006.
Melacci, Belkin. Laplacian support vector machines trained in the primal. JMLR 12, 2011.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.inductive.manifold_base import ManifoldRegularised
from sslviz.memo import stage
from sslviz.params import Choice
from sslviz.solve.svm.svm import WARNING_GAP, Machine, solve_dual, solve_primal
from sslviz.validation import warn_not_converged


@stage("solve")
def machines(K: np.ndarray, Y: np.ndarray, *, lam: float, solver: str) -> list[Machine]:
    """One support vector machine for each column of ±1 targets Y (l, C)."""
    solve = solve_dual if solver == "dual" else solve_primal
    return [solve(K, y, lam) for y in np.ascontiguousarray(Y.T)]


@dataclass(repr=False, eq=False)
class LapSVM(ManifoldRegularised):
    """Laplacian support vector machine, plain hinge, with a bias; one against the rest beyond two.

    Weights exp(−d²/σ²); those of the graph with σ its mean edge length.

    Attributes: `classes_`, `transduction_` (given labels kept), `label_distributions_` (n, C) the
    softmax of the scores, `dual_coef_` (n,) or (n, C) and `intercept_`: f = K @ dual_coef_ +
    intercept_, `support_` the support vectors of any class (indices into X, all labelled),
    `margins_` (n,) or (n, C): y f of labelled points, |f| of the others, below 1 is inside the
    margin, `gap_` the largest relative duality gap, `sigma_`, `n_neighbors_` the values used.
    """

    title, abbreviation = "Laplacian support vectors (LapSVM)", "LapSVM"
    paper = "Belkin, Niyogi & Sindhwani, JMLR 2006; Melacci & Belkin, JMLR 2011"
    formula = (
        r"\min_{f,b}\;\textcolor{labelled}{\tfrac1l\sum_i\max(0,1-y_if(x_i))}"
        r"+\lambda_1\|h\|^2+\textcolor{unlabelled}{\tfrac{\lambda_2}{n^2}f^\top Lf}",
        r"f=h+b",
        r"L=D-W\text{ of the }k\text{-NN graph}",
        r"k(x,z)=e^{-\|x-z\|^2/\sigma^2}",
    )

    solver: Annotated[
        str,
        Choice(
            "Which of two equivalent problems is solved.",
            ("dual", "primal"),
            ("coefficients of the labelled points", "the function itself, by Newton's method"),
            advanced=True,
        ),
    ] = "dual"

    def _learn(
        self, Phi: np.ndarray, Y: np.ndarray, lam1: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        solved = check_memory(self.memory).cache(machines)(
            Phi @ Phi.T, Y, lam=lam1, solver=self.solver
        )
        alpha = np.stack([machine.alpha for machine in solved], axis=1)
        self.gap_ = max(machine.gap for machine in solved)
        if self.gap_ > WARNING_GAP:
            where = f"the relative duality gap is {self.gap_:.1g}"
            warn_not_converged(self, where, "raise lam1, lower lam2 or bring X to a scale near 1")
        return Phi.T @ alpha, alpha, np.array([machine.b for machine in solved])

    def _set_margins(
        self, given: np.ndarray, alpha: np.ndarray, Y: np.ndarray, F: np.ndarray
    ) -> None:
        self.support_ = given[(alpha != 0).any(axis=1)]
        margins = np.abs(F)
        margins[given] = Y * F[given]
        self.margins_ = margins[:, 0] if margins.shape[1] == 1 else margins

    def support_vectors(self) -> np.ndarray:
        """Indices of the labelled points with a nonzero coefficient."""
        return self.support_
