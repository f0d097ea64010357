"""Labelling without a mouse, and many points at once."""

from browser.actions import plot, settle, stand, visit

MAP = "propagation_map"


def test_points_are_reached_by_arrow_keys_and_labelled(page, app):
    visit(page, f"{app}/propagation?data=iris", MAP)
    figure = page.locator(plot(MAP))
    figure.focus()
    seen = []
    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
        page.wait_for_selector(f"{plot(MAP)}[data-hovered]")
        seen.append(figure.get_attribute("data-hovered"))
    assert len(set(seen)) >= 2
    for key in "23":  # one of them is another label than the point may have already
        page.keyboard.press(key)
        page.wait_for_timeout(1500)
        settle(page)
        if "hand=" in page.url:
            break
    assert f"hand={seen[-1]}." in page.url
    page.keyboard.press("Enter")
    page.wait_for_function(f"location.href.includes('point={seen[-1]}')")


def test_a_box_selects_a_group_and_the_others_fade(page, app):
    visit(page, f"{app}/propagation?data=iris", MAP)
    page.locator(f"{plot(MAP)} .modebar-btn[data-title='Box Select']").dispatch_event("click")
    stand(page, plot(MAP))
    box = page.locator(plot(MAP)).bounding_box()
    page.mouse.move(box["x"] + 0.05 * box["width"], box["y"] + 0.05 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.95 * box["height"], steps=6)
    page.mouse.up()
    page.wait_for_selector(".st-key-group")
    settle(page)
    text = page.locator(".st-key-group").inner_text()
    count = int(text.split(" points")[0].replace(",", ""))
    faded = f"document.querySelector('{plot(MAP)}').data[0].selectedpoints.length"
    assert 0 < count < 150 and page.evaluate(faded) <= count
    page.locator("[class*=st-key-open-group-set] button").click()
    # "none" takes labels away, but every class keeps one
    page.wait_for_selector("[data-testid=stToast], [data-testid=stAlert]")
    settle(page)
