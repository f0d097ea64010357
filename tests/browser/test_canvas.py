"""Paint two classes with the mouse: they become a data set, of this page and the next."""

import numpy as np
from browser.actions import plot, ready, settle, turn_to, visit

from sslviz import data
from sslviz.data import uploads

BOARD = ".sslviz-draw-board canvas"
SAID = ".sslviz-draw output"


def opened(page) -> None:
    page.get_by_role("button", name="Draw your own").click()
    page.wait_for_selector(BOARD)
    settle(page)


def stroke(page, *places: tuple[float, float]) -> None:
    """Draw along these places, given as shares of the canvas."""
    box = page.locator(BOARD).bounding_box()
    at = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in places]
    page.mouse.move(*at[0])
    page.mouse.down()
    for place in at[1:]:
        page.mouse.move(*place, steps=8)
    page.mouse.up()


def shown(page, key: str, count: int) -> None:
    """Wait until a figure shows so many points."""
    named = f"document.querySelector('{plot(key)}')?.data?.flatMap((t) => [...t.customdata ?? []])"
    drawn = f"(n) => new Set({named}).size === n"
    page.wait_for_function(drawn, arg=count)


def painted(page) -> list[int]:
    return page.evaluate("window.sslvizDrawing.points")


def test_points_painted_with_the_mouse_become_a_set(app, page, snap, tmp_path, monkeypatch):
    visit(page, f"{app}/graph?two_moons.n_samples=316", "graph_map")
    opened(page)
    stroke(page, (0.1, 0.3), (0.5, 0.3))
    page.wait_for_selector(f"{SAID}:text('second colour')")
    assert page.locator("[data-do=use]").is_disabled()
    first = painted(page)
    page.keyboard.press("3")
    page.locator(".sslviz-draw-brushes label", has_text="Point").click()
    stroke(page, (0.2, 0.7), (0.9, 0.7))
    page.wait_for_selector(f"{SAID}:text('in 2 classes')")
    both = np.array(painted(page)).reshape(-1, 3)
    chain = both[both[:, 2] == 2]
    assert both[: len(first) // 3].ravel().tolist() == first and set(both[:, 2]) == {0, 2}
    assert len(chain) > 20 and np.ptp(chain[:, 1]) <= 20 and np.ptp(chain[:, 0]) > 3900
    page.locator(".sslviz-draw-brushes label", has_text="Erase").click()
    stroke(page, (0.9, 0.7), (0.7, 0.7))
    fewer = np.array(painted(page)).reshape(-1, 3)
    assert len(first) // 3 < len(fewer) < len(both) and fewer[:, 0].max() < 1200
    page.keyboard.press("Control+z")
    np.testing.assert_array_equal(np.array(painted(page)).reshape(-1, 3), both)
    snap(page, "drawing")
    with page.expect_download() as saved:
        page.locator("[data-do=csv]").click()
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path))
    table = data.load(uploads.store_upload("drawing.csv", saved.value.path().read_bytes()))
    np.testing.assert_allclose(1000 * table.X, both[:, :2], atol=1e-9)

    page.keyboard.press("Escape")  # leaves, and loses nothing
    page.wait_for_selector(BOARD, state="detached")
    settle(page)
    page.reload()
    ready(page, "graph_map")
    opened(page)
    np.testing.assert_array_equal(np.array(painted(page)).reshape(-1, 3), both)
    page.locator("[data-do=use]").click()
    page.wait_for_function("location.search.includes('data=drawing-')")
    page.wait_for_selector(BOARD, state="detached")
    page.wait_for_selector(f"text=/Shown: {len(both)} points, 2 features, 2 classes/")
    shown(page, "graph_map", len(both))
    turn_to(page, "Label propagation", "propagation_map")
    shown(page, "propagation_map", len(both))
    assert page.locator("text=/class 2/").first.is_visible()
    opened(page)
    assert set(painted(page)[2::3]) == {0, 1}, "in the colours the pages show"
    stroke(page, (0.5, 0.5), (0.6, 0.5))
    page.locator("[data-do=use]").click()
    shown(page, "propagation_map", len(painted(page)) // 3)
    assert len(painted(page)) > both.size
