"""Embeddings: a few coordinates in which classes are apart, learned with few labels."""

import streamlit as st

from sslviz.snippet import model_snippet
from sslviz.ui.controls import choose_option
from sslviz.ui.cost_warning import holds_all_pairs, stop_if_costly
from sslviz.ui.downloads import downloads_of
from sslviz.ui.embedding.detail_views import DETAILS, DETAILS_HELP, show_detail
from sslviz.ui.embedding.map_view import data_map, dimension_note, embedding_map, map_caption
from sslviz.ui.embedding.result import embed
from sslviz.ui.embedding.sidebar import choose_axes, choose_embedding, choose_look
from sslviz.ui.embedding.views import NUMBERS, POINT_VIEWS, VIEWS
from sslviz.ui.formula import show_formula
from sslviz.ui.label_draws import show_label_draws
from sslviz.ui.messages import show_method_summary, stop_on_error
from sslviz.ui.page import computing, footer, header, map_and_panel, show_map, stop_if_all_given
from sslviz.ui.problem import choose_problem, toggle_value
from sslviz.ui.server import memory
from sslviz.ui.views import show_numbers, show_views

header(
    "Embeddings",
    "An **embedding** gives each point a few coordinates. In a good one each class lies together "
    "and apart from the others, so that the nearest given label is the right one.",
    page="embedding",
)
problem = choose_problem(mapped=toggle_value("embedding.data.many"))
stop_if_all_given(problem.y)
with st.sidebar:
    st.divider()
    Method, parameters = choose_embedding()
    st.divider()
    look, beside = choose_look(Method, problem.dataset.n_features <= 3)
show_method_summary(Method)
stop_if_costly(problem, "embedding.patient", paired=holds_all_pairs(Method, parameters))

with computing("Projecting …") as stages:
    result = embed(Method, parameters, problem, look, memory())
show_formula(result.model)
show_numbers(NUMBERS, result)
with st.container():  # there even if empty, so that the map keeps its place
    if note := dimension_note(result):
        st.info(note, icon=":material/straighten:")
with st.container():
    axes = choose_axes(result.dimensions)

alt = f"{Method.title} of {problem.dataset.name}; accuracy {result.shown_accuracy}"
wide, narrow = map_and_panel(beside=not beside)
with wide:
    columns = st.columns(2 if beside else 1)
    with columns[0]:
        fig = embedding_map(result, axes)
        show_map(fig, problem, key="embedding_map", alt=alt, deep=True)
    if beside:
        with columns[1]:
            show_map(data_map(result), problem, key="embedding_data", alt=alt)
    st.caption(map_caption(result))
    show_label_draws(result)
    if not beside:
        show_views(VIEWS, result, columns=1)
with narrow:
    views, across = ((*POINT_VIEWS, *VIEWS), 2) if beside else (POINT_VIEWS, 1)
    show_views(views, result, columns=across)

detail = choose_option("**More views**", tuple(DETAILS), "embedding.part", help=DETAILS_HELP)
with stop_on_error(), st.spinner("Computing …", show_time=True):
    show_detail(detail, result, memory())
code = model_snippet(result.model, problem.setting)
if result.all_labels:
    code = code.replace("fit(dataset.X, y)", "fit(dataset.X, dataset.y)")
footer([Method], code, stages, downloads_of(result))
