"""Compare: methods of all families on the same points and the same labels."""

from dataclasses import replace

import streamlit as st

from sslviz.recordings.comparison import ComparisonRun
from sslviz.snippet import comparison_snippet
from sslviz.ui.compare.result import BASELINE, ComparisonResult, compare, comparison_name
from sslviz.ui.compare.sidebar import choose_specs
from sslviz.ui.compare.table import show_summary_table
from sslviz.ui.compare.views import (
    POINT,
    draw_views,
    map_caption,
    map_views,
    method_map,
    verdict,
)
from sslviz.ui.cost_warning import holds_all_pairs, stop_if_costly
from sslviz.ui.page import (
    computing,
    footer,
    header,
    map_and_panel,
    show_map,
    stop_if_all_given,
)
from sslviz.ui.page_downloads import comparison_downloads
from sslviz.ui.problem import choose_problem
from sslviz.ui.result import unscored_text
from sslviz.ui.runs import start_run, watch
from sslviz.ui.server import memory
from sslviz.ui.views import show_view, show_views

POINTS_AT_FIRST = 1000  # some methods compare all pairs of points
REPAINT = 1.0  # seconds

header(
    "Compare",
    "Which method is best for these data? Methods of all families, with the **same points** and "
    "the **same labels**. A single choice of labels may favour a method by chance, so labels are "
    "chosen at random again and again.",
    page="compare",
)
problem = choose_problem(points_shown=POINTS_AT_FIRST)
stop_if_all_given(problem.y)
with st.sidebar:
    st.divider()
    specs, draws = choose_specs(problem.dataset.n_classes)
paired = any(holds_all_pairs(spec.method, spec.params) for spec in specs)
stop_if_costly(problem, "compare.patient", paired=paired)

with computing("Fitting …") as stages:
    data, per_class = problem.dataset, problem.setting.per_class
    run = None
    if data.known.any():
        run, stage = start_run(
            comparison_name(specs, problem, draws),
            ComparisonRun,
            specs,
            data.X,
            data.y,
            per_class,
            draws,
            memory(),
        )
    result = compare(specs, problem, run, memory())


def show_draws(r: ComparisonResult) -> None:
    """The comparison over the draws that are finished."""
    st.markdown(verdict(r))
    show_views(draw_views(len(r.titles)), r, columns=2)
    show_summary_table(r)


if run is None:
    st.info(unscored_text(result), icon=":material/info:")
else:
    watch(run, lambda: show_draws(replace(result)), every=REPAINT)
    if run.done:
        st.caption(run.status())
wide, narrow = map_and_panel()
with wide:
    names = len(result.predictions)
    alt = f"Predictions of {names} methods on {data.name}, one at a time"
    show_map(method_map(result), problem, key="compare_map", alt=alt)
    st.caption(map_caption(result))
with narrow:
    show_view(POINT, result)
show_views(map_views(names + 1), result, columns=2)
code = comparison_snippet([s for s in specs if s is not BASELINE], problem.setting, draws)
compared = [spec.method for spec in specs if spec.method is not None]
footer([], code, downloads=comparison_downloads(replace(result)), cited=compared)
