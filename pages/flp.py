"""FLP: a projection and labels that are learned in turns."""

import streamlit as st

from sslviz import FLP
from sslviz.labels import known_classes
from sslviz.snippet import model_snippet
from sslviz.ui.controls import choose_option
from sslviz.ui.flp.detail_views import DETAILS, DETAILS_HELP, show_detail
from sslviz.ui.flp.map_view import data_map, map_caption, note, projection_map
from sslviz.ui.flp.result import learn_features
from sslviz.ui.flp.sidebar import choose_dimensions, choose_look, choose_mode_and_width
from sslviz.ui.flp.suggestions import show_suggestions
from sslviz.ui.flp.views import NUMBERS, POINT_VIEWS, VIEWS
from sslviz.ui.formula import show_formula
from sslviz.ui.label_draws import show_label_draws
from sslviz.ui.messages import show_method_summary, stop_on_error
from sslviz.ui.page import MAP_AND_PANEL, computing, footer, header, show_map
from sslviz.ui.page_downloads import flp_downloads
from sslviz.ui.problem import choose_problem, toggle_value
from sslviz.ui.server import memory
from sslviz.ui.views import follow_film, show_numbers, show_views

header("FLP", page="flp")
show_method_summary(FLP)
problem = choose_problem(mapped=toggle_value("flp.data.many"))
with st.sidebar:
    st.divider()
    parameters = choose_mode_and_width()
    parameters = choose_dimensions(parameters["mode"]) | parameters
    st.divider()
    asked = parameters["n_components"] or len(known_classes(problem.y)) - 1
    look, space, beside = choose_look(problem, min(asked, *problem.dataset.X.shape))

with computing("Learning …") as stages:
    result = learn_features(parameters, problem, look, memory(), space=space)
show_formula(result.model)
show_numbers(NUMBERS, result)
with st.container():
    text, icon = note(result)
    if text:
        (st.warning if icon == ":material/warning:" else st.info)(text, icon=icon)

alt = f"Projection of {problem.dataset.name} by FLP; accuracy {result.shown_accuracy}"
columns = st.columns((3, 2) if beside else MAP_AND_PANEL)
with columns[0]:
    show_map(
        follow_film(projection_map(result), NUMBERS, result),
        problem,
        key="flp_map",
        alt=alt,
        film="flp",
        moments=result.steps.kept,
    )
    st.caption(map_caption(result))
    show_suggestions()
with columns[1]:
    if beside:
        show_map(data_map(result), problem, key="flp_data", alt=alt)
    else:
        show_views(POINT_VIEWS, result, columns=1)
show_label_draws(result)
if beside:
    show_views((*POINT_VIEWS, *VIEWS), result, film="flp")
else:
    show_views(VIEWS, result, columns=2, film="flp")

detail = choose_option("**More views**", tuple(DETAILS), "flp.part", help=DETAILS_HELP)
with stop_on_error(), st.spinner("Computing …", show_time=True):
    show_detail(detail, result, memory())
footer([FLP], model_snippet(result.model, problem.setting), stages, flp_downloads(result))
