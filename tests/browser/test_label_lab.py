"""Labelling without a mouse, and many points at once."""

from browser.actions import click, plot, ready, settle, stand, still, visit

MAP = "propagation_map"


def test_points_are_reached_by_arrow_keys_and_labelled(page, app):
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{app}/propagation?data=iris", MAP)
    slider = page.locator(".st-key-LabelPropagation-n_neighbors").bounding_box()
    assert slider["y"] + slider["height"] < 720, "the method is in sight on a low screen"
    page.locator("[data-testid=stSidebarNav]").hover()
    page.locator("[data-testid=stSidebarNavLink]", has_text="Compare").first.click(trial=True)
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
    settle(page)
    page.go_back()
    page.wait_for_selector("text=1 label by hand", state="detached")  # it is undone
    settle(page)
    assert "hand=" not in page.url
    page.go_forward()
    page.wait_for_selector("text=1 label by hand")


def test_a_point_out_of_sight_is_not_labelled_but_one_reached_by_keys_is(page, app):
    visit(page, f"{app}/propagation?data=iris&point=60", MAP)
    figure = page.locator(plot(MAP))
    point = click(page, MAP)
    settle(page)
    page.wait_for_selector(f"{plot(MAP)}[data-hovered='{point}']")
    lines = page.locator(f".st-key-{MAP} .sslviz-marks line")
    assert lines.count() == 5, "it is linked to its k neighbours"
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollBy(0, 150)")
    page.wait_for_selector(f"{plot(MAP)}:not([data-hovered])")
    assert lines.count() == 0
    page.keyboard.press("1")
    settle(page)
    assert "hand=" not in page.url
    page.mouse.move(2, 2)
    page.evaluate("document.querySelector('.sslviz-skip').focus()")
    page.keyboard.press("Enter")
    assert figure.evaluate("(plot) => plot === document.activeElement"), "the link leads to the map"
    page.keyboard.press("ArrowRight")
    walked = figure.get_attribute("data-hovered")
    said = page.locator(f".st-key-{MAP} .sslviz-said")
    assert f"point {walked} " in said.text_content()
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollBy(0, -100)")
    for key in "12":  # one of them is another label than the point may have already
        page.keyboard.press(key)
        page.wait_for_timeout(1500)
        settle(page)
        if "hand=" in page.url:
            break
    assert f"hand={walked}." in page.url and f"Point {walked}: " in said.text_content()


def test_the_next_point_is_ringed_on_the_map_and_has_a_reason(page, app):
    visit(page, f"{app}/hubs?data=iris", "hubs_3")
    page.get_by_text("Label lab", exact=True).click()
    page.get_by_role("tab", name="Next").wait_for()
    settle(page)
    rules = page.locator(".st-key-next_label input")
    rules.scroll_into_view_if_needed()  # while the box opens or scrolls, the list would close
    still(page, "document.querySelector('.st-key-next_label')?.getBoundingClientRect().top ?? 0")
    rules.click()
    page.get_by_role("option", name="largest hub").click()
    page.wait_for_selector(".st-key-hubs_3 .sslviz-next")
    settle(page)
    assert "largest hub without a label" in page.locator("[data-testid=stSidebar]").inner_text()


def test_accuracy_as_you_label_opens_beside_the_band_of_random_labels(page, app):
    """With worker processes, to which the draws go."""
    visit(page, f"{app}/propagation?data=iris", MAP)
    page.get_by_text("Label lab", exact=True).click()
    page.get_by_role("tab", name="Curve").click()
    ready(page, "labelling_curve", MAP)
    page.wait_for_function(
        "document.querySelector('.st-key-labelling_curve .sslviz-plot').data.length > 1"
    )


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
    top = page.locator(".st-key-group").bounding_box()["y"]
    assert top < page.locator(".st-key-data").bounding_box()["y"], "it comes first"
    text = page.locator(".st-key-group").inner_text()
    count = int(text.split(" points")[0].replace(",", ""))
    faded = f"document.querySelector('{plot(MAP)}').data[0].selectedpoints.length"
    assert 0 < count < 150 and page.evaluate(faded) <= count
    page.locator("[class*=st-key-open-group-set] button").click()
    # "none" takes labels away, but every class keeps one
    page.wait_for_selector("[data-testid=stToast], [data-testid=stAlert]")
    settle(page)
