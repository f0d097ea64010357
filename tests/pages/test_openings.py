"""A page that is visited bare opens where its method shows its point; a link is left alone."""

from collections.abc import Callable
from time import sleep

import pytest
from pages.opening import APP, fine, numbers
from streamlit.testing.v1 import AppTest

from sslviz.ui.page_list import PAGES
from sslviz.ui.presets.openings import OPENINGS

Shown = dict[str, float]
POINTS: dict[str, Callable[[Shown], bool]] = {
    "hubs": lambda n: n["Robust label prediction"] > max(n["Label propagation"], n["Without hubs"]),
    "embedding": lambda n: n["Nearest mean in the map"] > n["Label propagation"],
    "flp": lambda n: n["Accuracy"] > max(n["Projection fixed"], n["Label propagation"]),
    "inductive": lambda n: n["Accuracy"] > n["Without unlabelled points"] + 20,
    "stream": lambda n: n["QLP"] > n["1-NN"] + 20,
    "graph": lambda n: n["Edges"] < 1000,
}


def bare(page: str, **url: str) -> AppTest:
    app = AppTest.from_file(str(APP), default_timeout=120)
    app.query_params.update(url)
    return app.switch_page(f"pages/{page}.py").run()


def values(app: AppTest) -> Shown:
    plain = {name: text.rstrip("%").replace(",", "") for name, text in numbers(app).items()}
    return {name: float(text) for name, text in plain.items() if text.replace(".", "").isdigit()}


@pytest.mark.parametrize("page", POINTS)
def test_the_first_picture_shows_the_point_of_the_page(page):
    app = bare(page)
    assert fine(app)
    for key, value in OPENINGS[page].items():
        assert app.session_state[key] == value
    for _ in range(40):  # what is shown step by step may not have come to its end yet
        if POINTS[page](values(app)):
            break
        sleep(0.2)
        app.run()
    assert POINTS[page](values(app)), numbers(app)


def test_a_link_with_any_setting_keeps_the_defaults_of_all_others():
    app = bare("embedding", **{"two_moons.n_samples": "316"})
    assert fine(app) and app.selectbox(key="data").value == "two_moons"


def test_openings_are_of_pages_that_exist():
    assert set(OPENINGS) <= {page.name for page in PAGES}
