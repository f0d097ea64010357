r"""Each class is one Gaussian cloud; unlabelled points help to find where the clouds lie.

    max_θ  Σ_labelled log p_θ(x, y) + λ Σ_unlabelled log Σ_c p_θ(x, c) + log p(θ)
    p_θ(x, c) = π_c N(x; μ_c, Σ_c),   log p(θ) = −½ ε Σ_c m_c tr(Σ_c⁻¹),   m_c = (l_c/l)(l + λu)

Expectation: every unlabelled point is shared out among the classes by Bayes' rule. Maximisation:
mean, covariance and weight of each class are those of the points, in shares, that it holds. The two
alternate, starting with the supervised classifier, and the objective never falls. Without
the prior it would have no maximum: a cloud around a single point could become as narrow and as
likely as one wants. With it Σ_c = (scatter + ε m_c I)/(points held): the floor ε is added to every
variance, in the units of the data squared, as long as the class holds its share of the labels.

**What to look for:** with few labels and clouds that are Gaussian the first steps repair badly
drawn ellipses. Where the classes are not one Gaussian each (two moons, rings) the clouds follow the
data instead of the labels and accuracy falls from step to step: unlabelled points hurt. Lower λ
there; λ = 0 is the supervised classifier. In many dimensions a covariance has more entries than
there are points, and the first answer is kept: raise ε or use fewer features.

Nigam, McCallum, Thrun, Mitchell. Text classification from labeled and unlabeled documents using EM.
Machine Learning 2000. Dempster, Laird, Rubin. Maximum likelihood from incomplete data via the EM
algorithm. 1977.
"""

from collections.abc import Iterator
from math import inf
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
import torch
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, check_memory, validate_data

from sslviz.abilities import Method
from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.inductive.stages.gaussian_components import inverses_of, log_joint, scatter
from sslviz.memo import stage
from sslviz.params import Number
from sslviz.validation import check_labelled, warn_not_converged


class Clouds(NamedTuple):
    """The model after one maximisation, its objective, and what each class holds of each point."""

    iteration: int
    objective: float
    means: torch.Tensor  # (C, d)
    covariances: torch.Tensor  # (C, d, d)
    weights: torch.Tensor  # (C,)
    F: torch.Tensor  # (n, C) posteriors, one-hot where the label is given


def clouds(X: torch.Tensor, Y: torch.Tensor, weight: float, floor: float) -> Iterator[Clouds]:
    """Expectation and maximisation without end; the first step is the supervised classifier.

    Y (C, n) is one-hot where the label is given, zero elsewhere.
    """
    given = Y.sum(dim=0)
    free = weight * (1 - given)  # what a point without label counts
    each = given + free
    prior = floor * Y.mean(dim=1) / given.mean() * each.sum()
    F, added, iteration = Y, floor * Y.sum(dim=1), 0
    while True:
        held = each * F
        mass = held.sum(dim=1)
        means = (held @ X) / mass[:, None]
        covariances = scatter(X, held, means, added) / mass[:, None, None]
        weights = mass / mass.sum()
        inverses = inverses_of(covariances, floor)
        joint = log_joint(X, means, inverses, weights)
        traces = inverses.square().sum(dim=(1, 2))  # of the inverse covariances
        seen = (Y * joint).sum() + free @ joint.logsumexp(dim=0)
        objective = seen - 0.5 * (prior @ traces)
        F, added = torch.where(given > 0, Y, joint.softmax(dim=0)), prior
        iteration += 1
        yield Clouds(iteration, float(objective), means, covariances, weights, F.T)


def settled(
    X: np.ndarray,
    target: np.ndarray,
    *,
    n_targets: int,
    weight: float,
    floor: float,
    max_iter: int,
    tol: float,
    device: str = "auto",
) -> Iterator[Clouds]:
    """The steps on a device until one gains less than `tol` per point, in X's own coordinates."""
    where = pick_device(device)
    centre = X.mean(axis=0, dtype=np.float64)  # far from the origin squares would lose digits
    Y = (target == np.arange(n_targets)[:, None]).astype(np.float64)
    before = -inf
    for step in clouds(to_torch(X - centre, where), to_torch(Y, where), weight, floor):
        yield step._replace(means=step.means + to_torch(centre, where))
        if step.objective - before <= tol * len(X) or step.iteration == max_iter:
            return
        before = step.objective


