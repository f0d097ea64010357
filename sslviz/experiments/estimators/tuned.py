r"""A method with parameters chosen by cross-validation on the given labels.

The labelled points are split into folds. Each fold in turn becomes unlabelled, every candidate of
the grid is fitted and its predictions on the fold are compared with the labels. The candidate with
the best accuracy over all folds, the first if tied, is then fitted with all labels.

Stone. Cross-validatory choice and assessment of statistical predictions. JRSS B 1974.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
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
from sslviz.inductive.lap_rls import LapRLS
from sslviz.inductive.ll_reg import LLReg
from sslviz.inductive.sdsc import SDSC
from sslviz.inductive.ssdr import SSDR
from sslviz.labels import UNLABELLED, known_classes
from sslviz.memo import Memo

# Fast searches over these axes of a grid; axes in the order of the result.
GRID_SEARCHES: dict[type, tuple[Callable[..., Search], tuple[str, ...]]] = {
    SSDR: (ssdr_grid, ("lam", "gamma1", "gamma2")),
    LapRLS: (lap_rls_grid, ("lam1", "lam2")),
    SDSC: (sdsc_grid, ("delta",)),
    LLReg: (llreg_grid, ("n_neighbors", "lam", "tradeoff")),
}

Candidate = tuple[Any, ...]  # a value for every name of the grid


@dataclass(repr=False, eq=False)
class Tuned(ClassifierMixin, BaseEstimator):
    """`estimator` ("module:Class") with `params`, and those of `grid` chosen by cross-validation.

    Attributes: `best_params_`, `candidates_` (every choice, in the grid's order), `accuracies_`
    (of each, cross-validated), `model_` the fitted estimator, and its `classes_` and
    `transduction_`.
    """

    estimator: str = "sslviz:LabelPropagation"
    grid: Mapping[str, Sequence[Any]] | None = None
    params: Mapping[str, Any] | None = None
    folds: int = 5
    _: KW_ONLY
    memory: Any = None
    random_state: int | None = None

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Tuned":
        """Choose, then fit with all labels; y holds -1 for unlabelled points."""
        grid, params = dict(self.grid or {}), dict(self.params or {})
        # Without a memory, folds and candidates still share their common stages.
        fixed = params | {"memory": Memo() if self.memory is None else self.memory}
        Method = resolve_name(self.estimator)
        candidates = list(product(*grid.values()))
        if len(candidates) == 0:
            raise ValueError(f"Tuned: the grid {grid} is empty")
        fold = stratified_folds(y, self.folds, self.random_state)
        found = dict(_grid_accuracies(Method, X, y, fold, grid, fixed))
        self.accuracies_ = np.array([found[candidate] for candidate in candidates])
        self.candidates_ = [dict(zip(grid, c, strict=True)) for c in candidates]
        self.best_params_ = self.candidates_[int(self.accuracies_.argmax())]
        self.model_ = Method(**fixed | self.best_params_).fit(X, y)
        self.classes_, self.transduction_ = self.model_.classes_, self.model_.transduction_
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Predictions of the chosen estimator for new points."""
        return self.model_.predict(X)


def _grid_accuracies(
    Method: Any, X: np.ndarray, y: np.ndarray, fold: np.ndarray, grid: dict, fixed: dict
) -> Iterator[tuple[Candidate, float]]:
    """Accuracy of every candidate; by a fast search where there is one."""
    at_once = GRID_SEARCHES.get(Method)
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
    """Cross-validated accuracy on the labelled points.

    A fold without which only one class is left counts as wrong, as undetermined points do.
    """
    right = 0
    for number in np.unique(fold[fold >= 0]):
        out = fold == number
        hidden = np.where(out, UNLABELLED, y)
        if len(known_classes(hidden)) > 1:
            right += int((model.fit(X, hidden).transduction_[out] == y[out]).sum())
    return right / int((fold >= 0).sum())
