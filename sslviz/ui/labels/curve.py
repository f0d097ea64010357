"""Accuracy against the number of labels on the sidebar: a dot for every label given by hand.

Beside it is the band of random labelling with the same number of labels, a run that all sessions
share. Both are computed only while this part of the label lab is open.
"""

from typing import Any

import numpy as np
import streamlit as st

from sslviz.content_hash import digest
from sslviz.experiments.labelling_curve import METHODS, Measured, hand_curve, random_sizes
from sslviz.figures.charts.labelling import labelling_chart
from sslviz.recordings.labelling_curve import RandomLabellingRun
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.errors import fragment
from sslviz.ui.messages import stop_on_error
from sslviz.ui.runs import SLICE, start_run
from sslviz.ui.server import memory
from sslviz.ui.state import page_state
from sslviz.ui.state.manual_labels import LabelContext
from sslviz.ui.state.slots import LABEL_CONTEXT

MAX_POINTS = 5000  # each label is a fit of all points
REPAINT = 1.0  # seconds
CHART_HEIGHT = 240


def show_labelling_curve(problem: Any) -> None:
    """A quick method to choose, and its curve."""
    if why_not := no_curve_text(problem):
        st.caption(why_not)
        return
    titles = list(METHODS)
    title = st.selectbox(
        "Accuracy as you label, of",
        titles,
        titles.index(method_of_page()),
        key=f"open.curve.{method_of_page()}",
        help="The curve is of a quick method with its default settings, fitted again after "
        "each label; the page's own numbers are those of its method and settings.",
    )
    _show_curve(problem, title or titles[0])


def no_curve_text(problem: Any) -> str:
    """Why there is no accuracy to draw; "" where there is."""
    if problem.held_out.any():
        if len(problem.y) <= MAX_POINTS:
            return ""
        return f"No curve of more than {MAX_POINTS:,} points: show fewer."
    if page_state.widget_value("truth_hidden") in (True, "true"):
        return "The true classes are hidden, so there is no accuracy: show them again to see it."
    if not problem.dataset.known.any():
        return "No true class is known, so there is no accuracy to draw."
    return "Every known label is given: none is left to measure the accuracy."


def method_of_page() -> str:
    """The method chosen on the page of label propagation if it is a quick one, else that."""
    chosen = str(page_state.widget_value("method", "")).lower()
    return next((title for title in METHODS if title.lower() == chosen), "label propagation")


def _show_curve(problem: Any, title: str) -> None:
    context: LabelContext = LABEL_CONTEXT.get()
    data, method = problem.dataset, METHODS[title]
    with stop_on_error(), st.spinner("Fitting …", show_time=True):
        curve = hand_curve(method, data.X, context.drawn, context.used, data.y, memory())
        sizes = random_sizes(context.drawn, data.y, len(context.used))
        name = f"random labels {digest(method, data.X, context.drawn, data.y, sizes)}"
        recipe = (method, data.X, context.drawn, data.y, sizes, memory())
        run, _ = start_run(name, RandomLabellingRun, *recipe)  # made in another process
    waits = not (run.done or run.paused or run.cancelled)
    fragment(_draw, run_every=REPAINT if waits else None)(run, curve, title, waits)


def _draw(run: RandomLabellingRun, curve: list[Measured], title: str, waits: bool) -> None:
    """The chart as it is now; while random labels are drawn, a bar and a button to stop."""
    if waits:
        with stop_on_error():
            run.go_on(SLICE)
        if run.done or run.paused:
            st.rerun()
    band = run.band()
    labels, shares = (np.array(column) for column in zip(*curve, strict=True))
    fig = labelling_chart(labels, shares, band and band[:4])
    said = curve_text(curve, run, title)
    show_figure(fig, key="labelling_curve", height=CHART_HEIGHT, tools=False, alt=said)
    st.caption(said)
    if run.done:
        return
    st.progress(run.share or 0.0, run.status())
    stopped = run.paused
    press = run.resume if stopped else run.pause
    if st.button("Go on" if stopped else "Stop", key=f"run:{id(run)}:{stopped}", on_click=press):
        st.rerun()


def curve_text(curve: list[Measured], run: RandomLabellingRun, title: str) -> str:
    """The last accuracy by hand beside that of as many random labels, in words."""
    now, band = curve[-1], run.band()
    said = f"{title.capitalize()} with {now.labels} labels: {now.accuracy:.1%} of the others right"
    if band is not None and band.labels[0] <= now.labels <= band.labels[-1]:
        low, median, high = (np.interp(now.labels, band.labels, column) for column in band[1:4])
        said += f"; as many at random: {median:.1%} ({low:.1%} to {high:.1%} in {band.draws} draws)"
    return f"{said}."
