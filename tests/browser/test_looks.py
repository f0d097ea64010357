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


@pytest.fixture(scope="module", params=[(1400, "light"), (390, "dark")], ids=["wide", "narrow"])
def screen(request, new_page):
    """One browser for all pages of a screen: it keeps the files that all of them need."""
    width, scheme = request.param
    page = new_page(viewport={"width": width, "height": 1200}, color_scheme=scheme)
    return page, f"{scheme}-{width}"


@pytest.mark.parametrize("name", PAGES)
def test_nothing_sticks_out_sideways(app, screen, snap, name):
    page, kind = screen
    path, *keys = PAGES[name]
    visit(page, f"{app}/{path}", *keys)
    page.wait_for_selector("h1")
    settle(page)
    page.wait_for_function("[...document.images].every((i) => i.complete && i.naturalWidth)")
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    snap(page, f"{name}-{kind}")
