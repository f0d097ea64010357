"""Views of embeddings in a real browser: sliders repaint, clicks explain, space and plane swap."""

import re
import time

import pytest
from browser.actions import click, plot, press, settle, visit

MAP = plot("embedding_map")
K = ".st-key-SSRLPL-n_neighbors"
P = ".st-key-embedding-p"
SMALL = "data=digits&digits.n_samples=549"


@pytest.fixture(scope="module")
def digits(app, new_page):
    page = new_page(viewport={"width": 1400, "height": 1100})
    return visit(page, f"{app}/embedding?{SMALL}", "embedding_map")


def places(page) -> str:
    return page.evaluate(f"[...document.querySelector('{MAP}').data[0].x].join()")


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
    lines = f"document.querySelector('{MAP}').data.filter((t) => t.mode === 'lines')"
    example = digits.evaluate(f"{lines}.map((t) => t.x[0])")
    assert len(example) == 6 and len(set(example)) == 1  # k = 6 since the slider was moved
    point = click(digits, "embedding_map")
    digits.wait_for_selector(f"text=/Label of point {point}$/")
    settle(digits)
    digits.wait_for_function(f"{lines}.length === 6 && {lines}[0].x[0] !== {example[0]}")


def test_more_dimensions_become_a_space_and_one_a_strip(digits, snap):
    press(digits, P, "ArrowRight")
    digits.wait_for_function(f"document.querySelector('{MAP}').data?.[0].type === 'scatter3d'")
    settle(digits)
    press(digits, P, "Home")
    digits.wait_for_function(f"""document.querySelector('{MAP}').data?.[0].type === 'scattergl'
        && document.querySelector('{MAP}').data.filter((t) => t.fill === 'toself').length === 10""")
    settle(digits)
    snap(digits, "embedding-strip")


def test_a_space_left_and_entered_again_is_the_same_scene(digits):
    scene = f"document.querySelector('{MAP}')._fullLayout?.scene?._scene"
    in_space = f"document.querySelector('{MAP}').data?.[0].type === 'scatter3d' && !!{scene}"
    for way in ("ArrowRight", "ArrowRight"):  # strips, plane, space
        press(digits, P, way)
        settle(digits)
    digits.wait_for_function(in_space)
    digits.evaluate(f"Object.assign({scene}.glplot, {{ ours: true }}).ours")
    press(digits, P, "ArrowLeft")
    digits.wait_for_function(f"document.querySelector('{MAP}').data?.[0].type === 'scattergl'")
    settle(digits)
    point = click(digits, "embedding_map")  # the plane still hears
    digits.wait_for_selector(f"text=/Label of point {point}$/")
    settle(digits)
    press(digits, P, "ArrowRight")
    digits.wait_for_function(in_space)
    assert digits.evaluate(f"{scene}.glplot.ours")
