"""Texts beside the pictures: errors, warnings, times, explanations, code."""

import inspect
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import streamlit as st

from sslviz.exports.references import bibtex_of
from sslviz.memo import Stage
from sslviz.params import docs_table
from sslviz.ui.safe_text import escape_markup
from sslviz.ui.state.link_check import ignored_in_link
from sslviz.ui.stories.settings import undo_refused_settings

MAX_NAMES_TOLD = 8


@contextmanager
def stop_on_error() -> Iterator[None]:
    """Show an expected error as a sentence on the page, and stop the script there."""
    try:
        yield
    except (ValueError, ConnectionError) as error:
        undo_refused_settings()
        st.error(escape_markup(str(error)), icon=":material/error:")
        st.stop()


def warn_if_clipped(model: Any) -> None:
    """Warn where the data set has fewer points than the number of neighbours asked for."""
    for name in ("n_neighbors", "k_graph"):
        asked, taken = getattr(model, name, None), getattr(model, f"{name}_", None)
        if asked is not None and taken is not None and taken < asked:
            st.warning(
                f"{asked} neighbours are asked for, but a point has only {taken} others: all of "
                "them are used.",
                icon=":material/info:",
            )


def show_stage_times(stages: Sequence[Stage]) -> None:
    """Which stages came from the cache and how long the others took: "graph reused · solve 12 ms".

    Calls of one stage are added up; it is shown as reused if all of them were.
    """
    took: dict[str, float | None] = {}
    for stage in stages:
        before = took.setdefault(stage.word, None)
        if not stage.reused:
            took[stage.word] = (before or 0.0) + stage.seconds
    badges = [
        f":gray-badge[{word} · reused]"
        if seconds is None
        else f":blue-badge[{word} · {format_seconds(seconds)}]"
        for word, seconds in took.items()
    ]
    if badges:
        meaning = "The stages of this computation: taken from the cache, or computed just now."
        st.markdown(" ".join(badges), help=meaning)


def format_seconds(seconds: float) -> str:
    """A duration as text: in milliseconds below one second."""
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"


def show_method_summary(method: type) -> None:
    """The first sentence of the method's module docstring."""
    st.markdown((sys.modules[method.__module__].__doc__ or "").split("\n\n")[0])


def show_module_docs(module: Any) -> None:
    """The docstring of a module: idea, formula, what to look for, paper."""
    st.markdown(inspect.getdoc(module))


def show_method_docs(method: type) -> None:
    """The docstring of a method's module, and a table of its parameters."""
    show_module_docs(sys.modules[method.__module__])
    st.markdown("**Parameters**")
    st.markdown(docs_table(method))


def show_code(code: str) -> None:
    """Python code that reproduces the picture, in a closed box."""
    with st.expander("Code of this picture", key="code", icon=":material/code:"):
        st.caption("Runs as it is where sslviz is installed (`pip install .` in its folder):")
        st.code(code, language="python")


def show_ignored_parameters() -> None:
    """Say which names in the link that was opened set nothing on the page."""
    if names := ignored_in_link():
        words = ", ".join(f"“{escape_markup(name)}”" for name in names[:MAX_NAMES_TOLD])
        more = " and others" if len(names) > MAX_NAMES_TOLD else ""
        st.caption(f"In this link, without effect on this page: {words}{more}.")


def show_references(methods: Sequence[type]) -> None:
    """The papers of the methods as BibTeX, in a closed box."""
    if entries := bibtex_of(methods):
        with st.expander("Cite", key="cite", icon=":material/format_quote:"):
            st.caption("The papers of the methods on this page, as BibTeX:")
            st.code(entries, language="latex")
