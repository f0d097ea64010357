"""The app in a real browser: addresses, sliders, clicks, the player; what it looks like."""

import re
import time
from typing import Any

import pytest
from browser.driving import ROOT, serve

PLOT = ".st-key-propagation_map .sslviz-plot"
K = ".st-key-LabelPropagation-n_neighbors"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serve(ROOT / "app.py", {"SSLVIZ_CACHE": str(tmp_path_factory.mktemp("cache"))}) as url:
        yield url


@pytest.fixture(scope="module")
def moons(address, new_page) -> Any:
    """Label propagation on a small set, shared by the tests that only look and move."""
    page = new_page(viewport={"width": 1300, "height": 1000})
    page.goto(f"{address}/propagation?two_moons.n_samples=562")
    ready(page)
    return page


def ready(page, plot: str = PLOT) -> None:
    page.wait_for_selector(f"{plot}.sslviz-ready", timeout=60_000)
    settle(page)


def settle(page) -> None:
    page.wait_for_function("""() => document.querySelector(
        '[data-test-script-state=running], [data-test-script-state=rerunRequested]') === null""")
    assert page.locator("[data-testid=stException]").count() == 0


def view(page) -> list[float]:
    return page.evaluate(f"document.querySelector('{PLOT}')._fullLayout.xaxis.range.map(Number)")


def colours(page) -> str:
    return page.evaluate(f"[...document.querySelector('{PLOT}').data[0].marker.color].join()")


def move(page, slider: str, key: str) -> None:
    page.locator(f"{slider} [role=slider], {slider} input[type=range]").first.press(key)


def test_a_deep_link_works_as_the_first_request_of_a_fresh_server(tmp_path, page):
    with serve(ROOT / "app.py", {"SSLVIZ_CACHE": str(tmp_path)}) as url:
        page.goto(f"{url}/propagation?data=three_rings&LabelPropagation.n_neighbors=8")
        ready(page)
        assert page.locator("h1").inner_text() == "Labels that travel"
        assert page.locator("[data-testid=stSidebarNav] a, [data-testid=stSidebarNavLink]").count()
        assert "three_rings" in page.locator(".st-key-data").inner_html()
        assert "8" in page.locator(K).inner_text()
        assert page.locator("[role=dialog]").count() == 0, "no 'Page not found'"
        page.goto("about:blank")


def test_the_first_page_is_there_at_once(tmp_path, page, snap):
    start = time.monotonic()
    with serve(ROOT / "app.py", {"SSLVIZ_CACHE": str(tmp_path)}) as url:
        page.goto(url)
        page.wait_for_selector("text=Open the neighbour graph")
        settle(page)
        print(f"first page after {time.monotonic() - start:.1f} s")
        snap(page, "home-light")
        page.click("text=Open labels that travel")
        ready(page)
        assert page.url.split("?")[0].endswith("/propagation")
        page.goto("about:blank")


def test_a_slider_changes_the_picture_and_keeps_the_zoom(moons):
    box = moons.locator(PLOT).bounding_box()
    moons.mouse.click(
        box["x"] + 20, box["y"] + box["height"] - 20
    )  # the wheel is the page's till then
    moons.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    whole = view(moons)
    moons.mouse.wheel(0, -300)
    moons.wait_for_function(
        f"(w) => document.querySelector('{PLOT}')._fullLayout.xaxis.range[0] > w[0]", arg=whole
    )
    zoomed, before = view(moons), colours(moons)
    move(moons, K, "ArrowRight")
    moons.wait_for_function(
        f"(c) => [...document.querySelector('{PLOT}').data[0].marker.color].join() !== c",
        arg=before,
    )
    settle(moons)
    assert view(moons) == pytest.approx(zoomed)


def test_the_url_follows_the_slider_and_brings_it_back(moons, address, page):
    move(moons, K, "ArrowRight")
    moons.wait_for_url(re.compile(r"LabelPropagation\.n_neighbors=\d+"))
    settle(moons)
    page.goto(moons.url)
    ready(page)
    assert page.locator(K).inner_text() == moons.locator(K).inner_text()
    assert colours(page) == colours(moons)


def test_a_click_on_a_point_tells_its_opinion(moons):
    place = moons.evaluate(f"""() => {{
        const gd = document.querySelector('{PLOT}'), l = gd._fullLayout, t = gd.data[0];
        const box = gd.getBoundingClientRect(), inside = (v, a) => v > a.range[0] && v < a.range[1];
        const radius = (l.xaxis.range[1] - l.xaxis.range[0]) / 40;
        const near = (i) => t.x.reduce((n, x, j) =>
            n + (Math.hypot(x - t.x[i], t.y[j] - t.y[i]) < radius), 0);
        const i = [...t.x.keys()].filter((i) => inside(t.x[i], l.xaxis) && inside(t.y[i], l.yaxis))
            .sort((a, b) => near(a) - near(b))[0];
        return [i, box.left + l.xaxis._offset + l.xaxis.d2p(t.x[i]),
                box.top + l.yaxis._offset + l.yaxis.d2p(t.y[i])]; }}""")
    point, x, y = place
    moons.mouse.move(x + 1, y + 1)
    moons.mouse.move(x, y)
    moons.mouse.click(x, y)
    moons.wait_for_selector(f"text=/Point {point}, truly/")
    settle(moons)


def test_the_sweeps_play_and_scrub(moons):
    player = moons.locator(".st-key-propagation_map")
    assert player.locator("output").inner_text() == "the limit"
    limit = colours(moons)
    player.locator("input[type=range]").press("Home")
    moons.wait_for_selector(".st-key-propagation_map output:text('sweep 1')")
    assert colours(moons) != limit
    player.locator("[data-do=play]").click()
    moons.wait_for_selector(".st-key-propagation_map output:text('the limit')", timeout=60_000)
    assert colours(moons) == limit


def test_thumbnails_show_the_image_under_the_cursor(address, page, snap):
    page.goto(f"{address}/propagation?data=digits&digits.n_samples=300")
    ready(page)
    x, y = page.evaluate(f"""() => {{
        const gd = document.querySelector('{PLOT}'), l = gd._fullLayout, t = gd.data[0];
        const box = gd.getBoundingClientRect();
        return [box.left + l.xaxis._offset + l.xaxis.d2p(t.x[0]),
                box.top + l.yaxis._offset + l.yaxis.d2p(t.y[0])]; }}""")
    page.mouse.move(x + 2, y + 2)
    page.mouse.move(x, y)
    page.wait_for_selector(".st-key-propagation_map .sslviz-thumb", state="visible")
    snap(page, "propagation-digits")


@pytest.mark.parametrize(("width", "scheme"), [(1300, "light"), (390, "dark")])
@pytest.mark.parametrize(
    ("name", "path", "plot"),
    [
        ("graph", "graph?two_moons.n_samples=562", ".st-key-graph_map .sslviz-plot"),
        ("propagation", "propagation?two_moons.n_samples=562", PLOT),
    ],
)
def test_looks(address, new_page, snap, name, path, plot, scheme, width):
    page = new_page(viewport={"width": width, "height": 1000}, color_scheme=scheme)
    page.goto(f"{address}/{path}")
    ready(page, plot)
    wider = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wider <= 0, "nothing may stick out sideways"
    snap(page, f"{name}-{scheme}-{width}")
