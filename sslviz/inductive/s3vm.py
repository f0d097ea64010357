r"""The widest road between the classes, on which no unlabelled point stands either.

    min_f (1/l) Σ_labelled (1 − y f(x))₊ + λ₁‖h‖² + (λ₂/u) Σ_unlabelled (1 − |f(x)|)₊,   f = h + b
    so that (1/u) Σ_unlabelled f(x) = (1/l) Σ_labelled y

An unlabelled point may lie on either side but pays for standing in the margin, so the boundary
moves into gaps of the data. The constraint keeps all points from going to one side. The problem is
not convex. It is solved in turns: each unlabelled point takes the sign of its side, and with the
signs fixed what remains is an ordinary support vector machine, solved until its duality gap is
zero. The price of unlabelled points begins at a thousandth and doubles whenever the signs no longer
change, until it is λ₂. Then all signs agree with their sides: a local minimum, not always the best
one.

**What to look for:** with λ₂ = 0 the boundary ignores the unlabelled points; as λ₂ grows it leaves
the crowd. It finds gaps, right or wrong: where the classes overlap, or the balance of the labels is
not that of the data, points are pushed over. A few labels elsewhere, or another σ, may end in
another minimum.

Joachims. Transductive inference for text classification using support vector machines. ICML 1999.
Chapelle, Sindhwani, Keerthi. Optimization techniques for semi-supervised SVMs. JMLR 2008.
"""

from collections.abc import Iterator
from math import inf
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
import torch
from sklearn.utils.validation import check_memory

from sslviz.device import pick_device, to_torch
from sslviz.inductive.base import KernelClassifier, signs
from sslviz.inductive.parameters import Ambient, Kernel, KernelWidth
from sslviz.inductive.stages.s3vm_continuation import Rung, climb, follow
from sslviz.kernels.centring import is_factorised, shares
from sslviz.kernels.gram import check_size, gram, kernel_width
from sslviz.memo import stage
from sslviz.params import Number
from sslviz.solve.svm.svm import ROUGH, solve_dual
from sslviz.validation import check_labelled, warn_not_converged

FEW = 8  # points for every coordinate, from which on these take the place of a linear kernel


class Setting(NamedTuple):
    """What is known before the first turn."""

    X: np.ndarray
    target: np.ndarray  # (n,) class index, -1 without label
    classes: np.ndarray
    sigma: float
    K: np.ndarray  # (n, n); or points (n, d) in a few coordinates whose products it is
    Y: np.ndarray  # (n, columns) ±1, 0 without label


class Turn(NamedTuple):
    """The machines of all classes at one weight, when no sign changes any more."""

    iteration: int
    objective: float  # of the problem with `weight` for λ₂, all classes added up
    weight: float
    flipped: int  # changes of side at this weight
    F: torch.Tensor  # (n,) scores, (n, C) for more than two classes
    rung: Rung  # as it stands, for `settle`


@stage("solve")
def ordinary(K: np.ndarray, Y: np.ndarray, *, lam1: float) -> Rung:
    """Without unlabelled points: machines with a free bias."""
    K = K @ K.T if is_factorised(K) else K
    machines = [solve_dual(K, y, lam1) for y in Y.T]
    coef = np.column_stack([machine.alpha for machine in machines])
    F = K @ coef + np.array([machine.b for machine in machines])
    losses = np.maximum(1 - Y * F, 0).mean(axis=0)
    values = lam1 * np.sum(coef * (K @ coef), axis=0) + losses
    gap = sum(v * machine.gap for v, machine in zip(values, machines, strict=True))
    return Rung(lam1, 0.0, float(values.sum()), float(gap), 0, F, coef)


