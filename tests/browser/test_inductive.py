"""The page of fields in a real browser: it opens, repaints, answers a click, plays its film."""

import re

import pytest
from browser.actions import click, plot, press, ready, settle, visit

SMALL = "two_moons.n_samples.few=562"
SSDR = f"{SMALL}&field_method=Discriminative+regularisation+%28SSDR%29"
PLOT = plot("fields_map")
GROUND = f"document.querySelector('{PLOT}').data.find((t) => t.name === 'ground')"
SUM = f"[...{GROUND}.z].reduce((s, row) => s + [...row].reduce((a, b) => a + b, 0), 0)"


@pytest.fixture(scope="module")
def ssdr(app, new_page):
    page = new_page(viewport={"width": 1400, "height": 1100})
    return visit(page, f"{app}/inductive?{SSDR}", "fields_map")


def test_a_slider_repaints_the_field_and_keeps_the_figure(ssdr):
    before = ssdr.evaluate(SUM)
    ssdr.evaluate(f"document.querySelector('{PLOT}').dataset.same = 'yes'")
    start = ssdr.evaluate("performance.now()")
    press(ssdr, ".st-key-SSDR-gamma1", "Home")
    ssdr.wait_for_function(f"(old) => {SUM} !== old", arg=before)
    print(f"repainted after {ssdr.evaluate('performance.now()') - start:.0f} ms")
    settle(ssdr)
    assert ssdr.evaluate(f"document.querySelector('{PLOT}').dataset.same") == "yes"
    ssdr.wait_for_url(re.compile(r"SSDR\.gamma1="))


def test_a_click_shows_what_the_point_is_felt_like(ssdr):
    point = click(ssdr, "fields_map")
    ssdr.wait_for_selector(f"text=/^Point {point}: how strongly/")
    settle(ssdr)


def test_a_link_opens_the_case_in_which_unlabelled_points_hurt_and_its_film_plays(ssdr, snap):
    ssdr.locator("a:text('Unlabelled points hurt')").click()
    ssdr.wait_for_selector("text=Unlabelled points hurt here", timeout=90_000)
    ssdr.wait_for_selector("text=Expectation and maximisation took")  # the film is whole
    ready(ssdr, "fields_map")
    player, last = ssdr.locator(".st-key-fields_map"), ssdr.evaluate(SUM)
    player.locator("input[type=range]").press("Home")
    ssdr.wait_for_selector(".st-key-fields_map output:text-is('step 1')")
    assert ssdr.evaluate(SUM) != last, "the ground moves with the clouds"
    snap(ssdr, "fields-clouds")
    player.locator("select").select_option("30")  # frames a second
    player.locator("[data-do=play]").click()
    ssdr.wait_for_function(f"(sum) => {SUM} === sum", arg=last, timeout=60_000)
