"""A slider answers while it is dragged, unless answers take long."""

import pytest
from browser.actions import PLOT, settle, show

SIZE = f"document.querySelector('{PLOT}').data[0].marker.size"
LAST = 20  # of the demo's slider, which begins at 1


def place(page, value: int) -> tuple[float, float]:
    """The pixel at which the slider has this value."""
    box = page.locator("[data-testid=stSliderTickBar]").locator("..").bounding_box()
    return box["x"] + box["width"] * (value - 1) / (LAST - 1), box["y"] + box["height"] / 2


def grasp(page) -> None:
    page.mouse.move(*place(page, page.evaluate(SIZE)))
    page.mouse.down()


@pytest.fixture(scope="module")
def page(demo, new_page):
    """Its answers take long once "slow" is ticked."""
    return show(new_page(), demo, "view=flat&pause=2.3")


def test_the_picture_follows_the_hand_before_it_lets_go(page):
    settle(page)
    grasp(page)
    for value in (8, 15, 11, 18):
        page.mouse.move(*place(page, value), steps=4)
        page.wait_for_function(f"{SIZE} === {value}")
    page.mouse.move(*place(page, 5), steps=4)
    page.mouse.up()
    page.wait_for_selector("text=/^size 5,/")
    page.mouse.move(*place(page, 14), steps=4)
    page.wait_for_timeout(300)
    settle(page)
    assert page.locator("input[type=range]").first.input_value() == "5"
    assert page.evaluate(SIZE) == 5


def test_where_answers_take_long_only_the_last_value_is_asked_for(page):
    page.get_by_text("slow").click()
    page.wait_for_selector("[data-test-script-state=running]")
    settle(page)
    grasp(page)
    page.mouse.move(*place(page, 12), steps=4)
    page.wait_for_timeout(500)
    assert page.evaluate(SIZE) == 5  # as the test before has left it
    page.mouse.up()
    page.wait_for_function(f"{SIZE} === 12")
