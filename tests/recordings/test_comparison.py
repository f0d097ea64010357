"""A comparison fits every method once on every choice of labels, however many watch it."""

from threading import Thread

import numpy as np
import pytest

import sslviz
from sslviz import data
from sslviz.experiments.comparison import MethodSpec, trial
from sslviz.memo import Memo
from sslviz.recordings import comparison as module
from sslviz.recordings.comparison import ComparisonRun

IRIS = data.load("iris")
SPECS = [MethodSpec("1-NN", None, {}), MethodSpec("LP", sslviz.LabelPropagation, {})]


@pytest.fixture
def run(monkeypatch) -> ComparisonRun:
    monkeypatch.setattr("sslviz.experiments.comparison.LABELS_PER_CLASS", (1, 5))
    return ComparisonRun(SPECS, IRIS.X, IRIS.y, 3, 2, Memo())


def test_watchers_share_every_fit(run):
    watchers = [Thread(target=run.finish) for _ in range(3)]
    for thread in watchers:
        thread.start()
    for thread in watchers:
        thread.join()
    fits = [(t.method, t.per_class, t.seed) for t in run.trials]
    assert len(fits) == len(set(fits)) == run.total == 12
    assert run.done and "12 fits, 2 random choices" in run.status()


def test_summaries_are_those_of_the_trials_alone(run):
    run.finish()
    for spec, found in zip(SPECS, run.summaries(), strict=True):
        alone = [trial(spec, IRIS.X, IRIS.y, per_class=3, seed=s).accuracy for s in range(2)]
        np.testing.assert_array_equal(found.accuracies, alone)
    assert all(np.isfinite(s.mean) for count in (1, 3, 5) for s in run.summaries(count))


def test_a_slow_method_is_fitted_twice_and_named(run, monkeypatch):
    monkeypatch.setattr(module, "SECONDS_OF_A_FIT", 0.0)
    run.finish()
    assert len(run.trials) == 4 and run.slow == {"1-NN", "LP"}
    assert "Too slow to be repeated: 1-NN, LP" in run.status()


def test_the_present_number_of_labels_comes_first_and_a_stop_keeps_what_is_there(run):
    run.advance(1e-9)
    run.pause()
    before = len(run.trials)
    run.finish()
    assert len(run.trials) == before and run.trials[0].per_class == 3
    assert run.status().startswith("Stopped after")
