r"""Gaussian mixture: one Gaussian component per class, fitted by EM to all points.

    max_θ  Σ_labelled log p_θ(x, y) + λ Σ_unlabelled log Σ_c p_θ(x, c) + log p(θ)
    p_θ(x, c) = π_c N(x; μ_c, Σ_c),   log p(θ) = −½ ε Σ_c m_c tr(Σ_c⁻¹),   m_c = (l_c/l)(l + λu)

Expectation: Bayes' rule gives every unlabelled point a posterior over the classes. Maximisation:
mean, covariance and weight of each class are those of the points, weighted by the posteriors. The
two alternate, starting from the supervised classifier, and the objective never falls. Without the
prior it would have no maximum: a component around a single point could become arbitrarily narrow
and likely. With it Σ_c = (scatter + ε m_c I)/(total posterior of c): ε, in the squared units of the
data, is added to every variance as long as the class keeps its share of the labels.

**What to look for:** with few labels and Gaussian classes the first steps correct badly estimated
ellipses. Where the classes are not one Gaussian each (two moons, rings) the components fit the data
instead of the labels and accuracy falls from step to step: unlabelled points hurt. Lower λ there;
λ = 0 is the supervised classifier. In many dimensions a covariance has more entries than there are
points, and the first prediction is kept: raise ε or use fewer features.

Nigam, McCallum, Thrun, Mitchell. Text classification from labeled and unlabeled documents using EM.
Machine Learning 2000. Dempster, Laird, Rubin. Maximum likelihood from incomplete data via the EM
algorithm. 1977.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, ClassVar, NamedTuple, Self

import numpy as np
import torch
from sklearn.utils.validation import check_memory

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.inductive.base import InductiveClassifier
from sslviz.inductive.stages.gaussian_components import (
    inverse_factors,
    log_joint,
    weighted_scatter,
)
from sslviz.memo import stage
from sslviz.params import Number
from sslviz.validation import check_labelled, warn_not_converged


class EMStep(NamedTuple):
    """The model after one maximisation, its objective and the posteriors."""

    iteration: int
    objective: float
    means: torch.Tensor  # (C, d)
    covariances: torch.Tensor  # (C, d, d)
    weights: torch.Tensor  # (C,)
    F: torch.Tensor  # (n, C) posteriors, one-hot where the label is given


def em(X: torch.Tensor, Y: torch.Tensor, weight: float, floor: float) -> Iterator[EMStep]:
    """Expectation and maximisation without end; the first step is the supervised classifier.

    Y (C, n) is one-hot where the label is given, zero elsewhere.
    """
    given = Y.sum(dim=0)
    free = weight * (1 - given)  # the weight of each unlabelled point
    point_weights = given + free
    prior = floor * Y.mean(dim=1) / given.mean() * point_weights.sum()
    F, added, iteration = Y, floor * Y.sum(dim=1), 0
    while True:
        held = point_weights * F
        mass = held.sum(dim=1)
        means = (held @ X) / mass[:, None]
        covariances = weighted_scatter(X, held, means, added) / mass[:, None, None]
        weights = mass / mass.sum()
        inverses = inverse_factors(covariances, floor)
        joint = log_joint(X, means, inverses, weights)
        traces = inverses.square().sum(dim=(1, 2))  # of the inverse covariances
        likelihood = (Y * joint).sum() + free @ joint.logsumexp(dim=0)
        objective = likelihood - 0.5 * (prior @ traces)
        F, added = torch.where(given > 0, Y, joint.softmax(dim=0)), prior
        iteration += 1
        yield EMStep(iteration, float(objective), means, covariances, weights, F.T)


def em_to_convergence(
    X: np.ndarray,
    target: np.ndarray,
    *,
    n_classes: int,
    weight: float,
    floor: float,
    max_iter: int,
    tol: float,
    device: str = "auto",
) -> Iterator[EMStep]:
    """The steps on a device until one gains less than `tol` per point, in X's own coordinates."""
    where = pick_device(device)
    centre = X.mean(axis=0, dtype=np.float64)  # far from the origin squares would lose digits
    Y = (target == np.arange(n_classes)[:, None]).astype(np.float64)
    before = -inf
    for step in em(to_torch(X - centre, where), to_torch(Y, where), weight, floor):
        yield step._replace(means=step.means + to_torch(centre, where))
        if step.objective - before <= tol * len(X) or step.iteration == max_iter:
            return
        before = step.objective


@stage("solve")
def mixture(X: np.ndarray, target: np.ndarray, **options: Any) -> tuple:
    """The last EM step: iterations, objective, means, covariances, weights, F."""
    for step in em_to_convergence(X, target, **options):
        last = step
    return _on_cpu(last)


def _on_cpu(step: EMStep) -> tuple:
    return (step.iteration, step.objective, *map(to_numpy, step[2:]))


