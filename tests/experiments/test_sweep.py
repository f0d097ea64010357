"""Sweeps: every combination is there, grids come from the declarations."""

import pytest
from experiments.majority import quietly

from sslviz.experiments import result_files, sweep
from sslviz.experiments.runner import FAILED
from sslviz.experiments.scoring import CellScore


def test_a_sweep_has_every_method_set_and_number_of_labels():
    table = sweep.sweep(["LabelPropagation"], ["iris", "wine"], [2, 5], seeds=4)
    assert [row.title for row in table.rows] == [
        "iris, 2 per class", "iris, 5 per class", "wine, 2 per class", "wine, 5 per class"
    ]  # fmt: skip
    assert len(list(table.cells(table.draws))) == 16 and not table.shared


def test_a_grid_walks_over_the_shown_range_of_the_declaration():
    table = sweep.sweep(["LabelPropagation", "LabelSpreading"], grid=["alpha", "sigma"], count=3)
    spreading = [m for m in table.methods if m.estimator.endswith(":LabelSpreading")]
    chosen = [(m.params["sigma"], m.params["alpha"]) for m in spreading]
    assert len(set(chosen)) == 9 and ("1 mean", 0.5) in chosen and ("0.25 mean", 0.01) in chosen
    assert len(table.methods) == 12, "label propagation has no alpha and walks over sigma alone"
    with pytest.raises(ValueError, match="no method here has a parameter 'gamma_ray'"):
        sweep.sweep(["LabelSpreading"], grid=["gamma_ray"])
    with pytest.raises(ValueError, match="'Oracle' is not a method; known are LabelPropagation"):
        sweep.sweep(["Oracle"])


def test_a_sweep_runs(tmp_path):
    table = sweep.sweep(["LabelPropagation"], ["iris"], [4], seeds=2, grid=["graph"])
    done = quietly(table, tmp_path)
    assert done.status == 0
    for method in ("LabelPropagation(graph=undirected)", "LabelPropagation(graph=directed)"):
        found = done.found["iris, 4 per class", method]
        assert min(r.accuracy for r in found) > 0.6 and max(r.seconds for r in found) > 0


def test_a_sweep_that_leaves_nothing_to_judge_fails_and_stores_nothing(tmp_path):
    table = sweep.sweep(["SDA"], ["iris"], [1000], seeds=1)
    (cell,) = table.cells(1)
    result_files.write(
        tmp_path, cell, CellScore(float("nan"), float("nan"), 0.1)
    )  # by an older version
    done = quietly(table, tmp_path)
    assert done.status == FAILED and not done.found
    assert "every point is labelled" in done.failed[0][1]
