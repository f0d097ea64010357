"""Runs of tables: failures stay in their cell, a stopped run continues, memory is shared."""

from dataclasses import replace

import numpy as np
import pytest
from experiments.majority import IRIS, WINE, Majority, always, fits, quietly, tiny

from sslviz import data
from sslviz.experiments.papers import TABLES
from sslviz.experiments.report import text
from sslviz.experiments.runner import worst
from sslviz.experiments.sampling import draw
from sslviz.experiments.table import Row
from sslviz.labels import UNLABELLED
from sslviz.memo import process_memo


@pytest.fixture(autouse=True)
def _no_fits_yet():
    fits.clear()


def test_accuracy_is_the_share_of_hidden_labels_and_undetermined_points_count_as_wrong(tmp_path):
    done = quietly(tiny(always(1), always(-1, "none")), tmp_path)
    for seed, result in enumerate(done.found[WINE.title, "all 1"]):
        sample = draw(data.load("wine"), WINE, seed)
        assert result.accuracy == np.mean(sample.y[sample.given == UNLABELLED] == 1)
        assert result.undetermined == 0
    assert [r[:2] for r in done.found[WINE.title, "none"]] == [(0.0, 1.0)] * 3


def test_a_failing_method_leaves_the_others_alone(tmp_path):
    done = quietly(tiny(always(0, "broken", broken=True), always(1)), tmp_path)
    assert done.status == 1 and len(done.found[WINE.title, "all 1"]) == 3
    assert {cell.method.title for cell, _ in done.failed} == {"broken"}
    assert "RuntimeError: out of order (majority.py, line " in text(done)
    assert len(list(tmp_path.iterdir())) == 3, "a failure is tried again next time"


def test_a_draw_that_is_not_possible_fails_with_the_numbers(tmp_path):
    done = quietly(tiny(rows=(replace(IRIS, unlabelled=145),)), tmp_path)
    assert done.status == 1 and len(done.failed) == 6
    assert "unlabelled=145 is not in [1, 144]" in done.failed[0][1]


def test_an_interrupted_run_keeps_finished_results_and_continues(tmp_path, monkeypatch):
    fit = Majority.fit

    def interrupted(self, X, y):
        if len(fits) == 4:
            raise KeyboardInterrupt
        return fit(self, X, y)

    monkeypatch.setattr(Majority, "fit", interrupted)
    done = quietly(tiny(), tmp_path)
    assert done.status == 130 and len(list(tmp_path.iterdir())) == 4
    assert "the same command continues" in text(done)
    monkeypatch.setattr(Majority, "fit", fit)
    rest = quietly(tiny(), tmp_path)
    assert rest.status == 0 and len(fits) == 6
    assert all(len(found) == 3 for found in rest.found.values())


def test_methods_of_one_draw_share_points_and_memory_but_timed_ones_no_memory(tmp_path):
    quietly(tiny(), tmp_path / "shared")
    for seed in range(3):
        (X, memory), (same_X, same_memory) = fits[2 * seed : 2 * seed + 2]
        assert X == same_X and memory is same_memory is process_memo()
    fits.clear()
    quietly(tiny(shared=False), tmp_path / "timed")
    assert [memory for _, memory in fits] == [None] * 6


def test_a_missing_data_set_is_named_and_the_others_run(tmp_path):
    done = quietly(tiny(rows=(Row("Atlantis", "atlantis_500", per_class=2), WINE)), tmp_path)
    assert done.status == 3 and len(fits) == 6
    assert "Atlantis: atlantis_500 is not built in" in text(done)


def test_the_exit_code_of_several_runs_is_the_worst():
    assert worst([0, 3]) == 3 and worst([3, 1, 0]) == 1 and worst([1, 130]) == 130


@pytest.mark.parametrize("title", ["Yale (60, 105)", "ORL (160, 240)"])
def test_the_thesis_table_agrees_with_the_reference_on_faces(title, tmp_path):
    table = TABLES["thesis_lp"]
    row = next(row for row in table.rows if row.title == title)
    if row.dataset not in data.names():
        pytest.skip(f"{row.dataset}.npz is not in $SSLVIZ_DATA")
    done = quietly(replace(table, rows=(row,)), tmp_path, draws=5)
    for method, reference in row.reference.items():
        ours = np.array([r.accuracy for r in done.found[title, method]])
        # RLP chooses its hubs by folds of the labels, which the reference draws differently.
        tolerance = ours.std(ddof=1) if method.startswith("RLP") else 0.01
        assert len(ours) == 5 and abs(ours.mean() - reference.mean) < tolerance, method
