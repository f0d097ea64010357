"""The net under all pages: an unforeseen error becomes a sentence with a reference number.

The trace goes to the log, under the same number. Expected errors, such as bad input, are messages
of their own (`messages.stop_on_error`).
"""

import logging
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import streamlit as st

from sslviz import kept_files
from sslviz.ui.state import page_state
from sslviz.ui.stories.settings import undo_refused_settings

LOG = logging.getLogger("sslviz")
RAISE = "SSLVIZ_ERRORS"  # set to "raise", errors are not caught: for tests and development


@contextmanager
def error_net(page: str) -> Iterator[None]:
    """Run a page; what goes wrong in it is logged and told in a sentence."""
    try:
        yield
    except Exception:
        if os.environ.get(RAISE) == "raise":
            raise
        undo_refused_settings()
        number = secrets.token_hex(4)
        LOG.exception("error %s on page %r", number, page or "home")
        st.error(
            f"Something went wrong on this page. Your labels and data are kept. If it happens "
            f"again, tell whoever runs this server the number **{number}**.",
            icon=":material/error:",
        )
        st.button(
            "Start over with the first settings of this page",
            key="open.start_over",
            icon=":material/restart_alt:",
            on_click=page_state.forget_settings,
        )


def fragment(draw: Callable[..., Any], run_every: float | None = None) -> Callable[..., Any]:
    """A part of a page that is drawn again by itself: the net under the page is not under it."""

    @wraps(draw)
    def draw_in_net(*args: Any, **kwargs: Any) -> None:
        with error_net(draw.__name__):
            draw(*args, **kwargs)

    return st.fragment(draw_in_net, run_every=run_every)


@contextmanager
def callback_net() -> Iterator[None]:
    """Run a callback, which Streamlit calls before the page; what goes wrong is logged and told."""
    try:
        yield
    except Exception:
        if os.environ.get(RAISE) == "raise":
            raise
        number = secrets.token_hex(4)
        LOG.exception("error %s in a callback", number)
        st.toast(f"This action failed (number {number}).", icon=":material/error:")


def warn_if_disk_refuses() -> None:
    """Say that the server cannot save anything just now, at the end of a page."""
    if kept_files.disk_refuses():
        st.warning(
            "The disk of this server is full or read-only. Pictures still work; uploads, drawings "
            "and long lists of labels may be lost when the server is started again: save your "
            "labels as a file.",
            icon=":material/hard_drive:",
        )
