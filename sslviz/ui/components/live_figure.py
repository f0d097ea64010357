"""A figure that stays while its data change: zoom, camera and hidden traces survive every update.

`st.plotly_chart` builds a new chart whenever the figure changes. Here a small component passes the
figure's JSON to `Plotly.react`, which changes only what differs, plays `fig.frames` in the browser,
shows an image of the point under the cursor, and reports clicks and keys to Python.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import plotly.graph_objects as go
import plotly.io
import streamlit as st

from sslviz.figures.description import describe_figure
from sslviz.ui.components.events import Event, sent_events
from sslviz.ui.components.figure_message import pack
from sslviz.ui.components.static_files import plotly_js
from sslviz.ui.errors import callback_net
from sslviz.ui.state import page_state
from sslviz.ui.state.slots import FIGURE_EVENTS, SHAPES

# Figures take their colours from the page. plotly.py's own, seven kilobytes, would come with each.
plotly.io.templates.default = None

MIN_HEIGHT, MAX_HEIGHT = 320, 900  # px, where the height follows the window
ABOVE_PICTURE = "20rem"  # title, a sentence, numbers; and the player below
SCRIPTS = (  # one module: parts first, then the figure that is composed of them
    "plotly_setup.js",
    "shapes.js",
    "colour_key.js",
    "player.js",
    "thumbnail.js",
    "point_marks.js",
    "announcer.js",
    "interactions.js",
    "linked_figures.js",
    "figure_files.js",
    "film_numbers.js",
    "toolbar.js",
    "touch_labels.js",
    "live_figure.js",
)

PAGE_SCRIPTS = (  # once for every page
    "plotly_setup.js",
    "drag_updates.js",
    "browser_history.js",
    "presenter.js",
    "page_buttons.js",
    "skip_link.js",
    "page_roles.js",
    "phone_bar.js",
)


class Thumbnails(NamedTuple):
    """Images of the points, cut from sheets: point i is tile i % per_sheet of sheet i // per_sheet.

    Tiles are `width` x `height` pixels, `columns` in a row, in reading order.
    """

    urls: list[str]
    width: int
    height: int
    columns: int
    per_sheet: int


class Neighbours(NamedTuple):
    """Neighbours of all points in a published file, which the browser fetches once.

    It holds n rows of `width` indices (uint16), nearest first; the first `shown` are marked when
    the cursor is over a point.
    """

    url: str
    width: int
    shown: int


def show_figure(
    fig: go.Figure,
    *,
    key: str,
    height: int | float | Literal["fill"] = 560,
    thumbnails: Thumbnails | None = None,
    alt: str = "",
    tools: bool = True,
    linked: str | None = None,
    film: str | None = None,
    moments: Iterable[float | None] | None = None,
    deep: bool = False,
    selects: bool = False,
    ring: int | None = None,
    neighbours: Neighbours | None = None,
    keys: Mapping[str, str] | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> Event | None:
    """Show `fig` and return the newest event of one of its points since the last call.

    `on_event` is called before the script runs again, once for every event and in order: labels
    changed there are already changed when the script computes.

    Each trace names its points by `customdata`, one index per marker. Colours of the page (font,
    grid, background) come from Streamlit's theme and replace the figure's template. What the user
    changed in the picture is kept while `layout.uirevision` stays the same.
    `layout.meta={"key": [[name, colour], …]}` is written above the picture with the names of the
    traces, instead of plotly's legend, unless `showlegend` is false. A trace of lines with
    `meta={"radius": r}` holds centres and is drawn as circles around them.

    `height` is in pixels; or a share of the window's height, e.g. 0.62; or "fill" for all of it but
    what usually stands above a picture. The last two stay between 320 and 900 pixels.

    A figure with frames gets a player. It opens at the last frame, unless
    `layout.meta={"frame": i}` names another, and then stays where the user left it. Figures of the
    same `film` are at the same moment: players move together, each to its last frame up to then,
    and charts mark the moment on their x axis. `moments` are those of the frames, by default 0, 1,
    …; None stands for the end. `layout.meta={"numbers": {title: [text, …]}}` are the texts of
    numbers on the page in every frame (ui/views.py).

    `alt` says what the figure is, e.g. a title and an accuracy; what is drawn is read off the
    figure and added. Screen readers read it.

    Figures `linked` by the same name show the same part of the plane: moving one moves all.
    `tools=False` is for small charts: no buttons, no zoom. A plane that may become a 3-D scene has
    `deep=True`: the browser then builds the scene before it is asked for. With `selects` there are
    buttons to select many points by a lasso or a box, and arrow keys go from point to point. The
    browser alone draws a `ring` around a point and lines to the `neighbours` of the point under the
    cursor, both in a plane only. `keys` names what keys pressed over a point do, for those who hear
    the page.
    """
    if not key:
        raise ValueError(f"show_figure: key={key!r} is not a name; a figure needs one to stay")
    data = {
        "height": _css_height(height),
        "thumbnails": thumbnails._asdict() if thumbnails else None,
        "alt": alt_text(alt, describe_figure(fig)),
        "tools": tools,
        "linked": linked,
        "film": film,
        "moments": None if moments is None else [m if m is None else float(m) for m in moments],
        "deep": deep,
        "selects": selects,
        "ring": ring,
        "neighbours": neighbours._asdict() if neighbours else None,
        "keys": dict(keys) if keys else None,
        "shapes": SHAPES.get(),
        "name": key,
    }
    _component()(data=pack(data, fig), key=key, on_event_change=partial(_receive, key, on_event))
    newest: Event | None = FIGURE_EVENTS.of(key).get().pop("newest", None)
    return newest


def alt_text(*parts: str) -> str:
    """Parts that say something, as sentences."""
    return " ".join(p if p.endswith(("?", ".")) else f"{p}." for p in parts if p)


def _css_height(height: int | float | str) -> str:
    if isinstance(height, int) and height > 1:
        return f"min({height}px, 100vw)"
    if height == "fill":
        window = f"100vh - {ABOVE_PICTURE}"
    elif isinstance(height, float) and 0 < height <= 1:
        window = f"{100 * height:g}vh"
    else:
        raise ValueError(
            f"show_figure: height={height!r} is neither pixels, nor a share in (0, 1], nor 'fill'"
        )
    return f"min(clamp({MIN_HEIGHT}px, {window}, {MAX_HEIGHT}px), 100vw)"


def preload() -> None:
    """Send what all figures of a page share: their code and styles, and plotly.js before the first
    needs it; update sliders while they are dragged, and keep the settings of pages in the
    browser's history. Shows nothing. Every page with figures calls it once, in every run.

    Streamlit would send the code of a component with each figure at each change.
    """
    _preloader()(data={"plotly": plotly_js(), **_figure_code()}, key="live_preload", height=1)


@cache
def _figure_code() -> dict[str, str]:
    return {"code": read_files(*SCRIPTS)}


@cache
def _preloader() -> Callable[..., Any]:
    return st.components.v2.component(
        "sslviz_preload",
        css=read_files("live_figure.css"),
        js=read_files(*PAGE_SCRIPTS, "preload.js"),
        isolate_styles=False,  # the styles are for the figures
    )


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "sslviz_live",
        html=read_files("live_figure.html"),
        js=read_files("figure_stub.js"),
        isolate_styles=False,  # a shadow root would not see plotly.js's styles in the head
    )


def read_files(*names: str, folder: Path = Path(__file__).parent) -> str:
    """The texts of some files of a folder, joined."""
    return "".join((folder / name).read_text(encoding="utf-8") for name in names)


def _receive(key: str, on_event: Callable[[Event], None] | None) -> None:
    """Take the events not seen before out of what the browser sent.

    When the script is busy, Streamlit keeps only the last of several triggers. The browser
    therefore sends its last few events every time, each with a serial number that only grows.
    """
    known = FIGURE_EVENTS.of(key).get()
    for serial, event in sent_events(page_state.widget_value(key)):
        if serial <= known.get("serial", 0):
            continue
        known["serial"], known["count"] = serial, known.get("count", 0) + 1
        event = event._replace(count=known["count"])
        known["newest"] = event
        if on_event is not None:
            with callback_net():
                on_event(event)
