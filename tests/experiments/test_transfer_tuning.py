"""Transfer tuning: Eq. 37 by hand, and on sets where the answer is known."""

import numpy as np
import pytest

import sslviz
from sslviz import data
from sslviz.experiments.transfer_tuning import hub_accuracy
from sslviz.memo import Memo

GRID = [{"a": i} for i in range(6)]


def looked_up(table: np.ndarray):
    """A score that reads a table: the source is its column."""
    return lambda candidate, X, y: float(table[candidate["a"], X])


def sources(count: int) -> list:
    return [(i, None) for i in range(count)]


@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_sum_of_ratios_to_the_best_of_each_source(seed: int) -> None:
    table = np.random.default_rng(seed).uniform(0.1, 1, size=(6, 3))
    found = sslviz.transfer_tuning(sources(3), GRID, looked_up(table))
    totals = [sum(row[i] / max(table[:, i]) for i in range(3)) for row in table]
    np.testing.assert_allclose(found.totals, totals, rtol=1e-15)
    np.testing.assert_array_equal(found.accuracies, table)
    assert found.best is GRID[int(np.argmax(totals))]


def test_a_hard_source_counts_as_much_as_an_easy_one() -> None:
    table = np.array([[0.95, 0.1], [0.90, 0.2]])  # the sum of accuracies says the same of both
    assert sslviz.transfer_tuning(sources(2), GRID[:2], looked_up(table)).best == {"a": 1}
    scaled = table * [1, 0.001]
    assert sslviz.transfer_tuning(sources(2), GRID[:2], looked_up(scaled)).best == {"a": 1}


def test_a_source_on_which_nothing_scores_has_no_say_and_ties_go_to_the_first() -> None:
    table = np.array([[0.0, 0.3], [0.0, 0.6], [0.0, 0.6]])
    found = sslviz.transfer_tuning(sources(2), GRID[:3], looked_up(table))
    assert found.best == {"a": 1} and found.totals.tolist() == [0.5, 1, 1]
    assert sslviz.transfer_tuning(sources(1), GRID[:3], looked_up(table)).best == {"a": 0}


def test_progress_is_told_after_every_score() -> None:
    told = []
    table = np.ones((2, 2))
    sslviz.transfer_tuning(
        sources(2), GRID[:2], looked_up(table), progress=lambda *at: told.append(at)
    )
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(ValueError, match="0 sources and 6 candidates"):
        sslviz.transfer_tuning([], GRID)
    with pytest.raises(ValueError, match=r"score nan of \{'a': 0\} on source 0"):
        sslviz.transfer_tuning(sources(1), GRID, lambda *_: float("nan"))


@pytest.mark.filterwarnings("ignore:the .* hubs fall into")
def test_by_default_hubs_of_sgsc_are_judged_and_graphs_are_kept() -> None:
    sets = [data.load(name, n_samples=500) for name in ("two_moons", "three_rings")]
    grid = [{"k_hub": k, "n_hubs": h} for h in (30, 150) for k in (2, 10)]
    memo = Memo()
    found = sslviz.transfer_tuning([(d.X, d.y) for d in sets], grid, memory=memo)
    assert found.accuracies.shape == (4, 2)
    for i, d in enumerate(sets):
        assert found.accuracies[3, i] == hub_accuracy(grid[3], d.X, d.y)
    searches = [stage.reused for stage in memo.log if stage.name == "neighbours"]
    assert searches.count(False) == 2
