"""Views of embeddings in a real browser: sliders repaint, clicks explain, space and plane swap."""

import re
import time

import pytest
from browser.driving import ROOT, serve

MAP = ".st-key-embedding_map .sslviz-plot"
K = ".st-key-SSRLPL-n_neighbors"
P = ".st-key-embedding-p"
SMALL = "data=digits&digits.n_samples=549"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serve(ROOT / "app.py", {"SSLVIZ_CACHE": str(tmp_path_factory.mktemp("cache"))}) as url:
        yield url


@pytest.fixture(scope="module")
def digits(address, new_page):
    page = new_page(viewport={"width": 1400, "height": 1100})
    page.goto(f"{address}/embedding?{SMALL}")
    ready(page)
    return page


def ready(page) -> None:
    page.wait_for_selector(f"{MAP}.sslviz-ready", timeout=60_000)
    settle(page)


def settle(page) -> None:
    page.wait_for_function("""() => document.querySelector(
        '[data-test-script-state=running], [data-test-script-state=rerunRequested]') === null""")
    assert page.locator("[data-testid=stException]").count() == 0


def places(page) -> str:
    return page.evaluate(f"[...document.querySelector('{MAP}').data[0].x].join()")


def press(page, slider: str, key: str) -> None:
    page.locator(f"{slider} [role=slider], {slider} input[type=range]").first.press(key)


def test_a_slider_moves_the_points(digits):
    before, start = places(digits), time.perf_counter()
    press(digits, K, "ArrowRight")
    digits.wait_for_function(
        f"(b) => [...document.querySelector('{MAP}').data[0].x].join() !== b", arg=before
    )
    print(f"repainted after {time.perf_counter() - start:.2f} s")
    settle(digits)
    assert re.search(r"SSRLPL\.n_neighbors=6", digits.url)


def test_a_click_shows_the_labelled_neighbours(digits):
    point, x, y = digits.evaluate(f"""() => {{
        const gd = document.querySelector('{MAP}'), l = gd._fullLayout, t = gd.data[0];
        gd.scrollIntoView({{ block: 'center' }});
        const given = new Set(gd.data.find((d) => d.name === 'given labels').customdata);
        const box = gd.getBoundingClientRect(), at = (i) =>
            [l.xaxis._offset + l.xaxis.d2p(t.x[i]), l.yaxis._offset + l.yaxis.d2p(t.y[i])];
        const all = [...t.x.keys()].map(at);
        const room = (i) => Math.min(...all.map((p, j) => j === i ? 1e9 :
            Math.hypot(p[0] - all[i][0], p[1] - all[i][1])));
        const i = [...t.x.keys()].filter((i) => !given.has(i)).sort((a, b) => room(b) - room(a))[0];
        return [i, box.left + all[i][0], box.top + all[i][1]]; }}""")
    lines = f"document.querySelector('{MAP}').data.filter((t) => t.mode === 'lines').length"
    assert digits.evaluate(lines) == 0
    digits.mouse.move(x + 1, y + 1)
    digits.mouse.move(x, y)
    digits.mouse.click(x, y)
    digits.wait_for_selector(f"text=/Point {point}, truly/")
    settle(digits)
    digits.wait_for_function(f"{lines} === 6")  # k = 6 since the slider was moved


def test_more_dimensions_become_a_space_and_one_a_strip(digits, snap):
    press(digits, P, "ArrowRight")
    digits.wait_for_function(f"document.querySelector('{MAP}').data?.[0].type === 'scatter3d'")
    settle(digits)
    press(digits, P, "Home")
    digits.wait_for_function(f"""document.querySelector('{MAP}').data?.[0].type === 'scattergl'
        && document.querySelector('{MAP}').data.filter((t) => t.fill === 'toself').length === 10""")
    settle(digits)
    snap(digits, "embedding-strip")


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (390, "dark")])
def test_looks(address, new_page, snap, scheme, width):
    page = new_page(viewport={"width": width, "height": 1400}, color_scheme=scheme)
    page.goto(f"{address}/embedding?{SMALL}&embedding.part=Unseen%20points")
    ready(page)
    page.wait_for_selector(".st-key-embedding_small_2 .sslviz-ready")
    wider = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wider <= 0, "nothing may stick out sideways"
    snap(page, f"embedding-{scheme}-{width}")
