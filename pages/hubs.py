"""Hubs: robust label prediction in three maps: find hubs, propagate labels among them, vote."""

import streamlit as st

from sslviz import RobustLabelPrediction
from sslviz.figures.maps.points import shrink_markers
from sslviz.figures.theme import ACCENT, HUB_COLOUR
from sslviz.snippet import model_snippet
from sslviz.ui.components.legend import show_legend
from sslviz.ui.controls import choose_parameters
from sslviz.ui.formula import show_formula
from sslviz.ui.hubs.result import predict_by_hubs
from sslviz.ui.hubs.sidebar import choose_hubs, choose_maps
from sslviz.ui.hubs.tuning_view import show_tuning
from sslviz.ui.hubs.views import NUMBERS, POINT_VIEWS, VIEWS
from sslviz.ui.label_draws import show_label_draws
from sslviz.ui.long_fits import long_fit
from sslviz.ui.look import choose_mistakes
from sslviz.ui.messages import warn_if_clipped
from sslviz.ui.page import (
    MAP_AND_PANEL,
    MAP_HEIGHT,
    computing,
    footer,
    header,
    neighbours_in,
    show_map,
    stop_if_all_given,
)
from sslviz.ui.page_downloads import hub_downloads
from sslviz.ui.problem import choose_problem
from sslviz.ui.result import Look
from sslviz.ui.server import memory
from sslviz.ui.views import follow_film, show_numbers, show_views

MAPS_AND_PANEL = (5, 5, 5, 5)  # widths of the columns: three maps and the votes for a point
NARROW_MAP_HEIGHT = 0.36  # of the window: three maps and the player fit on one screen of 900 px

header(
    "Hubs",
    "**Robust label prediction** trusts **hubs**: points that many others have among their nearest "
    "neighbours. Labels first propagate among the hubs; then every other point takes the vote of "
    "the hubs and labelled points nearest to it along the graph. Outliers are rarely anyone's "
    "nearest neighbour, so they are not hubs and cannot mislead. Change **h** to check.",
    page="hubs",
)
problem = choose_problem()
stop_if_all_given(problem.y)
with st.sidebar:
    st.divider()
    h = choose_hubs(problem.y)
    shown = ("k_graph", "k_hub", "n_votes", "sigma", "graph")
    parameters = choose_parameters(RobustLabelPrediction, only=shown)
    look = Look(mistakes=choose_mistakes("In the third map."))
maps = choose_maps()

with computing("Fitting …") as stages:
    seconds = RobustLabelPrediction.seconds(*problem.dataset.X.shape, problem.dataset.n_classes)
    with long_fit(problem, seconds):
        result = predict_by_hubs(parameters, h, problem, look, memory())
warn_if_clipped(result.model)
show_formula(result.model)
show_numbers(NUMBERS, result)

several = len(maps) > 1
if several:
    marks = {"hub": ("★", HUB_COLOUR), "given label": ("◆", "inherit")}
    ringed = {"outlier among the hubs": ("○", ACCENT)} if problem.outliers.any() else {}
    show_legend(problem.dataset.classes, marks | ringed)
*columns, panel = st.columns(MAPS_AND_PANEL if several else MAP_AND_PANEL)
for column, one in zip(columns, maps, strict=True):
    with column:
        st.markdown(f"**{one.title}**")
        fig = one.draw(result)
        if several:
            shrink_markers(fig, 0.6)
        show_map(
            follow_film(fig, NUMBERS, result),
            problem,
            key=f"hubs_{one.option[0]}",
            height=NARROW_MAP_HEIGHT if several else MAP_HEIGHT,
            alt=f"{one.title}: {problem.dataset.name}, {h} hub{'' if h == 1 else 's'}",
            k=neighbours_in(result.model),
            linked="hubs",
        )
        st.caption(one.caption)
with panel:
    show_views(POINT_VIEWS, result, columns=1)
if result.reason:
    st.info(result.reason, icon=":material/landscape:")
show_label_draws(result)
show_views(VIEWS, result, columns=2)
show_tuning(result)
code = model_snippet(result.model, problem.setting)
footer([RobustLabelPrediction], code, stages, hub_downloads(result))
