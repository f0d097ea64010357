"""Tables of the SSRL-PL paper: the rivals, and the printed errors as accuracies."""

from dataclasses import replace

from experiments.majority import quietly

from sslviz.experiments.papers import TABLES
from sslviz.experiments.papers.ssrl_pl_splits import LAP_SVM, LAP_SVM_P, SEMI_KSC
from sslviz.experiments.table import Known


def test_printed_errors_are_accuracies() -> None:
    rows = {row.title: row for row in TABLES["ssrl_pl_splits"].rows}
    assert rows["BCI (100)"].paper[SEMI_KSC] == Known(0.78, 0.02)
    assert rows["g241d (10)"].paper["SSRL-PL"] == Known(0.62, 0.03)
    assert rows["g241c (10)"].paper[LAP_SVM] == Known(0.52, 0.02)


def test_the_rivals_run_and_both_ways_to_train_lap_svm_agree(tmp_path, real) -> None:
    real("bci")
    table = TABLES["ssrl_pl_splits"]
    few = {"sigma": ("median",), "lam1": (1e-2, 1.0), "lam2": (1.0,)}
    methods = [
        replace(m, params=m.params | {"grid": few}) if "LapSVM" in m.title else m
        for m in table.methods[:3]
    ]
    row = replace(table.rows[4], paper={}, reference={})
    done = quietly(replace(table, rows=(row,), methods=tuple(methods)), tmp_path, draws=1)
    assert done.status == 0
    found = {m.title: done.found[row.title, m.title][0].accuracy for m in methods}
    assert found[LAP_SVM] == found[LAP_SVM_P] and 0.4 < found[SEMI_KSC] < 0.7
