"""Who takes part: methods of all families, with the settings of their own pages."""

from typing import Any

import streamlit as st

import sslviz
from sslviz.experiments.comparison import MethodSpec
from sslviz.params import Number, Param, params_of
from sslviz.ui.controls import choose_parameter, choose_parameters

FAMILIES = ("propagation", "inductive", "embedding", "dictionary")  # those that learn from labels
FIRST = ("LabelPropagation", "RobustLabelPrediction", "LapRLS", "SDSC", "SSRLPL")
MOST = 8
BASELINE = MethodSpec("1-NN", None, {})  # always there
PAGES = {"propagation": "Propagation", "inductive": "Fields", "dictionary": "Atoms"}


def choose_entrants(classes: int) -> tuple[list[MethodSpec], int]:
    """The baseline and whoever is chosen, and how often labels are drawn.

    Each has its settings folded away below.
    """
    methods = {m.title: m for m in sslviz.METHODS if m.family in FAMILIES}
    chosen = st.multiselect(
        "Methods",
        list(methods),
        [m.title for m in methods.values() if m.__name__ in FIRST],
        key="compare.methods",
        bind="query-params",
        max_selections=MOST,
        help="Who takes part, beside 1-NN, the class of the nearest given label. Embeddings answer "
        "by the nearest label on their map.",
    )
    draws = st.slider(
        "Draws",
        2,
        20,
        5,
        key="compare.draws",
        bind="query-params",
        help="How often labels are drawn anew, the same ones for every method. More draws, surer "
        "means.",
    )
    taken = [methods[title] for title in chosen]
    return [BASELINE, *(MethodSpec(short(m), m, _settings(m, classes)) for m in taken)], draws


def short(Method: Any) -> str:
    """What charts have room for: the method's letters, where it has a name of letters."""
    title, name = Method.title, Method.__name__
    letters = sum(not letter.islower() for letter in name) > len(name) / 2
    return name if letters and " " in title else title


def _settings(Method: Any, classes: int) -> dict[str, Any]:
    """Those of the method's own page, but that a map to read classes off has room for them all."""
    page = PAGES.get(Method.family, "Features" if Method.__name__ == "FLP" else "Embedding")
    with st.expander(Method.title):
        st.caption(f"Its settings; page *{page}* shows what they do.")
        name = Method.__name__
        roomy = [p for p in params_of(Method) if p.name == "n_components" and p.default == 2]
        names = tuple(p.name for p in params_of(Method) if p not in roomy)
        wide = {
            p.name: choose_parameter(_wide(p, classes), f"compare.{name}.{classes}") for p in roomy
        }
        return wide | choose_parameters(Method, only=names)


def _wide(p: Param, classes: int) -> Param:
    """C − 1 dimensions, but at least two, and no more than the slider has."""
    assert isinstance(p.spec, Number)
    return p._replace(default=min(max(2, classes - 1), int(p.spec.shown[1])))
