"""The page "Clustering" in a real browser: it repaints while it trains, stops and continues."""

import re

import pytest
from browser.actions import click, plot, press, settle, visit

MAP = plot("clustering_map")
PLAYER = ".st-key-clustering_map input[type=range]"
COUNT = f"""() => {{ const react = Plotly.react; window.paints = [];
    document.querySelector('{MAP}').dataset.same = 'yes';
    Plotly.react = async (gd, ...figure) => {{ await react(gd, ...figure);
        if (gd.matches('{MAP}')) window.paints.push(performance.now()); }}; }}"""

FAINTEST = """async () => { let stale = false, least = 1;
    for (const end = performance.now() + 3000; performance.now() < end;) {
        await new Promise(requestAnimationFrame);
        for (const figure of document.querySelectorAll('[data-stale=true]:has(.sslviz-live)')) {
            stale = true; least = Math.min(least, getComputedStyle(figure).opacity); } }
    return [stale, least]; }"""


@pytest.fixture(scope="module")
def clusters(app, new_page):
    page = new_page(viewport={"width": 1400, "height": 1100})
    query = "data=four_clusters&four_clusters.n_samples=562&SGSC.n_hubs=100&SEDC.epochs=100"
    visit(page, f"{app}/clustering?{query}", "clustering_map", "clustering_spectrum")
    page.evaluate(COUNT)
    return page


def button(page, word: str):
    return page.locator("button").filter(has_text=re.compile(f"^{word}$")).first


def stopped_at(page) -> int:
    text = page.locator("text=/stopped at iteration/").first.inner_text()
    return int(re.search(r"iteration ([\d,]+)", text)[1].replace(",", ""))


def test_it_repaints_while_it_trains_and_a_stop_ends_that(clusters, snap):
    button(clusters, "Start").click()
    clusters.wait_for_function("window.paints.length > 9", timeout=60_000)
    rate = clusters.evaluate("5000 / (window.paints[9] - window.paints[4])")  # once it runs
    stale, faintest = clusters.evaluate(FAINTEST)
    print(f"{rate:.1f} repaints a second while it trains")
    snap(clusters, "clustering-training")
    button(clusters, "Stop here").click()
    clusters.wait_for_selector("text=/stopped at iteration/")
    settle(clusters)
    clusters.wait_for_selector(".st-key-clustering_map output:text('iteration')")
    clusters.wait_for_timeout(500)
    assert rate > 0.5
    assert not stale or faintest == 1, "figures that wait for the rerun do not fade"
    before, at = clusters.evaluate("window.paints.length"), stopped_at(clusters)
    clusters.wait_for_timeout(1000)
    assert clusters.evaluate("window.paints.length") == before, "nothing is trained any more"
    assert stopped_at(clusters) == at > 0
    assert clusters.evaluate(f"document.querySelector('{MAP}').dataset.same") == "yes"


def test_the_training_can_be_replayed(clusters):
    field = f"document.querySelector('{MAP}').data[1].z.map((row) => [...row].join()).join()"
    last = clusters.evaluate(field)
    clusters.locator(PLAYER).press("Home")
    clusters.wait_for_selector(".st-key-clustering_map output:text-is('iteration 0')")
    clusters.wait_for_function(f"(last) => {field} !== last", arg=last)
    clusters.locator(PLAYER).press("End")
    clusters.wait_for_function(f"(last) => {field} === last", arg=last)


def test_rims_have_the_colours_of_the_page(clusters):
    rims = clusters.evaluate(f"""['hubs', 'points'].map((name) => document.querySelector('{MAP}')
        .data.find((t) => t.name === name).marker.line.color.toLowerCase())""")
    assert rims == ["#1b2430", "#ffffff"]


def test_two_clicks_draw_the_path_between_two_points(clusters):
    first = click(clusters, "clustering_map", "hubs")
    clusters.wait_for_selector(f"text=/From point {first} to …/")
    settle(clusters)
    other = click(clusters, "clustering_map")
    clusters.wait_for_selector(f"text=/[Ff]rom point {first} to point {other}/")
    settle(clusters)


def test_the_probe_distance_is_its_own_and_training_continues(clusters):
    at = stopped_at(clusters)
    ratio = clusters.locator("[data-testid=stMetric]").filter(has_text="random")
    before = ratio.inner_text()
    press(clusters, ".st-key-clusters-xi", "End")
    clusters.wait_for_function(
        """(old) => [...document.querySelectorAll('[data-testid=stMetric]')]
            .some((m) => /random/.test(m.innerText) && m.innerText !== old)""",
        arg=before,
    )
    settle(clusters)
    assert stopped_at(clusters) == at
    button(clusters, "Continue").click()
    clusters.wait_for_selector("text=/Training: iteration/", timeout=60_000)
    button(clusters, "Stop here").click()
    clusters.wait_for_selector("text=/stopped at iteration/")
    assert stopped_at(clusters) > at
