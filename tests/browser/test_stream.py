"""Streams in a browser: points arrive while it plays, and more can arrive."""

import re
import time

import pytest
from browser.actions import click, plot, settle, visit

MAP = plot("stream_map")
PLAYER = ".st-key-stream_map input[type=range]"
# How many points are still to come: they are clear.
STILL = f"""[...document.querySelector('{MAP}').data.find((t) => t.name === 'points').marker.color]
    .filter((c) => c === 'rgba(0,0,0,0)').length"""


@pytest.fixture(scope="module")
def moons(app, new_page):
    page = new_page(viewport={"width": 1400, "height": 1100})
    query = "stream.method.capacity=100&stream.arrivals=200"
    visit(page, f"{app}/stream?{query}", "stream_map")
    page.wait_for_selector("[data-testid=stProgress]", state="detached")  # all have arrived
    settle(page)
    return page


def frame(page) -> int:
    return int(page.locator(PLAYER).input_value())


def drawn(page) -> dict:
    return page.evaluate(f"""() => {{ const gd = document.querySelector('{MAP}');
        const find = (name) => gd.data.find((t) => t.name === name);
        return {{ still: {STILL},
            centroids: find('centroids').x.length,
            rings: [...find('balls of radius R').x].filter(Number.isNaN).length,
            reach: Math.hypot(find('balls of radius 2R').x[0] - find('centroids').x[0],
                find('balls of radius 2R').y[0] - find('centroids').y[0]),
            radius: find('balls of radius R').meta.radius,
            axes: ['xaxis', 'yaxis'].flatMap((a) => gd._fullLayout[a].range.map(Number)) }}; }}""")


def test_points_arrive_frame_by_frame_on_axes_that_stay(moons, snap):
    last = drawn(moons)
    assert last["still"] == 0 and last["centroids"] <= 100
    assert last["rings"] == last["centroids"], "a gap after every ring"
    assert last["reach"] == pytest.approx(2 * last["radius"], rel=1e-3)
    moons.locator(PLAYER).press("Home")
    moons.wait_for_selector(".st-key-stream_map output:text('0 arrived')")
    moons.wait_for_function(f"{STILL} === 200")
    first = drawn(moons)
    assert first["rings"] == first["centroids"] == 100
    moons.locator(PLAYER).press("ArrowRight")
    moons.wait_for_selector(".st-key-stream_map output:text('4 arrived')")
    moons.wait_for_function(f"{STILL} === 196")
    assert first["axes"] == pytest.approx(last["axes"], rel=1e-6)
    snap(moons, "stream-begins")


def test_playing_takes_points_in_and_controls_stay_usable(moons):
    moons.locator(".st-key-stream_map [data-do=play]").click()
    moons.wait_for_function(f"() => document.querySelector('{PLAYER}').value > 3")
    begun, start = time.perf_counter(), frame(moons)
    moons.wait_for_function(f"(f) => document.querySelector('{PLAYER}').value > f + 4", arg=start)
    rate = 4 * (frame(moons) - start) / (time.perf_counter() - begun)
    print(f"{rate:.0f} arriving points a second with 100 centroids")
    moons.locator(".st-key-stream_map [data-do=pause]").click()
    stopped = frame(moons)
    moons.wait_for_timeout(500)
    assert frame(moons) <= stopped + 1


def test_a_choice_repaints_and_stands_in_the_url(moons):
    before = drawn(moons)["centroids"]
    begun = time.perf_counter()
    moons.locator(".st-key-stream-method-merge").get_by_text("lazy").click()
    moons.wait_for_function(
        f"""(old) => document.querySelector('{MAP}').data.find((t) => t.name === 'centroids')
            .x.length !== old""",
        arg=before,
    )
    print(f"merging → repaint {time.perf_counter() - begun:.2f} s")
    moons.wait_for_url(re.compile(r"stream\.method\.merge=lazy"))
    settle(moons)


def test_going_on_appends_to_the_film_where_it_ended(moons):
    moons.locator(".st-key-open-go_on button").first.click()
    moons.wait_for_function(f"() => document.querySelector('{PLAYER}').max === '100'")
    moons.wait_for_selector("[data-testid=stProgress]", state="detached")
    settle(moons)
    assert frame(moons) == 50
    assert "stream.arrivals" not in moons.url, "400 is the default"


def test_a_click_tells_whom_a_centroid_stands_for(moons):
    point = click(moons, "stream_map", "centroids")
    moons.wait_for_selector(f"text=/(Centroid|Point) {point} /")
    settle(moons)
