"""Figures of one film in a real browser: players and charts are at the same moment."""

from typing import Any

import pytest
from browser.actions import plot, set_size, show

FIRST, SLOW, LIKE = ".st-key-figure", ".st-key-second", ".st-key-third"
LINE = ".st-key-chart .sslviz-line"
MOMENT = f"""() => {{ const line = document.querySelector('{LINE}');
    const gd = document.querySelector('{plot("chart")}'), {{ xaxis }} = gd._fullLayout;
    if (line.hidden) return null;
    const left = line.getBoundingClientRect().left - gd.getBoundingClientRect().left;
    return xaxis.p2d(left + 1 - xaxis._offset); }}"""


@pytest.fixture(scope="module")
def film(demo, new_page) -> Any:
    page = show(new_page(), demo, "view=film")
    for key in ("figure", "chart", "second", "third"):
        page.wait_for_selector(f"{plot(key)}.sslviz-ready")
    return page


def name(page: Any, figure: str) -> str:
    return page.locator(f"{figure} output").inner_text()


def shown(page: Any, figure: str, frame: str) -> None:
    page.wait_for_function(
        "([f, name]) => document.querySelector(`${f} output`).textContent === name",
        arg=[figure, frame],
    )


def step(page: Any, figure: str, way: str) -> None:
    page.locator(f"{figure} [data-do={way}]").click()


def test_a_chart_marks_the_moment_and_a_player_goes_along(film, snap):
    step(film, FIRST, "first")
    for _ in range(7):
        step(film, FIRST, "next")
    shown(film, FIRST, "step 7")
    shown(film, SLOW, "step 1")  # its second frame is of moment 5, its third of moment 10
    film.wait_for_function(f"Math.abs(({MOMENT})() - 7) < .15")
    snap(film, "live-film")


def test_who_is_led_may_lead(film):
    step(film, SLOW, "next")  # moment 10
    shown(film, FIRST, "step 10")
    shown(film, SLOW, "step 2")
    film.wait_for_function(f"Math.abs(({MOMENT})() - 10) < .15")


def test_playing_one_moves_the_line_to_the_end(film):
    step(film, FIRST, "first")
    shown(film, SLOW, "step 0")
    step(film, FIRST, "play")
    shown(film, FIRST, "step 11")
    shown(film, SLOW, "step 2")
    film.wait_for_function(f"Math.abs(({MOMENT})() - 11) < .15")


def test_more_data_leave_all_at_one_moment(film):
    step(film, FIRST, "first")
    shown(film, SLOW, "step 0")
    set_size(film, "ArrowRight")
    assert name(film, FIRST) == name(film, SLOW) == "step 0"
    film.wait_for_function(f"Math.abs(({MOMENT})()) < .15")


def test_who_is_at_the_end_stays_there_when_a_film_gets_shorter_or_longer(film):
    size = int(film.locator("input[type=range]").first.input_value())
    film.locator(f"{FIRST} input").evaluate(
        "(e) => { e.value = e.max; e.dispatchEvent(new Event('input')); }"
    )
    shown(film, LIKE, f"step {2 * size - 1}")
    for key, change in (("ArrowLeft", -1), ("ArrowLeft", -2), ("ArrowRight", -1)):
        set_size(film, key)
        shown(film, FIRST, f"step {2 * (size + change) - 1}")
        shown(film, LIKE, f"step {2 * (size + change) - 1}")
