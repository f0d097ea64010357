"""Nobody is kept out: axe-core on pages without figures and on what opens on demand, alternative
texts, labels by touch. test_layout.py asks axe-core about every other page."""

import re
from typing import Any

import pytest
from browser.actions import plot, press, ready, settle, visit
from browser.axe import barriers

MAP = "propagation_map"
MOONS = "propagation?two_moons.n_samples=316"
SCREENS = ((1400, "light"), (1400, "dark"), (390, "light"))


@pytest.fixture(scope="module")
def screen(new_page) -> Any:
    """One window for all of these tests."""
    return new_page(viewport={"width": 1400, "height": 900})


def look(page, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    if not page.url.startswith("http"):
        return  # nothing is shown yet
    page.wait_for_function(
        "(dark) => getComputedStyle(document.querySelector('[data-testid=stApp]'))"
        ".backgroundColor.includes('255, 255, 255') !== dark",
        arg=scheme == "dark",
    )
    settle(page)


@pytest.mark.parametrize(
    ("address", "words"),
    [("", "Good to know"), ("stories", "Your own story"), ("failures", "They fail"),
     ("methods?methods.search=graph+margin", "All methods")],
)  # fmt: skip
def test_pages_of_cards_have_no_barriers(app, screen, address, words):
    look(screen, *SCREENS[0])
    screen.goto(f"{app}/{address}")
    screen.get_by_text(words).first.wait_for()
    settle(screen)
    for width, scheme in SCREENS:
        look(screen, width, scheme)
        assert barriers(screen) == [], (width, scheme)


def test_what_opens_on_demand_has_no_barriers(app, screen):
    look(screen, 1400, "light")
    visit(screen, f"{app}/{MOONS}&point=5&story=start&step=1&versus=Minimum+cut", MAP)
    for box in ("Data options", "Label lab", "Code of this picture", "Download the results"):
        screen.locator("[data-testid=stExpander] summary", has_text=box).first.click()
    settle(screen)
    screen.wait_for_selector(".st-key-code .token")  # loaded later: axe sometimes came first
    for scheme in ("light", "dark"):
        look(screen, 1400, scheme)
        assert barriers(screen) == [], scheme
    screen.keyboard.press("Escape")
    screen.get_by_role("button", name="Present").click()
    screen.wait_for_selector("[data-sslviz-stage] .sslviz-plot")
    assert barriers(screen) == [], "presenter view"
    screen.keyboard.press("Escape")
    screen.get_by_text("Draw your own").first.click()
    screen.wait_for_selector("[role=dialog] canvas")
    settle(screen)
    assert barriers(screen) == [], "the canvas"


def test_an_alternative_text_tells_the_result_and_follows_it(app, screen):
    look(screen, 1400, "light")
    visit(screen, f"{app}/{MOONS}", MAP)
    texts = f"document.querySelector('{plot(MAP)}').ariaLabel"
    before = screen.evaluate(texts)
    shown = screen.locator("[data-testid=stMetricValue]").first.inner_text()
    assert f"accuracy {shown}" in before
    assert "Map of 316 points, coloured by upper moon, lower moon" in before
    press(screen, ".st-key-labels", "ArrowRight")
    screen.wait_for_function(f"{texts}.includes('8 given labels')")
    for figure in screen.locator(".sslviz-plot").all():
        assert len(figure.get_attribute("aria-label")) > 20


def test_a_finger_labels_a_point(app, new_page, snap):
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    visit(page, f"{app}/{MOONS}", MAP)
    page.evaluate(f"document.querySelector('{plot(MAP)}').scrollIntoView({{block: 'center'}})")
    point, *at = page.evaluate(
        f"""() => {{ const gd = document.querySelector('{plot(MAP)}'), l = gd._fullLayout;
        const box = gd.getBoundingClientRect(), t = gd.data[0];
        const given = gd.data.find((one) => one.name === 'given labels').customdata;
        const free = (name, j) => ![...given].includes(name) && t.x[j] < 0;
        const i = [...t.customdata].findIndex(free);
        return [t.customdata[i], box.left + l.xaxis._offset + l.xaxis.d2p(t.x[i]),
                box.top + l.yaxis._offset + l.yaxis.d2p(t.y[i])]; }}"""
    )
    page.touchscreen.tap(*at)
    choices = page.locator(f".st-key-{MAP} .sslviz-touch")
    choices.get_by_text("lower moon").wait_for()
    snap(page, "touch-labels")
    found = int(re.search(r"Point (\d+)", choices.inner_text())[1])
    choices.get_by_text("lower moon").tap()
    page.wait_for_url(re.compile(rf"hand={found}\.1"))
    ready(page, MAP)
    assert point >= 0 and choices.is_hidden()