class S3VM(KernelClassifier):
    """Semi-supervised support vector machine; weights exp(−d²/σ²), one class against the rest.

    Attributes: `classes_`, `transduction_` (given labels kept), `label_distributions_` (n, C)
    shares from the scores, `dual_coef_` (n,) or (n, C), `intercept_`, `objective_`,
    `duality_gap_` of the last machine on the scale of the objective, `support_` the indices of the
    points in or on the margin, `sigma_` the width used.
    """

    title, family = "Semi-supervised SVM (S3VM)", "inductive"
    paper = "Joachims, ICML 1999; Chapelle, Sindhwani & Keerthi, JMLR 2008"
    unlabelled_off: ClassVar[dict[str, Any]] = {"lam2": 0.0}

    def __init__(
        self,
        kernel: Kernel = "rbf",
        sigma: KernelWidth = "0.5 median",
        lam1: Ambient = 1e-2,
        lam2: Annotated[
            float,
            Number(
                "Price of unlabelled points in the margin. Zero: they only set the balance.",
                valid=(0, inf),
                shown=(1e-3, 10),
                log=True,
                label="price of a crowded margin",
                symbol="λ₂",
            ),
        ] = 1.0,
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.kernel = kernel
        self.sigma = sigma
        self.lam1 = lam1
        self.lam2 = lam2
        self.device = device
        self.memory = memory

    def fit(self, X: Any, y: Any) -> "S3VM":
        """Climb to λ₂; y holds -1 for unlabelled points."""
        setting = self._prepare(X, y)
        for rung in self._climb(setting):
            last = rung
        return self._end(setting, last)

    def steps(self, X: Any, y: Any) -> Iterator[Turn]:
        """One weight after the other; run to the end, it leaves `fit`'s result."""
        setting = self._prepare(X, y)
        for i, rung in enumerate(self._climb(setting), 1):
            yield self._turn(i, rung)
        self._end(setting, rung)

    def follow(self, X: Any, y: Any, turn: Turn, *, exactly: bool = True) -> Turn:
        """From the sides of a turn at another λ₁ or λ₂ to a minimum near it: not `fit`'s, but soon.

        For the same X, y and kernel, some of them unlabelled. Else than exactly the gap is as large
        as on the way of a climb: hundredths, in few coordinates at a small λ₁ up to two tenths.
        """
        K, Y = self._prepare(X, y)[-2:]
        options: dict[str, Any] = {"lam1": self.lam1, "lam2": self.lam2, "exactly": exactly}
        return self._turn(1, follow(K, Y, turn.rung, **options, memory=self.memory))

    def settle(self, X: Any, y: Any, turn: Turn) -> "S3VM":
        """Leave the machine as it stood after this turn of `steps(X, y)` or `follow`."""
        return self._finish(self._prepare(X, y), turn.rung)

    def support_vectors(self) -> np.ndarray:
        """Indices of the points with a nonzero coefficient, labelled or not."""
        return self.support_

    def _prepare(self, X: Any, y: Any) -> Setting:
        X, target, classes = check_labelled(self, X, y)
        check_size("S3VM", len(X))
        sigma = kernel_width(self.sigma, X, target, self.memory) if self.kernel == "rbf" else 1.0
        if self.kernel == "linear" and FEW * X.shape[1] <= len(X):
            K = np.ascontiguousarray(X, np.float64)
        else:
            K = check_memory(self.memory).cache(gram)(X, kernel=self.kernel, sigma=sigma)
        Y = np.where(target[:, None] < 0, 0.0, signs(target, len(classes)))
        return Setting(X, target, classes, sigma, K, Y)

    def _climb(self, setting: Setting) -> Iterator[Rung]:
        K, Y = setting.K, setting.Y
        if (Y != 0).all():
            yield check_memory(self.memory).cache(ordinary)(K, Y, lam1=self.lam1)
        else:
            yield from climb(K, Y, lam1=self.lam1, lam2=self.lam2, memory=self.memory)

    def _turn(self, i: int, rung: Rung) -> Turn:
        scores = to_torch(_plain(rung.F), pick_device(self.device))
        return Turn(i, rung.objective, rung.weight, rung.flipped, scores, rung)

    def _end(self, setting: Setting, rung: Rung) -> "S3VM":
        """The machine at the end of a climb, where the gap should be closed."""
        if rung.gap > ROUGH * (abs(rung.objective) + 1e-4):
            where = f"the duality gap is {rung.gap:.1g}, the objective {rung.objective:.3g}"
            warn_not_converged(self, where, "raise lam1, lower lam2 or bring X to a scale near 1")
        return self._finish(setting, rung)

    def _finish(self, setting: Setting, rung: Rung) -> "S3VM":
        X, target, classes, sigma, K, _ = setting
        # β is about the mean of the unlabelled points: written for K itself
        coef = rung.B - np.outer(shares(target < 0), rung.B.sum(axis=0))
        intercept = rung.F[0] - K[0] @ (K.T @ coef if is_factorised(K) else coef)
        self.objective_, self.duality_gap_ = rung.objective, rung.gap
        self.support_ = np.flatnonzero(rung.B.any(axis=1))
        b = float(intercept[0]) if len(classes) == 2 else intercept
        self._settle(X, target, classes, sigma, _plain(coef), b, _plain(rung.F))
        return self


def _plain(A: np.ndarray) -> np.ndarray:
    """(n,) of a single column."""
    return np.ascontiguousarray(A[:, 0]) if A.shape[1] == 1 else A
