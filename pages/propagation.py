"""Label propagation: methods that spread labels along the graph, one or two at a time."""

import streamlit as st

from sslviz.figures.theme import ACCENT, DIFFERENCE
from sslviz.snippet import model_snippet
from sslviz.ui.components.legend import show_legend
from sslviz.ui.downloads import downloads_of
from sslviz.ui.formula import show_formula
from sslviz.ui.label_draws import show_label_draws
from sslviz.ui.long_fits import long_fit
from sslviz.ui.messages import show_method_summary, warn_if_clipped
from sslviz.ui.page import computing, footer, header, map_and_panel, show_maps
from sslviz.ui.problem import choose_problem
from sslviz.ui.propagation.map_view import map_caption, moments, prediction_map
from sslviz.ui.propagation.outlier_curves import show_outlier_curves
from sslviz.ui.propagation.result import pair, propagate
from sslviz.ui.propagation.sidebar import choose_look, choose_methods
from sslviz.ui.propagation.views import NUMBERS, POINT_VIEWS, VIEWS
from sslviz.ui.result import comparison_table, difference_text, titles_of
from sslviz.ui.server import memory
from sslviz.ui.tables import show_table
from sslviz.ui.views import show_numbers, show_views

header("Label propagation", page="propagation")
problem = choose_problem()
with st.sidebar:
    st.divider()
    chosen = choose_methods()
    st.divider()
    look = choose_look([method for method, _ in chosen], len(problem.y))
methods = list(dict.fromkeys(method for method, _ in chosen))
for method in methods:
    show_method_summary(method)

with computing("Propagating …") as stages:
    size = (*problem.dataset.X.shape, problem.dataset.n_classes)
    with long_fit(problem, max(method.seconds(*size) for method in methods)):
        results = [propagate(*choice, problem, look, memory()) for choice in chosen]
    results = pair(results, titles_of([r.model for r in results]))
first, second = results[0], results[-1]
for result in results:
    warn_if_clipped(result.model)

show_formula(*(r.model for r in results))
if first is second:
    show_numbers(NUMBERS, first)
else:
    show_table(comparison_table(results), "comparison", width="content")
    st.markdown(difference_text(first, second))
    marks = {"given label": ("◆", "inherit"), "they differ": ("○", DIFFERENCE)}
    show_legend(
        problem.dataset.classes, marks | ({"mistake": ("○", ACCENT)} if look.mistakes else {})
    )

wide, narrow = map_and_panel(beside=first is second)
with wide:
    show_maps(prediction_map, results, page="propagation", moments=moments, numbers=NUMBERS)
    if first.reason:
        st.info(first.reason, icon=":material/landscape:")
    st.caption(map_caption(first))
    show_label_draws(first)
with narrow:
    show_views(POINT_VIEWS, first, columns=1 if first is second else 2, film="propagation")
left, right = st.columns(2)
with left:
    show_views(VIEWS[:1], first, columns=1)
with right:
    show_views(VIEWS[1:], first, columns=1)
    show_outlier_curves(problem, {r.title: r.model for r in results})
footer(methods, model_snippet(first.model, problem.setting), stages, downloads_of(first))
