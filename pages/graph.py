"""The neighbour graph: which points are near each other, and what follows from it."""

import streamlit as st

from sslviz import LabelPropagation
from sslviz.snippet import graph_snippet
from sslviz.ui.controls import choose_option, choose_parameters
from sslviz.ui.formula import formula_lines, show_lines
from sslviz.ui.graph.map_view import edge_map, map_caption
from sslviz.ui.graph.result import neighbour_graph
from sslviz.ui.graph.views import EFFECTS, NUMBERS, POINT_VIEWS, VIEWS
from sslviz.ui.page import computing, footer, header, map_and_panel, show_map
from sslviz.ui.page_downloads import graph_downloads
from sslviz.ui.problem import choose_problem
from sslviz.ui.server import memory
from sslviz.ui.views import show_numbers, show_views

header(
    "Neighbour graph",
    "Each point is linked to its **k nearest** others. Graph methods see these links and nothing "
    "else: labels spread along them, and where there is no link nothing spreads.",
    page="graph",
)
problem = choose_problem(unlabelled=True)
with st.sidebar:
    st.divider()
    shown = ("n_neighbors", "sigma", "graph")
    parameters = choose_parameters(LabelPropagation, only=shown, prefix="graph")
    colour = choose_option(
        "Colour",
        ("class", "island"),
        "graph.colour",
        titles={"island": "part"},
        help="By true class, or by separate part of the graph (*island*, connected component): no "
        "path leads from one to another.",
    )
with computing("Searching neighbours …") as stages:
    result = neighbour_graph(**parameters, problem=problem, colour=colour, memory=memory())

in_force = {"k": str(result.k), r"\sigma": f"{result.sigma:.4g}"}
show_lines(formula_lines(LabelPropagation.formula[-1:], in_force, {}))  # the weights of the edges
show_numbers(NUMBERS, result)
wide, narrow = map_and_panel()
with wide:
    alt = f"Graph of {problem.dataset.name} with {result.k} neighbours: {result.components} parts"
    show_map(edge_map(result), problem, key="graph_map", k=result.k, alt=alt)
    st.caption(map_caption(result))
    show_views(VIEWS, result, columns=1)
with narrow:
    show_views(POINT_VIEWS, result, columns=1)
with st.expander("What k and σ do", key="docs.graph", icon=":material/school:"):
    st.markdown(EFFECTS)
code = graph_snippet(problem.setting, result.k, parameters["sigma"], result.directed)
footer([], code, stages, graph_downloads(result))
