"""What the app says beside the pictures: problems, times, explanations, code."""

import inspect
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from sslviz.memo import Stage
from sslviz.params import docs_table

WORDS = {
    "loaded": "data",
    "pca_layout": "PCA map",
    "umap_layout": "UMAP map",
    "neighbours": "neighbours",
    "undirected": "graph",
    "absorption": "solve",
    "spread": "solve",
    "recorded": "sweeps",
    "sheets": "thumbnails",
}


@contextmanager
def problems_said() -> Iterator[None]:
    """Turn a clear error into a sentence on the page, and stop there; nothing else is lost."""
    try:
        yield
    except (ValueError, ConnectionError) as error:
        st.error(str(error), icon=":material/error:")
        st.stop()


def numbers_said(numbers: Sequence[tuple[str, str, str]]) -> None:
    """Name, value and meaning of a few numbers, side by side as far as the page is wide."""
    with st.container(horizontal=True, gap="medium"):
        for name, value, meaning in numbers:
            st.metric(name, value, help=meaning, width="content")


def stages_said(stages: Sequence[Stage]) -> None:
    """What was reused and how long the rest took, e.g. "graph reused · solve 12 ms"."""
    said = []
    for stage in stages:
        word = WORDS.get(stage.name, stage.name)
        if stage.reused:
            said.append(f":gray-badge[{word} · reused]")
        else:
            said.append(f":blue-badge[{word} · {_time(stage.seconds)}]")
    if said:
        meaning = "The stages behind this picture: kept from before, or computed now."
        st.markdown(" ".join(said), help=meaning)


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"


def idea_said(method: type) -> None:
    """The first sentence of the method's module docstring."""
    st.markdown((sys.modules[method.__module__].__doc__ or "").split("\n\n")[0])


def method_explained(method: type) -> None:
    """Idea, formula, what to look for and paper: the method's own module docstring."""
    module = sys.modules[method.__module__]
    st.markdown(inspect.getdoc(module))
    st.markdown("**Parameters**")
    st.markdown(docs_table(method))


def code_said(code: str) -> None:
    """Python that reproduces the picture, folded away."""
    with st.expander("Code of this picture", icon=":material/code:"):
        st.caption("This runs as it is, in a Python with sslviz:")
        st.code(code, language="python")