@stage("solve")
def mixture(X: np.ndarray, target: np.ndarray, **options: Any) -> tuple:
    """Where the steps end: iterations, objective, means, covariances, weights, F."""
    for step in settled(X, target, **options):
        last = step
    return (last.iteration, last.objective, *map(to_numpy, last[2:]))


class SemiSupervisedGMM(ClassifierMixin, Method, BaseEstimator):
    """One Gaussian with a full covariance per class, fitted by EM on all points.

    `predict_proba` is the exact posterior of the model, for new points as for old ones.

    Attributes: `classes_`, `means_` (C, d), `covariances_` (C, d, d), `weights_` (C,),
    `objective_` of the last step, `n_iter_`, `transduction_` and `label_distributions_` (given
    labels kept).
    """

    title, family = "Gaussian mixture", "inductive"
    paper = "Nigam et al., Machine Learning 2000"
    unlabelled_off: ClassVar[dict[str, Any]] = {"weight": 0.0}

    def __init__(
        self,
        weight: Annotated[
            float,
            Number(
                "What an unlabelled point counts; 0 is the supervised classifier.",
                valid=(0, 1),
                shown=(0, 1),
                label="weight of unlabelled points",
                symbol="λ",
            ),
        ] = 1.0,
        floor: Annotated[
            float,
            Number(
                "Variance added in every direction, so that no cloud collapses onto a point; in "
                "the units of X squared.",
                valid=(0, inf),
                shown=(1e-6, 10),
                log=True,
                above=True,
                label="covariance floor",
                symbol="ε",
            ),
        ] = 1e-3,
        max_iter: Annotated[
            int, Number("Steps at most.", valid=(1, 10**6), shown=(1, 300), advanced=True)
        ] = 300,
        tol: Annotated[
            float,
            Number(
                "Steps end once one gains less than this per point.",
                valid=(0, 1),
                shown=(1e-10, 1e-3),
                log=True,
                advanced=True,
            ),
        ] = 1e-8,
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.weight = weight
        self.floor = floor
        self.max_iter = max_iter
        self.tol = tol
        self.device = device
        self.memory = memory

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        # With fewer points than entries of the means the posteriors hardly change: few steps.
        steps = 3 if n < n_features * n_classes else 25
        return 6e-11 * steps * n_classes * n_features**2 * (n_features + 2 * n)

    def fit(self, X: Any, y: Any) -> "SemiSupervisedGMM":
        """Run EM to its end; y holds -1 for unlabelled points."""
        X, target, classes = check_labelled(self, X, y)
        return self._finish(
            check_memory(self.memory).cache(mixture)(X, target, **self._options(classes)),
            target,
            classes,
        )

    def steps(self, X: Any, y: Any) -> Iterator[Clouds]:
        """One expectation and maximisation each; run to the end, it leaves `fit`'s result."""
        X, target, classes = check_labelled(self, X, y)
        for step in settled(X, target, **self._options(classes)):
            yield step
        self._finish((step.iteration, step.objective, *map(to_numpy, step[2:])), target, classes)

    def _options(self, classes: np.ndarray) -> dict[str, Any]:
        names = ("weight", "floor", "max_iter", "tol", "device")
        return {"n_targets": len(classes)} | {name: getattr(self, name) for name in names}

    def _finish(self, found: tuple, target: np.ndarray, classes: np.ndarray) -> "SemiSupervisedGMM":
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
        check_is_fitted(self, "transduction_")
        Q = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        where = pick_device(self.device)
        means, covariances, weights = (
            to_torch(a, where) for a in (self.means_, self.covariances_, self.weights_)
        )
        Q = to_torch(Q.astype(np.float64, copy=False), where)
        return to_numpy(log_joint(Q, means, inverses_of(covariances, self.floor), weights).T)

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
        """The likeliest class of each new point."""
        joint = self._log_joint(X)
        return self.classes_[joint.argmax(axis=1)]
