"""What the colours mean stands above the picture, and is in it when it is downloaded."""

import pytest
from browser.actions import PLOT, set_size, show

READ = """() => [...document.querySelectorAll('.sslviz-key li')].map((entry) =>
    [entry.textContent, getComputedStyle(entry.firstChild).backgroundColor])"""
FIRST = ["<b>first</b>", "rgb(230, 159, 0)"]  # a name is no markup


@pytest.fixture(scope="module")
def page(demo, new_page):
    return show(new_page(), demo, "view=flat")


def test_the_key_follows_the_figure(page):
    assert page.evaluate(READ) == [FIRST, ["now 6", "rgb(0, 114, 178)"]]
    box = page.locator(".sslviz-key").bounding_box()
    assert box["y"] + box["height"] <= page.locator(PLOT).bounding_box()["y"]
    set_size(page, "ArrowRight")
    assert page.evaluate(READ)[1][0] == "now 7"
    set_size(page, "ArrowLeft")


def test_a_downloaded_picture_has_it_as_its_legend(page):
    page.evaluate("Plotly.downloadImage = (figure) => { window.saved = figure; }")
    page.locator(f"{PLOT} .modebar-btn[data-title='Download as PNG']").dispatch_event("click")
    drawn = "saved.data.map(({ name, marker }) => [name, marker.color]).slice(1)"
    assert page.evaluate(drawn) == [[FIRST[0], "#E69F00"], ["now 6", "#0072B2"]]
    family = page.evaluate("saved.layout.font.family")
    assert family == "sans-serif", "a picture has no fonts of the page: words would be cut off"
