"""Properties of the clusterers, Table 11 of the thesis: each cell opens what demonstrates it."""

from html import escape
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from sslviz.abilities import MergesClusters, Trains
from sslviz.params import params_of
from sslviz.ui.clustering.sidebar import methods
from sslviz.ui.methods import COST_FOR, cost_of

Cell = tuple[str, dict[str, Any]]  # a text, and the settings that demonstrate it
LENGTH_PARAMETERS = ("n_clusters", "epochs", "pretraining_epochs")  # length, not tuning
COLUMNS = (
    "Method", "Data", "Parameters to choose", "Many points", "Time", "Withstands outliers",
    "Copes with many features", "Condition",
)  # fmt: skip
NEEDS_TUNING = {"yes": "to be tuned", "no": "no tuning"}
TRY = "not in the thesis: try it"
OUTLIERS = {"data": "two_moons", "two_moons.outliers": 0.1}
MANY_POINTS = {"data": "two_moons", "two_moons.n_samples": 10_000}
IMAGES, UNEQUAL, RINGS = {"data": "digits"}, {"data": "four_clusters"}, {"data": "three_rings"}


def properties_of(Method: Any) -> list[Cell]:
    """The row of a method: facts of its class, and the words of the thesis where it has some."""
    words = Method.printed
    tuned = [p for p in params_of(Method) if p.name not in LENGTH_PARAMETERS]
    tuned = [p for p in tuned if not p.spec.advanced]
    many = "no, n² numbers" if Method.all_pairs else "yes"
    return [
        (Method.short_title(), {}),
        (words.domain if words else "any", IMAGES if words else {}),
        (with_thesis_word(f"{len(tuned)}", words and NEEDS_TUNING[words.tuning]), {}),
        (with_thesis_word(many, words and words.scales), MANY_POINTS),
        (with_thesis_word(cost_of(Method).partition(" for ")[0], words and words.cost), IMAGES),
        (f"{words.outliers} (thesis)" if words else TRY, _outlier_settings(Method)),
        (f"{words.dimension} (thesis)" if words else TRY, IMAGES),
        (Method.condition or "none", demonstration_of_condition(Method)),
    ]


def _outlier_settings(Method: Any) -> dict[str, Any]:
    """Moons with outliers; merges alone, as learning in the plane hurts."""
    alone = {f"{Method.__name__}.learn": False} if issubclass(Method, MergesClusters) else {}
    return OUTLIERS | alone


def demonstration_of_condition(Method: Any) -> dict[str, Any]:
    """Data that do not fulfil the condition of a method, or that need none."""
    return UNEQUAL if "large" in Method.condition or "size" in Method.condition else RINGS


def with_thesis_word(found: str, word: str | None) -> str:
    return f"{found} (thesis: {word})" if word else found


def link_of(Method: Any, settings: dict[str, Any]) -> str:
    """The address of a demonstration on this page."""
    watched = {"clusters.train": True} if issubclass(Method, Trains | MergesClusters) else {}
    query = {"cluster_method": Method.option(), **watched, **settings}
    return f"?{urlencode({key: str(value) for key, value in query.items()})}"


def properties_html() -> str:
    """The table; it scrolls sideways where the window is narrow."""
    head = "".join(f"<th>{escape(title)}</th>" for title in COLUMNS)
    body = "".join(
        "<tr>"
        + "".join(
            f'<td><a href="{escape(link_of(Method, settings))}" target="_self">'
            f"{escape(text)}</a></td>"
            for text, settings in properties_of(Method)
        )
        + "</tr>"
        for Method in methods().values()
    )
    return f'<div style="overflow-x: auto"><table><tr>{head}</tr>{body}</table></div>'


def show_properties() -> None:
    """The table in a closed box."""
    with st.expander("Properties of all clusterers", icon=":material/table_chart:"):
        st.caption(
            "After Table 11 of the thesis; a click opens what demonstrates a cell. Parameters are "
            f"counted, and times are estimates for {COST_FOR[0]:,} points with {COST_FOR[1]} "
            "features, with the papers' networks where these are large; the links train small ones "
            "within seconds. All methods are given the number of clusters. Three of the printed "
            "words are not confirmed here: CatGAN does need tuning (two moons .51 to .99 over six "
            "seeds of its defaults), the merges of JULE find moons with outliers without any "
            "learning, once far groups are merged first (.99), and so they are not only for images."
        )
        st.markdown(properties_html(), unsafe_allow_html=True)
