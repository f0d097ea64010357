"""Parameters chosen by cross-validation on the labels, and the table built on it."""

from typing import Any

import numpy as np
import pytest

import sslviz
from sslviz import LabelSpreading
from sslviz.experiments.estimators import tuned
from sslviz.experiments.estimators.tuned import Tuned, held_out_accuracy
from sslviz.experiments.kernel_grids import stratified_folds
from sslviz.experiments.papers.discriminative import METHODS, TABLE
from sslviz.experiments.sampling import Sample
from sslviz.experiments.scoring import evaluate
from sslviz.experiments.table import Cell, Row
from sslviz.labels import hide
from sslviz.memo import Memo

SPREADING = "sslviz:LabelSpreading"
GRIDS: dict[str, dict[str, tuple[Any, ...]]] = {
    "SSDR": {
        "gamma2": (0.1, 4.0),  # not in the order of the search
        "sigma": ("0.5 median", "median"),
        "lam": (0.1, 9.0),
        "gamma1": (0.05, 1.0, 3.0),
    },
    "SDSC": {"centre": (True, False), "delta": (0.01, 1.0, 50.0)},
    "LapRLS": {"lam1": (1e-4, 1.0), "lam2": (0.01, 10.0, 1000.0)},
    "LLReg": {"n_neighbors": (3, 9), "tradeoff": (0.1, 10.0), "lam": (0.1, 1.0)},
}


@pytest.fixture(scope="module")
def wine() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    d = sslviz.data.load("wine", standardise=True)
    return d.X, hide(d.y, fraction=0.15, random_state=1), d.y


def test_it_takes_the_best_of_the_grid_and_fits_it_with_all_labels(wine: tuple) -> None:
    X, y, _ = wine
    grid = {"alpha": (0.1, 0.9, 0.99), "n_neighbors": (2, 10)}
    model = Tuned(SPREADING, grid, {"sigma": "median"}, random_state=3).fit(X, y)
    fold = stratified_folds(y, 5, 3)
    found = [
        held_out_accuracy(LabelSpreading(k, "median", a), X, y, fold)
        for a in grid["alpha"]
        for k in grid["n_neighbors"]
    ]
    assert model.accuracies_.tolist() == found and len(set(found)) > 1
    assert model.best_params_ == model.candidates_[int(np.argmax(found))]
    plain = LabelSpreading(sigma="median", **model.best_params_).fit(X, y)
    np.testing.assert_array_equal(model.transduction_, plain.transduction_)
    np.testing.assert_array_equal(model.predict(X[:9]), plain.predict(X[:9]))


def test_held_out_labels_are_not_looked_at(wine: tuple) -> None:
    X, y, _ = wine
    seen: list[np.ndarray] = []

    class Spy(LabelSpreading):
        def fit(self, X: Any, y: Any) -> Any:
            seen.append(y)
            return super().fit(X, y)

    fold = stratified_folds(y, 4, 0)
    held_out_accuracy(Spy(), X, y, fold)
    assert len(seen) == 4
    for number, shown in enumerate(seen):
        np.testing.assert_array_equal(shown, np.where(fold == number, -1, y))


def test_among_equals_the_first_of_the_grid_is_taken(wine: tuple) -> None:
    X, y, _ = wine
    for grid in ({"max_iter": (7, 3, 5)}, {"max_iter": (3, 5, 7)}):  # it does not change the answer
        model = Tuned(SPREADING, grid, random_state=0).fit(X, y)
        assert len(set(model.accuracies_)) == 1
        assert model.best_params_ == {"max_iter": grid["max_iter"][0]}


@pytest.mark.parametrize("name", GRIDS)
def test_a_fast_search_finds_what_single_fits_find(
    name: str, wine: tuple, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y, _ = wine
    assert getattr(sslviz, name) in tuned.GRID_SEARCHES
    quick = Tuned(f"sslviz:{name}", GRIDS[name], random_state=0).fit(X, y)
    monkeypatch.setattr(tuned, "GRID_SEARCHES", {})
    slow = Tuned(f"sslviz:{name}", GRIDS[name], random_state=0).fit(X, y)
    np.testing.assert_allclose(quick.accuracies_, slow.accuracies_, atol=1e-12)
    assert quick.best_params_ == slow.best_params_ and len(set(slow.accuracies_)) > 1


def test_the_neighbours_are_searched_once_for_all_folds_and_candidates(wine: tuple) -> None:
    X, y, _ = wine
    memo = Memo()
    Tuned(SPREADING, {"alpha": (0.1, 0.9), "n_neighbors": (2, 10)}, memory=memo).fit(X, y)
    searches = [stage.reused for stage in memo.log if stage.name == "neighbours"]
    assert searches == [False] + [True] * 20


def test_a_fold_that_leaves_one_class_counts_as_wrong() -> None:
    X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1]])
    y = np.array([0, 0, -1, 1, -1])
    fold = np.array([0, 1, -1, 2, -1])
    accuracy = held_out_accuracy(LabelSpreading(n_neighbors=1), X, y, fold)
    assert accuracy <= 2 / 3  # the only label of class 1 is held out


def test_an_empty_grid_fits_what_is_given_and_an_empty_axis_is_refused(wine: tuple) -> None:
    X, y, _ = wine
    assert Tuned(SPREADING, params={"alpha": 0.5}).fit(X, y).model_.alpha == 0.5
    with pytest.raises(ValueError, match="is empty"):
        Tuned(SPREADING, {"alpha": ()}).fit(X, y)


def test_the_table_has_the_papers_numbers_and_its_cells_run() -> None:
    assert {row.title: row.paper["SDSC"].mean for row in TABLE.rows} == pytest.approx(
        dict(
            g241c=0.8341,
            g241n=0.7936,
            USPS=0.987,
            COIL=0.892,
            digit1=0.9913,
            BCI=0.6201,
            diabetes=0.722,
            ionosphere=0.8673,
        )
    )
    assert all(row.fraction == 0.1 and "SSDR as printed" not in row.paper for row in TABLE.rows)
    d = sslviz.data.load("iris")
    sample = Sample(d.X, d.y, hide(d.y, fraction=0.1, random_state=0))
    memory, row = Memo(), Row("iris", "iris", fraction=0.1)
    for method in METHODS:
        assert evaluate(Cell(row, method, 0), sample, memory).accuracy > 0.6, method.title
