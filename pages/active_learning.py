"""Active learning: label propagation asks for the label that is expected to help most."""

import streamlit as st

from sslviz import LabelPropagation
from sslviz.propagation import active_learning
from sslviz.snippet import queries_snippet
from sslviz.ui.active_learning.result import queries_key, queries_recipe, query_result
from sslviz.ui.active_learning.sidebar import choose_queries
from sslviz.ui.active_learning.views import NUMBERS, VIEWS, map_caption, queries_map
from sslviz.ui.formula import show_formula
from sslviz.ui.messages import show_module_docs, show_stage_times
from sslviz.ui.page import computing, footer, header, show_map, stop_if_all_given
from sslviz.ui.page_downloads import query_downloads
from sslviz.ui.problem import choose_problem
from sslviz.ui.runs import finish
from sslviz.ui.server import memory
from sslviz.ui.state import manual_labels
from sslviz.ui.views import follow_film, show_numbers, show_views

POINTS_AT_FIRST = 600  # all pairs of points are kept

header(
    "Active learning",
    "**Which label next?** Every label costs somebody's time. Label propagation knows where it is "
    "unsure, and can compute beforehand what the label of each point would change.",
    page="active_learning",
)
problem = choose_problem(points_shown=POINTS_AT_FIRST, first="digits")
with st.sidebar:
    st.divider()
    choice = choose_queries()
stop_if_all_given(problem.y)

with computing("Choosing labels …") as stages:
    name = queries_key(choice, problem)
    run = finish(name, *queries_recipe(choice, problem, memory()))
    result = query_result(choice, problem, run)
show_formula(LabelPropagation(**choice.parameters))
show_numbers(NUMBERS, result)
wide, narrow = st.columns([3, 2])
with wide:
    show_map(
        follow_film(queries_map(result), NUMBERS, result),
        problem,
        key="active_learning_map",
        alt=f"{len(result.points)} queries on {problem.dataset.name}, strategy {choice.strategy}",
        film="active_learning",
    )
    st.caption(map_caption(result))
with narrow:
    show_views(VIEWS, result, columns=1, film="active_learning")
if len(result.points):
    st.button(
        f"Use these {len(result.points)} labels on all pages",
        key="open.take",
        icon=":material/arrow_forward:",
        help="They become labels given by hand; the next query then starts from them.",
        on_click=manual_labels.add_manual_labels,
        args=(result.answers,),
    )
show_stage_times(stages)
title = "Active learning: idea, formula, paper"
with st.expander(title, key="docs.active_learning", icon=":material/school:"):
    show_module_docs(active_learning)
code = queries_snippet(choice.parameters, problem.setting, choice.strategy, choice.count)
footer(
    [], code, downloads=query_downloads(result), cited=[active_learning.Question, LabelPropagation]
)
