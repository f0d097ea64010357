"""The page of FLP in a real browser: the map moves while it plays, on axes that stay."""

import re
import time

import pytest
from browser.actions import click, plot, press, settle, visit

WINE = "data=wine&wine.standardise=true&labels=2&flp.part=Directions"
MAP = plot("flp_map")
PLAYER = ".st-key-flp_map input[type=range]"
WIDTH = ".st-key-FLP-width"


@pytest.fixture(scope="module")
def wine(app, new_page):
    page = new_page(viewport={"width": 1400, "height": 1100})
    return visit(page, f"{app}/flp?{WINE}", "flp_map")


def drawn(page) -> dict:
    """Where points and given labels are now, their sizes, and the axes."""
    return page.evaluate(f"""() => {{ const gd = document.querySelector('{MAP}');
        const given = gd.data.find((t) => t.name === 'given labels');
        return {{ x: [...gd.data[0].x], size: [...gd.data[0].marker.size], given: [...given.x],
            named: [...given.customdata], colour: [...gd.data[0].marker.color].join(),
            axes: ['xaxis', 'yaxis'].flatMap((a) => gd._fullLayout[a].range.map(Number)) }}; }}""")


def step(page, key: str, name: str) -> dict:
    page.locator(PLAYER).press(key)
    page.wait_for_selector(f".st-key-flp_map output:text('{name}')")
    page.wait_for_timeout(300)
    return drawn(page)


def test_labels_colour_the_points_then_the_map_turns_on_axes_that_stay(wine, snap):
    last = drawn(wine)
    start = step(wine, "Home", "start")
    labels = step(wine, "ArrowRight", "1 · labels")
    moved = step(wine, "ArrowRight", "2 · map")
    assert start["x"] == labels["x"] != moved["x"] != last["x"]
    assert start["colour"] != labels["colour"] == moved["colour"]
    assert start["axes"] == pytest.approx(last["axes"], rel=1e-6)
    for now in (start, moved, last):
        assert now["given"] == pytest.approx([now["x"][i] for i in now["named"]], rel=1e-6)
    snap(wine, "flp-half-step")
    step(wine, "End", "20 · map")


def test_the_width_repaints_and_quietens_points(wine):
    before = drawn(wine)["x"]
    begun = time.perf_counter()
    press(wine, WIDTH, "End")
    wine.wait_for_function(
        f"(old) => document.querySelector('{MAP}').data[0].x[0] !== old", arg=before[0]
    )
    print(f"width → repaint {time.perf_counter() - begun:.2f} s")
    wine.wait_for_url(re.compile(r"FLP\.width=100"))
    sizes = f"[...document.querySelector('{MAP}').data[0].marker.size]"
    wine.wait_for_function(f"() => {sizes}.filter((s) => s < 10).length > {len(before)} / 2")
    press(wine, WIDTH, "Home")
    wine.wait_for_url(re.compile(r"FLP\.width=0\.1"))
    wine.wait_for_function(f"() => Math.min(...{sizes}) > 15")
    settle(wine)


def test_a_click_draws_whom_a_point_hears(wine):
    point = click(wine, "flp_map")
    wine.wait_for_selector(f"text=/Point {point}, at the end/")
    settle(wine)
    ends = wine.evaluate(f"""() => document.querySelector('{MAP}').data
        .filter((t) => t.mode === 'lines' && !t.name).reduce((n, t) => n + t.x.length / 3, 0)""")
    assert ends == 80


def test_a_button_shows_the_method_as_printed(wine):
    wine.locator(".st-key-open-flp_1 button").click()
    wine.wait_for_selector("text=/A perfect objective, worthless labels/")
    settle(wine)
    assert "FLP.mode=as+printed" in wine.url and "FLP.width" not in wine.url


def test_a_notice_that_goes_leaves_the_picture_and_its_film_at_the_end(wine):
    same = f"document.querySelector('{MAP}').ours"
    wine.evaluate(f"{same} = true")
    wine.locator(".st-key-open-flp_2 button").click()
    wine.wait_for_selector("text=/A perfect objective/", state="detached")
    wine.wait_for_selector(".st-key-flp_map output:text('20 · map')")
    settle(wine)
    assert wine.evaluate(same)
