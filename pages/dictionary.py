"""Dictionaries: methods that write each point as a weighted sum of a few learned atoms."""

import streamlit as st

from sslviz.data.preprocess import with_noise
from sslviz.figures.theme import ACCENT
from sslviz.snippet import dictionary_snippet
from sslviz.ui.components.legend import show_legend
from sslviz.ui.dictionary import sidebar, views
from sslviz.ui.dictionary.ability_views import ABILITY_VIEWS
from sslviz.ui.dictionary.beside import BESIDE_VIEWS, beside_text
from sslviz.ui.dictionary.main_view import (
    MIXTURE_VIEW,
    main_view,
    show_main_view,
    show_selected_point,
)
from sslviz.ui.dictionary.map_view import PICTURES
from sslviz.ui.dictionary.remarks import baselines_of, better_count, remarks_of
from sslviz.ui.dictionary.result import DictionaryResult, dictionary_result
from sslviz.ui.dictionary.warm_start import start_beside, start_learning
from sslviz.ui.downloads import downloads_of
from sslviz.ui.formula import show_formula
from sslviz.ui.messages import show_method_summary
from sslviz.ui.page import computing, footer, header
from sslviz.ui.problem import choose_problem
from sslviz.ui.result import Look
from sslviz.ui.runs import watch
from sslviz.ui.server import memory
from sslviz.ui.state.clicks import ATOM, clicked_mark
from sslviz.ui.views import show_numbers, show_view, show_views

LEGEND = {"given label": ("◆", "inherit"), "selected": ("○", ACCENT)}
PICTURE_AND_SELECTION = (3, 2)  # columns: what a click selects stands beside the picture

header(
    "Dictionaries",
    "A **dictionary** is a set of learned patterns, its **atoms**. Each point, such as an image, "
    "is written as a weighted sum of a few atoms; the weights are its **code**. The class is "
    "predicted from the code, or from the atoms that reconstruct the point best.",
    page="dictionary",
)
problem = choose_problem(points_shown=sidebar.POINTS_SHOWN, first=sidebar.FIRST_DATA)
dataset, y = problem.dataset, problem.y
with st.sidebar:
    st.divider()
    choice = sidebar.choose_learning(dataset)
for method in choice.methods:
    show_method_summary(method)
asked = choice.settings.get("n_atoms")
sidebar.show_limits(dataset, asked or 0)

with computing("Preparing …") as stages:
    X = memory().cache(with_noise)(dataset.X, choice.steps, choice.noise)
    trail, took = start_learning(choice.Method, choice.settings, X, y, choice.warm, memory())
    stages += took
    beside = None
    if choice.Other:
        beside = start_beside(choice.Other, choice.other_settings, X, y, memory())
    baselines = baselines_of(X, y, memory())


def present_dictionary() -> DictionaryResult:
    """The dictionary after the rounds so far, with the atom and point selected now."""
    now = problem._replace(point=problem.clicked())
    shared = {"X": X, "look": Look(mistakes=choice.mistakes)}
    other = beside and dictionary_result(beside, now, beside=True, **shared)
    where = dataset.name, str(problem.setting.options)
    atom = clicked_mark(ATOM, where, len(trail.run.fitted().components_))
    more = {"baselines": baselines, "other": other, "continued": len(trail.settings) > 1}
    return dictionary_result(trail.run, now, clicked_atom=atom, **more, **shared)


def show_dictionary() -> None:
    result = present_dictionary()
    show_formula(result.model)
    show_numbers(views.NUMBERS, result)
    with st.container():  # always there, so that the figures below stay the same elements
        if texts := list(remarks_of(result, asked)):
            st.info("  \n".join(texts), icon=":material/info:")
        sidebar.offer_atoms(choice.Method, dataset, better_count(result))
    show_legend(result.classes, LEGEND, undetermined=False)
    for picture, show_selected in zip(PICTURES, (show_main_view, show_selected_point), strict=True):
        left, right = st.columns(PICTURE_AND_SELECTION)
        with left:
            numbers = views.NUMBERS if picture is PICTURES[0] else ()  # it has all frames
            show_view(picture, result, film="dictionary", numbers=numbers)
        with right:
            show_selected(result)


def show_charts() -> None:
    """Only at the end: drawn after every few rounds they would take more time than the rounds."""
    result = present_dictionary()
    if result.learning:
        st.caption("Charts of codes, margins and the objective follow when the learning has ended.")
        return
    charts = (MIXTURE_VIEW, *ABILITY_VIEWS, *views.CODE_VIEWS, *views.COURSE_VIEWS)
    others = [view for view in charts if view is not main_view(result)]
    if result.other is not None:
        st.subheader(f"More on {result.title}", divider=True)
    show_views(others, result, columns=2, film="dictionary")


def show_beside() -> None:
    result = present_dictionary()
    assert result.other is not None
    st.subheader(f"Beside it: {result.other.title}")
    st.markdown(beside_text(result))
    together = beside is not None and beside.total == trail.run.total  # else rounds do not match
    film = "dictionary" if together else "dictionary_beside"
    show_views(BESIDE_VIEWS, result, columns=2, film=film)


watch(trail.run, show_dictionary)
if beside is not None:
    watch(beside, show_beside)
show_charts()
code = dictionary_snippet(choice.Method, trail.done, problem.setting, choice.steps, choice.noise)
footer(choice.methods, code, stages, downloads_of(present_dictionary()))
