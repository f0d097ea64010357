"""A label by hand: time from the key or click to the picture repainted with it, 2000 points.

    python benchmarks/labels.py [repeats]

Three pages in one Chromium: the app's page of label propagation; the same map alone as a live
figure; and the same map as st.plotly_chart, where a click labels (it reports no keys). Of the live
figures it says how long the browser waited for the server and how long plotly.js drew. This file is
its own Streamlit app.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

POINTS = 2000
TARGET = 500  # ms
# When a key or button went down last; heard before the figure, which lets nobody else hear a key.
PRESSES = """for (const kind of ['keydown', 'mousedown'])
    addEventListener(kind, () => { window.pressed = performance.now(); }, {capture: true});"""
# The labels drawn, and the promise of the time at which there is one more or one less.
SETUP = """() => {
    const find = () => [...document.querySelectorAll('.js-plotly-plot')]
        .find((gd) => gd.data?.some((t) => t.name === 'given labels'));
    window.plot = find;
    window.given = () => find()?._fullData.find((t) => t.name === 'given labels')?.x.length;
    const { react } = Plotly;
    Plotly.react = (gd, ...rest) => {
        const start = performance.now();
        return Promise.resolve(react(gd, ...rest)).then((drawn) => {
            if (gd === find()) window.drawing = [start, performance.now()];
            return drawn;
        });
    };
    window.labelled = (before) => new Promise((resolve) => {
        window.pressed = null;
        const look = () => {
            const n = window.given(), start = window.pressed;
            if (!start || n === undefined || n === before) return requestAnimationFrame(look);
            requestAnimationFrame(() => resolve([performance.now(), ...(window.drawing ?? [])]
                .map((time) => time - start)));
        };
        look();
    }); }"""
PLACE = """(i) => { const gd = window.plot(), l = gd._fullLayout, t = gd._fullData[0];
    const box = gd.getBoundingClientRect();
    return [box.left + l.xaxis._offset + l.xaxis.d2p(t.x[i]),
            box.top + l.yaxis._offset + l.yaxis.d2p(t.y[i])]; }"""


def app() -> None:
    """The map of label propagation alone; keys or clicks label."""
    from sslviz import LabelPropagation, data, labels
    from sslviz.figures.maps.points import class_map
    from sslviz.ui.components.live_figure import preload, show_figure
    from sslviz.ui.server import memory

    preload()
    moons = data.load("two_moons", n_samples=POINTS)
    y = labels.hide(moons.y, per_class=3, random_state=0)
    held = st.session_state.setdefault("held", {})

    def take(point: int | None) -> None:
        if point is not None:
            held[point] = int(moons.y[point])

    if st.query_params["show"] == "chart":
        for one in st.session_state.get("figure", {}).get("selection", {}).get("points", []):
            take(int(np.ravel(one["customdata"])[0]))
    y[list(held)] = list(held.values())
    F = LabelPropagation(memory=memory()).fit(moons.X, y).label_distributions_
    fig = class_map(moons.X, F, y, moons.classes, facts=[f"point {i}" for i in range(POINTS)])
    if st.query_params["show"] == "live":
        show_figure(fig, key="figure", on_event=lambda event: take(event.point))
    else:
        st.plotly_chart(fig, key="figure", on_select="rerun", selection_mode="points")


def measure(page: Any, address: str, repeats: int, *, key: str = "") -> list[list[float]]:
    """[until repainted, until drawing began, until it ended] in ms, of each label."""
    page.goto(address)
    page.wait_for_function(
        "document.querySelector('.js-plotly-plot')?.data?.some((t) => t.name === 'given labels')"
    )
    page.wait_for_timeout(3000)
    page.evaluate(SETUP)
    times: list[list[float]] = []
    for point in range(100, POINTS, 37):
        if len(times) == repeats:
            break
        at = page.evaluate(PLACE, point)
        page.mouse.move(at[0] - 40, at[1] - 40)
        page.mouse.move(*at, steps=3)
        if key and not _hovers(page):
            continue
        before = page.evaluate("given()")
        page.evaluate("(n) => { window.done = labelled(n); }", before)
        if key:
            text = page.evaluate("plot().data[0].text?.[+plot().dataset.hovered] ?? ''")
            page.keyboard.press("2" if "lower" in text else key)
        else:
            page.mouse.click(*at)
        found = page.evaluate("Promise.race([done, new Promise((r) => setTimeout(r, 8000, null))])")
        if found:
            times.append(found)
        page.wait_for_timeout(700)
    return times


def _hovers(page: Any) -> bool:
    """Wait until a point is under the mouse, for some seconds."""
    found = page.evaluate(
        """async () => { for (let i = 0; i < 100 && !plot().dataset.hovered; i++)
            await new Promise((next) => setTimeout(next, 50));
        return plot().dataset.hovered !== undefined; }"""
    )
    return bool(found)


def report(title: str, times: list[list[float]]) -> float:
    """Print the best and the median; the best in ms."""
    whole = np.array([t[0] for t in times])
    text = f"{title:34} best {whole.min():5.0f} ms, median {np.median(whole):5.0f} ms"
    if len(times[0]) == 3:
        server, end = (np.median([t[i] for t in times]) for i in (1, 2))
        text += f" (until plotly.js begins {server:.0f}, it draws {end - server:.0f})"
    print(f"{text}, {len(times)} labels", flush=True)
    return float(whole.min())


def main() -> None:
    """Measure the three pages and print them beside each other."""
    from playwright.sync_api import sync_playwright

    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    from browser.server import FLAGS, ROOT, chromium, serve

    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory() as cache, sync_playwright() as playwright:
        env = {"SSLVIZ_CACHE": cache}
        with serve(ROOT / "app.py", env) as pages, serve(Path(__file__), env) as alone:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.set_default_timeout(120_000)
            page.add_init_script(PRESSES)
            print(f"a label by hand -> repainted, {POINTS} points")
            address = f"{pages}/propagation?two_moons.n_samples={POINTS}"
            ours = report("page of label propagation", measure(page, address, repeats, key="1"))
            address = f"{alone}/?show=live"
            report("the map alone, live figure", measure(page, address, repeats, key="1"))
            address = f"{alone}/?show=chart"
            theirs = report("the map alone, st.plotly_chart", measure(page, address, repeats))
            browser.close()
    print(f"target {TARGET} ms: {'met' if ours <= TARGET else 'missed'} at best")
    print(f"st.plotly_chart / page: {theirs / ours:.1f} x")


if st.runtime.exists():
    app()
elif __name__ == "__main__":
    main()
