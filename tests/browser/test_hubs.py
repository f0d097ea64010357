"""Hubs and presets in a real browser: linked maps, clicks, the player, settings."""

import re

import pytest
from browser.actions import click, colours, plot, press, ready, settle, stand, visit, words

SMALL = "two_moons.n_samples=562"
H = ".st-key-hubs-h"


@pytest.fixture(scope="module")
def hubs(app, new_page):
    page = new_page(viewport={"width": 1600, "height": 1100})
    return visit(page, f"{app}/hubs?{SMALL}", "hubs_1", "hubs_2", "hubs_3")


LEFT = "(w) => document.querySelector('{}')._fullLayout.xaxis.range[0]"


def view(page, key: str) -> list[float]:
    return page.evaluate(f"""() => {{ const l = document.querySelector('{plot(key)}')._fullLayout;
        return [...l.xaxis.range, ...l.yaxis.range].map(Number); }}""")


def count(page, key: str, name: str) -> int:
    """How many points a trace of a figure has."""
    return page.evaluate(f"""() => document.querySelector('{plot(key)}').data
        .filter((t) => t.name === '{name}').reduce((n, t) => n + t.x.length, 0)""")


def test_the_slider_changes_the_hubs_in_all_maps(hubs):
    before = count(hubs, "hubs_1", "hubs")
    press(hubs, H, "ArrowRight")
    hubs.wait_for_function(f"""() => document.querySelector('{plot("hubs_1")}').data
        .some((t) => t.name === 'hubs' && t.x.length === {before + 1})""")
    settle(hubs)
    assert count(hubs, "hubs_2", "hubs") == before + 1
    hubs.wait_for_url(re.compile(rf"hubs\.h={before + 1}"))


def test_moving_one_map_moves_all_and_a_slider_keeps_the_view(hubs):
    box = hubs.locator(plot("hubs_1")).bounding_box()
    hubs.mouse.click(box["x"] + 12, box["y"] + box["height"] - 12)
    hubs.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    whole = view(hubs, "hubs_3")
    hubs.mouse.wheel(0, -300)
    hubs.wait_for_function(LEFT.format(plot("hubs_3")) + " > w", arg=whole[0])
    hubs.wait_for_timeout(500)  # plotly stores the range some time after the last turn of the wheel
    assert view(hubs, "hubs_3") == pytest.approx(view(hubs, "hubs_1"), abs=1e-3)
    assert view(hubs, "hubs_2") == pytest.approx(view(hubs, "hubs_1"), abs=1e-3)
    kept, before = view(hubs, "hubs_3"), count(hubs, "hubs_1", "hubs")
    press(hubs, H, "ArrowRight")
    hubs.wait_for_function(f"""() => document.querySelector('{plot("hubs_1")}').data
        .some((t) => t.name === 'hubs' && t.x.length === {before + 1})""")
    settle(hubs)
    for key in ("hubs_1", "hubs_2", "hubs_3"):
        assert view(hubs, key) == pytest.approx(kept, abs=1e-3)
    hubs.mouse.move(box["x"] + 12, box["y"] + box["height"] - 12)  # there is no point
    hubs.wait_for_function(f"!document.querySelector('{plot('hubs_1')}').dataset.hovered")
    hubs.mouse.dblclick(box["x"] + 12, box["y"] + box["height"] - 12)
    hubs.wait_for_function(LEFT.format(plot("hubs_3")) + " < w + .1", arg=whole[0])


def test_a_click_draws_the_paths_to_the_voters(hubs):
    point = click(hubs, "hubs_1")
    hubs.wait_for_selector(f"text=/Votes for point {point}/")
    settle(hubs)
    lines = hubs.evaluate(f"""() => document.querySelector('{plot("hubs_3")}').data
        .filter((t) => t.mode === 'lines').map((t) => t.x.length)""")
    assert lines and max(lines) >= 2, "paths along the graph"


def test_the_player_ends_with_the_vote(hubs, snap):
    player = hubs.locator(".st-key-hubs_3")
    player.scroll_into_view_if_needed()
    vote = colours(hubs, "hubs_3")
    player.locator("input[type=range]").press("Home")
    hubs.wait_for_selector(".st-key-hubs_3 output:text('away')")
    assert colours(hubs, "hubs_3") != vote
    snap(hubs, "hubs-fronts")
    player.locator("select").select_option("30")  # frames a second
    player.locator("[data-do=play]").click()
    hubs.wait_for_selector(".st-key-hubs_3 output:text('vote')", timeout=60_000)
    assert colours(hubs, "hubs_3") == vote


def test_a_click_on_a_cell_takes_its_setting(hubs, snap):
    hubs.locator(".st-key-hubs-grid label").first.click()
    cells = ".st-key-grid_truth .sslviz-plot"
    hubs.wait_for_selector(f"{cells}.sslviz-ready", timeout=60_000)
    settle(hubs)
    stand(hubs, cells)
    x, y, k, h = hubs.evaluate(f"""() => {{
        const gd = document.querySelector('{cells}'), l = gd._fullLayout, t = gd.data[0];
        const box = gd.getBoundingClientRect();
        return [box.left + l.xaxis._offset + l.xaxis.d2p(2),
                box.top + l.yaxis._offset + l.yaxis.d2p(1), t.y[1], t.x[2]]; }}""")
    hubs.mouse.move(x - 4, y - 4)
    hubs.mouse.move(x, y, steps=3)
    hubs.wait_for_selector(f"{cells}[data-hovered]")
    hubs.mouse.click(x, y)
    hubs.wait_for_url(re.compile(rf"(?=.*hubs\.h={h})(?=.*RobustLabelPrediction\.k_hub={k})"))
    settle(hubs)
    assert h in words(hubs, H)
    framed = hubs.evaluate(f"document.querySelector('{cells}').layout.shapes.length")
    assert framed == 1
    snap(hubs, "hubs-grid")


def test_a_preset_sets_everything_whatever_was_set_before(app, hubs):
    page = hubs
    query = f"{SMALL}&method=Label+spreading&labels=7&mistakes=true"
    visit(page, f"{app}/propagation?{query}", "propagation_map")
    for _ in range(2):
        page.locator("[data-testid=stSidebarNavLink]:has-text('Failures')").click()
        page.wait_for_selector(".st-key-open-bridge button")
        settle(page)  # pictures not loaded yet would be lost with their page
        page.wait_for_function("[...document.images].every((i) => i.complete && i.naturalWidth)")
        page.locator(".st-key-open-bridge button").click()
        page.wait_for_url(re.compile(r"/propagation\?.*versus\.LabelPropagation\.n_neighbors=50"))
        ready(page, "propagation_map", "propagation_versus")
        assert "Label propagation" in page.locator(".st-key-method").inner_html()
        assert "50" in words(page, ".st-key-versus-LabelPropagation-n_neighbors")
        assert re.search(r"labels=1(&|$)", page.url)
        assert "mistakes" not in page.url and "=562" not in page.url
        assert count(page, "propagation_map", "points") == 215
        # now move things, and open it again
        slider = ".st-key-versus-LabelPropagation-n_neighbors"
        press(page, slider, "Home")
        page.wait_for_url(re.compile(r"n_neighbors=2(&|$)"))
        settle(page)
