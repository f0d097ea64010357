r"""A wide margin between the classes, measured along the data.

    min_{f, b} (1/l) Σ_i max(0, 1 − y_i f(x_i)) + λ₁‖h‖² + (λ₂/n²) fᵀL f,   f = h + b,   L = D − W

As LapRLS with the hinge instead of squares: labelled points beyond the margin cost nothing and have
no influence, only the *support vectors* do. The graph of all points bends the kernel, and what is
left is the ordinary support vector machine on the labelled points. Its dual is solved by
sequential minimal optimisation, its primal by Newton's method; both give the same field.

**What to look for:** the lines f = ±1 bound the margin. As λ₂ grows it widens along the gap between
clusters and unlabelled points leave it; labelled points on the wrong side cost more and become
support vectors. With few labels nearly all of them are.

Belkin, Niyogi, Sindhwani. Manifold regularization. JMLR 7, 2006.
Melacci, Belkin. Laplacian support vector machines trained in the primal. JMLR 12, 2011.
"""

from typing import Annotated, Any

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.border import check_labelled, clipped
from sslviz.graph.declared import Neighbours
from sslviz.inductive.declared import Ambient, Intrinsic, Kernel, KernelWidth
from sslviz.inductive.expansion import Expansion, signs
from sslviz.inductive.hinge import Machine, solve_dual, solve_primal
from sslviz.inductive.manifold import manifold
from sslviz.params import Choice


def machines(K: np.ndarray, Y: np.ndarray, *, lam: float, solver: str) -> list[Machine]:
    """One support vector machine for each column of ±1 targets Y (l, C)."""
    solve = solve_dual if solver == "dual" else solve_primal
    return [solve(K, y, lam) for y in np.ascontiguousarray(Y.T)]


class LapSVM(Expansion):
    """Laplacian support vector machine, plain hinge, with a bias; one against the rest beyond two.

    Weights exp(−d²/σ²), those of the graph with σ its mean edge length.

    Attributes: `classes_`, `transduction_` (given labels kept), `label_distributions_` (n, C)
    shares from the scores, `dual_coef_` (n,) or (n, C) and `intercept_`: f = K @ dual_coef_ +
    intercept_, `support_` the labelled points (indices into X) that hold up the field, of any
    class, `margins_` (n,) or (n, C): y f of labelled points, |f| of the others, below 1 is inside
    the margin, `gap_` the largest relative duality gap, `sigma_`, `n_neighbors_` the values used.
    """

    title, family = "Laplacian support vectors (LapSVM)", "inductive"
    paper = "Belkin, Niyogi & Sindhwani, JMLR 2006; Melacci & Belkin, JMLR 2011"

    def __init__(
        self,
        kernel: Kernel = "rbf",
        sigma: KernelWidth = "median",
        lam1: Ambient = 1e-4,
        lam2: Intrinsic = 1000.0,
        n_neighbors: Neighbours = 6,
        solver: Annotated[
            str,
            Choice(
                "Which of two equal problems is solved.",
                ("dual", "primal"),
                ("weights of the labelled points", "the field itself, by Newton's method"),
                advanced=True,
            ),
        ] = "dual",
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.kernel = kernel
        self.sigma = sigma
        self.lam1 = lam1
        self.lam2 = lam2
        self.n_neighbors = n_neighbors
        self.solver = solver
        self.device = device
        self.memory = memory

    def fit(self, X: Any, y: Any) -> "LapSVM":
        """Bend the kernel along the graph, then a support vector machine on the labelled points."""
        X, target, classes = check_labelled(self, X, y)
        self.n_neighbors_ = clipped(self, "n_neighbors", len(X) - 1)
        bent = manifold(
            "LapSVM",
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
        solved = check_memory(self.memory).cache(machines)(
            Phi @ Phi.T, Y, lam=self.lam1, solver=self.solver
        )
        alpha = np.stack([machine.alpha for machine in solved], axis=1)
        b = np.array([machine.b for machine in solved])
        self.gap_ = max(machine.gap for machine in solved)
        c = Phi.T @ alpha
        F, weights = bent.field(c, rho), bent.weights(c, rho)
        spread = np.zeros_like(F)
        spread[given] = alpha
        coef = bent.coefficients(spread, F, rho)
        self.support_ = given[(alpha != 0).any(axis=1)]
        margins = np.abs(F + b)
        margins[given] = Y * (F + b)[given]
        if len(classes) == 2:
            coef, b, F, margins = coef[:, 0], b[0], F[:, 0], margins[:, 0]
            weights = None if weights is None else weights[:, 0]
        self.margins_ = margins
        self._settle(X, target, classes, bent.sigma, coef, b, F + b, weights)
        return self
