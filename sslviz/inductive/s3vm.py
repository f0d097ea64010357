r"""The widest road between the classes, on which no unlabelled point stands either.

    min_f (1/l) Σ_labelled (1 − y f(x))₊ + λ₁‖h‖² + (λ₂/u) Σ_unlabelled (1 − |f(x)|)₊,   f = h + b
    so that (1/u) Σ_unlabelled f(x) = (1/l) Σ_labelled y

An unlabelled point may lie on either side but pays for standing in the margin, so the boundary
moves into gaps of the data. The constraint keeps all points from going to one side. The problem is
not convex. It is solved in turns: each unlabelled point takes the sign of its side, and with the
signs fixed what remains is an ordinary support vector machine, solved until its duality gap is
zero. λ₂ begins at a thousandth of its value and doubles whenever the signs no longer change. At the
end all signs agree with their sides: a local minimum, not always the best one.

**What to look for:** with λ₂ = 0 the boundary ignores the unlabelled points; as λ₂ grows it leaves
the crowd. It finds gaps, right or wrong: where the classes overlap, or the balance of the labels is
not that of the data, points are pushed over. A few labels elsewhere, or another σ, may end in
another minimum.

Joachims. Transductive inference for text classification using support vector machines. ICML 1999.
Chapelle, Sindhwani, Keerthi. Optimization techniques for semi-supervised SVMs. JMLR 2008.
"""

from collections.abc import Iterator
from math import inf
from typing import Annotated, Any, NamedTuple

import numpy as np
import torch
from sklearn.utils.validation import check_memory

from sslviz.border import check_labelled
from sslviz.device import pick_device, to_torch
from sslviz.inductive.declared import Ambient, Kernel, KernelWidth
from sslviz.inductive.expansion import Expansion, signs
from sslviz.inductive.hinge import solve_dual
from sslviz.inductive.kernels import check_size, gram, kernel_width
from sslviz.inductive.turns import Road, turns
from sslviz.params import Number


class Setting(NamedTuple):
    """What is known before the first turn."""

    X: np.ndarray
    target: np.ndarray  # (n,) class index, -1 without label
    classes: np.ndarray
    sigma: float
    K: np.ndarray
    Y: np.ndarray  # (n, columns) ±1, 0 without label


class Field(NamedTuple):
    """f = K @ coef + intercept, and the proof that its machine is solved."""

    coef: np.ndarray  # (n, columns)
    intercept: np.ndarray  # (columns,)
    F: np.ndarray  # (n, columns)
    support: np.ndarray  # points with a price of their own: in or on the margin
    objective: float
    gap: float


class Turn(NamedTuple):
    """Signs taken, then the machine solved with them."""

    iteration: int
    objective: float  # of the problem with `weight` for λ₂, all classes added up
    weight: float
    flipped: int  # unlabelled points that change sides after this turn
    F: torch.Tensor  # (n,) scores, (n, C) for more than two classes
    field: Field  # the machine as it stands, for `settle`


def separated(K: np.ndarray, Y: np.ndarray, *, lam1: float, lam2: float) -> Field:
    """Where the turns end; without unlabelled points the ordinary machine with a bias."""
    if (Y != 0).all():
        return _ordinary(K, Y, lam1)
    for road in turns(K, Y, lam1=lam1, lam2=lam2):
        last = road
    return _expanded(K, Y, last)


def _expanded(K: np.ndarray, Y: np.ndarray, road: Road) -> Field:
    """β about the mean of the unlabelled points, written for K itself."""
    free = Y[:, 0] == 0
    share = free / free.sum()
    coef = road.B - np.outer(share, road.B.sum(axis=0))
    intercept = Y[~free].mean(axis=0) - (share @ K) @ coef
    support = np.flatnonzero(road.B.any(axis=1))
    return Field(coef, intercept, road.F, support, road.objective, road.gap)


def _ordinary(K: np.ndarray, Y: np.ndarray, lam1: float) -> Field:
    machines = [solve_dual(K, y, lam1) for y in Y.T]
    coef = np.column_stack([machine.alpha for machine in machines])
    intercept = np.array([machine.b for machine in machines])
    F = K @ coef + intercept
    losses = np.maximum(1 - Y * F, 0).mean(axis=0)
    values = lam1 * np.sum(coef * (K @ coef), axis=0) + losses
    gap = sum(v * machine.gap for v, machine in zip(values, machines, strict=True))
    support = np.flatnonzero(coef.any(axis=1))
    return Field(coef, intercept, F, support, float(values.sum()), float(gap))


class S3VM(Expansion):
    """Semi-supervised support vector machine; weights exp(−d²/σ²), one class against the rest.

    Attributes: `classes_`, `transduction_` (given labels kept), `label_distributions_` (n, C)
    shares from the scores, `dual_coef_` (n,) or (n, C), `intercept_`, `objective_`,
    `duality_gap_` of the last machine on the scale of the objective, `support_` the indices of the
    points in or on the margin, `sigma_` the width used.
    """

    title, family = "Semi-supervised SVM (S3VM)", "inductive"
    paper = "Joachims, ICML 1999; Chapelle, Sindhwani & Keerthi, JMLR 2008"

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
        """Take turns to the end; y holds -1 for unlabelled points."""
        setting = self._prepare(X, y)
        stage = check_memory(self.memory).cache(separated)
        return self._finish(setting, stage(setting.K, setting.Y, lam1=self.lam1, lam2=self.lam2))

    def steps(self, X: Any, y: Any) -> Iterator[Turn]:
        """One turn after the other; run to the end, it leaves `fit`'s result."""
        setting = self._prepare(X, y)
        K, Y, device = setting.K, setting.Y, pick_device(self.device)
        if (Y != 0).all():
            field = _ordinary(K, Y, self.lam1)
            yield Turn(1, field.objective, 0.0, 0, to_torch(_plain(field.F), device), field)
        else:
            for i, road in enumerate(turns(K, Y, lam1=self.lam1, lam2=self.lam2), 1):
                F, field = to_torch(_plain(road.F), device), _expanded(K, Y, road)
                yield Turn(i, road.objective, road.weight, road.flipped, F, field)
        self._finish(setting, field)

    def settle(self, X: Any, y: Any, turn: Turn) -> "S3VM":
        """Leave the machine as it stood after this turn of `steps(X, y)`."""
        return self._finish(self._prepare(X, y), turn.field)

    def _prepare(self, X: Any, y: Any) -> Setting:
        X, target, classes = check_labelled(self, X, y)
        check_size("S3VM", len(X))
        sigma = kernel_width(self.sigma, X, target, self.memory) if self.kernel == "rbf" else 1.0
        K = check_memory(self.memory).cache(gram)(X, kernel=self.kernel, sigma=sigma)
        Y = np.where(target[:, None] < 0, 0.0, signs(target, len(classes)))
        return Setting(X, target, classes, sigma, K, Y)

    def _finish(self, setting: Setting, field: Field) -> "S3VM":
        X, target, classes, sigma, _, _ = setting
        single = len(classes) == 2
        intercept = float(field.intercept[0]) if single else field.intercept
        self.objective_, self.duality_gap_ = field.objective, field.gap
        self.support_ = field.support
        coef, F = _plain(field.coef), _plain(field.F)
        self._settle(X, target, classes, sigma, coef, intercept, F)
        return self


def _plain(A: np.ndarray) -> np.ndarray:
    """(n,) of a single column."""
    return np.ascontiguousarray(A[:, 0]) if A.shape[1] == 1 else A
