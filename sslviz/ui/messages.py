"""What the app says beside the pictures: problems, times, explanations, code."""

import inspect
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

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
    "basins": "basins",
    "geodesic": "shortest ways",
    "kernel_density": "density",
    "pull": "class means",
    "one_nn": "nearest labels",
    "gram": "kernel",
    "times": "kernel",
    "links": "graph",
    "roughness": "roughness",
    "by_features": "solve",
    "by_points": "solve",
    "fisher": "solve",
    "ridged": "solve",
    "neighbourhood": "search",
    "components": "solve",
    "found_again": "tuning",
    "width": "width",
    "centred": "kernel",
    "spectrum": "spectrum",
    "features_of": "spectrum",
    "along": "spectrum along the graph",
    "straight": "spectrum along the graph",
    "graph_laplacian": "graph",
    "machines": "solve",
    "about_unlabelled": "kernel",
    "supervised": "solve",
    "moved": "solve",
    "inverse": "inverse of the kernel",
    "ended": "solve",
    "mixture": "solve",
    "mutual": "graph",
    "local_predictions": "local models",
    "values": "solve",
    "kernel_rows": "kernel of the plane",
    "first_steps": "steps",
    "asked": "questions",
    "claims": "cut",
    "filmed": "half-steps",
    "harmonise": "comparison",
    "principal_directions": "PCA",
    "median_distance": "scale",
    "points_of": "scaling",
    "initial": "first codes",
    "lle": "LLE weights",
    "knn_graph": "graph",
    "threshold": "graph",
    "learnt": "graph",
    "begun": "before the stream",
    "went_on": "stream",
    "drifted": "data",
    "nearest_hubs": "hubs",
    "all_pairs_median": "ways between hubs",
    "grouped": "k-means",
    "lloyd": "k-means",
    "slowest": "spectrum",
    "_represented": "islands",
    "encoded": "autoencoder",
    "first_centres": "k-means",
    "batch_graphs": "graphs of batches",
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


def clipping_said(model: Any) -> None:
    """A warning where a set is too small for what is asked, so that less was taken."""
    for name in ("n_neighbors", "k_graph"):
        asked, taken = getattr(model, name, None), getattr(model, f"{name}_", None)
        if asked is not None and taken is not None and taken < asked:
            st.warning(
                f"{asked} neighbours are asked for, but a point has only {taken} others: all of "
                "them are taken.",
                icon=":material/info:",
            )


def stages_said(stages: Sequence[Stage]) -> None:
    """What was reused and how long the rest took, e.g. "graph reused · solve 12 ms".

    Calls of the same stage are added up; it counts as reused if all of them were.
    """
    took: dict[str, float | None] = {}
    for stage in stages:
        word = WORDS.get(stage.name, stage.name)
        before = took.setdefault(word, None)
        if not stage.reused:
            took[word] = (before or 0.0) + stage.seconds
    said = [
        f":gray-badge[{word} · reused]"
        if seconds is None
        else f":blue-badge[{word} · {lasting(seconds)}]"
        for word, seconds in took.items()
    ]
    if said:
        meaning = "The stages behind this picture: kept from before, or computed now."
        st.markdown(" ".join(said), help=meaning)


def lasting(seconds: float) -> str:
    """A time to read: milliseconds below one second."""
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"


def idea_said(method: type) -> None:
    """The first sentence of the method's module docstring."""
    st.markdown((sys.modules[method.__module__].__doc__ or "").split("\n\n")[0])


def module_explained(module: Any) -> None:
    """Idea, formula, what to look for and paper: a module's own docstring."""
    st.markdown(inspect.getdoc(module))


def method_explained(method: type) -> None:
    """The same of a method's module, and its parameters."""
    module_explained(sys.modules[method.__module__])
    st.markdown("**Parameters**")
    st.markdown(docs_table(method))


def code_said(code: str) -> None:
    """Python that reproduces the picture, folded away."""
    with st.expander("Code of this picture", icon=":material/code:"):
        st.caption("This runs as it is, in a Python with sslviz:")
        st.code(code, language="python")
