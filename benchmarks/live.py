"""The live figure and st.plotly_chart: time from a key press on a slider to the repainted figure.

    python benchmarks/live.py [repeats]

Both show the same figure in one Chromium. Also: two ways to colour each point, and Plotly.react
compared with Plotly.restyle for the frames of the player. This file is its own Streamlit app.
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

SETUP = """() => { window.ready = (gd, value) => gd?._fullData?.[0]?.marker.size === value
        && gd._fullLayout._plots.xy?._scene?.dirty === false;
    window.repainted = () => new Promise((resolve) => {
        let start;
        const pressed = () => { start = performance.now(); };
        addEventListener('keydown', pressed, {capture: true, once: true});
        const look = () => {
            const slider = document.querySelector('.st-key-size [role=slider], .st-key-size input');
            const value = +(slider.getAttribute('aria-valuenow') ?? slider.value);
            const gd = document.querySelector('.js-plotly-plot');
            if (start && value !== window.last && ready(gd, value)) {
                window.last = value;
                requestAnimationFrame(() => resolve(performance.now() - start));
            } else requestAnimationFrame(look);
        };
        window.last ??= 6;
        look();
    }); }"""
REACT = """async ([how, repeats]) => {
    const gd = document.querySelector('.js-plotly-plot'), times = [];
    const shades = gd.data[0].marker.colorscale.map((stop) => stop[1]);
    for (let i = 0; i < repeats; i++) {
        const color = Array.from(gd.data[0].x, (_, j) => shades[(i + j) % 300]);
        const marker = {...gd.data[0].marker, color};
        const start = performance.now();
        if (how === 'restyle') await Plotly.restyle(gd, {'marker.color': [color]});
        else await Plotly.react(gd, [{...gd.data[0], marker}], gd.layout, gd._context);
        times.push(performance.now() - start);
    } return times; }"""


def figure(n: int, size: int, colours: str) -> go.Figure:
    """Points whose colours change with `size`."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2)).astype(np.float32)
    shades = rng.integers(0, 256, (300, 3))
    names = [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in shades]
    index = (np.arange(n) + size) % 300
    marker: dict[str, Any] = {"size": size}
    if colours == "names":
        marker["color"] = [names[i] for i in index]
    else:
        scale = [[i / 299, name] for i, name in enumerate(names)]
        marker |= {"color": index.astype(np.int16), "colorscale": scale, "cmin": 0, "cmax": 299}
    points = go.Scattergl(x=X[:, 0], y=X[:, 1], mode="markers", marker=marker)
    points.customdata = np.arange(n, dtype=np.int32)
    return go.Figure(points, go.Layout(uirevision="kept", dragmode="zoom", height=560))


def app() -> None:
    from sslviz.ui.components.live_figure import preload, show_figure

    preload()
    query = st.query_params
    size = st.slider("size", 1, 20, 6, key="size")
    fig = figure(int(query["n"]), size, query.get("colours", "index"))
    if query["show"] == "live":
        show_figure(fig, key="figure")
    else:
        st.plotly_chart(fig, key="figure")


def measure(page: Any, address: str, repeats: int, **query: Any) -> tuple[float, bool]:
    """Median milliseconds from key press to figure, and whether the zoom was kept."""
    page.goto(f"{address}/?" + "&".join(f"{k}={v}" for k, v in query.items()))
    page.evaluate(SETUP)
    plot = "document.querySelector('.js-plotly-plot')"
    page.wait_for_function(f"ready({plot}, 6)")
    area = page.locator(".js-plotly-plot .nsewdrag").bounding_box()
    page.mouse.move(area["x"] + area["width"] * 0.3, area["y"] + area["height"] * 0.3)
    page.mouse.down()
    page.mouse.move(area["x"] + area["width"] * 0.7, area["y"] + area["height"] * 0.7, steps=5)
    page.mouse.up()
    page.wait_for_timeout(1000)
    zoomed = page.evaluate(f"{plot}._fullLayout.xaxis.range")
    times = []
    for _ in range(repeats):
        page.evaluate("() => { window.done = repainted(); }")
        page.locator(".st-key-size [role=slider], .st-key-size input").first.press("ArrowRight")
        times.append(page.evaluate("done"))
        page.wait_for_timeout(300)
    return median(times), page.evaluate(f"{plot}._fullLayout.xaxis.range") == zoomed


def compare(page: Any, address: str, repeats: int) -> None:
    print("slider -> repainted, median ms (zoom kept?)")
    for n in (2_000, 10_000, 70_000):
        ours, kept = measure(page, address, repeats, n=n, show="live")
        theirs, kept_too = measure(page, address, repeats, n=n, show="chart")
        line = f"live {ours:5.0f} ({kept}), st.plotly_chart {theirs:5.0f} ({kept_too})"
        print(f"  {n:6} points: {line}, {theirs / ours:.1f} x")
    print("a colour for each point: names (#rrggbb) and index + colorscale")
    for n in (10_000, 70_000):
        for colours in ("names", "index"):
            start = time.perf_counter()
            text = figure(n, 6, colours).to_json()
            python = 1e3 * (time.perf_counter() - start)
            whole, _ = measure(page, address, repeats, n=n, show="live", colours=colours)
            size = f"figure and JSON {python:5.0f} ms, {len(text) / 1e6:.2f} MB"
            print(f"  {n:6} points, {colours}: {size}, slider -> repainted {whole:5.0f} ms")
    print("one frame of the player, new colours for every point, median ms")
    for n in (2_000, 10_000, 70_000):
        measure(page, address, 1, n=n, show="live")
        by = {how: median(page.evaluate(REACT, [how, 12])) for how in ("react", "restyle")}
        print(f"  {n:6} points: react {by['react']:.0f}, restyle {by['restyle']:.0f}")


def main() -> None:
    from playwright.sync_api import sync_playwright

    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    from browser.server import FLAGS, chromium, serve

    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    with tempfile.TemporaryDirectory() as cache, sync_playwright() as playwright:
        with serve(Path(__file__), {"SSLVIZ_CACHE": cache}) as address:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            page = browser.new_page(viewport={"width": 1000, "height": 900})
            page.set_default_timeout(120_000)
            compare(page, address, repeats)
            browser.close()


if st.runtime.exists():
    app()
elif __name__ == "__main__":
    main()
