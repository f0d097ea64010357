r"""A method that first chooses its parameters, by cross-validation on the labels it is given.

    accuracy(p) = share of labelled points that a fit with p, without their label, gets right

The labelled points are dealt into folds; those of a fold become unlabelled points, and every
candidate of the grid is fitted without their labels and asked for them. The best candidate, the
first in the grid's order among equals, is then fitted with all labels. Nothing else is looked at.

Stone. Cross-validatory choice and assessment of statistical predictions. JRSS B 1974.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pkgutil import resolve_name
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from sslviz.experiments.kernel_grids import (
    Search,
    lap_rls_grid,
    sdsc_grid,
    ssdr_grid,
    stratified_folds,
)
from sslviz.experiments.ll_reg_grid import llreg_grid
from sslviz.labels import UNLABELLED, known_classes
from sslviz.memo import Memo

# Methods whose grid, or these axes of it, is searched at once; axes in the order of the result.
AT_ONCE: dict[str, tuple[Callable[..., Search], tuple[str, ...]]] = {
    "SSDR": (ssdr_grid, ("lam", "gamma1", "gamma2")),
    "LapRLS": (lap_rls_grid, ("lam1", "lam2")),
    "SDSC": (sdsc_grid, ("delta",)),
    "LLReg": (llreg_grid, ("n_neighbors", "lam", "tradeoff")),
}

Candidate = tuple[Any, ...]  # a value for every name of the grid


class Tuned(ClassifierMixin, BaseEstimator):
    """`estimator` ("module:Class") with `params`, and those of `grid` chosen by cross-validation.

    Attributes: `best_params_`, `candidates_` (every choice, in the grid's order), `accuracies_`
    (of each, cross-validated), `model_` the fitted estimator, and its `classes_` and
    `transduction_`.
    """

    def __init__(
        self,
        estimator: str = "sslviz:LabelPropagation",
        grid: Mapping[str, Sequence[Any]] | None = None,
        params: Mapping[str, Any] | None = None,
        folds: int = 5,
        *,
        memory: Any = None,
        random_state: int | None = None,
    ):
        self.estimator = estimator
        self.grid = grid
        self.params = params
        self.folds = folds
        self.memory = memory
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Tuned":
        """Choose, then fit with all labels; y holds -1 for unlabelled points."""
        grid, params = dict(self.grid or {}), dict(self.params or {})
        # Without a memory given, folds and candidates still share what they have in common.
        fixed = params | {"memory": Memo() if self.memory is None else self.memory}
        Method = resolve_name(self.estimator)
        candidates = list(product(*grid.values()))
        if len(candidates) == 0:
            raise ValueError(f"Tuned: the grid {grid} leaves nothing to choose from")
        fold = stratified_folds(y, self.folds, self.random_state)
        found = dict(_searched(Method, X, y, fold, grid, fixed))
        self.accuracies_ = np.array([found[candidate] for candidate in candidates])
        self.candidates_ = [dict(zip(grid, c, strict=True)) for c in candidates]
        self.best_params_ = self.candidates_[int(self.accuracies_.argmax())]
        self.model_ = Method(**fixed | self.best_params_).fit(X, y)
        self.classes_, self.transduction_ = self.model_.classes_, self.model_.transduction_
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """What the chosen estimator says of new points."""
        return self.model_.predict(X)


def _searched(
    Method: Any, X: np.ndarray, y: np.ndarray, fold: np.ndarray, grid: dict, fixed: dict
) -> Iterator[tuple[Candidate, float]]:
    """The accuracy of every candidate; axes that a method can search at once are."""
    at_once = AT_ONCE.get(Method.__name__)
    if at_once is None or not set(at_once[1]) <= set(grid):
        for candidate in product(*grid.values()):
            model = Method(**fixed | dict(zip(grid, candidate, strict=True)))
            yield candidate, held_out_accuracy(model, X, y, fold)
        return
    search, axes = at_once
    others = [name for name in grid if name not in axes]
    inner = {name: grid[name] for name in axes}
    for values in product(*(grid[name] for name in others)):
        outer = dict(zip(others, values, strict=True))
        accuracy = search(X, y, fold, **inner, **fixed | outer).accuracy
        for at, chosen in zip(np.ndindex(accuracy.shape), product(*inner.values()), strict=True):
            whole = outer | dict(zip(axes, chosen, strict=True))
            yield tuple(whole[name] for name in grid), float(accuracy[at])


def held_out_accuracy(model: Any, X: np.ndarray, y: np.ndarray, fold: np.ndarray) -> float:
    """The share of labelled points that fits without the labels of their fold get right.

    A fold without which only one class is left has no answer, as a method's undetermined points.
    """
    right = 0
    for number in np.unique(fold[fold >= 0]):
        out = fold == number
        hidden = np.where(out, UNLABELLED, y)
        if len(known_classes(hidden)) > 1:
            right += int((model.fit(X, hidden).transduction_[out] == y[out]).sum())
    return right / int((fold >= 0).sum())
