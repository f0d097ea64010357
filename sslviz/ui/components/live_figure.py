"""A figure that stays while its data change: zoom, camera and legend clicks survive every update.

st.plotly_chart builds a new chart whenever the figure changes. Here a small component hands the
figure's JSON to `Plotly.react`, which changes only what differs, plays `fig.frames` in the browser,
shows an image of the point under the cursor, and tells Python about clicks and keys.
"""

from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import plotly.graph_objects as go
import streamlit as st

from sslviz.ui.components.static_files import plotly_js
from sslviz.ui.state import page_state
from sslviz.ui.state.slots import FIGURE_EVENTS


class Event(NamedTuple):
    """Something the user did to a point; `point` is the index its trace gives in `customdata`."""

    kind: str  # "click", "key" or "select"
    point: int | None  # None for a selection
    key: str | None  # a digit, a letter in lower case, or "Delete"
    # The how manieth event of this figure in this session: equal clicks differ by it.
    count: int  # type: ignore[assignment]  # a field takes the place of tuple's method
    points: tuple[int, ...] = ()  # what a lasso or box holds


class Thumbnails(NamedTuple):
    """Images of the points, cut from sheets: point i is tile i % per_sheet of sheet i // per_sheet.

    Tiles are `width` x `height` pixels, `columns` in a row, in reading order.
    """

    urls: list[str]
    width: int
    height: int
    columns: int
    per_sheet: int


def show_figure(
    fig: go.Figure,
    *,
    key: str,
    height: int = 560,
    thumbnails: Thumbnails | None = None,
    alt: str = "",
    tools: bool = True,
    linked: str | None = None,
    film: str | None = None,
    moments: Iterable[float | None] | None = None,
    deep: bool = False,
    on_event: Callable[[Event], None] | None = None,
) -> Event | None:
    """Show `fig` and return what the user last did to one of its points since the last call.

    `on_event` is called before the script runs again, once for every event and in order: labels
    changed there are already changed when the script computes. The return value is the newest of
    them, for scripts that only want to know.

    Each trace names its points by `customdata`, one index per marker. Colours of the page (font,
    grid, background) come from Streamlit's theme and replace the figure's template. What the user
    changed by hand is kept while `layout.uirevision` stays the same. A figure with frames gets a
    player, which opens at the last frame and then stays where the user left it, unless
    `layout.meta={"frame": i}` names the frame to go to. `layout.meta={"key": [[name, colour], …]}`
    is written above the picture, unless `showlegend` is false. A trace of lines with
    `meta={"radius": r}` holds centres and is drawn as circles around them. Small charts do without
    `tools`: no buttons, no zoom. Figures `linked` by the same name look at the same place: moving
    one moves all. Figures of the same `film` are at the same moment: players go together, each to
    its last frame up to then, and charts mark the moment on their x axis. `moments` are those of
    the frames, by default 0, 1, …; None stands for the end of all time. A plane that may become a
    space says so by `deep`: the browser then makes the scene before it is asked for.
    """
    if not key:
        raise ValueError(f"live: key={key!r} is not a name; a figure needs one to stay the same")
    data = {
        "figure": fig.to_json(),
        "height": height,
        "thumbnails": thumbnails._asdict() if thumbnails else None,
        "alt": alt,
        "tools": tools,
        "linked": linked,
        "film": film,
        "moments": None if moments is None else [m if m is None else float(m) for m in moments],
        "deep": deep,
        "name": key,
        "plotly": plotly_js(),
    }
    _component()(data=data, key=key, on_event_change=partial(_receive, key, on_event))
    newest: Event | None = FIGURE_EVENTS.of(key).get().pop("newest", None)
    return newest


def preload() -> None:
    """Let the browser fetch plotly.js before the first figure needs it, sliders answer while they
    are dragged, and Back lead to where one was; shows nothing."""
    _preloader()(data=plotly_js(), key="live_preload", height=1)


@cache
def _preloader() -> Callable[..., Any]:
    start = "kept(data).catch(() => {}); dragging ??= new Dragging(); "
    start += "window.sslvizEntries ??= new Entries();"
    parts = read_files("plotly_setup.js", "drag_updates.js", "browser_history.js")
    js = f"{parts}export default ({{ data }}) => {{ {start} }};"
    return st.components.v2.component("sslviz_preload", js=js)


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "sslviz_live",
        html=read_files("live_figure.html"),
        css=read_files("live_figure.css"),
        js=read_files("plotly_setup.js", "interactions.js", "linked_figures.js", "live_figure.js"),
        isolate_styles=False,  # a shadow root would not see plotly.js's styles in the head
    )


def read_files(*names: str, folder: Path = Path(__file__).parent) -> str:
    """The text of some files of a folder, one after another."""
    return "".join((folder / name).read_text(encoding="utf-8") for name in names)


def _receive(key: str, on_event: Callable[[Event], None] | None) -> None:
    """Take the events not seen before out of what the browser sent.

    When the script is busy, Streamlit keeps only the last of several triggers. The browser
    therefore sends its last few events every time, each with a serial number that only grows.
    """
    known = FIGURE_EVENTS.of(key).get()
    for sent in page_state.widget_value(key).get("event") or []:
        if sent["serial"] <= known.get("serial", 0):
            continue
        known["serial"], known["count"] = sent["serial"], known.get("count", 0) + 1
        event = Event(
            sent["kind"], sent["point"], sent["key"], known["count"], tuple(sent["points"])
        )
        known["newest"] = event
        if on_event is not None:
            on_event(event)
