"""Cross-validation is what its name says: fits with labels hidden, counted one by one."""

from collections.abc import Callable
from math import log

import numpy as np
import pytest
from propagation.problems import archipelago, cloud, digits, equal_points, lattice

from sslviz import RobustLabelPrediction
from sslviz.labels import hide
from sslviz.memo import Memo
from sslviz.propagation.stages.hub_tuning import K_HUB_GRID, Tuning, folds, hub_counts


def counted(X: np.ndarray, y: np.ndarray, n_hubs: tuple[int, ...], **settings) -> np.ndarray:
    """Scores by one plain fit per fold, k_hub and number of hubs."""
    given = np.flatnonzero(y != -1)
    count = min(5, len(given))
    scores = np.zeros((3, len(n_hubs)))
    for fold in range(count):
        held = given[fold::count]
        shown = y.copy()
        shown[held] = -1
        for row, k_hub in enumerate((5, 10, 20)):
            for column, h in enumerate(n_hubs):
                model = RobustLabelPrediction(k_hub=k_hub, n_hubs=h, memory=MEMO, **settings)
                model.fit(X, shown)
                scores[row, column] += np.sum(model.transduction_[held] == y[held])
    return scores / len(given)


MEMO = Memo()  # a fit elsewhere does not depend on it, and it saves searches


@pytest.mark.parametrize("graph", ["undirected", "directed"])
@pytest.mark.parametrize("points", [cloud, equal_points, lattice, archipelago, digits])
def test_scores_are_counted_over_fits(points: Callable, graph: str) -> None:
    X, y = points(2)
    model = RobustLabelPrediction(graph=graph).fit(X, y)
    found = model.tuning_
    assert found is not None and found.k_hub == K_HUB_GRID
    np.testing.assert_array_equal(found.scores, counted(X, y, found.n_hubs, graph=graph))
    assert (model.k_hub_, model.n_hubs_) == found.best
    given = RobustLabelPrediction(k_hub=model.k_hub_, n_hubs=model.n_hubs_, graph=graph).fit(X, y)
    np.testing.assert_array_equal(model.label_distributions_, given.label_distributions_)
    assert given.tuning_ is None


def test_scores_are_counted_over_fits_of_digits(real: Callable) -> None:
    d = real("mnist", n_samples=500, random_state=2)
    y = hide(d.y, per_class=3, random_state=2)
    found = RobustLabelPrediction().fit(d.X, y).tuning_
    assert found is not None
    np.testing.assert_array_equal(found.scores, counted(d.X, y, found.n_hubs))


@pytest.mark.parametrize("points", [cloud, digits])
def test_true_scores_are_those_of_fits(points: Callable) -> None:
    X, y = points(3)
    truth = np.where(y == -1, np.arange(len(X)) % 3, y)
    truth[np.flatnonzero(y == -1)[:5]] = 77  # a class without label can never be right
    *_, last = RobustLabelPrediction().try_out(X, y, truth)
    hidden = y == -1
    for row, k_hub in enumerate(last.tuning.k_hub):
        for column, h in enumerate(last.tuning.n_hubs):
            model = RobustLabelPrediction(k_hub=k_hub, n_hubs=h, memory=MEMO).fit(X, y)
            accuracy = np.mean(model.transduction_[hidden] == truth[hidden])
            assert last.tuning.scores[row, column] == pytest.approx(accuracy, abs=1e-15)


def test_progress_counts_to_the_end_and_fills_the_scores_column_by_column() -> None:
    X, y = cloud(1)
    memo = Memo()
    reports = list(RobustLabelPrediction(memory=memo).tune(X, y))
    assert [r.done for r in reports] == list(range(1, 26))
    assert {r.total for r in reports} == {25}
    known = [int((~np.isnan(r.tuning.scores)).all(axis=0).sum()) for r in reports]
    assert known == [(done + 1) // 5 for done in range(25)]
    with memo.watch() as stages:
        model = RobustLabelPrediction(memory=memo).fit(X, y)
    assert all(stage.reused for stage in stages if stage.name == "held_out_hits")
    np.testing.assert_array_equal(model.tuning_.scores, reports[-1].tuning.scores)


def test_ties_go_to_few_links_then_to_few_hubs() -> None:
    scores = np.array([[0.5, 0.7, 0.7], [0.7, 0.8, 0.8], [0.8, 0.8, 0.8]])
    assert Tuning((5, 10, 20), (0, 9, 18), scores).best == (10, 9)


def test_numbers_of_hubs_follow_the_bound_of_the_thesis() -> None:
    n, u, D = 3000, 2960, 784
    bound = (D * n**2 + 20 * (4 + log(n)) * n) ** (1 / 3)
    step = int(bound / 5)
    assert hub_counts(n, u, D, k_graph=4, n_votes=3) == tuple(i * step for i in range(1, 6))
    assert hub_counts(100, 60, 50, k_graph=4, n_votes=3) == (12, 24, 36, 48, 60)  # all of them
    assert hub_counts(20, 3, 50, k_graph=4, n_votes=3) == (1, 2, 3)
    assert hub_counts(20, 0, 50, k_graph=4, n_votes=3) == (0,)


def test_every_label_is_held_out_once() -> None:
    y = np.array([-1, 0, 1, -1, 1, 0, 2, -1, 2, 2])
    trials = folds(y)
    assert len(trials) == 5
    held = np.concatenate([t.judged for t in trials])
    assert sorted(held) == np.flatnonzero(y >= 0).tolist()
    for t in trials:
        assert (t.target[t.judged] == -1).all() and (t.truth == y[t.judged]).all()
        others = np.setdiff1d(np.arange(len(y)), t.judged)
        assert (t.target[others] == y[others]).all()
    assert len(folds(np.array([-1, 0, 1, -1]))) == 2
