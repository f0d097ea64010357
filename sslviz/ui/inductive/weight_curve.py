"""Accuracy over the weight of the unlabelled points, on demand."""

import numpy as np
import streamlit as st

from sslviz.experiments.parameter_curve import parameter_curve
from sslviz.figures.charts.basic import share_curves
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.inductive.result import InductiveResult
from sslviz.ui.server import memory
from sslviz.ui.views import CHART_HEIGHT

WEIGHTS = (0.0, 0.01, 0.03, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)


def show_weight_curve(r: InductiveResult) -> None:
    """A switch and, when it is on, the accuracy of a mixture for every weight."""
    if r.recording is None or not r.held_out.any():  # no mixture, or nothing to compare with
        return
    if not st.toggle(
        "Accuracy for all weights of unlabelled points",
        key="inductive.weights",
        bind="query-params",
        help="Fit again for nine weights λ from 0, the supervised classifier, to 1.",
    ):
        return
    settings = r.model.get_params(deep=False)
    settings = {name: settings[name] for name in settings if name not in ("memory", "weight")}
    data = r.problem.dataset.X, r.y, r.truth
    with st.spinner("Fitting …", show_time=True):
        found = memory().cache(parameter_curve)(
            type(r.model).__name__, settings, "weight", WEIGHTS, *data
        )
    chart = share_curves(np.array(WEIGHTS), {"accuracy": found}, "weight λ", "accuracy")
    chart.update_layout(showlegend=False)
    show_figure(
        chart,
        key="inductive_weights_chart",
        height=CHART_HEIGHT,
        tools=False,
        alt="Accuracy by weight of the unlabelled points",
    )
    st.caption(
        "For one random choice of labels. Where the line falls, the classes are not Gaussian, and "
        "more data make the wrong components more certain."
    )
