r"""Semi-supervised SVM (S3VM): the widest margin that also keeps unlabelled points out.

    min_f (1/l) Σ_labelled (1 − y f(x))₊ + λ₁‖h‖² + (λ₂/u) Σ_unlabelled (1 − |f(x)|)₊,   f = h + b
    so that (1/u) Σ_unlabelled f(x) = (1/l) Σ_labelled y

An unlabelled point may lie on either side but has a loss inside the margin, so the boundary moves
into gaps of the data. The constraint prevents all points from going to one side. The problem is not
convex. It is solved by label switching: each unlabelled point takes the sign of its side, and with
the signs fixed the problem is an ordinary support vector machine, solved to a duality gap of zero.
The weight of the unlabelled points starts at about a thousandth and doubles whenever the signs no
longer change, until it is λ₂ (continuation). The result is a local minimum, not always the best.

**What to look for:** with λ₂ = 0 the boundary ignores the unlabelled points; as λ₂ grows it leaves
dense regions. It finds gaps, right or wrong: where the classes overlap, or the class balance of the
labels is not that of the data, points end up on the wrong side. Other labels, or another σ, may
lead to another minimum.

Joachims. Transductive inference for text classification using support vector machines. ICML 1999.
Chapelle, Sindhwani, Keerthi. Optimization techniques for semi-supervised SVMs. JMLR 2008.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, ClassVar, NamedTuple, Self

import numpy as np
import torch
from sklearn.utils.validation import check_memory

from sslviz.device import pick_device, to_torch
from sslviz.inductive.base import KernelClassifier, signs
from sslviz.inductive.parameters import Kernel, KernelWidth, NormPenalty
from sslviz.inductive.stages.s3vm_continuation import PathPoint, continuation, follow
from sslviz.kernels.centring import is_factorised, unlabelled_shares
from sslviz.kernels.gram import check_size, gram, kernel_width
from sslviz.memo import stage
from sslviz.params import Number
from sslviz.solve.svm.svm import WARNING_GAP, solve_dual
from sslviz.validation import check_labelled, warn_not_converged

POINTS_PER_COORDINATE = 8  # from here on points replace their linear kernel matrix


class PreparedProblem(NamedTuple):
    """The problem in the form that the solvers take."""

    X: np.ndarray
    target: np.ndarray  # (n,) class index, -1 without label
    classes: np.ndarray
    sigma: float
    K: np.ndarray  # (n, n); or the points (n, d) themselves if linear and d is small
    Y: np.ndarray  # (n, columns) ±1, 0 without label


class WeightStep(NamedTuple):
    """The solutions of all classes at one weight, when no sign changes any more."""

    iteration: int
    objective: float  # of the problem with `weight` for λ₂, all classes added up
    weight: float
    flipped: int  # sign changes at this weight
    F: torch.Tensor  # (n,) scores, (n, C) for more than two classes
    point: PathPoint  # the solution itself, for `settle`


@stage("solve")
def solve_ordinary(K: np.ndarray, Y: np.ndarray, *, lam1: float) -> PathPoint:
    """Without unlabelled points: ordinary support vector machines with a free bias."""
    K = K @ K.T if is_factorised(K) else K
    machines = [solve_dual(K, y, lam1) for y in Y.T]
    coef = np.column_stack([machine.alpha for machine in machines])
    F = K @ coef + np.array([machine.b for machine in machines])
    losses = np.maximum(1 - Y * F, 0).mean(axis=0)
    values = lam1 * np.sum(coef * (K @ coef), axis=0) + losses
    gap = sum(v * machine.gap for v, machine in zip(values, machines, strict=True))
    return PathPoint(lam1, 0.0, float(values.sum()), float(gap), 0, F, coef)


@dataclass(repr=False, eq=False)
class S3VM(KernelClassifier):
    """Semi-supervised support vector machine; weights exp(−d²/σ²), one class against the rest.

    Attributes: `classes_`, `transduction_` (given labels kept), `label_distributions_` (n, C) the
    softmax of the scores, `dual_coef_` (n,) or (n, C), `intercept_`, `objective_`,
    `duality_gap_` of the last solution on the scale of the objective, `support_` the indices of the
    points in or on the margin, `sigma_` the width used.
    """

    title, abbreviation = "Semi-supervised SVM (S3VM)", "S3VM"
    paper = "Joachims, ICML 1999; Chapelle, Sindhwani & Keerthi, JMLR 2008"
    formula = (
        r"\min_f\;\textcolor{labelled}{\tfrac1l\sum_{\text{labelled}}(1-y\,f(x))_+}"
        r"+\lambda_1\|h\|^2+\textcolor{unlabelled}{\tfrac{\lambda_2}u\sum_{"
        r"\text{unlabelled}}(1-|f(x)|)_+}",
        r"\textcolor{unlabelled}{\tfrac1u\sum f(x)}=\textcolor{labelled}{\tfrac1l\sum y},"
        r"\;f=h+b",
        r"k(x,z)=e^{-\|x-z\|^2/\sigma^2}",
    )
    unlabelled_off: ClassVar[dict[str, Any]] = {"lam2": 0.0}

    kernel: Kernel = "rbf"
    sigma: KernelWidth = "0.5 median"
    lam1: NormPenalty = 1e-2
    lam2: Annotated[
        float,
        Number(
            "Weight of the loss of unlabelled points in the margin. 0: they only set the balance.",
            valid=(0, inf),
            shown=(1e-3, 10),
            log=True,
            label="weight of unlabelled points",
            symbol="λ₂",
        ),
    ] = 1.0

    def fit(self, X: Any, y: Any) -> Self:
        """Raise the weight of unlabelled points to λ₂; y holds -1 for these points."""
        problem = self._prepare(X, y)
        for point in self._path(problem):
            last = point
        return self._end(problem, last)

    def steps(self, X: Any, y: Any) -> Iterator[WeightStep]:
        """One record per weight; run to the end, it leaves the result of `fit`."""
        problem = self._prepare(X, y)
        for i, point in enumerate(self._path(problem), 1):
            yield self._record(i, point)
        self._end(problem, point)

    def follow(self, X: Any, y: Any, turn: WeightStep, *, exactly: bool = True) -> WeightStep:
        """A minimum near the solution at another λ₁ or λ₂: fast, but not that of `fit`.

        For the same X, y (some unlabelled) and kernel. Unless `exactly`, the duality gap is that of
        the steps before the last: hundredths, for a linear kernel at a small λ₁ up to two tenths.
        """
        K, Y = self._prepare(X, y)[-2:]
        options: dict[str, Any] = {"lam1": self.lam1, "lam2": self.lam2, "exactly": exactly}
        return self._record(1, follow(K, Y, turn.point, **options, memory=self.memory))

    def settle(self, X: Any, y: Any, turn: WeightStep) -> Self:
        """Take a record of `steps(X, y)` or `follow` as the fitted solution."""
        return self._finish(self._prepare(X, y), turn.point)

    def _prepare(self, X: Any, y: Any) -> PreparedProblem:
        X, target, classes = check_labelled(self, X, y)
        check_size("S3VM", len(X))
        sigma = kernel_width(self.sigma, X, target, self.memory) if self.kernel == "rbf" else 1.0
        if self.kernel == "linear" and POINTS_PER_COORDINATE * X.shape[1] <= len(X):
            K = np.ascontiguousarray(X, np.float64)
        else:
            K = check_memory(self.memory).cache(gram)(X, kernel=self.kernel, sigma=sigma)
        Y = np.where(target[:, None] < 0, 0.0, signs(target, len(classes)))
        return PreparedProblem(X, target, classes, sigma, K, Y)

    def support_vectors(self) -> np.ndarray:
        """Indices of the points in or on the margin, labelled or not."""
        return self.support_

    def _path(self, problem: PreparedProblem) -> Iterator[PathPoint]:
        K, Y = problem.K, problem.Y
        if (Y != 0).all():
            yield check_memory(self.memory).cache(solve_ordinary)(K, Y, lam1=self.lam1)
        else:
            yield from continuation(K, Y, lam1=self.lam1, lam2=self.lam2, memory=self.memory)

    def _record(self, i: int, point: PathPoint) -> WeightStep:
        scores = to_torch(_drop_single_column(point.F), pick_device(self.device))
        return WeightStep(i, point.objective, point.weight, point.flipped, scores, point)

    def _end(self, problem: PreparedProblem, point: PathPoint) -> Self:
        """Take the last solution, whose duality gap should be closed."""
        if point.gap > WARNING_GAP * (abs(point.objective) + 1e-4):
            where = f"the duality gap is {point.gap:.1g}, the objective {point.objective:.3g}"
            warn_not_converged(self, where, "raise lam1, lower lam2 or bring X to a scale near 1")
        return self._finish(problem, point)

    def _finish(self, problem: PreparedProblem, point: PathPoint) -> Self:
        X, target, classes, sigma, K, _ = problem
        # β belongs to the centred kernel: rewritten for K itself
        coef = point.B - np.outer(unlabelled_shares(target < 0), point.B.sum(axis=0))
        intercept = point.F[0] - K[0] @ (K.T @ coef if is_factorised(K) else coef)
        self.objective_, self.duality_gap_ = point.objective, point.gap
        self.support_ = np.flatnonzero(point.B.any(axis=1))
        b = float(intercept[0]) if len(classes) == 2 else intercept
        self._set_fitted(
            X, target, classes, sigma, _drop_single_column(coef), b, _drop_single_column(point.F)
        )
        return self


def _drop_single_column(A: np.ndarray) -> np.ndarray:
    """(n,) of a single column."""
    return np.ascontiguousarray(A[:, 0]) if A.shape[1] == 1 else A
