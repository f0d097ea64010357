"""The live figure in a real browser: what a user does to it stays, and reaches Python once."""

from typing import Any

import pytest
from browser.actions import (
    PLOT,
    STATE,
    events,
    hover,
    set_size,
    settle,
    show,
    still,
    wait_for_events,
    where,
    where3d,
    zoom,
)


@pytest.fixture(scope="module")
def flat_page(demo, new_page) -> Any:
    return show(new_page(), demo, "view=flat&drag=zoom")


@pytest.fixture
def flat(flat_page) -> Any:
    """The flat figure with all of it in view, whatever the test before did."""
    flat_page.mouse.move(5, 5)
    flat_page.evaluate("document.querySelector('.modebar-btn[data-val=reset]').click()")
    flat_page.wait_for_function(f"{STATE}.xaxis.range[0] < 0")
    return flat_page


@pytest.fixture(scope="module")
def space(demo, new_page) -> Any:
    return show(new_page(), demo, "view=space")


@pytest.fixture(scope="module")
def frames(demo, new_page) -> Any:
    return show(new_page(), demo, "view=frames&drag=zoom")


def test_a_slider_changes_the_picture_and_keeps_the_zoom(flat, snap):
    flat.evaluate(f"document.querySelector('{PLOT}').mine = true")
    kept = zoom(flat)
    before = flat.evaluate(f"document.querySelector('{PLOT}')._fullData[0].marker.size")
    assert set_size(flat, "ArrowRight") == before + 1
    assert flat.evaluate(f"{STATE}.xaxis.range") == kept
    assert flat.evaluate(
        f"document.querySelector('{PLOT}').mine"
    )  # the same element, not a new one
    snap(flat, "live-zoomed")


@pytest.mark.parametrize("mode", ["zoom", "pan", "lasso"])
def test_a_click_reaches_python_once_whatever_dragging_does(flat, mode):
    flat.evaluate(
        f"(mode) => Plotly.relayout(document.querySelector('{PLOT}'), {{dragmode: mode}})", mode
    )
    before = len(events(flat))
    at = where(flat, 3, 1)  # marker 8 of 25: the demo counts names down from 1024
    hover(flat, at, 1016)
    flat.mouse.click(*at)
    new = wait_for_events(flat, before + 1)[before:]
    assert new == [("click", 1016, None, before + 1, ())]
    flat.evaluate(f"Plotly.relayout(document.querySelector('{PLOT}'), {{dragmode: 'zoom'}})")


def test_a_box_around_points_reaches_python(flat):
    flat.evaluate(f"Plotly.relayout(document.querySelector('{PLOT}'), {{dragmode: 'select'}})")
    before = len(events(flat))
    flat.mouse.move(*where(flat, 1.5, 1.5))
    flat.mouse.down()
    flat.mouse.move(*where(flat, 3.5, 2.5), steps=5)
    flat.mouse.up()
    kind, point, _, _, points = wait_for_events(flat, before + 1)[-1]
    assert (kind, point, sorted(points)) == ("select", None, [1011, 1012])
    flat.evaluate(f"""Plotly.update(document.querySelector('{PLOT}'), {{selectedpoints: null}},
        {{dragmode: 'zoom', selections: []}})""")


def test_a_double_click_that_resets_the_view_labels_nothing(flat):
    at = where(flat, 4, 2)  # a point, but between points while zoomed
    zoom(flat)
    before = len(events(flat))
    flat.mouse.dblclick(*at)
    flat.wait_for_function(f"{STATE}.xaxis.range[0] < 0")
    set_size(flat, "ArrowRight")  # a run of the script that would bring an event to light
    assert len(events(flat)) == before


def test_two_equal_clicks_are_two_events_however_quick(flat):
    kept = zoom(flat)
    before = len(events(flat))
    at = where(flat, 2, 2)
    hover(flat, at, 1012)
    flat.mouse.dblclick(*at)
    wait_for_events(flat, before + 2)
    assert [e[:2] for e in events(flat)[before:]] == [("click", 1012)] * 2
    assert flat.evaluate(f"{STATE}.xaxis.range") == kept
    set_size(flat, "ArrowLeft")  # another run of the script delivers nothing again
    assert len(events(flat)) == before + 2


