r"""Ask of the field not that it be smooth, but that it separate the data well.

    min_f Σ_i ‖y_i − f(x_i)‖² + γ₁‖f‖² + γ₂ fᵀD f,   D = (I + K/λ)⁻¹,   k(x, z) = exp(−‖x−z‖²/2σ²)
    f(x) = Σ_i k̃(x, x_i) α_i,   α = (K̃_l + γ₁I)⁻¹Y,   k̃ = k − r k_xᵀ(I + rDK)⁻¹D k_z,   r = γ₂/γ₁

D measures how badly a labelling of all points, labelled or not, can be told apart by discriminant
analysis in feature space. Penalising it bends the kernel k into k̃, and what remains is kernel ridge
regression with k̃ on the labelled points. K and D share eigenvectors: an eigenvalue μ of K becomes
μ̃ = μ(λ+μ)/(λ+μ+rλμ), so every (λ, γ₁, γ₂) is a filter of one spectrum.

**What to look for:** in the right form large eigenvalues shrink and small ones stay: the penalty
*flattens* the coarse structure, and the field is close to plain ridge regression. The paper's
Eq. 14 has the opposite sign and lacks the factor r (`as_printed`): there μ̃ = μ + λμ²/(λ+μ+rλμ),
coarse structure grows, and accuracy is often better although no problem of Eq. 12 is solved. With
σ far below the median distance labelled points are islands and the rest is rounding noise.

Wang, Zhang. On discriminative semi-supervised classification. AAAI 2008.
"""

import warnings
from math import inf
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.inductive.base import KernelClassifier
from sslviz.inductive.parameters import KernelWidth
from sslviz.kernels.gram import centred, check_size, gram, kernel_width, spectrum
from sslviz.params import Flag, Number
from sslviz.solve.ridge import ridge
from sslviz.validation import check_labelled

UNFELT, ALLOWED = 1e-16, 0.05  # a kernel value that is nothing, the share of points that may see it


class Curve(NamedTuple):
    """What becomes of each eigenvalue of K: by the right sign and by the printed one."""

    mu: np.ndarray
    right: np.ndarray
    printed: np.ndarray


def spectrum_curve(mu: np.ndarray, lam: float, ratio: float) -> Curve:
    """μ̃ for every μ at λ and r = γ₂/γ₁, to draw beside the diagonal μ̃ = μ."""
    mu = np.asarray(mu, np.float64)
    return Curve(mu, mu * factors(mu, lam, ratio, False), mu * factors(mu, lam, ratio, True))


def factors(mu: np.ndarray, lam: float, ratio: float, printed: bool) -> np.ndarray:
    """μ̃/μ, also where μ = 0."""
    whole = lam + mu + ratio * lam * mu
    return 1.0 + lam * mu / whole if printed else (lam + mu) / whole


def warn_if_unfelt(name: str, K: np.ndarray, target: np.ndarray) -> None:
    """Say so when σ is so small that many points are not reached by any labelled one."""
    alone = (K[:, target >= 0].max(axis=1) < UNFELT).mean()
    if alone > ALLOWED:
        warnings.warn(
            f"{name}: for {alone:.0%} of the points the kernel to every labelled point is below "
            f"{UNFELT:g}, their scores are rounding noise; take a larger sigma",
            UserWarning,
            stacklevel=3,
        )


def _weight(text: str, label: str, symbol: str, above: bool = True) -> Number:
    return Number(
        text, valid=(0, inf), shown=(1e-3, 1e3), log=True, above=above, label=label, symbol=symbol
    )


class SSDR(KernelClassifier):
    """Discriminative regularisation; targets one-hot, weights exp(−d²/2σ²), no bias.

    `centre` centres kernel and targets (f then has a constant `intercept_`). New points:
    f(x) = k(x, X) @ dual_coef_ + intercept_, which is the minimiser itself.

    Attributes: `classes_`, `transduction_` (given labels kept), `label_distributions_` (n, C)
    shares from the scores, `dual_coef_` (n, C), `intercept_` (C,), `eigenvalues_` (n,) μ of K,
    largest first, `filtered_` (n,) their μ̃, `sigma_` the width used.
    """

    title, family = "Discriminative regularisation (SSDR)", "inductive"
    paper = "Wang & Zhang, AAAI 2008"
    # As printed they count at γ₂ = 0 too.
    unlabelled_off: ClassVar[dict[str, Any]] = {"gamma2": 0.0, "as_printed": False}
    _halved, _signed, _spectra = True, False, 1

    def __init__(
        self,
        sigma: KernelWidth = "median",
        lam: Annotated[
            float, _weight("Below it an eigenvalue of K counts as small.", "spectral scale", "λ")
        ] = 64,
        gamma1: Annotated[float, _weight("Price of a large field.", "price of size", "γ₁")] = 1,
        gamma2: Annotated[
            float,
            _weight(
                "Price of a field that separates the data badly. Zero: plain ridge regression.",
                "price of confusion",
                "γ₂",
                above=False,
            ),
        ] = 1 / 64,
        centre: Annotated[
            bool, Flag("Centre the kernel in feature space, and the targets.")
        ] = False,
        as_printed: Annotated[
            bool, Flag("Take the sign and factor of the paper's Eq. 14.", label="as printed")
        ] = False,
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.sigma = sigma
        self.lam = lam
        self.gamma1 = gamma1
        self.gamma2 = gamma2
        self.centre = centre
        self.as_printed = as_printed
        self.device = device
        self.memory = memory

    def fit(self, X: Any, y: Any) -> "SSDR":
        """Filter the spectrum of K and solve for the labelled points; y is -1 where unlabelled."""
        X, target, classes = check_labelled(self, X, y)
        check_size("SSDR", len(X))
        cached = check_memory(self.memory).cache
        sigma = kernel_width(self.sigma, X, target, self.memory)
        K = cached(gram)(X, sigma=sigma, halved=True)
        warn_if_unfelt("SSDR", K, target)
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
        self._settle(X, target, classes, sigma, coef, mean - self._mean @ coef, F + mean)
        return self

    def filter_curve(self) -> Curve:
        """The eigenvalues of K and what the penalty makes of them, right and as printed."""
        return spectrum_curve(self.eigenvalues_, self.lam, self.gamma2 / self.gamma1)

    def bump(self, point: Any, Q: Any) -> tuple[np.ndarray, np.ndarray]:
        """(m,) k(x₀, q) and k̃(x₀, q): x₀ the index of a training point or a place of its own."""
        Q = self._checked(Q)
        place = self._X[[point]] if np.ndim(point) == 0 else self._checked(np.atleast_2d(point))
        own, rows = self._rows(place)[0], self._rows(Q)
        k = rows[:, point].copy() if np.ndim(point) == 0 else self._bare(Q, place)
        if self.centre:
            k += self._mean.mean() - own.mean() - rows.mean(axis=1)
            own, rows = self._about_mean(own), self._about_mean(rows)
        mu, r = self.eigenvalues_, self.gamma2 / self.gamma1
        change = (1.0 if self.as_printed else -r) * self.lam / (self.lam + mu + r * self.lam * mu)
        return k, k + rows @ (self._V @ (change * (self._V.T @ own)))

    def _bare(self, Q: np.ndarray, place: np.ndarray) -> np.ndarray:
        squares = np.square(np.asarray(Q, np.float64) - place).sum(axis=1)
        return np.exp(-squares / (2 * self.sigma_**2))

    def _about_mean(self, rows: np.ndarray) -> np.ndarray:
        about = rows - self._mean
        return about - about.mean(axis=-1, keepdims=True)
