r"""SSDR, discriminative regularisation: penalise functions that separate the data badly.

    min_f Σ_i ‖y_i − f(x_i)‖² + γ₁‖f‖² + γ₂ fᵀD f,   D = (I + K/λ)⁻¹,   k(x, z) = exp(−‖x−z‖²/2σ²)
    f(x) = Σ_i k̃(x, x_i) α_i,   α = (K̃_l + γ₁I)⁻¹Y,   k̃ = k − r k_xᵀ(I + rDK)⁻¹D k_z,   r = γ₂/γ₁

fᵀDf measures how badly discriminant analysis in feature space can separate all points, labelled or
not, by f. With this penalty the kernel k becomes k̃, and the rest is kernel ridge regression with k̃
on the labelled points. K and D share eigenvectors: an eigenvalue μ of K becomes
μ̃ = μ(λ+μ)/(λ+μ+rλμ), so every (λ, γ₁, γ₂) is a filter of one spectrum.

**What to look for:** with the right sign large eigenvalues shrink and small ones stay: the penalty
*flattens* the coarse structure, and the result is close to plain ridge regression. The paper's
Eq. 14 has the opposite sign and lacks the factor r (`as_printed`): there μ̃ = μ + λμ²/(λ+μ+rλμ),
coarse structure grows, and accuracy is often better although Eq. 12 is not minimised. With σ far
below the median distance most points are reached by no label and their scores are rounding noise.

Wang, Zhang. On discriminative semi-supervised classification. AAAI 2008.
"""

from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, ClassVar, NamedTuple, Self

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.inductive.base import KernelClassifier, warn_if_unreached
from sslviz.inductive.parameters import KernelWidth
from sslviz.kernels.gram import centred, check_size, gram, kernel_width, spectrum
from sslviz.params import Flag, Number
from sslviz.solve.ridge import ridge
from sslviz.validation import check_labelled


class FilterCurve(NamedTuple):
    """The eigenvalues of K, and their images with the right sign and with the printed one."""

    mu: np.ndarray
    right: np.ndarray
    printed: np.ndarray


def spectrum_curve(mu: np.ndarray, lam: float, ratio: float) -> FilterCurve:
    """μ̃ for every μ at λ and r = γ₂/γ₁, to draw beside the diagonal μ̃ = μ."""
    mu = np.asarray(mu, np.float64)
    return FilterCurve(mu, mu * factors(mu, lam, ratio, False), mu * factors(mu, lam, ratio, True))


def factors(mu: np.ndarray, lam: float, ratio: float, printed: bool) -> np.ndarray:
    """μ̃/μ, also where μ = 0."""
    whole = lam + mu + ratio * lam * mu
    return 1.0 + lam * mu / whole if printed else (lam + mu) / whole


def _weight(text: str, label: str, symbol: str, above: bool = True) -> Number:
    return Number(
        text, valid=(0, inf), shown=(1e-3, 1e3), log=True, above=above, label=label, symbol=symbol
    )