def test_no_key_is_lost_while_the_script_is_busy(flat):
    flat.locator(".st-key-slow label").click()
    flat.wait_for_selector("[data-test-script-state=running]")
    before = len(events(flat))
    hover(flat, where(flat, 4, 4), 1000)
    for key in "0123456789":
        flat.keyboard.press(key)
    new = wait_for_events(flat, before + 10)[before:]
    assert [e[:3] for e in new] == [("key", 1000, key) for key in "0123456789"]
    flat.locator(".st-key-slow label").click()
    settle(flat)


def test_keys_name_the_point_under_the_cursor(flat):
    before = len(events(flat))
    hover(flat, where(flat, 2, 2), 1012)
    for i, key in enumerate(("7", "R", "Delete")):  # r alone would make Streamlit run again
        flat.keyboard.press(key)
        wait_for_events(flat, before + i + 1)
    assert [e[:3] for e in events(flat)[before:]] == [
        ("key", 1012, "7"),
        ("key", 1012, "r"),
        ("key", 1012, "Delete"),
    ]


def test_a_point_that_has_moved_away_under_the_cursor_is_not_labelled(flat):
    before = len(events(flat))
    hover(flat, where(flat, 2, 2), 1012)
    flat.evaluate("document.querySelector('.sslviz-live').style.marginTop = '70px'")
    flat.keyboard.press("1")
    flat.evaluate("document.querySelector('.sslviz-live').style.marginTop = ''")
    hover(flat, where(flat, 1, 2), 1013)
    flat.keyboard.press("2")
    assert [e[:3] for e in wait_for_events(flat, before + 1)[before:]] == [("key", 1013, "2")]


def test_the_image_of_the_hovered_point_appears(flat, snap):
    hover(flat, where(flat, 1, 2), 1013)  # marker 11: name 1013, tile 13 of sheet 10
    flat.wait_for_selector(".sslviz-thumb[data-point='1013']:not([hidden])")
    style = flat.evaluate("""() => {
        const s = getComputedStyle(document.querySelector('.sslviz-thumb'));
        return [s.width, s.height, s.backgroundPosition, s.backgroundSize]; }""")
    assert style == ["96px", "96px", "-288px -96px", "960px auto"]
    snap(flat, "live-thumbnail")
    sheet = [url for url in flat.asked if url.endswith(".png") and "internals.files" in url]
    assert len(sheet) == 1  # of eleven sheets only the one that was needed
    flat.mouse.move(5, 5)
    flat.wait_for_selector(".sslviz-thumb", state="hidden")


def test_the_wheel_scrolls_the_page_until_the_figure_has_focus(flat):
    flat.locator("text=/^size /").click()
    start = flat.evaluate(f"{STATE}.xaxis.range")
    flat.mouse.move(*where(flat, 2.5, 2.5))
    flat.mouse.wheel(0, -120)
    flat.mouse.click(*where(flat, 2.5, 2.5))
    assert flat.evaluate(f"{STATE}.xaxis.range") == start
    flat.mouse.wheel(0, -120)
    flat.wait_for_function(f"(old) => {STATE}.xaxis.range[0] > old", arg=start[0])
    still(flat, f"{STATE}.xaxis.range")  # plotly notes the range some time after the last turn


def test_the_theme_recolours_and_keeps_the_zoom(flat, snap):
    kept = zoom(flat)
    light = flat.evaluate(f"{STATE}.font.color")
    flat.emulate_media(color_scheme="dark")
    flat.wait_for_function(f"(old) => {STATE}.font.color !== old", arg=light)
    text = """() => getComputedStyle(document.querySelector('.sslviz-live'))
        .getPropertyValue('--st-text-color').trim()"""
    assert flat.evaluate(f"{STATE}.font.color") == flat.evaluate(text)
    assert flat.evaluate(f"{STATE}.xaxis.range") == kept
    snap(flat, "live-dark")
    flat.emulate_media(color_scheme="light")
    flat.wait_for_function(f"(old) => {STATE}.font.color === old", arg=light)


def test_a_scene_keeps_its_camera_and_turning_is_no_click(space, snap):
    camera = f"{STATE}.scene._scene.getCamera().eye"
    assert not space.locator(".sslviz-key").is_visible(), "without a legend there is none"
    before, start = space.evaluate(camera), where3d(space, 4, 4, 2)
    hover(space, start, 1000)
    space.mouse.down()
    space.mouse.move(start[0] - 120, start[1] + 30, steps=6)
    space.mouse.up()
    space.wait_for_function(f"(old) => Math.abs({camera}.x - old) > .1", arg=before["x"])
    turned = still(space, camera)
    set_size(space, "ArrowRight")
    now = space.evaluate(camera)
    assert all(now[a] == pytest.approx(turned[a], abs=1e-6) for a in "xyz")
    assert events(space) == []
    snap(space, "live-space")


