r"""Semi-KSC, semi-supervised kernel spectral clustering: a clustering that a few labels steer.

    min_w max_b ½‖w‖² − (γ₁/2) Σ_i e_i²/d_i + (γ₂/2) Σ_labelled (e_i − c_i)²,   e_i = w·φ(x_i) + b
    e(x) = Σ_i α_i k(x, x_i) + b,   Σα = 0,   k(x, z) = exp(−‖x−z‖²/2σ²),   d_i = Σ_j k(x_i, x_j)

The second term rewards scores that are large everywhere: alone with the first it is kernel spectral
clustering (KSC), whose solutions are nearly constant on each cluster. The third asks for c = ±1 at
the labelled points. In numbers without units **pull** = γ₁λ₁, with λ₁ KSC's largest eigenvalue, and
**trust** = γ₂l/(γ₁Σ1/d). The result is kernel ridge regression on the labels, amplified by
1/(1 − γ₁μ) along each eigenvector of its covariance: where labels say little and many points agree.

**What to look for:** with a small pull each label makes a bump around itself; towards 1 the bumps
grow into whole clusters. At 1 − γ₁μ = 0 is a pole. Past it, from pull = 1 on for a small trust and
later for a larger one, the formula still has a solution, with the leading direction reversed: whole
clusters get the wrong class. Two moons (400 points, 3 labels per class) have accuracy 0.99 at pull
0.99 and 0.67 at 1.1. σ decides what is a cluster: 0.90 with 0.5 median distances instead of 0.15.

Alzate, Suykens. A semi-supervised formulation to binary kernel spectral clustering. IJCNN 2012.
Mehrkanoon, Alzate, Mall, Langone, Suykens. Multiclass semisupervised learning based upon kernel
spectral clustering. IEEE TNNLS 2015.
"""

import warnings
from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted, check_memory

from sslviz.inductive.base import KernelClassifier, signs
from sslviz.inductive.stages.ksc_basis import ksc_basis, saddle, weights_of
from sslviz.inductive.stages.ridge_amplification import Amplification, amplification, ridge_mean
from sslviz.kernels.gram import gram, kernel_width
from sslviz.params import Number
from sslviz.validation import check_labelled

MAX_POINTS = 3000  # half a minute for all eigenvectors of a matrix of all pairs


