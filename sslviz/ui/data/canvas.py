"""Draw your own data: a canvas to paint points on, which become one of the visitor's own sets.

The drawing lives in the browser (strokes.js, canvas.js) and comes here when it is to be used: what
is painted costs no run of the page, and outlives pages, reloads and a canvas closed by mistake.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from sslviz.data import Dataset, drawings, uploads
from sslviz.figures.theme import OKABE_ITO
from sslviz.ui.components.live_figure import text
from sslviz.ui.data import own_sets

OPEN, SHOWN, LAST, PROBLEM = "draw:open", "draw:shown", "draw:last", "draw:problem"
KEY = "draw canvas"
FOLDER = Path(__file__).parent


def show_draw_button() -> None:
    """A button, and the canvas it opens.

    Pages that learn run again by themselves, which would close a canvas that only its button had
    opened.
    """
    st.button(
        ":primary[:material/draw: Draw your own]",
        key="open.draw",
        type="tertiary",
        on_click=_open,
        help="Paint points of several classes, and see what every method makes of them.",
    )
    if st.session_state.get(OPEN):
        _canvas()


def note(dataset: Dataset) -> None:
    """The set on this page, for a drawing to begin with; one of many features may be large."""
    st.session_state[SHOWN] = dataset if dataset.n_features == 2 else None


def use(sent: object) -> None:
    """Make a set of a drawing and choose it; the one drawn before gives way to it."""
    name = uploads.store(drawings.read(sent), "drawing")
    own_sets.take(name, instead_of=st.session_state.get(LAST))
    st.session_state[LAST] = name


def _open() -> None:
    st.session_state.update({OPEN: True, PROBLEM: None})


def _close() -> None:
    st.session_state[OPEN] = False


@st.dialog("Draw your own data", width=1120, icon=":material/draw:", on_dismiss=_close)
def _canvas() -> None:
    st.caption(
        "Paint points in the colours of their classes; the page then hides most of the colours and "
        "lets its method find them again. Closing this loses nothing."
    )
    _component()(data=_data(), key=KEY, on_use_change=_receive)
    if problem := st.session_state.get(PROBLEM):
        st.error(problem, icon=":material/error:")
    if not st.session_state[OPEN]:
        st.rerun()


def _receive() -> None:
    try:
        use(st.session_state[KEY].get("use"))
    except ValueError as error:
        st.session_state[PROBLEM] = str(error)
    else:
        _close()


def _data() -> dict[str, Any]:
    shown: Dataset | None = st.session_state.get(SHOWN)
    points = drawings.written(shown) if shown else None
    return {
        "colours": OKABE_ITO[: drawings.CLASSES],
        "span": (drawings.SPAN * drawings.UNIT).astype(int).tolist(),
        "unit": drawings.UNIT,
        "fewest": drawings.FEWEST,
        "most": drawings.MOST,
        "starts": _shapes() | ({"this set": points} if points else {}),
    }


@cache
def _shapes() -> dict[str, list[int]]:
    return drawings.shapes()


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "sslviz_draw",
        html=text("canvas.html", folder=FOLDER),
        css=text("canvas.css", folder=FOLDER),
        js=text("strokes.js", "canvas.js", folder=FOLDER),
        isolate_styles=False,  # the dialog keeps the focus in itself, and sees into no shadow root
    )
