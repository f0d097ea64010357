"""The page "Decision boundaries" in a real browser: it opens, repaints, answers clicks, plays."""

import re

import pytest
from browser.actions import click, plot, press, ready, settle, visit

SMALL = "two_moons.n_samples.few=562"
SSDR = f"{SMALL}&inductive.method=Discriminative+regularisation+%28SSDR%29"
PLOT = plot("inductive_map")
GROUND = f"document.querySelector('{PLOT}').data.find((t) => t.name === 'ground')"
SUM = f"[...{GROUND}.z].reduce((s, row) => s + [...row].reduce((a, b) => a + b, 0), 0)"


@pytest.fixture(scope="module")
def ssdr(app, new_page):
    page = new_page(viewport={"width": 1400, "height": 1100})
    return visit(page, f"{app}/inductive?{SSDR}", "inductive_map")


def test_a_slider_repaints_the_background_and_keeps_the_figure(ssdr):
    before = ssdr.evaluate(SUM)
    ssdr.evaluate(f"document.querySelector('{PLOT}').dataset.same = 'yes'")
    start = ssdr.evaluate("performance.now()")
    press(ssdr, ".st-key-SSDR-gamma1", "Home")
    ssdr.wait_for_function(f"(old) => {SUM} !== old", arg=before)
    print(f"repainted after {ssdr.evaluate('performance.now()') - start:.0f} ms")
    settle(ssdr)
    assert ssdr.evaluate(f"document.querySelector('{PLOT}').dataset.same") == "yes"
    ssdr.wait_for_url(re.compile(r"SSDR\.gamma1="))


def test_a_click_shows_the_kernel_of_the_point(ssdr):
    point = click(ssdr, "inductive_map")
    ssdr.wait_for_selector(f"text=/^Point {point}. Shown: the kernel/")
    settle(ssdr)


def test_a_link_opens_the_case_in_which_unlabelled_points_hurt_and_its_steps_play(ssdr, snap):
    ssdr.locator("a:text('Unlabelled points hurt')").click()
    ssdr.wait_for_selector("text=Unlabelled points hurt here", timeout=90_000)
    ssdr.wait_for_selector("text=EM converged after")  # the recording is whole
    ready(ssdr, "inductive_map")
    player, last = ssdr.locator(".st-key-inductive_map"), ssdr.evaluate(SUM)
    player.locator("input[type=range]").press("Home")
    ssdr.wait_for_selector(".st-key-inductive_map output:text-is('step 1')")
    assert ssdr.evaluate(SUM) != last, "the background changes with the components"
    snap(ssdr, "inductive-components")
    player.locator("select").select_option("30")  # frames a second
    player.locator("[data-do=play]").click()
    ssdr.wait_for_function(f"(sum) => {SUM} === sum", arg=last, timeout=60_000)
