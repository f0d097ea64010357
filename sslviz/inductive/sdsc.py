r"""SDSC, semi-parametric classification: kernel principal components enter without a penalty.

    f(x) = Σ_{i labelled} k(x, x_i) Γ_i + ψ(x) M,   ψ(x) = k_xᵀ V Λ⁻¹,   K V = V Λ (C largest)
    min_{Γ, M} ‖Y − K_l Γ − Ψ M‖² + δ tr(ΓᵀK_l Γ),   k(x, z) = exp(−‖x−z‖²/2σ²)

ψ are the first C kernel principal components of all points, labelled or not: the directions of
largest variance, taken as a guess at what separates the classes. The labels determine how much of
each is used; a sum of kernels at the labelled points corrects the rest and is penalised by δ.

**What to look for:** with a large δ the components ψ decide alone, with a small one every label is
fitted. Kernel and targets must be centred (the paper assumes it without doing it): otherwise ψ₁ is
nearly constant and useless. The paper pairs component c with class c (`pairing="diagonal"`), so
another numbering of the classes gives another result; the full pairing lets every class use every
component and does not depend on it. If the clusters are not the classes, ψ misleads.

Wang, Zhang. On discriminative semi-supervised classification. AAAI 2008.
"""

from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, Self

import numpy as np
from scipy.linalg import cholesky, lstsq, solve_triangular
from sklearn.utils.validation import check_memory

from sslviz.inductive.base import KernelClassifier, warn_if_unreached
from sslviz.inductive.parameters import KernelWidth
from sslviz.inductive.stages.eigenfunctions import eigenfunctions
from sslviz.kernels.gram import centred, check_size, gram, kernel_width, leading_spectrum
from sslviz.memo import stage
from sslviz.params import Choice, Flag, Number
from sslviz.validation import check_labelled

MIN_NORM = 1e-10  # norm at the labelled points below which a component of norm 1 counts as zero


@stage("solve")
def components(K: np.ndarray, *, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """μ (count,), ψ at the points (n, count) and 1/μ; zero for a component without variance."""
    mu, V = leading_spectrum(K, count=count)
    varies = mu > 1e-14 * mu[0]  # otherwise ψ cannot be extended beyond the points
    return mu, V * varies, np.divide(1.0, mu, out=np.zeros_like(mu), where=varies)


def semiparametric(
    K: np.ndarray, Psi: np.ndarray, Y: np.ndarray, *, delta: float, pairing: str
) -> tuple[np.ndarray, np.ndarray]:
    """Γ (l, C) and M (C, C) from K, Ψ and Y of the labelled points.

    For any M the best Γ is A⁻¹(Y − ΨM) with A = K + δI, and the objective becomes
    δ tr (Y − ΨM)ᵀA⁻¹(Y − ΨM): least squares for M after multiplying by an inverse root of A.
    Components that vanish at the labelled points get no weight.
    """
    root = cholesky(K + delta * np.eye(len(K)), lower=True)
    P, T = (solve_triangular(root, Z, lower=True) for Z in (Psi, Y))
    if pairing == "full":
        M = lstsq(P, T, cond=MIN_NORM)[0]
    else:
        squares = np.square(P).sum(axis=0)
        used = np.square(Psi).sum(axis=0) > MIN_NORM**2
        M = np.diag(np.divide((P * T).sum(axis=0), squares, out=np.zeros(len(used)), where=used))
    return solve_triangular(root, T - P @ M, lower=True, trans="T"), M


@dataclass(repr=False, eq=False)
class SDSC(KernelClassifier):
    """Semi-parametric regression on one-hot targets, weights exp(−d²/2σ²).

    New points: f(x) = k(x, X) @ dual_coef_ + intercept_; `parts` gives its two terms.

    Attributes: `classes_`, `transduction_` (given labels kept), `label_distributions_` (n, C) the
    softmax of the scores, `eigenfunctions_` (n, C) ψ at the training points (columns of norm 1,
    largest eigenvalue first), `eigenvalues_` (C,), `mixing_` (C, C) M, diagonal if so paired,
    `dual_coef_` (n, C), `intercept_` (C,) from the centring, `sigma_` the width used.
    """

    title, abbreviation = "Semi-parametric discriminative (SDSC)", "SDSC"
    paper = "Wang & Zhang, AAAI 2008"
    formula = (
        r"\min_{\Gamma,M}\;\textcolor{labelled}{\|Y-K_l\Gamma-\Psi M\|^2}+\delta"
        r"\operatorname{tr}(\Gamma^\top K_l\Gamma)",
        r"f(x)=\textcolor{labelled}{\sum_{i\text{ labelled}}k(x,x_i)\Gamma_i}+"
        r"\textcolor{unlabelled}{\psi(x)M}",
        r"k(x,z)=e^{-\|x-z\|^2/2\sigma^2}",
    )
    _halved, _signed = True, False

    sigma: KernelWidth = "median"
    delta: Annotated[
        float,
        Number(
            "Penalty on the kernels at labelled points. Large: the components decide alone.",
            valid=(0, inf),
            shown=(1e-3, 1e3),
            log=True,
            above=True,
            label="penalty on corrections",
            symbol="δ",
        ),
    ] = 0.25
    centre: Annotated[bool, Flag("Centre the kernel in feature space, and the targets.")] = True
    pairing: Annotated[
        str,
        Choice(
            "Which components a class may use.",
            ("full", "diagonal"),
            ("all of them", "as printed: class c the c-th"),
        ),
    ] = "full"

    def fit(self, X: Any, y: Any) -> Self:
        """Compute the components of all points, then their weights; y is -1 where unlabelled."""
        X, target, classes = check_labelled(self, X, y)
        check_size("SDSC", len(X))
        cached = check_memory(self.memory).cache
        sigma = kernel_width(self.sigma, X, target, self.memory)
        plain = cached(gram)(X, sigma=sigma, halved=True)
        warn_if_unreached("SDSC", plain, target)
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
        terms = [kernels, (V * inverse) @ M]
        if self.centre:
            terms = [term - term.mean(axis=0) for term in terms]
            self._terms = [(term, -plain.mean(axis=0) @ term) for term in terms]
        else:
            self._terms = [(term, np.zeros(len(classes))) for term in terms]
        (a, b), (c, d) = self._terms
        self._terms[0] = (a, b + mean)  # far from all points the scores are the class shares
        self.eigenvalues_, self.eigenfunctions_, self.mixing_ = mu, V, M
        F = K[:, given] @ Gamma + V @ M + mean
        self._set_fitted(X, target, classes, sigma, a + c, b + d + mean, F)
        return self

    def eigenfunctions_at(self, places: Any) -> np.ndarray:
        """(m, C) ψ at any places (m, d); at the training points it is `eigenfunctions_`."""
        Q = self._new_points(places)
        return eigenfunctions(self, self._X, Q)

    def parts(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """(m, C) each: the kernels at labelled points, and the components ψ(x) M."""
        Q = self._new_points(X)
        kernel, eigen = (self._evaluate(Q, coef, shift) for coef, shift in self._terms)
        return kernel, eigen