@dataclass(repr=False, eq=False)
class SSDR(KernelClassifier):
    """Discriminative regularisation; targets one-hot, weights exp(−d²/2σ²), no bias.

    `centre` centres kernel and targets (f then has a constant `intercept_`). New points:
    f(x) = k(x, X) @ dual_coef_ + intercept_, which is the minimiser itself.

    Attributes: `classes_`, `transduction_` (given labels kept), `label_distributions_` (n, C) the
    softmax of the scores, `dual_coef_` (n, C), `intercept_` (C,), `eigenvalues_` (n,) μ of K,
    largest first, `filtered_` (n,) their μ̃, `sigma_` the width used.
    """

    title, abbreviation = "Discriminative regularisation (SSDR)", "SSDR"
    paper = "Wang & Zhang, AAAI 2008"
    formula = (
        r"\min_f\;\textcolor{labelled}{\sum_i\|y_i-f(x_i)\|^2}+\gamma_1\|f\|^2+"
        r"\textcolor{unlabelled}{\gamma_2f^\top Df}",
        r"D=(I+K/\lambda)^{-1}",
        r"k(x,z)=e^{-\|x-z\|^2/2\sigma^2}",
    )
    # As printed, unlabelled points have an effect at γ₂ = 0 too.
    unlabelled_off: ClassVar[dict[str, Any]] = {"gamma2": 0.0, "as_printed": False}
    _halved, _signed, _spectra = True, False, 1

    sigma: KernelWidth = "median"
    lam: Annotated[
        float, _weight("Eigenvalues of K below it count as small.", "spectral scale", "λ")
    ] = 64
    gamma1: Annotated[
        float, _weight("Penalty on the norm of the function.", "norm penalty", "γ₁")
    ] = 1
    gamma2: Annotated[
        float,
        _weight(
            "Penalty on functions that separate the data badly. 0: plain ridge regression.",
            "separation penalty",
            "γ₂",
            above=False,
        ),
    ] = 1 / 64
    centre: Annotated[bool, Flag("Centre the kernel in feature space, and the targets.")] = False
    as_printed: Annotated[
        bool, Flag("Use the sign and factor of the paper's Eq. 14.", label="as printed")
    ] = False

    def fit(self, X: Any, y: Any) -> Self:
        """Filter the spectrum of K and solve for the labelled points; y is -1 where unlabelled."""
        X, target, classes = check_labelled(self, X, y)
        check_size("SSDR", len(X))
        cached = check_memory(self.memory).cache
        sigma = kernel_width(self.sigma, X, target, self.memory)
        K = cached(gram)(X, sigma=sigma, halved=True)
        warn_if_unreached("SSDR", K, target)
        self._mean = K.mean(axis=0) if self.centre else np.zeros(len(K))
        mu, V = cached(spectrum)(cached(centred)(K) if self.centre else K)
        g = factors(mu, self.lam, self.gamma2 / self.gamma1, self.as_printed)
        given = np.flatnonzero(target >= 0)
        Y = (target[given, None] == np.arange(len(classes))).astype(np.float64)
        mean = Y.mean(axis=0) * self.centre
        _, alpha, _ = ridge(V[given] * np.sqrt(mu * g), Y - mean, self.gamma1)
        inner = V[given].T @ alpha
        coef, F = V @ (g[:, None] * inner), V @ ((mu * g)[:, None] * inner)
        if self.centre:
            coef -= coef.mean(axis=0)
        self._V, self.eigenvalues_, self.filtered_ = V, mu, mu * g
        self._set_fitted(X, target, classes, sigma, coef, mean - self._mean @ coef, F + mean)
        return self

    def filter_curve(self) -> FilterCurve:
        """The eigenvalues of K and what the penalty makes of them, right and as printed."""
        return spectrum_curve(self.eigenvalues_, self.lam, self.gamma2 / self.gamma1)

    def bump(self, point: Any, Q: Any) -> tuple[np.ndarray, np.ndarray]:
        """(m,) k(x₀, q) and k̃(x₀, q); x₀ is the index of a training point or coordinates."""
        Q = self._new_points(Q)
        place = self._X[[point]] if np.ndim(point) == 0 else self._new_points(np.atleast_2d(point))
        own, rows = self._rows(place)[0], self._rows(Q)
        k = rows[:, point].copy() if np.ndim(point) == 0 else self._plain_kernel(Q, place)
        if self.centre:
            k += self._mean.mean() - own.mean() - rows.mean(axis=1)
            own, rows = self._about_mean(own), self._about_mean(rows)
        mu, r = self.eigenvalues_, self.gamma2 / self.gamma1
        change = (1.0 if self.as_printed else -r) * self.lam / (self.lam + mu + r * self.lam * mu)
        return k, k + rows @ (self._V @ (change * (self._V.T @ own)))

    def _plain_kernel(self, Q: np.ndarray, place: np.ndarray) -> np.ndarray:
        squares = np.square(np.asarray(Q, np.float64) - place).sum(axis=1)
        return np.exp(-squares / (2 * self.sigma_**2))

    def _about_mean(self, rows: np.ndarray) -> np.ndarray:
        about = rows - self._mean
        return about - about.mean(axis=-1, keepdims=True)
