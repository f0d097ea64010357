"""The page "Networks" in a real browser: it repaints while it trains, stops and continues."""

import re

import pytest
from browser.actions import plot, settle, visit

MAP = plot("network_map")
COUNT = f"""() => {{ const react = Plotly.react; window.paints = [];
    document.querySelector('{MAP}').dataset.same = 'yes';
    Plotly.react = async (gd, ...figure) => {{ await react(gd, ...figure);
        if (gd.matches('{MAP}')) window.paints.push(performance.now()); }}; }}"""

ALWAYS_ON_STAGE = """async () => { const first = window.paints.length; let always = true;
    while (window.paints.length < first + 4) {
        await new Promise(requestAnimationFrame);
        always &&= !!document.querySelector('.st-key-network_map[data-sslviz-stage]'); }
    return always; }"""


@pytest.fixture(scope="module")
def network(app, new_page):
    page = new_page(viewport={"width": 1400, "height": 1100})
    query = "network.method=VAT+classifier&VATClassifier.epochs=300"  # 2,000 points
    visit(page, f"{app}/network?{query}", "network_map", "network_training")
    page.evaluate(COUNT)
    return page


def button(page, word: str):
    return page.locator("button").filter(has_text=re.compile(f"^{word}$")).first


def stopped_at(page) -> int:
    text = page.locator("text=/stopped at iteration/").first.inner_text()
    return int(re.search(r"iteration ([\d,]+)", text)[1].replace(",", ""))


def test_it_repaints_while_it_trains_and_a_stop_ends_that(network, snap):
    button(network, "Start").click()
    network.wait_for_function("window.paints.length > 9", timeout=60_000)
    rate = network.evaluate("5000 / (window.paints[9] - window.paints[4])")  # once it runs
    print(f"{rate:.1f} repaints a second while it trains")
    snap(network, "network-training")
    button(network, "Stop here").click()
    network.wait_for_selector("text=/stopped at iteration/")
    settle(network)
    network.wait_for_selector(".st-key-network_map output:text('iteration')")
    network.wait_for_timeout(500)
    assert rate > 0.5
    before, at = network.evaluate("window.paints.length"), stopped_at(network)
    network.wait_for_timeout(1000)
    assert network.evaluate("window.paints.length") == before, "nothing is trained any more"
    assert stopped_at(network) == at > 0
    assert network.evaluate(f"document.querySelector('{MAP}').dataset.same") == "yes"


def test_a_stopped_training_shows_arrows_and_continues(network):
    at = stopped_at(network)
    network.wait_for_selector(".st-key-arrows .sslviz-ready", timeout=60_000)
    button(network, "Continue").click()
    network.wait_for_selector("text=/Training: iteration/", timeout=60_000)
    button(network, "Present").click()
    assert network.evaluate(ALWAYS_ON_STAGE), "the presenter view shows the map all the time"
    network.keyboard.press("Escape")
    button(network, "Stop here").click()
    network.wait_for_selector("text=/stopped at iteration/")
    assert stopped_at(network) > at
