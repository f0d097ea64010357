"""Actions on live figures in a browser: finding points, moving, clicking, waiting."""

import ast
import re
from typing import Any

PLOT = ".sslviz-plot"
STATE = f"document.querySelector('{PLOT}')._fullLayout"


def plot(key: str) -> str:
    """The figure of the app with this key."""
    return f".st-key-{key} {PLOT}"


def visit(page: Any, url: str, *keys: str) -> Any:
    """Open an address and wait for its figures."""
    page.goto(url)
    ready(page, *keys)
    return page


def ready(page: Any, *keys: str) -> None:
    """Wait until these figures are drawn and the script is done."""
    for key in keys:
        page.wait_for_selector(f"{plot(key)}.sslviz-ready", timeout=120_000)
    settle(page)


def turn_to(page: Any, title: str, *keys: str) -> None:
    """Go to another page by its link in the sidebar, without a reload, and wait for its figures."""
    page.locator("[data-testid=stSidebarNavLink]", has_text=title).first.click()
    ready(page, *keys)


def settle(page: Any) -> None:
    """Wait until the script has ended, without an error."""
    page.wait_for_function(
        """() => document.querySelector(
        '[data-test-script-state=running], [data-test-script-state=rerunRequested]') === null""",
        timeout=60_000,
    )
    assert page.locator("[data-testid=stException]").count() == 0


def words(page: Any, widget: str) -> str:
    """The text of a widget, once there is one: its code may be loaded after that of figures."""
    page.wait_for_function("(w) => document.querySelector(w)?.innerText.trim()", arg=widget)
    return page.locator(widget).inner_text()


def press(page: Any, slider: str, key: str) -> None:
    """Move a slider by a key."""
    page.locator(f"{slider} [role=slider], {slider} input[type=range]").first.press(key)


def colours(page: Any, key: str) -> str:
    """The colours of the points of a figure, as one text."""
    return page.evaluate(f"[...document.querySelector('{plot(key)}').data[0].marker.color].join()")


def hover(page: Any, at: tuple[float, float], name: int, figure: str = PLOT) -> None:
    """Move the mouse to a point and wait until the figure has noticed it."""
    page.mouse.move(at[0] - 30, at[1] - 30)
    page.mouse.move(*at, steps=3)
    page.wait_for_selector(f"{figure}[data-hovered='{name}']")


def stand(page: Any, figure: str) -> None:
    """Bring a figure into view and wait until neither it nor its points move any more."""
    gd = f"document.querySelector('{figure}')"
    page.evaluate(f"{gd}.scrollIntoView({{ block: 'center' }})")
    points = f"{gd}.data.map((t) => [t.x, t.y])"
    still(page, f"JSON.stringify([{gd}.getBoundingClientRect(), {points}])")


def click(page: Any, key: str, trace: int | str = 0) -> int:
    """Click the point of a trace that is farthest from all others; returns its name."""
    stand(page, plot(key))
    name, *at = page.evaluate(
        f"""(trace) => {{
        const gd = document.querySelector('{plot(key)}'), l = gd._fullLayout;
        const box = gd.getBoundingClientRect();
        const places = (t) => [...t.x].map((x, i) => [l.xaxis.d2p(x), l.yaxis.d2p(t.y[i])]);
        const t = gd.data[trace] ?? gd.data.find((t) => t.name === trace), all = places(t);
        const above = gd.data.filter((o) => ['arriving', 'given labels'].includes(o.name));
        const others = above.flatMap(places);
        const gap = (i) => Math.min(...[...all.filter((_, j) => j !== i), ...others]
            .map(([x, y]) => Math.hypot(x - all[i][0], y - all[i][1])));
        const inside = (i) => [l.xaxis, l.yaxis].every((axis, k) =>
            all[i][k] > 5 && all[i][k] < axis._length - 5);
        const i = [...all.keys()].filter(inside).sort((a, b) => gap(b) - gap(a))[0];
        return [t.customdata?.[i] ?? i, box.left + l.xaxis._offset + all[i][0],
                box.top + l.yaxis._offset + all[i][1]]; }}""",
        trace,
    )
    hover(page, at, name, plot(key))
    page.mouse.click(*at)
    return name


