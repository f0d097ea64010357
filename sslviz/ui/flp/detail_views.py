"""Further views of FLP, one at a time and computed only when chosen."""

from typing import Any

import numpy as np
import streamlit as st

from sslviz.experiments import embedding_evaluation, flp_sweeps
from sslviz.figures.charts.flp import dimension_curves, width_curves
from sslviz.figures.maps.strips import accuracy_bars
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.embedding.detail_views import show_directions
from sslviz.ui.flp.result import FLPResult
from sslviz.ui.flp.sidebar import MAX_DIMENSIONS
from sslviz.ui.result import unscored_text

DETAILS = {
    "All methods": "the three modes of FLP beside other projections",
    "The width": "how much the kernel width matters",
    "Dimensions": "accuracy over the number of dimensions, on unlabelled and on unseen points",
    "Directions": "the weights of the features",
}
DETAILS_HELP = "; ".join(f"**{name}**: {meaning}" for name, meaning in DETAILS.items()) + "."
WIDTHS = (0.1, 0.3, 1.0, 2.0, 3.0, 6.0, 10.0, 30.0, 100.0)


def show_detail(detail: str, r: FLPResult, memory: Any) -> None:
    """Compute and show one of the details."""
    X, y, truth, model = r.problem.dataset.X, r.y, r.truth, r.model
    if detail == "Directions":
        show_directions(r.steps.A[1].T, r.problem)
    elif not r.held_out.any():
        st.info(unscored_text(r))
    elif detail == "All methods":
        baselines = {"1-NN without a map": r.one_nn, "Label propagation": r.propagation}
        scores, refused = flp_sweeps.compare_projections(model, X, y, truth)
        show_methods(scores, flp_sweeps.MODE_TITLES[r.mode], baselines, refused)
    elif detail == "The width" and r.mode == "printed":
        st.info("As printed nothing limits the size of A: there is no width to set.")
    elif detail == "The width":
        tried = flp_sweeps.over_widths(model, X, y, truth, WIDTHS)
        show_width(WIDTHS, *tried, model.width, r.one_nn)
    else:
        most = min(MAX_DIMENSIONS, *X.shape)
        some = flp_sweeps.dimensions_tried(most, r.n_given - 1, r.dimensions)
        modes = {
            title: (mode, most)
            for title, mode in flp_sweeps.in_all_modes(model).items()
            if mode.mode != "printed"
        } | flp_sweeps.other_projections(y, memory=memory)
        unseen = embedding_evaluation.set_aside(y, truth, r.problem.setting.seed)
        curves = flp_sweeps.over_dimensions(modes, X, y, truth, unseen, some)
        given = int((~r.hidden).sum())
        show_dimensions(np.array(some), curves, r.dimensions, r.n_given - 1, given)


def show_methods(
    found: dict[str, float], now: str, plain: dict[str, float], refused: dict[str, str]
) -> None:
    """Bars: FLP in three modes, other projections, and no projection at all."""
    chart = accuracy_bars(found | plain, now, tuple(plain))
    show_figure(chart, key="flp_methods", height=330, tools=False, alt="Accuracy of all methods")
    st.caption(
        "Accuracy on the hidden labels. FLP predicts by its own labels; the other projections by "
        "the nearest given label (NCA and LDA see the labelled points only). Grey: no projection. "
        "**Look for** the step from *A fixed* to *FLP*: what learning the features adds. On curved "
        "classes, such as the moons, label propagation beats every linear projection."
    )
    for title, reason in refused.items():
        st.caption(f"**{title}**: {reason}")


def show_width(
    widths: tuple[float, ...], found: np.ndarray, heard: np.ndarray, now: float, baseline: float
) -> None:
    """Accuracy over the width."""
    chart = width_curves(np.array(widths), found, heard, now, baseline)
    show_figure(chart, key="flp_widths", height=340, tools=False, alt="Effect of the kernel width")
    st.caption(
        "The paper says that FLP has no parameters. Here this one changes accuracy between "
        f"**{np.nanmin(found):.0%}** and **{np.nanmax(found):.0%}**. Left: all points influence "
        "each label, and labels blur. Right: only the nearest do, and points lose their influence."
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
            show_figure(
                chart, key=f"flp_dims_{i}", height=300, tools=False, alt="Effect of the dimensions"
            )
    ends = (
        f" NCA starts from the principal components of the {n_labelled} labelled points: there are "
        f"no more than {n_labelled}."
        if n_labelled < tried[-1]
        else ""
    )
    st.caption(
        "Every second hidden point is left out of the fit (the paper's Figures 3 and 5). Dotted: "
        f"one dimension fewer than classes, {usual}. **Look for** where the curves bend: fewer "
        "dimensions lose classes, more add noise; and for a gap between left and right: "
        "overfitting. LDA and SDA have no more directions than classes less one." + ends
    )
