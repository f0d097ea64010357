"""Kernel ridge regression and its amplification: a chart, and a warning past the pole."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from sslviz.abilities import AmplifiedRidge
from sslviz.figures.charts.spectrum import amplification_bars
from sslviz.ui.inductive.result import InductiveResult

DIRECTIONS_SHOWN = 9


def is_amplified(r: InductiveResult) -> bool:
    return isinstance(r.model, AmplifiedRidge)


def is_reversed(r: InductiveResult) -> bool:
    """Whether a direction beside the bias is past its pole."""
    return is_amplified(r) and r.model.negative_directions_ > 1


def amplification_chart(r: InductiveResult) -> go.Figure:
    """The leading directions, the bias first."""
    found = r.model.amplification(DIRECTIONS_SHOWN)
    lengths = np.linalg.norm(found.ridge, axis=1)
    names = ["bias", *(str(i) for i in range(1, len(lengths)))]
    return amplification_bars(lengths, found.factor, names)


def amplification_caption(r: InductiveResult) -> str:
    text = (
        "Grey: kernel ridge regression on the labels alone, along the directions that the labels "
        "leave most open; the first is nearly constant, the bias, for which the objective is a "
        "maximum: it is red at any pull. Coloured: the scores, each direction times 1/(1 − γ₁μ). "
    )
    if is_reversed(r):
        return text + (
            f"**Directions with γ₁μ > 1: {r.model.negative_directions_ - 1}.** Red, they point "
            "against the labels. **Look for** them to turn one by one as pull grows."
        )
    return text + (
        "**Look for** directions that grow with the pull: they are the clusters. A long factor on "
        "a grey bar of no length, often a few outliers, changes nothing."
    )


def show_pole_warning(r: InductiveResult) -> None:
    """What a pull of 1 or more does."""
    if not is_amplified(r) or r.model.pull < 1:
        return
    if is_reversed(r):
        text = (
            "**past the pole**: along the leading directions the formula still has a solution, "
            "but with the opposite sign. Whole clusters get the wrong class. Keep pull below 1."
        )
    else:
        text = (
            "**close to the pole**: the labels still keep every direction upright. Raise pull, or "
            "lower the trust in labels, and whole clusters flip to the wrong class."
        )
    st.warning(f"Pull is {r.model.pull:g}, {text}", icon=":material/flip:")
