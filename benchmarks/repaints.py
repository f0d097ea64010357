"""Pictures a second while a network trains in a browser, and how soon Stop acts.

    python -m benchmarks.repaints [METHOD ...]

Every method that is watched trains on the points of its page, 2000 unless a method is for images.
A picture is a redraw of the map or of a chart beside it; several at once count as one.
"""

import argparse
import sys
import time
from itertools import pairwise
from math import isnan
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode

from benchmarks.pages import wait_until_quiet
from benchmarks.timing import verdict
from soak.server import start_server

TARGET, LONGEST_STOP = 4.0, 1.0  # pictures a second, seconds
SECONDS = 6.0  # that pictures are counted
WARM_UP_SECONDS = 90  # of the server, at most
TOGETHER = 30  # milliseconds between redraws that are one picture
MOONS: dict[str, object] = {"data": "two_moons", "two_moons.n_samples": 2000}
IMAGES: dict[str, object] = {"data": "digits"}
CLASSIFIERS: dict[str, dict[str, object]] = {
    "VAT classifier": MOONS | {"VATClassifier.epochs": 1000},
    "Ladder network": MOONS | {"LadderNetwork.epochs": 150},
    "Ladder network on digits": IMAGES | {"LadderNetwork.epochs": 150},
    "Convolutional network": IMAGES | {"ConvNet.epochs": 60},
}
CLUSTERERS: dict[str, dict[str, object]] = {
    "SEDC": {"SEDC.epochs": 100},
    "IMSAT": {"IMSAT.epochs": 200},
    "DEC": {"DEC.epochs": 200},
    "SpectralNet": {"SpectralNet.epochs": 200},
    "VaDE": {"VaDE.epochs": 300},
    "CatGAN": {"CatGAN.epochs": 60},
    "JULE": {"JULE.share": 0.1},
}
COUNT = """() => { const react = Plotly.react; window.paints = [];
    Plotly.react = async (gd, ...figure) => { await react(gd, ...figure);
        const key = gd.closest('[class*=st-key-]')?.className.match(/st-key-(\\S+)/)?.[1];
        window.paints.push([performance.now(), key]); }; }"""


def addresses() -> dict[str, str]:
    """The pages to watch, by the names of their methods."""
    found = {
        name: ("network", {"network.method": name.removesuffix(" on digits")} | values)
        for name, values in CLASSIFIERS.items()
    } | {
        name: ("clustering", {"cluster_method": option_of(name)} | MOONS | values)
        for name, values in CLUSTERERS.items()
    }
    return {name: f"{page}?{urlencode(query)}" for name, (page, query) in found.items()}


def option_of(name: str) -> str:
    import sslviz

    return getattr(sslviz, name).option()


def pictures(paints: list[list[Any]]) -> list[float]:
    """Times of redraws in ms, where those that come together count once."""
    times: list[float] = []
    for at, _ in paints:
        if not times or at - times[-1] > TOGETHER:
            times.append(at)
    return times


def measure(page: Any, address: str, chart: str) -> str:
    """A row: pictures and maps a second, longest wait, seconds until Stop acted."""
    page.goto(address)
    page.wait_for_selector(f".st-key-{chart} .sslviz-ready")
    button(page, "Start").wait_for()
    page.wait_for_timeout(1500)
    page.evaluate(COUNT)
    button(page, "Start").click()
    page.wait_for_function("window.paints.length > 4", timeout=90_000)
    page.evaluate("window.paints.length = 0")
    page.wait_for_timeout(1000 * SECONDS)
    paints = page.evaluate("window.paints")
    begun = time.perf_counter()
    stopped = float("nan")
    if button(page, "Stop here").count():
        button(page, "Stop here").click()
        page.wait_for_selector("text=/topped at/")
        stopped = time.perf_counter() - begun
    times = pictures(paints)
    ended = isnan(stopped) and len(times) > 1  # by itself, before the time was over
    seconds = (times[-1] - times[0]) / 1000 if ended else SECONDS
    gaps = [after - before for before, after in pairwise(times)] or [1e4]
    maps = sum(key == chart for _, key in paints) / seconds
    rate = (len(times) - ended) / seconds
    kept = verdict(rate >= TARGET and not stopped > LONGEST_STOP)
    return f"{rate:8.1f} {maps:8.1f} {median(gaps):8.0f} {max(gaps):8.0f} {stopped:8.2f}  {kept}"


def button(page: Any, word: str) -> Any:
    return page.locator("button").get_by_text(word, exact=True).first


def main() -> None:
    """Measure the named methods or all, each from its beginning."""
    from playwright.sync_api import sync_playwright

    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    from browser.server import FLAGS, chromium

    known = addresses()
    parser = argparse.ArgumentParser("python -m benchmarks.repaints", description=__doc__)
    parser.add_argument("methods", nargs="*", metavar="METHOD", help=f"of {', '.join(known)}")
    chosen = parser.parse_args().methods or list(known)
    print(f"pictures while training; target {TARGET:.0f} a second, Stop within {LONGEST_STOP} s")
    print(f"{'method':26} {'pictures':>8} {'maps':>8} {'ms apart':>8} {'longest':>8} {'Stop s':>8}")
    with start_server() as server, sync_playwright() as playwright:
        wait_until_quiet(server, WARM_UP_SECONDS)
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for name in chosen:
            page = browser.new_page(viewport={"width": 1400, "height": 1000})
            page.set_default_timeout(120_000)
            chart = "network_map" if name in CLASSIFIERS else "clustering_map"
            row = measure(page, f"{server.url}/{known[name]}", chart)
            print(f"{name:26} {row}", flush=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
