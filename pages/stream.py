"""Streams: points arrive one by one, are predicted at once, and only a summary of them is kept."""

import numpy as np
import streamlit as st

import sslviz
from sslviz.content_hash import digest
from sslviz.labels import known_classes
from sslviz.recordings.stream import StreamRun
from sslviz.snippet import stream_snippet
from sslviz.ui.components.legend import show_legend
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.formula import show_formula
from sslviz.ui.page import MAP_HEIGHT, computing, footer, header
from sslviz.ui.page_downloads import stream_downloads
from sslviz.ui.presets.apply import show_preset_links
from sslviz.ui.problem import known_share
from sslviz.ui.runs import start_run, watch
from sslviz.ui.server import memory
from sslviz.ui.state.clicks import ARRIVAL, clicked_mark, on_click_remember
from sslviz.ui.state.slots import STREAM_CONTINUED_AT
from sslviz.ui.stream import map_view, sidebar
from sslviz.ui.stream.result import (
    StreamResult,
    centroids_by_features,
    labels_in_hindsight,
)
from sslviz.ui.stream.views import BESIDE_MAP, NUMBERS, VIEWS
from sslviz.ui.views import follow_film, show_numbers, show_views

MAP_AND_CHARTS = (3, 2)  # columns

told = header(
    "Streams",
    "Points arrive one by one. Each is **predicted at once and not seen again**. What is kept is a "
    "summary: the labelled points, and a few **centroids**, each of which stands for many others, "
    "or the last points (TLP) with the **edges handed on** by those that have left.",
    page="stream",
)
if not told:
    show_preset_links("pages/stream.py")
source = sidebar.choose_source()
with st.sidebar:
    choice = sidebar.choose_observation(source)
capacity = choice.parameters["capacity"]
stream = source.stream(capacity, choice.every, choice.noise, memory())
left = len(stream.X) - stream.start
if left < 1 or len(known_classes(stream.target[: stream.start])) < 2:
    st.info(
        "No points are left to arrive: give fewer labels, keep fewer centroids or take more points."
        if left < 1
        else "Labels of two classes are needed before the stream begins."
    )
    st.stop()
arrivals = min(choice.arrivals, left)
methods = sidebar.stream_methods()
settings = {name: (m.__name__, choice.settings(m)) for name, m in methods.items()}

with computing("Before the stream …") as stages:
    name = digest("stream", settings, stream, arrivals)
    run, took = start_run(name, StreamRun, settings, stream, arrivals, memory().cache)
    stages.append(took)
    by_dimension = centroids_by_features(source, capacity, memory())
    hindsight = labels_in_hindsight(stream, arrivals, memory()) if run.done else None


def present_stream() -> StreamResult:
    """The arrivals so far, with the point selected now."""
    point = clicked_mark(ARRIVAL, tuple(source.code), int(source.names.max()) + 1)
    return StreamResult(source, stream, choice, run.recordings(), hindsight, by_dimension, point)


def show_stream() -> None:
    complete = run.done  # before its arrivals are read: it may end in between
    result = present_stream()
    show_formula(methods[choice.shown](**settings[choice.shown][1]))
    show_numbers(NUMBERS, result)
    show_legend(source.classes, map_view.legend_marks(result), undetermined=False)
    steps, fig = map_view.steps_of(result), map_view.arrival_map(result)
    follow_film(fig, NUMBERS, result, count=len(steps))
    if (before := STREAM_CONTINUED_AT.get()) is not None:  # the player stays there
        place = int(np.searchsorted(steps, before))
        fig.update_layout(meta={**(fig.layout.meta or {}), "frame": place})
    if complete:
        STREAM_CONTINUED_AT.clear()
    wide, narrow = st.columns(MAP_AND_CHARTS)
    with wide:
        show_figure(
            fig,
            key="stream_map",
            height=MAP_HEIGHT,
            thumbnails=source.thumbnails,
            alt=map_view.alt_text(result),
            film="stream",
            moments=steps,
            on_event=on_click_remember(ARRIVAL),
        )
        sidebar.show_go_on(arrivals, left, ready=run.done)
        st.caption(map_view.map_caption(result))
    with narrow:
        show_views(BESIDE_MAP, result, columns=1, film="stream")
    show_views(VIEWS, result, columns=2, film="stream")


watch(run, show_stream)
shown = methods[choice.shown](**settings[choice.shown][1])
code = stream_snippet(
    shown, source.code, stream.n_classes, choice.every, choice.noise, arrivals,
    known=known_share(stream.y[stream.start :]),
)  # fmt: skip
footer([*methods.values(), sslviz.DoublingCover], code, stages, stream_downloads(present_stream()))
