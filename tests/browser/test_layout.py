"""Every page in a browser, wide and light, narrow and dark: it fits, and nobody is kept out.

test_accessibility.py looks at the pages without figures and at what opens on demand.
"""

import re

import pytest
from browser.actions import ready, settle, still, turn_to, visit
from browser.axe import barriers

MOONS = "two_moons.n_samples=562"
LINKS = {  # the title in the sidebar, and figures; the data set is kept from page to page
    "graph": ("Neighbour graph", "graph_map"),
    "propagation": ("Label propagation", "propagation_map"),
    "hubs": ("Hubs", "hubs_3"),
    "failures": ("Failures",),
    "flp": ("FLP", "flp_map"),
    "inductive": ("Decision boundaries", "inductive_map"),
    "stream": ("Streams", "stream_map"),
    "network": ("Networks", "network_map", "network_training"),
    "clustering": ("Clustering", "clustering_map", "clustering_space"),
    "active_learning": ("Active learning", "active_learning_map", "active_learning_curves"),
}
ADDRESSES = {
    "versus": (f"propagation?{MOONS}&versus=Minimum+cut", "propagation_versus"),
    "compare": (
        "compare?two_moons.n_samples.few=215&compare.methods=Label+propagation&compare.draws=2",
        "compare_map",
        "compare_standings",
        "compare_curves",
        "compare_agreement",
        "compare_hard",
    ),
    "embedding": (
        "embedding?data=digits&digits.n_samples=549&embedding.part=Unseen%20points",
        "embedding_map",
        "embedding_small_2",
    ),
    "dictionary": (
        "dictionary?digits.n_samples.few=210&SSDLGA.n_atoms.images=40&SSDLGA.max_iter=6",
        "dictionary_wall",
        "dictionary_map",
    ),
}
SCREENS = ((1400, "light"), (390, "dark"))
# Figures have taken their new width.
FITTED = """() => [...document.querySelectorAll('.sslviz-plot.sslviz-ready')].every((gd) =>
    !gd.offsetWidth || Math.abs(gd._fullLayout.width - gd.offsetWidth) < 2)"""


@pytest.fixture(scope="module")
def screen(app, new_page):
    """One browser for all pages, which caches their common files."""
    page = new_page(viewport={"width": 1400, "height": 1200}, color_scheme="light")
    return visit(page, f"{app}/graph?{MOONS}", "graph_map")


def widen(page) -> None:
    width, scheme = SCREENS[0]
    page.set_viewport_size({"width": width, "height": 1200})
    page.emulate_media(color_scheme=scheme)


def fits(page, snap, name: str) -> None:
    """No overflow and no barrier on a wide light screen, nor when it becomes narrow and dark."""
    for width, scheme in SCREENS:
        page.set_viewport_size({"width": width, "height": 1200})
        page.emulate_media(color_scheme=scheme)
        page.wait_for_selector("h1")
        settle(page)
        page.wait_for_function(FITTED)
        page.wait_for_function("[...document.images].every((i) => i.complete && i.naturalWidth)")
        assert still(page, "document.documentElement.scrollWidth - window.innerWidth") <= 0
        snap(page, f"{name}-{scheme}-{width}")
        assert barriers(page) == []


@pytest.mark.parametrize("name", LINKS)
def test_a_page_fits_and_has_no_barriers(screen, snap, name):
    title, *keys = LINKS[name]
    widen(screen)
    turn_to(screen, title)
    screen.wait_for_url(re.compile(rf"/{name}\b"))
    ready(screen, *keys)
    fits(screen, snap, name)


@pytest.mark.parametrize("name", ADDRESSES)
def test_an_address_fits_and_has_no_barriers(app, screen, snap, name):
    address, *keys = ADDRESSES[name]
    widen(screen)
    visit(screen, f"{app}/{address}", *keys)
    fits(screen, snap, name)


def test_a_narrow_screen_from_the_start(app, new_page, snap):
    page = new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
    address = "inductive?two_moons.n_samples.few=562&inductive.spanning=true"
    visit(page, f"{app}/{address}", "inductive_map")
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    snap(page, "inductive-dark-390-at-once")
    bar = page.locator(".sslviz-phone")
    bar.get_by_role("button", name="Method").click()
    page.wait_for_selector("[data-sheet=method] [data-testid=stSidebar][data-collapsed=false]")
    page.wait_for_function(  # the page behind the sheet is scrolled to the numbers
        "document.querySelector('[data-testid=stMetric]').getBoundingClientRect().top < 60"
    )
    boxes = {
        name: still(page, f"document.querySelector('{selector}').getBoundingClientRect().toJSON()")
        for name, selector in {
            "picture": ".st-key-inductive_map .sslviz-plot",
            "number": "[data-testid=stMetric]",
            "method": ".st-key-inductive-method",
            "sheet": "[data-testid=stSidebar]",
        }.items()
    }
    snap(page, "inductive-dark-390-sheet")
    assert boxes["sheet"]["width"] == pytest.approx(390, abs=1)
    assert boxes["number"]["top"] >= 0, "the accuracy is in sight"
    assert boxes["picture"]["bottom"] <= boxes["sheet"]["top"] + 1 <= boxes["method"]["top"]
    assert boxes["method"]["bottom"] < 844, "the sliders follow the picture"
    bar.get_by_role("button", name="Pages").click()
    page.wait_for_selector("[data-sheet=pages]", state="attached")
    page.locator("[data-testid=stSidebarNavLink]", has_text="Compare").first.wait_for()
    bar.get_by_role("button", name="Pages").click()
    page.wait_for_selector("[data-testid=stSidebar][data-collapsed=true]", state="attached")
