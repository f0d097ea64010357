"""The sidebar of the page "Compare": methods of all families, with the settings of their pages."""

from typing import Any

import streamlit as st

import sslviz
from sslviz.experiments.comparison import MethodSpec
from sslviz.params import Number, Param, params_of
from sslviz.ui.compare.result import BASELINE
from sslviz.ui.controls import choose_parameter, choose_parameters
from sslviz.ui.page_list import PAGE_BY_NAME

FAMILIES = ("propagation", "inductive", "embedding", "dictionary")  # those that learn from labels
CHOSEN_AT_FIRST = ("LabelPropagation", "RobustLabelPrediction", "LapRLS", "SDSC", "SSRLPL")
MAX_METHODS = 8


def choose_specs(n_classes: int) -> tuple[list[MethodSpec], int]:
    """1-NN and the chosen methods with their settings, and how often labels are drawn."""
    methods = {m.title: m for m in sslviz.METHODS if m.family in FAMILIES}
    first = {getattr(sslviz, name).title for name in CHOSEN_AT_FIRST}
    titles = st.multiselect(
        "Methods",
        list(methods),
        [title for title in methods if title in first],
        key="compare.methods",
        bind="query-params",
        max_selections=MAX_METHODS,
        help="The baseline 1-NN (the class of the nearest labelled point) always takes part. "
        "Embeddings predict by 1-NN on their coordinates.",
    )
    draws = st.slider(
        "Random choices of labels",
        2,
        20,
        5,
        key="compare.draws",
        bind="query-params",
        help="How often the labels are chosen anew, the same for every method. More give more "
        "reliable means.",
    )
    chosen = [methods[title] for title in titles]
    with st.expander("Settings of the methods", key="settings") if chosen else st.container():
        specs = [MethodSpec(m.short_title(), m, _choose_settings(m, n_classes)) for m in chosen]
    return [BASELINE, *specs], draws


def _choose_settings(Method: Any, n_classes: int) -> dict[str, Any]:
    """Those of the method's page; an embedding has as many dimensions as 1-NN needs."""
    with st.expander(Method.title, key=f"settings.{Method.__name__}"):
        st.caption(f"The page *{PAGE_BY_NAME[Method.page_name()].title}* shows what they do.")
        wide = [p for p in params_of(Method) if p.name == "n_components" and p.default == 2]
        key = f"compare.{Method.__name__}.{n_classes}"
        values = {p.name: choose_parameter(_with_more_dimensions(p, n_classes), key) for p in wide}
        names = tuple(p.name for p in params_of(Method) if p not in wide)
        return values | choose_parameters(Method, only=names)


def _with_more_dimensions(p: Param, n_classes: int) -> Param:
    """C − 1 dimensions by default, at least two, at most what the slider has."""
    assert isinstance(p.spec, Number)
    return p._replace(default=min(max(2, n_classes - 1), int(p.spec.shown[1])))
