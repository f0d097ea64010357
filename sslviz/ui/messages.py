"""What the app says beside the pictures: problems, times, explanations, code."""

import inspect
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import streamlit as st

from sslviz.memo import Stage
from sslviz.params import docs_table


@contextmanager
def stop_on_error() -> Iterator[None]:
    """Turn a clear error into a sentence on the page, and stop there; nothing else is lost."""
    try:
        yield
    except (ValueError, ConnectionError) as error:
        st.error(str(error), icon=":material/error:")
        st.stop()


def show_metrics(numbers: Sequence[tuple[str, str, str]]) -> None:
    """Name, value and meaning of a few numbers, side by side as far as the page is wide."""
    with st.container(horizontal=True, gap="medium"):
        for name, value, meaning in numbers:
            st.metric(name, value, help=meaning, width="content")


def warn_if_clipped(model: Any) -> None:
    """A warning where a set is too small for what is asked, so that less was taken."""
    for name in ("n_neighbors", "k_graph"):
        asked, taken = getattr(model, name, None), getattr(model, f"{name}_", None)
        if asked is not None and taken is not None and taken < asked:
            st.warning(
                f"{asked} neighbours are asked for, but a point has only {taken} others: all of "
                "them are taken.",
                icon=":material/info:",
            )


def show_stage_times(stages: Sequence[Stage]) -> None:
    """What was reused and how long the rest took, e.g. "graph reused · solve 12 ms".

    Calls of the same stage are added up; it counts as reused if all of them were.
    """
    took: dict[str, float | None] = {}
    for stage in stages:
        before = took.setdefault(stage.word, None)
        if not stage.reused:
            took[stage.word] = (before or 0.0) + stage.seconds
    said = [
        f":gray-badge[{word} · reused]"
        if seconds is None
        else f":blue-badge[{word} · {format_seconds(seconds)}]"
        for word, seconds in took.items()
    ]
    if said:
        meaning = "The stages behind this picture: kept from before, or computed now."
        st.markdown(" ".join(said), help=meaning)


def format_seconds(seconds: float) -> str:
    """A time to read: milliseconds below one second."""
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"


def show_method_summary(method: type) -> None:
    """The first sentence of the method's module docstring."""
    st.markdown((sys.modules[method.__module__].__doc__ or "").split("\n\n")[0])


def show_module_docs(module: Any) -> None:
    """Idea, formula, what to look for and paper: a module's own docstring."""
    st.markdown(inspect.getdoc(module))


def show_method_docs(method: type) -> None:
    """The same of a method's module, and its parameters."""
    show_module_docs(sys.modules[method.__module__])
    st.markdown("**Parameters**")
    st.markdown(docs_table(method))


def show_code(code: str) -> None:
    """Python that reproduces the picture, folded away."""
    with st.expander("Code of this picture", icon=":material/code:"):
        st.caption("This runs as it is, in a Python with sslviz:")
        st.code(code, language="python")
