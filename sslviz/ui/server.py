"""What all sessions of a server share: one memory of stages, and code warmed up in advance."""

import threading
from pathlib import Path

import streamlit as st

from sslviz.folders import cache_folder
from sslviz.memo import Memo

QUIET = 4.0  # seconds left to the first page before the warming begins


@st.cache_resource(show_spinner=False)
def memory() -> Memo:
    """The stages of all sessions; costly ones survive a restart."""
    return Memo(folder=Path(cache_folder()) / "stages")


@st.cache_resource(show_spinner=False)
def warm_up() -> threading.Thread:
    """Import torch and compile the kernels in the background, once, after the first page."""
    thread = threading.Timer(QUIET, _fit_something)
    thread.daemon = True
    thread.start()
    return thread


def _fit_something() -> None:
    from sslviz import METHODS, data, labels

    moons = data.load("two_moons", n_samples=100)
    y = labels.hide(moons.y, per_class=2, random_state=0)
    for Method in METHODS:
        Method(device="cpu").fit(moons.X, y)


@st.cache_resource(show_spinner=False)
def warm_descent() -> threading.Thread:
    """Compile nearest-neighbour descent in the background, once, for very large sets."""

    def compile_it() -> None:
        from sslviz.graph.descent import warm

        warm()

    thread = threading.Thread(target=compile_it, daemon=True)
    thread.start()
    return thread
