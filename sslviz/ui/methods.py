"""The card of a method: picture, idea, paper, parameters, what it needs, how long it takes."""

import sys
from typing import Any

import streamlit as st
from sklearn.base import ClusterMixin

from sslviz.abilities import Method, Predicts, Steps, Transforms
from sslviz.params import params_of
from sslviz.paths import app_folder
from sslviz.ui.page_list import PAGE_BY_NAME
from sslviz.ui.presets.apply import open_page

COST_FOR = (2000, 50, 5)  # points, features, classes


def idea_of(method: type) -> str:
    """The first sentence of the method's module docstring, without its name."""
    text = " ".join((sys.modules[method.__module__].__doc__ or "").split("\n\n")[0].split())
    sentence = text.partition(": ")[2] or text
    return sentence[0].upper() + sentence[1:]


def matches_words(method: Any, words: str) -> bool:
    """Whether all words occur in the texts, names or parameters of a method."""
    names = " ".join(p.name for p in params_of(method))
    text = f"{method.__name__} {method.title} {method.family} {method.paper} {idea_of(method)}"
    searched = f"{text} {names} {sys.modules[method.__module__].__doc__}".lower()
    return all(word in searched for word in words.lower().split())


def needs_of(method: type[Method]) -> str:
    """What a method needs and offers, in a few words."""
    labels = "no labels" if issubclass(method, ClusterMixin) else "some labels"
    offers = [
        word
        for ability, word in (
            (Predicts, "predicts new points"),
            (Transforms, "maps new points"),
            (Steps, "step by step"),
        )
        if issubclass(method, ability)
    ]
    return " · ".join([labels, *offers])


def cost_of(method: type[Method]) -> str:
    """The estimated time of a fit."""
    seconds = method.seconds(*COST_FOR)
    took = f"{seconds / 60:.0f} min" if seconds >= 120 else f"{seconds:.0f} s"
    took = "under a second" if seconds < 1 else f"about {took}"
    return f"{took} for {COST_FOR[0]:,} points"


def show_card(method: Any) -> None:
    """The card of one method, with a button that opens its page with the method selected."""
    picture = app_folder() / "assets" / "methods" / f"{method.__name__}.png"
    if picture.exists():
        st.image(picture, width="stretch", alt=f"{method.title} on a small data set")
    st.markdown(f"**{method.title}**")
    st.markdown(idea_of(method))
    st.caption(f"{method.paper}")
    names = ", ".join(f"`{p.name}`" for p in params_of(method))
    st.caption(f"{needs_of(method)} · {cost_of(method)}" + (f" · {names}" if names else ""))
    page = PAGE_BY_NAME[method.page_name()]
    chosen = {page.method_key: method.option()} if page.method_key and method.option() else {}
    if st.button("Open", key=f"open.{method.__name__}", icon=":material/arrow_forward:"):
        open_page(page.path, chosen)
