"""A grid from one spectrum holds what fitting every point of it would give."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from inductive.oracles import cloud

from sslviz import SDSC, SSDR, LapRLS
from sslviz.experiments.kernel_grids import (
    Search,
    lap_rls_grid,
    sdsc_grid,
    ssdr_grid,
    stratified_folds,
)


def assert_as_fitted(found: Search, Method: Any, X: np.ndarray, y: np.ndarray, grid: dict) -> None:
    """Every grid point again: each fold hidden, the whole model fitted, its points scored."""
    fold = stratified_folds(y, 4, 0)
    given = np.flatnonzero(y != -1)
    for place in product(*(range(len(values)) for values in grid.values())):
        chosen = {name: grid[name][i] for name, i in zip(grid, place, strict=True)}
        right = 0
        for f in range(4):
            out = fold == f
            model = Method(**chosen).fit(X, np.where(out, -1, y))
            scores = found.scores[place][out[given]]
            scores = scores[:, 0] if scores.shape[1] == 1 else scores
            np.testing.assert_allclose(scores, model.decision_function(X[out]), rtol=0, atol=1e-10)
            right += (model.predict(X[out]) == y[out]).sum()
        assert found.accuracy[place] == right / len(given)


def of(base: type, **fixed: Any) -> Any:
    return lambda **chosen: base(**fixed, **chosen)


@pytest.mark.parametrize("centre", [False, True])
@pytest.mark.parametrize("printed", [False, True])
def test_ssdr(centre: bool, printed: bool) -> None:
    X, y = cloud(0, n=50)
    grid: dict[str, Any] = {"lam": [1 / 64, 64], "gamma1": [1 / 16, 4], "gamma2": [1 / 64, 4]}
    fixed: dict[str, Any] = {"sigma": 1.5, "centre": centre, "as_printed": printed}
    found = ssdr_grid(X, y, stratified_folds(y, 4, 0), **grid, **fixed)
    assert_as_fitted(found, of(SSDR, **fixed), X, y, grid)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_lap_rls(classes: int, kernel: str) -> None:
    X, y = cloud(1, n=50, classes=classes)
    grid: dict[str, Any] = {"lam1": [1e-3, 0.1, 2], "lam2": [0.0, 100.0, 1e4]}
    fixed: dict[str, Any] = {"sigma": 1.5, "kernel": kernel}
    found = lap_rls_grid(X, y, stratified_folds(y, 4, 0), **grid, **fixed)
    assert_as_fitted(found, of(LapRLS, **fixed), X, y, grid)


@pytest.mark.parametrize("pairing", ["full", "diagonal"])
def test_sdsc(pairing: str) -> None:
    X, y = cloud(2, n=50)
    grid: dict[str, Any] = {"delta": [1 / 64, 0.25, 16]}
    fixed: dict[str, Any] = {"sigma": 1.5, "pairing": pairing}
    found = sdsc_grid(X, y, stratified_folds(y, 4, 0), **grid, **fixed)
    assert_as_fitted(found, of(SDSC, **fixed), X, y, grid)


def test_folds_are_dealt_evenly_and_only_to_labels() -> None:
    y = cloud(0)[1]
    fold = stratified_folds(y, 5, 3)
    np.testing.assert_array_equal(fold == -1, y == -1)
    sizes = np.bincount(fold[fold >= 0])
    assert len(sizes) == 5 and sizes.max() - sizes.min() <= 1
    np.testing.assert_array_equal(fold, stratified_folds(y, 5, 3))
    with pytest.raises(ValueError, match="folds=1 is not in"):
        stratified_folds(y, 1)


def test_folds_that_miss_a_label_are_refused() -> None:
    X, y = cloud(0)
    with pytest.raises(ValueError, match="does not give a fold for every label"):
        sdsc_grid(X, y, np.full(len(y), -1), delta=[1.0])
