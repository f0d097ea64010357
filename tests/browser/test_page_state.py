"""Data and labels go along from page to page, and stand in the URL."""

from urllib.parse import parse_qs, urlsplit

import pytest
from browser.actions import press, settle, turn_to, visit


@pytest.fixture(scope="module")
def page(new_page):
    """One browser, which keeps the files that all pages need; every address is a new session."""
    return new_page()


def address(page) -> tuple[str, dict[str, list[str]]]:
    parts = urlsplit(page.url)
    return parts.path.strip("/"), parse_qs(parts.query)


def chosen(page) -> str:
    return page.locator(".st-key-data input").first.input_value()


def test_what_a_link_says_goes_along_and_can_be_loaded_again(app, page):
    visit(page, f"{app}/graph?data=iris&labels=10&seed=4", "graph_map")
    expected = {"data": ["iris"], "labels": ["10"], "seed": ["4"]}
    turn_to(page, "Label propagation", "propagation_map")
    page.wait_for_function("location.search.includes('seed=4')")
    assert address(page) == ("propagation", expected) and chosen(page) == "Iris"
    page.reload()
    page.wait_for_selector(".st-key-propagation_map .sslviz-ready")
    assert address(page) == ("propagation", expected) and chosen(page) == "Iris"
    page.locator("[data-testid=stSidebarNavLink]", has_text="Home").first.click()
    page.wait_for_selector("text=Open Neighbour graph")
    assert address(page) == ("", {})
    turn_to(page, "Neighbour graph", "graph_map")
    page.wait_for_function("location.search.includes('seed=4')")
    assert address(page) == ("graph", expected) and chosen(page) == "Iris"


def test_a_button_brings_all_it_sets_into_the_url(page):
    turn_to(page, "FLP", "flp_map")
    assert chosen(page) == "Iris"
    page.get_by_text("Wine, as in the paper").click()
    page.wait_for_function("location.search.includes('wine.standardise=True')")
    settle(page)
    assert address(page)[1]["data"] == ["Wine"] and address(page)[1]["labels"] == ["2"]


def test_a_page_may_begin_with_another_set_and_still_be_told_of_the_first(app, page):
    visit(page, f"{app}/dictionary?data=two_moons", "dictionary_map")
    assert chosen(page) == "Two moons" and address(page)[1]["data"] == ["two_moons"]
    visit(page, f"{app}/dictionary?SSDLGA.n_atoms.images=40&SSDLGA.max_iter=6", "dictionary_map")
    assert chosen(page) == "Digits, 8 × 8 pixels" and "data" not in address(page)[1]


def test_back_and_forward_undo_and_redo_changes_and_lead_to_pages_as_they_were(app, page):
    first = {"data": ["iris"], "labels": ["4"], "LabelPropagation.n_neighbors": ["9"]}
    url = "data=iris&labels=4&LabelPropagation.n_neighbors=9"
    visit(page, f"{app}/propagation?{url}", "propagation_map")
    turn_to(page, "Neighbour graph", "graph_map")
    press(page, ".st-key-labels", "ArrowRight")
    page.wait_for_function("location.href.includes('labels=5')")
    settle(page)
    before, after = ({"data": ["iris"], "labels": [n]} for n in "45")
    for name, path, expected in (
        ("Undo", "graph", before),
        ("Undo", "propagation", first),
        ("Redo", "graph", before),
        ("Redo", "graph", after),
        ("Undo", "graph", before),
        ("Undo", "propagation", first),
    ):
        page.locator(".sslviz-strip").get_by_role("button", name=name).click()
        page.wait_for_selector(f".st-key-{path}_map .sslviz-ready")
        page.wait_for_function(
            "(n) => location.href.includes(`labels=${n}`)", arg=expected["labels"][0]
        )
        settle(page)
        assert address(page) == (path, expected) and chosen(page) == "Iris"
    neighbours = page.locator("[class*='n_neighbors'] input[type=range]").first
    assert neighbours.get_attribute("value") == "9"
