"""Dictionaries in a browser: atoms play, clicks on tiles select, learning can be stopped."""

import re
import time

import pytest
from browser.actions import hover, plot, press, ready, settle, stand, visit

SMALL = "digits.n_samples.few=210&SSDLGA.n_atoms.images=40&SSDLGA.max_iter=6"
LONG = "digits.n_samples.few=1797&SSDLGA.n_atoms.images=205&SSDLGA.max_iter=30"
LAM = ".st-key-SSDLGA-lam"


@pytest.fixture(scope="module")
def digits(app, new_page):
    page = new_page(viewport={"width": 1400, "height": 1100})
    keys = ("dictionary_wall", "dictionary_map", "dictionary_codes")
    return visit(page, f"{app}/dictionary?{SMALL}", *keys)


def wall(page) -> str:
    """The pixels of the wall, as a text."""
    return page.evaluate(f"document.querySelector('{plot('dictionary_wall')}').data[0].z.join()")


def click_cell(page, key: str, column: int, row: int) -> int:
    """Click a cell of the layer under the cursor of a figure: what it reports."""
    stand(page, plot(key))
    name, *at = page.evaluate(
        f"""([column, row]) => {{
        const gd = document.querySelector('{plot(key)}');
        const t = gd._fullData.find((t) => t.opacity === 0), at = gd.getBoundingClientRect();
        const [xa, ya] = [t.xaxis, t.yaxis].map((a) => gd._fullLayout[a.replace(/(.)/, '$1axis')]);
        const mid = (v, i) => (v[i] + v[i + 1]) / 2;
        return [t.customdata[row][column], at.left + xa._offset + xa.l2p(mid(t.x, column)),
                at.top + ya._offset + ya.l2p(mid(t.y, row))]; }}""",
        [column, row],
    )
    hover(page, at, name, plot(key))
    page.mouse.click(*at)
    return name


def test_a_click_on_a_tile_shows_the_users_of_the_atom_beside_it(digits, snap):
    atom = click_cell(digits, "dictionary_wall", 2, 1)
    digits.wait_for_selector(f"h3:has-text('Atom {atom}')")
    settle(digits)
    framed = digits.evaluate(
        f"document.querySelector('{plot('dictionary_wall')}').layout.shapes.length"
    )
    assert framed == 1
    head = digits.locator(f"h3:has-text('Atom {atom}')").bounding_box()
    grid = digits.locator(plot("dictionary_wall")).bounding_box()
    assert grid["y"] - 40 < head["y"] < grid["y"] + grid["height"], "not below the picture"
    snap(digits, "dictionary-atom")


def test_a_click_on_a_code_or_an_image_shows_the_recipe_of_its_point(digits):
    point = click_cell(digits, "dictionary_codes", 100, 0)
    digits.wait_for_selector(f"h3:has-text('Code of point {point}')")
    settle(digits)
    neighbour = click_cell(digits, "dictionary_neighbours", 0, 0)
    digits.wait_for_selector(f"h3:has-text('Code of point {neighbour}')")
    settle(digits)
    atom = click_cell(digits, "dictionary_recipe", 3, 0)
    digits.wait_for_selector(f"h3:has-text('Atom {atom}')")
    settle(digits)


def test_the_atoms_play_from_points_to_the_end(digits):
    player, end = digits.locator(".st-key-dictionary_wall"), wall(digits)
    player.scroll_into_view_if_needed()
    player.locator("input[type=range]").press("Home")
    digits.wait_for_selector(".st-key-dictionary_wall output:text('start')")
    assert wall(digits) != end
    player.locator("[data-do=play]").click()
    digits.wait_for_selector(".st-key-dictionary_wall output:text('round 6')")
    assert wall(digits) == end