def test_a_click_in_a_scene_reaches_python_once(space):
    at = where3d(space, 4, 4, 2)  # the corner nearest to the camera, the last of 75
    hover(space, at, 1000)
    before = len(events(space))
    space.mouse.click(*at)
    assert wait_for_events(space, before + 1)[before:] == [("click", 1000, None, before + 1, ())]
    space.keyboard.press("5")
    assert wait_for_events(space, before + 2)[-1][:3] == ("key", 1000, "5")


def colours(page) -> list[int]:
    return page.evaluate(
        f"[...document.querySelector('{PLOT}')._fullData[0].marker.color].slice(0, 3)"
    )


def at_frame(page, name: str) -> None:
    page.wait_for_function(
        "(name) => document.querySelector('output').textContent === name", arg=name
    )


def test_the_player_opens_at_the_result_and_scrubs(frames, snap):
    at_frame(frames, "step 11")
    frames.locator("input[type=range][aria-label=Frame]").fill("4")
    at_frame(frames, "step 4")
    frames.wait_for_function(f"document.querySelector('{PLOT}')._fullData[0].marker.color[0] === 1")
    assert colours(frames) == [1, 2, 0]  # (i + 4) % 3
    snap(frames, "live-frames")


def test_playing_shows_every_frame_and_keeps_the_zoom(frames):
    kept = zoom(frames)
    frames.select_option("select[aria-label=Speed]", "30")
    frames.evaluate("""() => { window.seen = []; new MutationObserver(() => seen.push(
        document.querySelector('output').textContent)).observe(document.querySelector('output'),
        {childList: true}); }""")
    frames.get_by_label("First frame").click()
    at_frame(frames, "step 0")
    frames.get_by_label("Play", exact=True).click()
    at_frame(frames, "step 11")
    frames.wait_for_selector("[aria-label=Play]")
    seen = frames.evaluate("[...new Set(seen)]")
    assert seen == [f"step {t}" for t in range(12)]
    assert colours(frames) == [2, 0, 1]
    assert frames.evaluate(f"{STATE}.xaxis.range") == kept


def test_keys_drive_the_player_when_the_figure_has_focus(frames):
    frames.locator(PLOT).focus()
    frames.keyboard.press("ArrowLeft")
    at_frame(frames, "step 10")
    frames.keyboard.press("ArrowRight")
    at_frame(frames, "step 11")
    frames.keyboard.press(" ")  # from the end, playing starts at the beginning
    frames.wait_for_selector("[aria-label=Pause]")
    frames.keyboard.press(" ")
    frames.wait_for_selector("[aria-label=Play]")


def test_new_data_leave_the_player_where_it_was(frames):
    slider = frames.locator("input[type=range][aria-label=Frame]")
    slider.fill("11")
    at_frame(frames, "step 11")
    assert set_size(frames, "ArrowRight") == 7  # 14 frames
    at_frame(frames, "step 13")  # last stays last
    slider.fill("6")
    at_frame(frames, "step 6")
    set_size(frames, "ArrowLeft")
    at_frame(frames, "step 5")  # 6/13 of 11


@pytest.mark.parametrize(
    ("height", "expected"),
    [("0.5", {500: 320, 900: 450, 2000: 900}), ("fill", {500: 320, 900: 580, 2000: 900})],
)
def test_a_height_may_follow_the_window(demo, frames, height, expected):
    show(frames, demo, f"view=flat&height={height}")
    for window, figure in expected.items():
        frames.set_viewport_size({"width": 1000, "height": window})
        frames.wait_for_function(f"(h) => Math.abs({STATE}.height - h) <= 1", arg=figure)


def test_a_narrow_dark_screen_has_room_and_plotly_is_fetched_once(demo, new_page, snap):
    phone = new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
    show(phone, demo, "view=frames")
    assert phone.evaluate(f"{STATE}.modebar.orientation") == "v"
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    box = phone.locator(".sslviz-live").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    assert phone.locator(PLOT).get_attribute("aria-label") == "points on a grid. 12 steps to play."
    assert phone.locator(PLOT).get_attribute("role") == "figure", "an img may hold no buttons"
    snap(phone, "live-phone")
    phone.reload()
    phone.wait_for_selector(".sslviz-ready")
    assert len([url for url in phone.asked if "plotly.min.js" in url]) == 1
