"""Every page in a browser, wide in light and narrow in dark: nothing sticks out, a picture."""

import pytest
from browser.hands import settle, visit

MOONS = "two_moons.n_samples=562"
PAGES = {
    "graph": (f"graph?{MOONS}", "graph_map"),
    "propagation": (f"propagation?{MOONS}", "propagation_map"),
    "versus": (f"propagation?{MOONS}&versus=Minimum+cut", "propagation_versus"),
    "hubs": (f"hubs?{MOONS}", "hubs_3"),
    "gallery": ("gallery",),
    "embedding": (
        "embedding?data=digits&digits.n_samples=549&embedding.part=Unseen%20points",
        "embedding_map",
        "embedding_small_2",
    ),
    "flp": (f"flp?{MOONS}", "flp_map"),
    "fields": ("fields?two_moons.n_samples.few=562&fields.spanning=true", "fields_map"),
    "dictionary": (
        "dictionary?digits.n_samples.few=210&SSDLGA.n_atoms.images=40&SSDLGA.max_iter=6",
        "dictionary_wall",
        "dictionary_map",
    ),
    "stream": ("stream?stream.arrivals=200", "stream_map"),
    "clustering": (f"clustering?{MOONS}", "clusters_map", "clusters_embedding"),
}


SCREENS = ((1400, "light"), (390, "dark"))


@pytest.fixture(scope="module")
def screen(new_page):
    """One browser for all pages: it keeps the files that all of them need."""
    width, scheme = SCREENS[0]
    return new_page(viewport={"width": width, "height": 1200}, color_scheme=scheme)


@pytest.mark.parametrize("name", PAGES)
def test_nothing_sticks_out_sideways(app, screen, snap, name):
    path, *keys = PAGES[name]
    for width, scheme in SCREENS:  # the second time as if a window were made narrow at night
        screen.set_viewport_size({"width": width, "height": 1200})
        screen.emulate_media(color_scheme=scheme)
        if scheme == "light":
            visit(screen, f"{app}/{path}", *keys)
        screen.wait_for_selector("h1")
        settle(screen)
        screen.wait_for_timeout(500)  # figures take their new width
        screen.wait_for_function("[...document.images].every((i) => i.complete && i.naturalWidth)")
        assert screen.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
        snap(screen, f"{name}-{scheme}-{width}")


def test_a_narrow_screen_from_the_start(app, new_page, snap):
    page = new_page(viewport={"width": 390, "height": 1200}, color_scheme="dark")
    path, *keys = PAGES["fields"]
    visit(page, f"{app}/{path}", *keys)
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    snap(page, "fields-dark-390-at-once")
