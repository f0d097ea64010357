"""Draw your own data: a canvas to paint points on, which become one of the visitor's own sets.

The drawing lives in the browser (strokes.js, canvas.js) and comes here when it is used: painting
runs no script, and the drawing outlives pages, reloads and a canvas closed by mistake.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from sslviz.data import Dataset, drawings, uploads
from sslviz.figures.theme import OKABE_ITO
from sslviz.ui.components.live_figure import read_files
from sslviz.ui.data import own_sets
from sslviz.ui.state import page_state
from sslviz.ui.state.slots import CANVAS_DATASET, CANVAS_ERROR, CANVAS_OPEN, LAST_DRAWING

KEY = "draw canvas"
FOLDER = Path(__file__).parent


def show_draw_button() -> None:
    """A button, and the canvas it opens.

    A slot keeps the canvas open: pages that learn run again by themselves, and a canvas opened by
    its button alone would close then.
    """
    st.button(
        ":primary[:material/draw: Draw your own]",
        key="open.draw",
        type="tertiary",
        on_click=_open,
        help="Paint points of several classes and see what every method makes of them.",
    )
    if CANVAS_OPEN.get():
        _canvas()


def offer_dataset(dataset: Dataset) -> None:
    """Let a drawing start from the set on this page, if that has two features."""
    CANVAS_DATASET.set(dataset if dataset.n_features == 2 else None)


def use_drawing(sent: object) -> None:
    """Make a data set of a drawing and choose it; it replaces the drawing before."""
    name = uploads.store(drawings.dataset_of_drawing(sent), "drawing")
    own_sets.add_own_set(name, instead_of=LAST_DRAWING.get())
    LAST_DRAWING.set(name)


def _open() -> None:
    CANVAS_OPEN.set(True)
    CANVAS_ERROR.clear()


@st.dialog("Draw your own data", width=1120, icon=":material/draw:", on_dismiss=CANVAS_OPEN.clear)
def _canvas() -> None:
    st.caption(
        "Paint points in the colours of their classes. The page then hides most of the labels, and "
        "its method predicts them. Closing this window keeps the drawing."
    )
    _component()(data=_data(), key=KEY, on_use_change=_receive)
    if error := CANVAS_ERROR.get():
        st.error(error, icon=":material/error:")
    if not CANVAS_OPEN.get():
        st.rerun()


def _receive() -> None:
    try:
        sent = page_state.widget_value(KEY)
        use_drawing(sent.get("use") if hasattr(sent, "get") else None)
    except ValueError as error:
        CANVAS_ERROR.set(str(error))
    else:
        CANVAS_OPEN.clear()


def _data() -> dict[str, Any]:
    shown: Dataset | None = CANVAS_DATASET.get()
    points = drawings.to_drawing(shown) if shown else None
    return {
        "colours": OKABE_ITO[: drawings.MAX_CLASSES],
        "span": (drawings.SPAN * drawings.UNIT).astype(int).tolist(),
        "unit": drawings.UNIT,
        "fewest": drawings.MIN_POINTS,
        "most": drawings.MAX_POINTS,
        "starts": _shapes() | ({"this set": points} if points else {}),
    }


@cache
def _shapes() -> dict[str, list[int]]:
    return drawings.shapes()


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "sslviz_draw",
        html=read_files("canvas.html", folder=FOLDER),
        css=read_files("canvas.css", folder=FOLDER),
        js=read_files("strokes.js", "canvas.js", folder=FOLDER),
        isolate_styles=False,  # the dialog keeps the focus in itself, and sees into no shadow root
    )
