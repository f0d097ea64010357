"""The page of all methods: each has a card, can be searched for, and leads to its page."""

import pytest
from pages.opening import APP, fine, opened

import sslviz
from sslviz.ui.methods import cost_of, idea_of, matches_words, needs_of
from sslviz.ui.page_list import PAGE_BY_NAME

every_method = pytest.mark.parametrize("Method", sslviz.METHODS, ids=lambda m: m.__name__)


def test_every_method_has_a_card():
    app = opened("methods")
    assert fine(app)
    assert {b.key for b in app.button} >= {f"open.{m.__name__}" for m in sslviz.METHODS}


@every_method
def test_a_card_says_what_one_wants_to_know(Method):
    assert idea_of(Method)[0].isupper() and idea_of(Method).endswith(".") and Method.paper
    assert "labels" in needs_of(Method) and "2,000 points" in cost_of(Method)
    assert Method.page_name() in PAGE_BY_NAME
    assert (APP.parent / "assets" / "methods" / f"{Method.__name__}.png").is_file()


def test_all_words_of_a_search_must_occur():
    found = {m.__name__ for m in sslviz.METHODS if matches_words(m, "laplacian MARGIN")}
    assert "LapSVM" in found and "KMeans" not in found
    app = opened("methods", **{"methods.search": "zebra qwertz"})
    assert fine(app) and "No method" in app.info[0].value


@pytest.mark.parametrize("name", ["LabelSpreading", "SDA", "S3VM", "USSDL", "OnlineQRLP", "IMSAT"])
def test_a_card_opens_its_page_with_the_method_selected(name):
    Method = getattr(sslviz, name)
    app = opened("methods", **{"methods.search": Method.title})
    app.button(key=f"open.{name}").click().run()
    key, option = PAGE_BY_NAME[Method.page_name()].method_key, Method.option()
    assert not app.exception and app.session_state[key] == option
    assert opened(Method.page_name(), **{key: option}).session_state[key] == option