@dataclass(repr=False, eq=False)
class SemiKSC(KernelClassifier):
    """Kernel spectral clustering with labels; targets ±1, one class against the rest beyond two.

    Weights exp(−d²/2σ²). At most 3000 points, since the eigenvectors of a matrix of all pairs are
    computed; they are remembered, and other values of `pull` and `trust` reuse them. A pull of 1 or
    more is allowed to show the reversal past the pole, with a warning.

    Attributes: `classes_`, `transduction_` (given labels kept), `label_distributions_` (n, C) the
    softmax of the scores, `dual_coef_` (n,) or (n, C) with sum 0 per class, `intercept_`: scores
    e = K @ dual_coef_ + intercept_, `eigenvalues_` (n,) of KSC, largest first (the last one, of
    constants, is 0), `gamma1_` and `gamma2_` the weights of the objective, `negative_directions_`
    the number of negative eigenvalues of its Hessian in (w, b): 1, the bias, before any pole,
    `sigma_` the width used.
    """

    title, abbreviation = "Semi-supervised spectral clustering (Semi-KSC)", "Semi-KSC"
    paper = "Alzate & Suykens, IJCNN 2012"
    formula = (
        r"\min_w\max_b\;\tfrac12\|w\|^2-\textcolor{unlabelled}{\tfrac{\gamma_1}2"
        r"\sum_ie_i^2/d_i}+\textcolor{labelled}{\tfrac{\gamma_2}2\sum_{"
        r"\text{labelled}}(e_i-c_i)^2}",
        r"e_i=w\cdot\varphi(x_i)+b",
        r"\text{pull}=\gamma_1\lambda_1,\;\text{trust}=\gamma_2l\,/\,(\gamma_1\textstyle"
        r"\sum_i1/d_i)",
        r"k(x,z)=e^{-\|x-z\|^2/2\sigma^2}",
    )
    _halved, _spectra = True, 1

    sigma: Annotated[
        float | str,
        Number.width(
            "Width of the Gaussian kernel, in median distances. It decides what is a cluster: "
            "groups of points farther apart than a few widths.",
            shown=(0.05, 1),
            rules=("median", "mst"),
        ),
    ] = "0.15 median"
    pull: Annotated[
        float,
        Number(
            "How strongly scores are drawn towards the clusters. Near 0: kernel ridge regression "
            "on the labels. Towards 1: the clusters. From 1 on the result may be reversed.",
            valid=(0, 1.2),
            shown=(0.01, 1.2),
            above=True,
            stops=(
                0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995,
                0.999, 1.0, 1.005, 1.01, 1.02, 1.03, 1.05, 1.1, 1.15, 1.2,
            ),
            label="pull towards clusters",
        ),
    ] = 0.99  # fmt: skip
    trust: Annotated[
        float,
        Number(
            "Weight of the labels relative to that of the clusters. Small: scores follow the "
            "clusters, even against a label.",
            valid=(0, inf),
            shown=(0.01, 0.99),
            above=True,
            label="trust in labels",
        ),
    ] = 0.5

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        return super().seconds(n, n_features, n_classes) if n <= MAX_POINTS else 0.0

    def fit(self, X: Any, y: Any) -> Self:
        """Solve for the scores of all points; y is -1 where unlabelled."""
        X, target, classes = check_labelled(self, X, y)
        _check_points(len(X))
        if self.pull >= 1:
            _warn_past_one(self.pull)
        cached = check_memory(self.memory).cache
        sigma = kernel_width(self.sigma, X, target, self.memory)
        K = cached(gram)(X, sigma=sigma, halved=True)
        basis = cached(ksc_basis)(K)
        given = np.flatnonzero(target >= 0)
        c = signs(target[given], len(classes))
        weights = weights_of(basis[0], basis[2], len(given), pull=self.pull, trust=self.trust)
        found = saddle(K, basis, given, c, weights)
        self._given, self._signs = given, c
        self.gamma1_, self.gamma2_ = weights
        self.eigenvalues_, self.negative_directions_ = basis[0], found.negative
        alpha, bias, e = found.alpha, found.bias, found.e
        if len(classes) == 2:
            alpha, bias, e = alpha[:, 0], bias[0], e[:, 0]
        self._set_fitted(X, target, classes, sigma, alpha, bias, e)
        return self

    def ridge_scores(self) -> np.ndarray:
        """(n,) or (n, C): kernel ridge regression on the labels alone, with the same weight γ₂."""
        m = ridge_mean(self._kernel(), self._given, self._signs, self.gamma2_)
        return m[:, 0] if len(self.classes_) == 2 else m

    def amplification(self, count: int = 12) -> Amplification:
        """The factors 1/(1 − γ₁μ) by which kernel ridge regression is amplified, largest μ first.

        The first direction is nearly constant (the bias): its γ₁μ is above 1 for a trust below 1.
        """
        K, cached = self._kernel(), check_memory(self.memory).cache
        weights = {"gamma1": self.gamma1_, "gamma2": self.gamma2_}
        return cached(amplification)(K, self._given, self._signs, **weights, count=count)

    def _kernel(self) -> np.ndarray:
        check_is_fitted(self, "transduction_")
        return check_memory(self.memory).cache(gram)(self._X, sigma=self.sigma_, halved=True)


def _check_points(n: int) -> None:
    if n > MAX_POINTS:
        raise ValueError(
            f"SemiKSC: n={n} points, at most {MAX_POINTS} are allowed, since all eigenvectors of a "
            "matrix of all pairs are computed; draw a sample"
        )


def _warn_past_one(pull: float) -> None:
    warnings.warn(
        f"SemiKSC: pull={pull:g} is not below 1: past a pole the solution is reversed along the "
        "leading directions, and whole clusters get the wrong class",
        UserWarning,
        stacklevel=3,
    )
