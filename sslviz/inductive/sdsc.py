r"""Let the leading shapes of all data join the kernels on the labelled points, free of charge.

    f(x) = Σ_{i labelled} k(x, x_i) Γ_i + ψ(x) M,   ψ(x) = k_xᵀ V Λ⁻¹,   K V = V Λ (C largest)
    min_{Γ, M} ‖Y − K_l Γ − Ψ M‖² + δ tr(ΓᵀK_l Γ),   k(x, z) = exp(−‖x−z‖²/2σ²)

ψ are the first C kernel principal components of all points, labelled or not: the directions in
which the data spread most, hence the best guess at what tells classes apart. Labels decide how much
of each to take; a sum of kernels at the labelled points corrects the rest and is all that δ prices.

**What to look for:** large δ leaves ψ alone to decide, small δ lets every label have its way.
Kernel and targets must be centred (the paper assumes it and never does it): otherwise ψ₁ is nearly
constant and wasted. The paper pairs component c with class c (`pairing="diagonal"`), so naming the
classes in another order gives another field; the full pairing lets every class use every component
and does not care. If the clusters are not the classes, ψ misleads.

Wang, Zhang. On discriminative semi-supervised classification. AAAI 2008.
"""

from math import inf
from typing import Annotated, Any

import numpy as np
from scipy.linalg import cholesky, lstsq, solve_triangular
from sklearn.utils.validation import check_memory

from sslviz.inductive.base import KernelClassifier
from sslviz.inductive.parameters import KernelWidth
from sslviz.inductive.ssdr import warn_if_unfelt
from sslviz.inductive.stages.eigenfunctions import eigenfunctions
from sslviz.kernels.gram import centred, check_size, gram, kernel_width, leading
from sslviz.memo import stage
from sslviz.params import Choice, Flag, Number
from sslviz.validation import check_labelled

NOTHING = 1e-10  # of a component of norm 1: so little of it at the labelled points is none


@stage("solve")
def components(K: np.ndarray, *, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """μ (count,), ψ at the points (n, count) and 1/μ; all zero for one without variance."""
    mu, V = leading(K, count=count)
    spread = mu > 1e-14 * mu[0]  # without it there is no way to extend ψ beyond the points
    return mu, V * spread, np.divide(1.0, mu, out=np.zeros_like(mu), where=spread)


def semiparametric(
    K: np.ndarray, Psi: np.ndarray, Y: np.ndarray, *, delta: float, pairing: str
) -> tuple[np.ndarray, np.ndarray]:
    """Γ (l, C) and M (C, C) from K, Ψ and Y of the labelled points.

    For any M the best Γ is A⁻¹(Y − ΨM) with A = K + δI, and the cost that is left is
    δ tr (Y − ΨM)ᵀA⁻¹(Y − ΨM): least squares for M once both are divided by a root of A. Components
    that vanish at the labelled points get no weight.
    """
    root = cholesky(K + delta * np.eye(len(K)), lower=True)
    P, T = (solve_triangular(root, Z, lower=True) for Z in (Psi, Y))
    if pairing == "full":
        M = lstsq(P, T, cond=NOTHING)[0]
    else:
        squares = np.square(P).sum(axis=0)
        felt = np.square(Psi).sum(axis=0) > NOTHING**2
        M = np.diag(np.divide((P * T).sum(axis=0), squares, out=np.zeros(len(felt)), where=felt))
    return solve_triangular(root, T - P @ M, lower=True, trans="T"), M


class SDSC(KernelClassifier):
    """Semi-parametric regression on one-hot targets, weights exp(−d²/2σ²).

    New points: f(x) = k(x, X) @ dual_coef_ + intercept_; `parts` gives its two halves.

    Attributes: `classes_`, `transduction_` (given labels kept), `label_distributions_` (n, C)
    shares from the scores, `eigenfunctions_` (n, C) ψ at the training points (columns of norm 1,
    largest eigenvalue first), `eigenvalues_` (C,), `mixing_` (C, C) M, diagonal if so paired,
    `dual_coef_` (n, C), `intercept_` (C,) from the centring, `sigma_` the width used.
    """

    title, family = "Semi-parametric discriminative (SDSC)", "inductive"
    paper = "Wang & Zhang, AAAI 2008"
    _halved, _signed = True, False

    def __init__(
        self,
        sigma: KernelWidth = "median",
        delta: Annotated[
            float,
            Number(
                "Price of the kernels at labelled points. Large: the components decide alone.",
                valid=(0, inf),
                shown=(1e-3, 1e3),
                log=True,
                above=True,
                label="price of exceptions",
                symbol="δ",
            ),
        ] = 0.25,
        centre: Annotated[
            bool, Flag("Centre the kernel in feature space, and the targets.")
        ] = True,
        pairing: Annotated[
            str,
            Choice(
                "Which components a class may use.",
                ("full", "diagonal"),
                ("all of them", "as printed: class c the c-th"),
            ),
        ] = "full",
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.sigma = sigma
        self.delta = delta
        self.centre = centre
        self.pairing = pairing
        self.device = device
        self.memory = memory

    def fit(self, X: Any, y: Any) -> "SDSC":
        """Find the components of all points, then weigh them; y is -1 where unlabelled."""
        X, target, classes = check_labelled(self, X, y)
        check_size("SDSC", len(X))
        cached = check_memory(self.memory).cache
        sigma = kernel_width(self.sigma, X, target, self.memory)
        plain = cached(gram)(X, sigma=sigma, halved=True)
        warn_if_unfelt("SDSC", plain, target)
        K = cached(centred)(plain) if self.centre else plain
        mu, V, inverse = cached(components)(K, count=len(classes))
        given = np.flatnonzero(target >= 0)
        Y = (target[given, None] == np.arange(len(classes))).astype(np.float64)
        mean = Y.mean(axis=0) * self.centre
        Gamma, M = semiparametric(
            K[np.ix_(given, given)], V[given], Y - mean, delta=self.delta, pairing=self.pairing
        )
        kernels = np.zeros((len(X), len(classes)))
        kernels[given] = Gamma
        halves = [kernels, (V * inverse) @ M]
        if self.centre:
            halves = [half - half.mean(axis=0) for half in halves]
            self._halves = [(half, -plain.mean(axis=0) @ half) for half in halves]
        else:
            self._halves = [(half, np.zeros(len(classes))) for half in halves]
        (a, b), (c, d) = self._halves
        self._halves[0] = (a, b + mean)  # with no kernel in sight a label is what most are
        self.eigenvalues_, self.eigenfunctions_, self.mixing_ = mu, V, M
        F = K[:, given] @ Gamma + V @ M + mean
        self._settle(X, target, classes, sigma, a + c, b + d + mean, F)
        return self

    def eigenfunctions_at(self, places: Any) -> np.ndarray:
        """(m, C) ψ at any places (m, d); at the training points it is `eigenfunctions_`."""
        return eigenfunctions(self, self._X, self._checked(places))

    def parts(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """(m, C) each: what the kernels at labelled points add, and what ψ(x) M does."""
        Q = self._checked(X)
        kernel, eigen = (self._field(Q, coef, shift) for coef, shift in self._halves)
        return kernel, eigen
