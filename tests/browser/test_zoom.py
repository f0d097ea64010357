"""A view that the user has chosen stays while sliders move, on figures of every kind of axes."""

import pytest
from browser.actions import plot, press, settle, stand, turn_to, visit

PLACES = {
    "ranges of a ground": ("Decision boundaries", "inductive_map", "LapRLS-lam1"),
    "equal scales": ("Label propagation", "propagation_map", "LabelPropagation-n_neighbors"),
    "ranges of a film": ("FLP", "flp_map", "FLP-outer"),
    "another map": ("Embeddings", "embedding_map", "SSRLPL-n_neighbors"),
}


@pytest.fixture(scope="module")
def page(app, new_page):
    page = new_page(viewport={"width": 1400, "height": 1000})
    return visit(page, f"{app}/graph?data=iris&iris.n_samples=90", "graph_map")


@pytest.mark.parametrize("kind", PLACES)
def test_moved_and_zoomed_it_stays_there_until_all_is_asked_for(page, kind):
    title, key, slider = PLACES[kind]
    turn_to(page, title, key)
    figure = page.locator(plot(key))
    stand(page, plot(key))
    seen = f"""() => {{ const layout = document.querySelector('{plot(key)}')._fullLayout;
        return [...layout.xaxis.range, ...layout.yaxis.range]; }}"""
    before, box = page.evaluate(seen), figure.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y + 40, steps=5)
    page.mouse.up()
    page.wait_for_function(f"(old) => Math.abs(({seen})()[0] - old) > 1e-3", arg=before[0])
    page.mouse.wheel(0, -300)
    page.wait_for_timeout(500)  # plotly waits for more turns of the wheel
    moved, drawn = page.evaluate(seen), f"document.querySelector('{plot(key)}').data"
    if kind == "ranges of a ground":
        assert page.evaluate(f"{drawn}.some((t) => t.name === 'ground')")
    page.evaluate(f"window.last = {drawn}")
    press(page, f".st-key-{slider}", "ArrowRight")
    page.wait_for_function(f"window.last !== {drawn}")
    settle(page)
    assert page.evaluate(seen) == pytest.approx(moved, abs=1e-9)
    page.locator(f"{plot(key)} .modebar-btn[data-val=reset]").dispatch_event("click")
    page.wait_for_function(f"(old) => ({seen})()[0] !== old", arg=moved[0])
    if kind != "another map":  # whose points have moved
        assert page.evaluate(seen) == pytest.approx(before, abs=0.05 * (before[1] - before[0]))
