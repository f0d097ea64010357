"""The page of fields in a real browser: it opens, repaints, answers a click, plays its film."""

import re

import pytest
from browser.driving import ROOT, serve

SMALL = "two_moons.n_samples.few=562"
SSDR = f"{SMALL}&field_method=Discriminative+regularisation+%28SSDR%29"
PLOT = ".st-key-fields_map .sslviz-plot"
GROUND = f"document.querySelector('{PLOT}').data.find((t) => t.name === 'ground')"
SUM = f"[...{GROUND}.z].reduce((s, row) => s + [...row].reduce((a, b) => a + b, 0), 0)"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serve(ROOT / "app.py", {"SSLVIZ_CACHE": str(tmp_path_factory.mktemp("cache"))}) as url:
        yield url


def shown(page, address: str, query: str):
    page.goto(f"{address}/fields?{query}")
    page.wait_for_selector(f"{PLOT}.sslviz-ready", timeout=90_000)
    settle(page)
    return page


def settle(page) -> None:
    page.wait_for_function("""() => document.querySelector(
        '[data-test-script-state=running], [data-test-script-state=rerunRequested]') === null""")
    assert page.locator("[data-testid=stException]").count() == 0


@pytest.fixture(scope="module")
def ssdr(address, new_page):
    return shown(new_page(viewport={"width": 1400, "height": 1100}), address, SSDR)


def test_a_slider_repaints_the_field_and_keeps_the_figure(ssdr):
    before = ssdr.evaluate(SUM)
    ssdr.evaluate(f"document.querySelector('{PLOT}').dataset.same = 'yes'")
    start = ssdr.evaluate("performance.now()")
    slider = ".st-key-SSDR-gamma1"
    ssdr.locator(f"{slider} [role=slider], {slider} input").first.press("Home")
    ssdr.wait_for_function(f"(old) => {SUM} !== old", arg=before)
    print(f"repainted after {ssdr.evaluate('performance.now()') - start:.0f} ms")
    settle(ssdr)
    assert ssdr.evaluate(f"document.querySelector('{PLOT}').dataset.same") == "yes"
    ssdr.wait_for_url(re.compile(r"SSDR\.gamma1="))


def test_a_click_shows_what_the_point_is_felt_like(ssdr):
    x, y = ssdr.evaluate(f"""() => {{
        const gd = document.querySelector('{PLOT}'), l = gd._fullLayout, t = gd.data[0];
        gd.scrollIntoView({{ block: 'center' }});
        const box = gd.getBoundingClientRect();
        return [box.left + l.xaxis._offset + l.xaxis.d2p(t.x[7]),
                box.top + l.yaxis._offset + l.yaxis.d2p(t.y[7])]; }}""")
    ssdr.mouse.move(x - 20, y - 20)
    ssdr.mouse.move(x, y, steps=3)
    ssdr.wait_for_selector(f"{PLOT}[data-hovered]")
    ssdr.mouse.click(x, y)
    ssdr.wait_for_selector("text=/^Point [0-9]+: how strongly/")
    settle(ssdr)


def test_a_link_opens_the_case_in_which_unlabelled_points_hurt_and_its_film_plays(ssdr, snap):
    ssdr.locator("a:text('Unlabelled points hurt')").click()
    ssdr.wait_for_selector(f"{PLOT}.sslviz-ready", timeout=90_000)
    ssdr.wait_for_selector("text=Unlabelled points hurt here")
    settle(ssdr)
    player, last = ssdr.locator(".st-key-fields_map"), ssdr.evaluate(SUM)
    player.locator("input[type=range]").press("Home")
    ssdr.wait_for_selector(".st-key-fields_map output:text-is('step 1')")
    assert ssdr.evaluate(SUM) != last, "the ground moves with the clouds"
    snap(ssdr, "fields-clouds")
    player.locator("[data-do=play]").click()
    ssdr.wait_for_function(f"(sum) => {SUM} === sum", arg=last, timeout=60_000)


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (390, "dark")])
def test_looks(address, new_page, snap, width, scheme):
    page = new_page(viewport={"width": width, "height": 1000}, color_scheme=scheme)
    shown(page, address, f"{SMALL}&fields.spanning=true")
    wider = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wider <= 0, "nothing may stick out sideways"
    snap(page, f"fields-{scheme}-{width}")