@dataclass(repr=False, eq=False)
class SemiSupervisedGMM(InductiveClassifier):
    """One Gaussian with a full covariance per class, fitted by EM to all points.

    `predict_proba` is the exact posterior of the model, for new points as for training points.

    Attributes: `classes_`, `means_` (C, d), `covariances_` (C, d, d), `weights_` (C,),
    `objective_` of the last step, `n_iter_`, `transduction_` and `label_distributions_` (given
    labels kept).
    """

    title = "Gaussian mixture"
    paper = "Nigam et al., Machine Learning 2000"
    formula = (
        r"\max_\theta\;\textcolor{labelled}{\sum_{\text{labelled}}\log p_\theta(x,y)}+"
        r"\textcolor{unlabelled}{\lambda\sum_{\text{unlabelled}}\log\sum_cp_\theta(x,c)}"
        r"-\tfrac12\varepsilon\sum_cm_c\operatorname{tr}\Sigma_c^{-1}",
        r"p_\theta(x,c)=\pi_c\,\mathcal N(x;\mu_c,\Sigma_c)",
    )
    unlabelled_off: ClassVar[dict[str, Any]] = {"weight": 0.0}

    weight: Annotated[
        float,
        Number(
            "Weight of an unlabelled point; 0 is the supervised classifier.",
            valid=(0, 1),
            shown=(0, 1),
            label="weight of unlabelled points",
            symbol="λ",
        ),
    ] = 1.0
    floor: Annotated[
        float,
        Number(
            "Variance added in every direction, so that no component collapses onto a point; in "
            "the squared units of X.",
            valid=(0, inf),
            shown=(1e-6, 10),
            log=True,
            above=True,
            label="covariance floor",
            symbol="ε",
        ),
    ] = 1e-3
    max_iter: Annotated[
        int, Number("Largest number of steps.", valid=(1, 10**6), shown=(1, 300), advanced=True)
    ] = 300
    tol: Annotated[
        float,
        Number(
            "Stop once a step gains less than this per point.",
            valid=(0, 1),
            shown=(1e-10, 1e-3),
            log=True,
            advanced=True,
        ),
    ] = 1e-8

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        # With fewer points than entries of the means the posteriors hardly change: few steps.
        steps = 3 if n < n_features * n_classes else 25
        return 6e-11 * steps * n_classes * n_features**2 * (n_features + 2 * n)

    def fit(self, X: Any, y: Any) -> Self:
        """Run EM to convergence; y holds -1 for unlabelled points."""
        X, target, classes = check_labelled(self, X, y)
        found = check_memory(self.memory).cache(mixture)(X, target, **self._options(classes))
        return self._finish(found, target, classes)

    def steps(self, X: Any, y: Any) -> Iterator[EMStep]:
        """One record per EM step; run to the end, it leaves the result of `fit`."""
        X, target, classes = check_labelled(self, X, y)
        for step in em_to_convergence(X, target, **self._options(classes)):
            yield step
        self._finish(_on_cpu(step), target, classes)

    def _options(self, classes: np.ndarray) -> dict[str, Any]:
        names = ("weight", "floor", "max_iter", "tol", "device")
        return {"n_classes": len(classes)} | {name: getattr(self, name) for name in names}

    def _finish(self, found: tuple, target: np.ndarray, classes: np.ndarray) -> Self:
        self.n_iter_, self.objective_, *arrays = found
        if self.n_iter_ == self.max_iter and self.weight > 0 and (target < 0).any():
            where = f"the last of {self.max_iter} steps gained more than tol per point"
            warn_not_converged(self, where, "raise max_iter or tol")
        self.means_, self.covariances_, self.weights_, self.label_distributions_ = arrays
        self.classes_ = classes
        self.transduction_ = classes[self.label_distributions_.argmax(axis=1)]
        return self

    def components(self) -> tuple[np.ndarray, np.ndarray]:
        """Means (C, d) and covariances (C, d, d) of the Gaussian components."""
        return self.means_, self.covariances_

    def _log_joint(self, X: Any) -> np.ndarray:
        Q = self._new_points(X)
        where = pick_device(self.device)
        means, covariances, weights = (
            to_torch(a, where) for a in (self.means_, self.covariances_, self.weights_)
        )
        points = to_torch(Q.astype(np.float64, copy=False), where)
        return to_numpy(
            log_joint(points, means, inverse_factors(covariances, self.floor), weights).T
        )

    def decision_function(self, X: Any) -> np.ndarray:
        """log p(x, c), (m, C); for two classes the log odds (m,), positive for `classes_[1]`."""
        joint = self._log_joint(X)
        return joint[:, 1] - joint[:, 0] if joint.shape[1] == 2 else joint

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) posteriors."""
        joint = self._log_joint(X)
        odds = np.exp(joint - joint.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True)

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class of each new point."""
        joint = self._log_joint(X)
        return self.classes_[joint.argmax(axis=1)]
