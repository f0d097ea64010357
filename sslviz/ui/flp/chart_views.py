"""Below the moving map of FLP: H over time, who is heard, one of its points."""

from typing import Any

import numpy as np
import streamlit as st

from sslviz.figures.charts.basic import class_bars
from sslviz.figures.charts.flp import harmony_curves, voice_histogram
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.problem import Problem

HEIGHT = 260
SILENT = 0.01  # of a fair share: nobody hears it


def show_harmony(film: Any, found: np.ndarray, heard: np.ndarray, chance: float) -> None:
    """H beside accuracy, as far as there is any."""
    hidden = not np.isnan(found).all()
    st.subheader("H beside accuracy" if hidden else "H")
    if len(film.harmony) == 1:
        st.info(f"Nothing moves: H stays {film.harmony[0]:.2g}.")
        return
    chart = harmony_curves(film.harmony, found, heard, chance)
    show_figure(chart, key="flp_harmony", height=HEIGHT, tools=False, film="flp")
    seen = (
        "**Look for** the blue line: while H falls it need not climb, and where H is gone nothing "
        "pulls at the labels any more."
        if hidden
        else "No label is hidden, so there is no accuracy to draw beside it."
    )
    st.caption(f"H never rises: that is the method. {seen}")


def show_voices(film: Any, problem: Problem) -> None:
    """Who is heard, and whether those are right."""
    st.subheader("Who is heard")
    hidden = problem.y < 0
    if not hidden.any():
        st.info("No point is hidden: all speak with their given label.")
        return
    right = film.answers[-1] == problem.dataset.y
    chart = voice_histogram(film.voices[-1][hidden], right[hidden])
    show_figure(chart, key="flp_voices", height=HEIGHT, tools=False)
    st.caption(
        "Hidden points, at the end, by how much the labelled ones hear of them, $\\sum_i p_{ij}$; "
        "1 is the fair share. **Look for** a heap on the left: dying points. Widen the kernel (a "
        "smaller spread) and it moves right."
    )


def show_point(film: Any, point: int | None, problem: Problem) -> None:
    """One point: what it says or hears, and from whom."""
    st.subheader("One point, at the end")
    if point is None:
        st.info("Click a point in the picture.", icon=":material/touch_app:")
        return
    names, F, given = problem.dataset.classes, film.F[-1], problem.y[point] >= 0
    others, weights = film.hears(-1, point)
    shares = weights @ F[others] / max(weights.sum(), 1e-300) if given else F[point]
    show_figure(class_bars(shares, names), key="flp_point", height=HEIGHT - 60, tools=False)
    truly = f"Point {point}, truly {names[problem.dataset.y[point]]}: "
    loud = (
        "The thicker a line, the more it hears; at the end most of all "
        f"point {others[0]}, {weights[0]:.0%}."
    )
    if given:
        st.caption(f"{truly}it knows its label, the bars are what it **hears**. {loud}")
        return
    voice = film.voices[-1][point]
    heard = (
        f"its voice is {voice:.2g} of a fair share"
        if voice >= SILENT
        else "**nobody hears it**, so hardly anything has moved its label"
    )
    st.caption(f"{truly}the bars are what it **says**; {heard}. {loud}")
