"""How far the accuracy depends on which labels are given, and long fits that can be given up."""

import threading

import numpy as np
import pytest
from pages.opening import fine, opened

from sslviz import LabelPropagation, data, labels
from sslviz.ui.label_draws import DRAWS, spread_text


def test_the_spread_is_that_of_independent_fits():
    app = opened("propagation", data="iris", labels="2")
    app.toggle(key="label_draws").set_value(True).run()
    assert fine(app)
    iris, found = data.load("iris"), []
    for seed in range(DRAWS):
        y = labels.hide(iris.y, per_class=2, random_state=seed)
        right = LabelPropagation().fit(iris.X, y).transduction_ == iris.y
        found.append(right[y < 0].mean())
    text = f"{np.mean(found):.1%} ± {100 * np.std(found, ddof=1):.1f}"
    assert any(text in m.value for m in app.markdown)


def test_undefined_accuracies_do_not_count():
    assert "over 2 random choices" in spread_text(np.array([0.5, np.nan, 0.7]), np.nan)
    assert "No label is left" in spread_text(np.array([np.nan]), np.nan)


def test_the_hubs_page_lists_the_points_that_make_a_hub():
    app = opened("hubs", data="iris", point="57")
    assert fine(app)
    caption = next(c.value for c in app.caption if c.value.startswith("Point 57 is among"))
    iris = data.load("iris")
    distances = np.linalg.norm(iris.X[:, None] - iris.X[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    k = app.slider(key="RobustLabelPrediction.k_graph").value
    nearest = np.argsort(distances, axis=1, kind="stable")[:, :k]
    assert f"nearest neighbours of {(nearest == 57).any(axis=1).sum()} other point" in caption


def test_a_long_fit_is_waited_for_with_a_bar_and_its_error_is_passed_on(monkeypatch):
    from types import SimpleNamespace

    from sslviz.ui import long_fits

    monkeypatch.setattr(long_fits, "REPAINT_INTERVAL_OF_BAR", 0.01)
    problem = SimpleNamespace(y=np.zeros(6000), setting=SimpleNamespace(dataset="x"))
    begun = threading.Event()

    def work() -> int:
        begun.set()
        threading.Event().wait(0.05)
        return 7

    assert long_fits.compute_long(work, 60.0, problem) == 7 and begun.is_set()
    with pytest.raises(ValueError, match="no such"):
        long_fits.compute_long(lambda: (_ for _ in ()).throw(ValueError("no such")), 60.0, problem)
