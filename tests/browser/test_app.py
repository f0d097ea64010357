"""The app in a real browser: addresses, sliders, clicks, the player, thumbnails."""

import re
from typing import Any

import pytest
from browser.actions import click, colours, plot, press, ready, settle, visit, words
from browser.server import ROOT, serve

MAP = "propagation_map"
PLOT = plot(MAP)
K = ".st-key-LabelPropagation-n_neighbors"


@pytest.fixture(scope="module")
def moons(app, new_page) -> Any:
    """Label propagation on a small data set, shared by several tests."""
    page = new_page(viewport={"width": 1300, "height": 1000})
    return visit(page, f"{app}/propagation?two_moons.n_samples=562", MAP)


def view(page) -> list[float]:
    return page.evaluate(f"document.querySelector('{PLOT}')._fullLayout.xaxis.range.map(Number)")


def test_a_deep_link_works_as_the_first_request_of_a_fresh_server(tmp_path, page):
    with serve(ROOT / "app.py", {"SSLVIZ_CACHE": str(tmp_path)}) as url:
        visit(page, f"{url}/propagation?data=three_rings&LabelPropagation.n_neighbors=8", MAP)
        assert page.locator("h1").inner_text() == "Label propagation"
        assert page.locator("[data-testid=stSidebarNav] a, [data-testid=stSidebarNavLink]").count()
        assert "Three rings" in page.locator(".st-key-data").inner_html()
        assert "8" in words(page, K)
        assert page.locator("[role=dialog]").count() == 0, "no 'Page not found'"
        page.goto("about:blank")


def test_the_first_page_leads_to_the_others(app, page, snap):
    page.goto(app)
    page.wait_for_selector("text=Open Neighbour graph")
    settle(page)
    snap(page, "home-light")
    page.click("text=Open Label propagation")
    ready(page, MAP)
    assert page.url.split("?")[0].endswith("/propagation")


def test_a_slider_changes_the_picture_and_keeps_the_zoom(moons):
    box = moons.locator(PLOT).bounding_box()
    moons.mouse.click(
        box["x"] + 20, box["y"] + box["height"] - 20
    )  # before a click the wheel scrolls the page
    moons.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    whole = view(moons)
    moons.mouse.wheel(0, -300)
    moons.wait_for_function(
        f"(w) => document.querySelector('{PLOT}')._fullLayout.xaxis.range[0] > w[0]", arg=whole
    )
    zoomed, before = view(moons), colours(moons, MAP)
    press(moons, K, "ArrowRight")
    moons.wait_for_function(
        f"(c) => [...document.querySelector('{PLOT}').data[0].marker.color].join() !== c",
        arg=before,
    )
    settle(moons)
    assert view(moons) == pytest.approx(zoomed)


def test_the_url_follows_the_slider_and_brings_it_back(moons, page):
    press(moons, K, "ArrowRight")
    moons.wait_for_url(re.compile(r"LabelPropagation\.n_neighbors=\d+"))
    settle(moons)
    visit(page, moons.url, MAP)
    assert words(page, K) == words(moons, K)
    assert colours(page, MAP) == colours(moons, MAP)


def test_a_click_shows_the_class_probabilities_and_is_in_the_url(moons):
    point = click(moons, MAP)
    moons.wait_for_selector(f"text=/^Point {point}$/")
    moons.wait_for_url(re.compile(rf"\bpoint={point}\b"))
    settle(moons)


def test_the_sweeps_play_and_scrub_and_the_numbers_follow(moons):
    accuracy = moons.locator("[data-testid=stMetric]", has_text="Accuracy").locator(
        "[data-testid=stMetricValue]"
    )
    end = float(accuracy.inner_text().rstrip("%"))
    player = moons.locator(".st-key-propagation_map")
    assert player.locator("output").inner_text() == "the limit"
    limit = colours(moons, MAP)
    player.locator("input[type=range]").press("Home")
    moons.wait_for_selector(".st-key-propagation_map output:text('sweep 1')")
    assert colours(moons, MAP) != limit
    assert float(accuracy.inner_text().rstrip("%")) < end  # few points have a label by then
    player.locator("select").select_option("30")  # frames a second
    player.locator("[data-do=play]").click()
    moons.wait_for_selector(".st-key-propagation_map output:text('the limit')", timeout=60_000)
    assert colours(moons, MAP) == limit
    assert float(accuracy.inner_text().rstrip("%")) == end


def test_thumbnails_show_the_image_under_the_cursor(app, page, snap):
    visit(page, f"{app}/propagation?data=digits&digits.n_samples=300", MAP)
    x, y = page.evaluate(f"""() => {{
        const gd = document.querySelector('{PLOT}'), l = gd._fullLayout, t = gd.data[0];
        const box = gd.getBoundingClientRect();
        return [box.left + l.xaxis._offset + l.xaxis.d2p(t.x[0]),
                box.top + l.yaxis._offset + l.yaxis.d2p(t.y[0])]; }}""")
    page.mouse.move(x + 2, y + 2)
    page.mouse.move(x, y)
    page.wait_for_selector(".st-key-propagation_map .sslviz-thumb", state="visible")
    snap(page, "propagation-digits")