@pytest.mark.parametrize("width", [420, 900, 1400])
def test_a_wall_has_no_empty_bands_above_and_below(digits, width):
    digits.set_viewport_size({"width": width, "height": 1100})
    for key in ("dictionary_wall", "dictionary_users", "dictionary_recipe"):
        digits.wait_for_function(
            """(at) => { const gd = document.querySelector(at), l = gd._fullLayout;
            const drawn = Math.abs(l.height - gd.offsetHeight) < 1; // in whole pixels
            return drawn && l.height - l.yaxis._length < 16; }""",
            arg=plot(key),
        )


def test_a_slider_learns_anew_and_repaints(digits):
    before, start = wall(digits), time.perf_counter()
    press(digits, LAM, "ArrowRight")
    digits.wait_for_function(
        f"(b) => document.querySelector('{plot('dictionary_wall')}').data[0].z.join() !== b",
        arg=before,
    )
    print(f"learnt and repainted after {time.perf_counter() - start:.2f} s")
    settle(digits)
    assert re.search(r"SSDLGA\.lam=", digits.url)


def test_learning_can_be_stopped_and_continued_while_the_atoms_are_on_screen(app, new_page, snap):
    page = new_page(viewport={"width": 1400, "height": 1100})
    seed = int(time.time()) % 90  # a run of its own, also when this test is tried again
    page.goto(f"{app}/dictionary?{LONG}&seed={seed}")
    begun = "text=/SSDL-GA is learning: round [1-9]\\d* of 30/"  # before that it can only start
    page.wait_for_selector(begun, timeout=120_000)
    page.wait_for_selector(f"{plot('dictionary_wall')}.sslviz-ready", timeout=60_000)
    snap(page, "dictionary-learning")
    for _ in range(2):
        page.locator("button:has-text('Stop here')").click()
        stopped = page.locator("text=/stopped after round \\d+ of 30/")
        stopped.wait_for(timeout=60_000)
        ready(page, "dictionary_wall", "dictionary_map")
        assert 0 < int(re.search(r"round (\d+) of", stopped.inner_text())[1]) < 30
        page.locator("button:has-text('Continue')").click()
        page.wait_for_selector(begun)


def test_the_figure_stays_the_same_element_when_the_run_ends(app, new_page):
    page = new_page(viewport={"width": 1400, "height": 1100})
    page.goto(f"{app}/dictionary?{SMALL}&SSDLGA.inner=200&seed=3&labels=4")
    page.wait_for_selector(f"{plot('dictionary_wall')}.sslviz-ready", timeout=120_000)
    page.evaluate(f"document.querySelector('{plot('dictionary_wall')}').marked = true")
    page.wait_for_selector("[data-testid=stProgress]", state="detached", timeout=120_000)
    settle(page)
    assert page.evaluate(f"document.querySelector('{plot('dictionary_wall')}').marked")


def test_a_slider_of_a_dear_method_shows_its_start_and_the_film_of_the_last_move_follows(
    app, new_page
):
    page = new_page(viewport={"width": 1400, "height": 1100})
    small = "digits.n_samples.few=210&SSPDL.n_atoms.images=42&SSPDL.max_iter=12"
    page.goto(f"{app}/dictionary?dictionary.method=SSP-DL&{small}")
    page.wait_for_selector(f"{plot('dictionary_wall')}.sslviz-ready", timeout=120_000)
    done = "[data-testid=stProgress]"
    page.wait_for_selector(done, state="detached", timeout=120_000)
    settle(page)
    begun = time.perf_counter()
    press(page, ".st-key-SSPDL-beta", "ArrowRight")
    page.wait_for_selector("text=/SSP-DL is learning: round \\d+ of 12/", timeout=60_000)
    print(f"a first picture after {time.perf_counter() - begun:.2f} s")
    press(page, ".st-key-SSPDL-beta", "ArrowRight")  # the first run is left
    page.wait_for_function("location.href.includes('SSPDL.beta=0.57')")
    page.wait_for_selector(done, state="detached", timeout=120_000)
    settle(page)
    page.wait_for_selector(".st-key-dictionary_wall output:text('round 12')")
