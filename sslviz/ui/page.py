"""Parts of every page: header, computation with errors and times, maps side by side, footer."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sslviz.abilities import Method
from sslviz.figures.maps.plane_shape import plane_shape
from sslviz.memo import Stage
from sslviz.ui.app import page_header
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.downloads import Download, show_downloads
from sslviz.ui.labels.group import grey_others, selected_group
from sslviz.ui.labels.map_marks import NEIGHBOURS_SENT, mark_options
from sslviz.ui.messages import (
    show_code,
    show_ignored_parameters,
    show_method_docs,
    show_references,
    show_stage_times,
    stop_on_error,
)
from sslviz.ui.presets.apply import show_lesson, show_preset_links
from sslviz.ui.presets.openings import starts_at_beginning
from sslviz.ui.problem import Problem
from sslviz.ui.server import memory
from sslviz.ui.state.clicks import on_click_remember
from sslviz.ui.state.slots import PAGE_OUTDATED
from sslviz.ui.stories.panel import show_goal, show_story
from sslviz.ui.views import Number, follow_film, limit_height
from sslviz.ui.waiting import waiting_note

MAP_HEIGHT = 0.53  # of the window, so that numbers, map and player fit on one screen of 720 px
MAP_AND_PANEL = (5, 3)  # widths of the columns
MAP_MARGIN = 24  # px, around the points of a map
MAP_HEIGHT_BESIDE = 0.42  # of the window, for one of several maps side by side


def header(title: str, intro: str = "", *, page: str, presets: bool = False) -> bool:
    """The title, an introduction, and an explanation if a preset has opened the page.

    With `presets` there are links to the presets of the page, unless a story is told: whether it
    is, is returned.
    """
    page_header(title)
    told = show_story(page)
    if intro and not told:
        with st.container(key="intro"):  # style.css leaves it out on a phone, above a lesson
            st.markdown(intro)
    (show_preset_links if presets and not told else show_lesson)(f"pages/{page}.py")
    return told


def stop_if_all_given(y: np.ndarray) -> None:
    """Stop with a message if every label is given and nothing is left to predict."""
    if not (y < 0).any():
        st.info("Every label is given, so nothing is left to predict: give fewer labels per class.")
        st.stop()


@contextmanager
def computing(text: str) -> Iterator[list[Stage]]:
    """A context for computations: a spinner, and errors as messages; yields the stages called."""
    with memory().watch() as stages, stop_on_error(), waiting_note():
        with st.spinner(text, show_time=True):
            yield stages


def map_and_panel(*, beside: bool = True) -> tuple[DeltaGenerator, DeltaGenerator]:
    """The place of a map, and beside it that of what is told about the selected point.

    With several maps there is no room beside them: the panel is then below.
    """
    if beside:
        left, right = st.columns(MAP_AND_PANEL)
        return left, right
    return st.container(), st.container()


def show_map(
    fig: go.Figure,
    problem: Problem,
    *,
    key: str,
    alt: str,
    height: int | float = MAP_HEIGHT,
    k: int = NEIGHBOURS_SENT,
    **options: Any,
) -> None:
    """A map of the problem's points with thumbnails on hover; clicks and keys are stored.

    Points selected by a lasso or box stand out, in all maps of the page. The point under the cursor
    is linked to its `k` nearest neighbours, the number of the method's graph. A click in a part of
    the page that is drawn by itself, as a training is, draws the whole page: the sidebar shows it.
    """
    if PAGE_OUTDATED.get():
        st.rerun()
    grey_others(fig, selected_group(problem))
    limit_height(plane_shape(fig), key, MAP_MARGIN)
    show_figure(
        fig,
        key=key,
        height=height,
        thumbnails=problem.thumbnails,
        alt=alt,
        on_event=on_click_remember(),
        **mark_options(problem, k),
        **options,
    )


def show_maps(
    draw: Callable[[Any], go.Figure],
    results: Sequence[Any],
    *,
    page: str,
    moments: Callable[[Any], Any] = lambda result: None,
    numbers: Sequence[Number] = (),
) -> None:
    """One map for each result, side by side and linked, with its title and accuracy above it.

    `numbers` stand above a single map and follow its film; above several maps the accuracies do.
    """
    several = len(results) > 1
    keys = (f"{page}_map", f"{page}_versus")
    for column, result, key in zip(st.columns(len(results)), results, keys, strict=False):
        with column:
            fig = follow_film(draw(result), numbers, result)
            fig.update_layout(showlegend=not several)
            if several:
                with st.container(key=f"{key}_heading"):  # film_numbers.js finds it by this name
                    st.markdown(f"**{result.title}** · accuracy {result.shown_accuracy}")
            if fig.frames and starts_at_beginning(page):
                fig.update_layout(meta={**(fig.layout.meta or {}), "frame": 0, "play": True})
            show_map(
                fig,
                result.problem,
                key=key,
                height=MAP_HEIGHT_BESIDE if several else MAP_HEIGHT,
                alt=f"{result.title} on {result.problem.dataset.name}; "
                f"accuracy {result.shown_accuracy}",
                k=neighbours_in(result.model),
                linked=page if several else None,
                film=page,
                moments=moments(result),
            )


def neighbours_in(model: Any) -> int:
    """The number of neighbours in a method's graph, as far as they are shown on hover."""
    names = ("n_neighbors_", "n_neighbors", "k_graph")
    found = (getattr(model, name, None) for name in names)
    return next((int(k) for k in found if isinstance(k, int | np.integer)), NEIGHBOURS_SENT)


def footer(
    methods: Sequence[type[Method]],
    code: str,
    stages: Sequence[Stage] = (),
    downloads: Sequence[Download] = (),
    cited: Sequence[type] = (),
) -> None:
    """Times of the stages; idea, formula and paper of the methods; references, results, code.

    Papers of `cited` are among the references, though the page does not explain these methods.
    """
    show_goal()
    show_ignored_parameters()
    show_stage_times(stages)
    methods = list(dict.fromkeys(methods))
    for method in methods:
        # With a key it stays open when something appears above it.
        title, key = f"{method.title}: idea, formula, paper", f"docs.{method.__name__}"
        with st.expander(title, key=key, icon=":material/school:"):
            show_method_docs(method)
    show_references([*methods, *cited])
    show_downloads(downloads)
    show_code(code)
