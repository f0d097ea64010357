"""Decision boundaries: classifiers that predict everywhere, from labelled and unlabelled points."""

import streamlit as st

from sslviz.snippet import classes_backwards, model_snippet
from sslviz.ui.cost_warning import holds_all_pairs, stop_if_costly
from sslviz.ui.downloads import downloads_of
from sslviz.ui.formula import show_formula
from sslviz.ui.inductive.amplification_view import show_pole_warning
from sslviz.ui.inductive.fit import Fit
from sslviz.ui.inductive.kernel_width_view import show_spanning_tree, warn_if_unreached
from sslviz.ui.inductive.map_view import decision_map, map_caption, moments
from sslviz.ui.inductive.sidebar import choose_fit, choose_look
from sslviz.ui.inductive.views import NUMBERS, VIEWS, WIDE_VIEWS
from sslviz.ui.inductive.weight_curve import show_weight_curve
from sslviz.ui.label_draws import show_label_draws
from sslviz.ui.messages import show_method_summary, warn_if_clipped
from sslviz.ui.page import (
    computing,
    footer,
    header,
    neighbours_in,
    show_map,
    stop_if_all_given,
)
from sslviz.ui.presets.apply import show_preset_links
from sslviz.ui.problem import choose_problem
from sslviz.ui.runs import watch
from sslviz.ui.server import memory
from sslviz.ui.views import follow_film, show_numbers, show_views

POINTS_SHOWN = 1000  # unless more are asked for: most methods here compare all pairs
PICTURE_AND_CHARTS = (5, 3)  # widths of the columns
WINDOW_SHARE = 0.58  # of the height of the window, for the picture

told = header(
    "Decision boundaries",
    "These methods learn a **decision function**: it predicts everywhere, not only at the given "
    "points, and the **boundary** is where its prediction changes. Labels determine it at a few "
    "points; unlabelled points show where it may change.",
    page="inductive",
)
if not told:
    show_preset_links("pages/inductive.py")
problem = choose_problem(points_shown=POINTS_SHOWN)
stop_if_all_given(problem.y)
with st.sidebar:
    st.divider()
    choice = choose_fit()
    st.divider()
    look = choose_look(choice.Method, problem.dataset.classes)
show_method_summary(choice.Method)
stop_if_costly(
    problem,
    "inductive.patient",
    seconds=choice.seconds(problem.dataset),
    paired=holds_all_pairs(choice.Method, choice.parameters),
)

fit = Fit(choice, problem, look, memory())
with computing("Fitting …") as stages:
    stages += fit.start()
    result = fit.result()
warn_if_clipped(fit.model)


def show() -> None:
    """Numbers, picture and charts as far as the fit is."""
    r = fit.result() if fit.run is not None else result
    show_formula(r.model)
    show_numbers(NUMBERS, r)
    warn_if_unreached(r)
    show_pole_warning(r)
    picture, charts = st.columns(PICTURE_AND_CHARTS)
    with picture:
        show_map(
            follow_film(decision_map(r), NUMBERS, r),
            r.problem,
            key="inductive_map",
            height=WINDOW_SHARE,
            k=neighbours_in(r.model),
            alt=f"{r.title} on {problem.dataset.name}; accuracy {r.shown_accuracy}",
            film="inductive",
            moments=moments(r),
        )
        if fit.run is not None and fit.run.done:
            st.caption(fit.run.status())
        st.caption(map_caption(r))
        show_weight_curve(r)
    with charts:
        show_views(VIEWS, r, columns=1, film="inductive")
    show_views(WIDE_VIEWS, r, columns=1)


if fit.run is None:
    with st.container():  # as a run has one: the picture stays the same element
        show()
else:
    watch(fit.run, show)

show_label_draws(result)
show_spanning_tree(result)
code = model_snippet(fit.model, problem.setting)
code = classes_backwards(code) if choice.backwards else code
footer([choice.Method], code, stages, downloads_of(result if fit.run is None else fit.result()))
