"""The cross-validated grid of LLReg."""

from typing import Any

import numpy as np
from inductive.test_ll_reg import cloud

from sslviz import LLReg
from sslviz.experiments.estimators.tuned import held_out_accuracy
from sslviz.experiments.kernel_grids import stratified_folds
from sslviz.experiments.ll_reg_grid import llreg_grid
from sslviz.labels import hide


def test_the_grid_has_the_accuracies_of_single_fits(real: Any) -> None:
    X, y, _ = cloud(2, n=90)
    X = np.vstack([X, X[:10] + 500])  # a component with labels of its own, hidden by some folds
    y = np.append(y, np.where(np.arange(10) < 2, y.max(), -1))
    d = real("ionosphere")
    for X, y in ((X, y), (d.X, hide(d.y, fraction=0.1, random_state=0))):  # noqa: B020
        fold = stratified_folds(y, 5, 0)
        axes: dict[str, Any] = {"n_neighbors": (4, 12), "lam": (0.1, 9.0), "tradeoff": (0.2, 5.0)}
        found = llreg_grid(X, y, fold, **axes)
        for at in np.ndindex(found.accuracy.shape):
            chosen = {name: axes[name][i] for name, i in zip(axes, at, strict=True)}
            assert found.accuracy[at] == held_out_accuracy(LLReg(**chosen), X, y, fold)
