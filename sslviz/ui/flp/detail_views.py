"""A closer look at FLP: one part at a time, computed only when it is picked."""

import numpy as np
import streamlit as st

from sslviz.figures.charts.flp import dimension_curves, width_curves
from sslviz.figures.maps.strips import share_bars
from sslviz.ui.components.live_figure import show_figure

PARTS = {
    "All methods": "the three ways of FLP beside other projections",
    "The width": "how much the hidden parameter matters",
    "Dimensions": "accuracy over the number of dimensions, on unlabelled and on unseen points",
    "Directions": "what the map is made of",
}
PARTS_HELP = "; ".join(f"**{part}**: {meaning}" for part, meaning in PARTS.items()) + "."


def show_methods(
    found: dict[str, float], now: str, plain: dict[str, float], refused: dict[str, str]
) -> None:
    """Bars: FLP three ways, other projections, and no map at all."""
    chart = share_bars(found | plain, now, tuple(plain))
    show_figure(chart, key="flp_methods", height=330, tools=False)
    st.caption(
        "Hidden labels found. FLP answers by its own labels; the other projections by the nearest "
        "given label in their map (NCA and LDA see the labelled points only). Grey: no map at all. "
        "**Look for** the step from *A fixed* to *FLP*: what learning the features adds. On bent "
        "classes, such as the moons, label propagation beats every straight projection."
    )
    for title, reason in refused.items():
        st.caption(f"**{title}**: {reason}")


def show_width(
    widths: tuple[float, ...], found: np.ndarray, heard: np.ndarray, now: float, baseline: float
) -> None:
    """Accuracy over the width."""
    chart = width_curves(np.array(widths), found, heard, now, baseline)
    show_figure(chart, key="flp_widths", height=340, tools=False)
    st.caption(
        "The paper says it has no parameters. Here this one moves accuracy between "
        f"**{np.nanmin(found):.0%}** and **{np.nanmax(found):.0%}**. Left: everybody hears "
        "everybody, and all labels blur. Right: each hears its nearest only, and points die."
    )


def show_dimensions(
    tried: np.ndarray, curves: dict[str, np.ndarray], now: int, usual: int, n_labelled: int
) -> None:
    """Accuracy over dimensions: unlabelled points on the left, unseen ones on the right."""
    shares = np.concatenate(list(curves.values()))
    span = (float(np.nanmin(shares)) - 0.03, min(1.01, float(np.nanmax(shares)) + 0.03))
    titles = ("Unlabelled points", "Unseen points")
    for i, (column, title) in enumerate(zip(st.columns(2), titles, strict=True)):
        each = {name: values[:, i] for name, values in curves.items()}
        with column:
            st.markdown(f"**{title}**")
            chart = dimension_curves(tried, each, now, usual, span)
            show_figure(chart, key=f"flp_dims_{i}", height=300, tools=False)
    ends = (
        f" NCA starts from the principal components of the {n_labelled} labelled points: there are "
        f"no more than {n_labelled}."
        if n_labelled < tried[-1]
        else ""
    )
    st.caption(
        "Every second hidden point is set aside, and no map has seen it (the paper's Figures 3 and "
        f"5). Dotted: one fewer than classes, {usual}. **Look for** where the curves bend: fewer "
        "dimensions lose classes, more add noise; and for a gap between left and right: a map that "
        "fits the points it saw. LDA and SDA have no more directions than classes less one." + ends
    )
