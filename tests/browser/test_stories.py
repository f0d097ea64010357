"""Stories lead from page to page, in the presenter view by the keys of a remote control."""

from browser.actions import plot, press, ready, settle, visit

NEXT = "[class*=st-key-open-story-next] button"
GOAL = ".st-key-story [data-testid=stAlertContainer]"


def test_a_link_to_a_story_opens_its_step_and_next_the_page_after_it(page, app):
    page.goto(f"{app}/?story=start")
    ready(page, "propagation_map")
    assert "story=start" in page.url and "step=1" in page.url
    page.locator(NEXT).click()
    ready(page, "graph_map")
    page.wait_for_url("**/graph?**two_moons.n_samples=215*")
    assert "step=2" in page.url
    assert page.locator(GOAL).count() == 0, "the goal is not reached at the start"
    for _ in range(7):
        press(page, "[class*=st-key-graph-n_neighbors]", "ArrowRight")
    page.wait_for_selector(GOAL)
    page.go_back()  # undoes the change of k
    page.wait_for_function("!location.href.includes('n_neighbors')")
    settle(page)
    page.go_back()
    ready(page, "propagation_map")
    assert "step=1" in page.url


def test_a_step_on_the_same_page_begins_with_the_defaults_and_keeps_them(page, app):
    """The browser is told, too: what it still showed came back with the next change."""
    visit(page, f"{app}/?story=dense_graph&step=3", "propagation_map")
    page.wait_for_selector("text=2 of 215")
    page.locator(NEXT).first.click()
    page.wait_for_selector("text=9 of 1,000")
    settle(page)
    assert "labels=" not in page.url and "two_moons" not in page.url
    assert "data=three_rings" in page.url, "a link to the page shows it"
    page.locator("[class*=st-key-open-story-show] button").first.click()
    page.wait_for_selector(GOAL)
    settle(page)
    assert page.get_by_text("9 of 1,000").count() == 1 and "labels=" not in page.url


def test_the_presenter_view_shows_one_figure_and_turns_the_pages_of_a_story(page, app):
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{app}/propagation?story=start&step=1&two_moons.n_samples=316", "propagation_map")
    page.get_by_role("button", name="Present").click()
    page.wait_for_function(
        "document.querySelector('[data-sslviz-stage] .sslviz-plot')?._fullLayout?.font.size === 20"
    )
    box = page.locator(plot("propagation_map")).bounding_box()
    bar = page.locator("[data-sslviz-stage] .sslviz-bar").bounding_box()
    story = page.locator(".st-key-story").bounding_box()
    assert box["width"] > 1200 and bar["y"] + bar["height"] <= story["y"] + 1
    assert story["y"] + story["height"] <= 721
    assert not page.locator("[data-testid=stSidebar]").is_visible()
    page.keyboard.press("c")
    assert page.locator("[data-testid=stSidebar]").is_visible()
    page.keyboard.press("c")
    page.keyboard.press("PageDown")
    page.wait_for_url("**/graph?**")
    ready(page, "graph_map")
    page.wait_for_selector("[data-sslviz-stage] .sslviz-plot")
    page.keyboard.press("Escape")
    settle(page)
    assert page.locator("[data-sslviz-stage]").count() == 0
    assert page.locator("[data-testid=stSidebar]").is_visible()
