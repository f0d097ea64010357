"""Hover a point, press a digit: it has a label, and keeps it through reloads and pages."""

import pytest
from browser.actions import PLOT, click, plot, ready, settle, turn_to, visit

MAP = "propagation_map"


@pytest.fixture(scope="module")
def page(new_page):
    return new_page(viewport={"width": 1300, "height": 900})


# How many diamonds the picture shows; none while it is made anew.
GIVEN = (
    f"document.querySelector('{plot(MAP)}')?.data?.find((t) => t.name === 'given labels')?.x.length"
)


def given(page) -> int:
    return page.evaluate(GIVEN)


def wait_for(page, count: int) -> None:
    page.wait_for_selector(f"text={count} of 316")
    page.wait_for_function(f"(n) => {GIVEN} === n", arg=count)
    ready(page, MAP)


def press(page, key: str, trace: int | str = 0) -> int:
    """Press a key over a point that has room around it: its name."""
    name = click(page, MAP, trace)  # the cursor stays there
    settle(page)
    page.wait_for_selector(f"{PLOT}[data-hovered='{name}']")
    page.keyboard.press(key)
    return name


def test_a_key_labels_a_point_for_this_page_and_others(app, page):
    visit(page, f"{app}/propagation?two_moons.n_samples=316", MAP)
    assert given(page) == 6
    point = press(page, "2")
    wait_for(page, 7)
    assert f"hand={point}.1" in page.url
    page.reload()
    ready(page, MAP)
    wait_for(page, 7)
    turn_to(page, "Neighbour graph", "graph_map")
    page.wait_for_selector("text=1 label by hand")
    page.wait_for_function(f"location.search.includes('hand={point}.1')")
    turn_to(page, "Label propagation", MAP)
    wait_for(page, 7)
    page.get_by_text("Forget them").click()
    wait_for(page, 6)
    page.wait_for_function("!location.search.includes('hand')")


def test_another_data_set_is_one_step_back_with_its_labels(app, page):
    visit(page, f"{app}/propagation?two_moons.n_samples=316&hand=12.1", MAP)
    page.locator(".st-key-data input").first.click()
    page.keyboard.type("Iris")
    page.keyboard.press("Enter")
    page.wait_for_function("!location.search.includes('hand')")
    settle(page)
    page.go_back()
    page.wait_for_function("location.search.includes('hand=12.1')")
    ready(page, MAP)
    assert "data=" not in page.url and given(page) == 7


def test_the_last_label_of_a_class_stays(app, page):
    visit(page, f"{app}/propagation?two_moons.n_samples=316&labels=1&hand=12.0", MAP)
    assert given(page) == 3
    press(page, "Delete", "given labels")  # of two in the upper moon
    wait_for(page, 2)
    press(page, "Delete", "given labels")
    page.wait_for_selector("text=/has the only label of .* moon: every class keeps one/")
    settle(page)
    assert given(page) == 2
