"""What colours and marks mean stands above the picture, and is in it when it is downloaded."""

import pytest
from browser.actions import PLOT, set_size, show

READ = """() => [...document.querySelectorAll('.sslviz-key li')].map((entry) =>
    [entry.textContent, getComputedStyle(entry.querySelector('i')).color])"""
FIRST = ["●<b>first</b>", "rgb(230, 159, 0)"]  # a name is no markup
TEXT_COLOUR = "getComputedStyle(document.querySelector('.sslviz-live')).color"
VISIBLE = f"document.querySelector('{PLOT}')._fullData[0].visible"


@pytest.fixture(scope="module")
def page(demo, new_page):
    return show(new_page(), demo, "view=flat")


def test_the_key_follows_the_figure(page):
    points = ["●points", page.evaluate(TEXT_COLOUR)]  # of several colours: none of them
    assert page.evaluate(READ) == [FIRST, ["■now 6", "rgb(0, 114, 178)"], points]
    box = page.locator(".sslviz-key").bounding_box()
    assert box["y"] + box["height"] <= page.locator(PLOT).bounding_box()["y"]
    assert page.locator(f"{PLOT} .legend").count() == 0, "no second legend in the picture"
    set_size(page, "ArrowRight")
    assert page.evaluate(READ)[1][0] == "■now 7"
    set_size(page, "ArrowLeft")


def test_a_downloaded_picture_has_it_as_its_legend(page):
    page.evaluate("Plotly.downloadImage = (figure) => { window.saved = figure; }")
    page.locator(f"{PLOT} .modebar-btn[data-title='Download as PNG']").dispatch_event("click")
    drawn = "saved.data.filter((t) => t.showlegend).map(({ name, marker }) => [name, marker.color])"
    text = page.evaluate("saved.layout.template.layout.font.color")
    named = [["<b>first</b>", "#E69F00"], ["now 6", "#0072B2"], ["points", text]]
    assert page.evaluate(drawn) == named and page.evaluate("saved.layout.showlegend")
    family = page.evaluate("saved.layout.font.family")
    assert family == "sans-serif", "a picture has no fonts of the page: words would be cut off"


def test_a_mark_is_hidden_by_its_name_and_stays_hidden(page):
    button = page.get_by_role("button", name="points")
    button.press("Enter")
    page.wait_for_function(f"{VISIBLE} === 'legendonly'")
    set_size(page, "ArrowRight")
    assert (
        page.evaluate(VISIBLE) == "legendonly" and button.get_attribute("aria-pressed") == "false"
    )
    button.click()
    page.wait_for_function(f"{VISIBLE} === true")
    set_size(page, "ArrowLeft")
