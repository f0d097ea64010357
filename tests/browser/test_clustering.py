"""The page of clusters in a real browser: it repaints while it learns, stops at once, goes on."""

import re

import pytest
from browser.actions import click, plot, press, settle, visit

MAP = plot("clusters_map")
PLAYER = ".st-key-clusters_map input[type=range]"
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
    query = "data=four_clusters&four_clusters.n_samples=562&SGSC.n_hubs=100"
    visit(page, f"{app}/clustering?{query}", "clusters_map", "clusters_spectrum")
    page.evaluate(COUNT)
    return page


def button(page, icon: str):
    return page.locator(f".st-key-open-clusters-{icon} button").first


def stopped_at(page) -> int:
    text = page.locator("text=/^Stopped at iteration/").inner_text()
    return int(re.search(r"iteration ([\d,]+)", text)[1].replace(",", ""))


def test_it_repaints_while_it_learns_and_a_pause_stops_it(clusters, snap):
    button(clusters, "play_arrow").click()
    clusters.wait_for_function("window.paints.length > 9", timeout=60_000)
    rate = clusters.evaluate("5000 / (window.paints[9] - window.paints[4])")  # once it runs
    stale, faintest = clusters.evaluate(FAINTEST)
    print(f"{rate:.1f} repaints a second while it learns")
    snap(clusters, "clustering-learning")
    clusters.evaluate("(window.paints.length = 0, window.pressed = performance.now())")
    button(clusters, "pause").click()
    clusters.wait_for_selector("text=/^Stopped at iteration/")
    settle(clusters)
    clusters.wait_for_selector(".st-key-clusters_map output:text('iteration')")
    clusters.wait_for_timeout(500)
    count, last = clusters.evaluate(
        "[window.paints.length, Math.max(0, ...window.paints.map((t) => t - window.pressed))]"
    )
    print(f"last of {count} repaints {last:.0f} ms after pause was pressed")
    assert rate > 1
    assert stale and faintest == 1, "figures that wait for the rerun do not fade"
    before = clusters.evaluate("window.paints.length")
    clusters.wait_for_timeout(1000)
    assert clusters.evaluate("window.paints.length") == before, "nothing learns any more"
    assert clusters.evaluate(f"document.querySelector('{MAP}').dataset.same") == "yes"


def test_what_was_learnt_can_be_scrubbed(clusters):
    ground = f"document.querySelector('{MAP}').data[1].z.map((row) => [...row].join()).join()"
    last = clusters.evaluate(ground)
    clusters.locator(PLAYER).press("Home")
    clusters.wait_for_selector(".st-key-clusters_map output:text-is('iteration 0')")
    clusters.wait_for_function(f"(last) => {ground} !== last", arg=last)
    clusters.locator(PLAYER).press("End")
    clusters.wait_for_function(f"(last) => {ground} === last", arg=last)


def test_rims_have_the_colours_of_the_page(clusters):
    rims = clusters.evaluate(f"""['hubs', 'points'].map((name) => document.querySelector('{MAP}')
        .data.find((t) => t.name === name).marker.line.color.toLowerCase())""")
    assert rims == ["#1b2430", "#ffffff"]


def test_two_clicks_draw_the_way_between_two_points(clusters):
    first = click(clusters, "clusters_map", "hubs")
    clusters.wait_for_selector(f"text=/^From point {first} to …/")
    settle(clusters)
    other = click(clusters, "clusters_map")
    clusters.wait_for_selector(f"text=/From point {first} to (point )?{other}/")
    settle(clusters)


def test_it_goes_on_and_the_look_ahead_is_its_own(clusters):
    at = stopped_at(clusters)
    ratio = clusters.locator(".stMetric, [data-testid=stMetric]").filter(has_text="random")
    before = ratio.inner_text()
    press(clusters, ".st-key-clusters-xi", "End")
    clusters.wait_for_function(
        """(old) => [...document.querySelectorAll('[data-testid=stMetric]')]
            .some((m) => /random/.test(m.innerText) && m.innerText !== old)""",
        arg=before,
    )
    settle(clusters)
    assert stopped_at(clusters) == at
    button(clusters, "skip_next").click()
    following = (at // 100 + 1) * 100
    clusters.wait_for_selector(f"text=/^(Stopped at iteration|All) {following:,}/", timeout=60_000)
    settle(clusters)