def show(page, address: str, query: str):
    """Open live_figure_demo.py with this query."""
    page.goto(f"{address}/?{query}")
    page.wait_for_selector(".sslviz-ready")
    page.wait_for_selector("text=/^size /")
    return page


def where(page, x: float, y: float) -> tuple[float, float]:
    """The pixel of a point of the demo's flat figure."""
    place = """([x, y]) => { const gd = document.querySelector('.sslviz-plot'), l = gd._fullLayout;
        const box = gd.getBoundingClientRect();
        return [box.left + l.xaxis._offset + l.xaxis.d2p(x),
                box.top + l.yaxis._offset + l.yaxis.d2p(y)]; }"""
    return tuple(page.evaluate(place, [x, y]))


def where3d(page, x: float, y: float, z: float) -> tuple[float, float]:
    """The pixel of a point of a scene, through its camera."""
    place = """(p) => {
        const scene = document.querySelector('.sslviz-plot')._fullLayout.scene._scene;
        const c = scene.glplot.cameraParams, s = scene.dataScale;
        const box = scene.container.getBoundingClientRect();
        let v = [...p.map((value, i) => value * s[i]), 1];
        for (const m of [c.model, c.view, c.projection])
            v = [0, 1, 2, 3].map((r) => v.reduce((sum, value, k) => sum + m[4 * k + r] * value, 0));
        return [box.left + box.width * (1 + v[0] / v[3]) / 2,
                box.top + box.height * (1 - v[1] / v[3]) / 2]; }"""
    return tuple(page.evaluate(place, [x, y, z]))


def events(page) -> list[tuple]:
    """The events that Python has received from the demo's figure."""
    text = page.locator("text=/^size /").inner_text()
    return ast.literal_eval(re.sub(r"^.*events ", "", text))


def wait_for_events(page, count: int) -> list[tuple]:
    """Wait for this many, and for the script to be done: then there are no more to come."""
    page.wait_for_function(
        """(n) => (document.body.innerText.match(/\\('(click|key|select)'/g) || []).length >= n""",
        arg=count,
    )
    settle(page)
    return events(page)


def set_size(page, press: str) -> int:
    """Move the slider by a key and wait until the figure shows its value."""
    slider = page.locator(".st-key-size [role=slider], .st-key-size input").first
    slider.press(press)
    page.wait_for_function("""() => { const size = document.body.innerText.match(/size (\\d+),/);
        const gd = document.querySelector('.sslviz-plot');
        const slider = document.querySelector('.st-key-size [role=slider], .st-key-size input');
        const value = slider.getAttribute('aria-valuenow') ?? slider.value;
        return size && size[1] === value && gd._fullData[0].marker.size === +value; }""")
    return page.evaluate(f"document.querySelector('{PLOT}')._fullData[0].marker.size")


def zoom(page) -> list[float]:
    """Draw a box around the middle; the range that follows."""
    before = page.evaluate(f"{STATE}.xaxis.range")
    page.mouse.move(*where(page, 1.4, 3.4))
    page.mouse.down()
    page.mouse.move(*where(page, 2.0, 2.5), steps=3)
    page.mouse.move(*where(page, 2.6, 1.6), steps=3)
    page.mouse.up()
    page.wait_for_function(f"(old) => {STATE}.xaxis.range[0] > old + .5", arg=before[0])
    return page.evaluate(f"{STATE}.xaxis.range")


def still(page, expression: str) -> Any:
    """The value of an expression once it has stopped changing."""
    before, value = None, page.evaluate(expression)
    while value != before:
        page.wait_for_timeout(100)
        before, value = value, page.evaluate(expression)
    return value
