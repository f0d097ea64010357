"""How far the accuracy depends on which labels are given, and long fits that can be given up."""

import numpy as np
from pages.opening import fine, opened
from streamlit.testing.v1 import AppTest

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


def test_a_long_fit_shows_a_bar_with_the_time_and_a_way_to_give_up():
    def page() -> None:
        from time import sleep
        from types import SimpleNamespace

        import numpy as np
        import streamlit as st

        from sslviz.ui.long_fits import REPAINT_INTERVAL_OF_BAR, FitBar

        st.session_state["x.n_samples"] = 6000
        problem = SimpleNamespace(y=np.zeros(6000), setting=SimpleNamespace(dataset="x"))
        bar = FitBar(problem, 60.0)
        bar.tell(0, 0.0)
        assert not bar.text  # a result from the memory needs no bar
        sleep(1.1 * REPAINT_INTERVAL_OF_BAR)
        bar.tell(3, 40.0)
        st.write(bar.text)
        if st.checkbox("end"):
            bar.end()

    app = AppTest.from_function(page).run()
    assert not app.exception
    assert "of about 60 s for 6,000 points" in app.markdown[0].value
    assert "3 computations come first" in app.markdown[0].value
    assert [b.label for b in app.button] == ["Stop, and show 5,000 points"]
    app.checkbox[0].set_value(True).run()
    assert not app.exception and not app.button
    app.checkbox[0].set_value(False).run()
    app.button[0].click().run()
    assert not app.exception
