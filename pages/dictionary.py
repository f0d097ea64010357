"""Dictionaries: methods that write each point as a weighted sum of a few learned atoms."""

import streamlit as st

from sslviz.data.preprocess import with_noise
from sslviz.figures.theme import ACCENT
from sslviz.snippet import dictionary_snippet
from sslviz.ui.components.legend import show_legend
from sslviz.ui.dictionary import sidebar, views
from sslviz.ui.dictionary.map_view import PICTURES
from sslviz.ui.dictionary.panels import show_atom, show_point
from sslviz.ui.dictionary.result import DictionaryResult, baselines_of, dictionary_result
from sslviz.ui.dictionary.warm_start import start_beside, start_learning
from sslviz.ui.messages import show_method_summary
from sslviz.ui.page import computing, footer, header
from sslviz.ui.problem import choose_problem
from sslviz.ui.result import Look
from sslviz.ui.runs import watch
from sslviz.ui.server import memory
<<<<<<< HEAD
from sslviz.ui.state.clicks import ATOM, clicked_mark, on_click_remember
=======
from sslviz.ui.state.clicks import ATOM, clicked
from sslviz.ui.views import show_numbers, show_view, show_views
>>>>>>> pgD

LEGEND = {"given label": ("◆", "inherit"), "selected": ("○", ACCENT)}
PICTURE_AND_SELECTION = (3, 2)  # columns: what a click selects stands beside the picture

header(
    "Dictionaries",
    "A **dictionary** is a set of learned patterns, its **atoms**. Each image is written as a "
    "weighted sum of a few atoms; the weights are its **code**. A linear classifier predicts the "
    "class from the code.",
    page="dictionary",
)
problem = choose_problem(few=sidebar.POINTS_SHOWN, first=sidebar.FIRST_DATA)
dataset, y = problem.dataset, problem.y
with st.sidebar:
    st.divider()
    choice = sidebar.choose_learning(dataset)
for method in choice.methods:
    show_method_summary(method)
sidebar.show_limits(dataset, choice.settings["n_atoms"])

with computing("Preparing …") as stages:
    X = memory().cache(with_noise)(dataset.X, choice.steps, choice.noise)
    trail, took = start_learning(choice.Method, choice.settings, X, y, choice.warm, memory())
    stages += took
    beside = None
    if choice.Other:
        beside = start_beside(choice.Other, choice.other_settings, X, y, memory())
    baselines = baselines_of(X, y, memory())


def present() -> DictionaryResult:
    """The dictionary after the rounds so far, with the atom and point selected now."""
    now = problem._replace(point=problem.clicked())
    shared = {"X": X, "look": Look(mistakes=choice.mistakes)}
    other = beside and dictionary_result(beside, now, beside=True, **shared)
    atom = clicked(ATOM, (dataset.name, str(problem.setting.options)), choice.settings["n_atoms"])
    more = {"baselines": baselines, "other": other, "continued": len(trail.settings) > 1}
    return dictionary_result(trail.run, now, clicked_atom=atom, **more, **shared)


def show_dictionary() -> None:
    result = present()
    show_numbers(views.NUMBERS, result)
    show_legend(result.classes, LEGEND, undetermined=False)
    for picture, show_selected in zip(PICTURES, (show_atom, show_point), strict=True):
        left, right = st.columns(PICTURE_AND_SELECTION)
        with left:
            show_view(picture, result, film="dictionary")
        with right:
            show_selected(result)
    show_views(views.VIEWS, result, columns=2, film="dictionary")


def show_beside() -> None:
    result = present()
    assert result.other is not None
    st.subheader(f"Beside it: {result.other.title}")
    show_views(views.BESIDE_VIEWS, result, columns=2, film="dictionary")


<<<<<<< HEAD
numbers = [
    (SSDLGA.title, share(model.transduction_), "Hidden labels found."),
    (
        "At the start" if len(path.settings) == 1 else "Before going on",
        share(film.scores[0].argmax(axis=1)),
        "What the rounds add is the difference. At the start atoms are points, and the classifier "
        "has seen the labelled codes alone.",
    ),
]
if plain is not None:
    meaning = "The same without a graph: what the graph adds is the difference."
    numbers.append((USSDL.title, share(plain.transduction_), meaning))
numbers += [
    ("1-NN", share(nearest), "The class of the nearest given label, of points as scaled here."),
    (
        "Label propagation",
        share(spread),
        f"No atoms: a random walk on the neighbour graph. {DEFAULT_SETTINGS}",
    ),
    ("Atoms per point", f"{film.used[-1]:.1f}", f"Of {len(model.components_)}, on average."),
    ("Error", f"{film.error[-1]:.1%}", "Of the points' squared length, left by their codes."),
]
show_metrics(numbers)

used = np.abs(model.codes_).sum(axis=0)
point = problem.clicked()
atom = clicked_mark(ATOM, (dataset.name, str(problem.setting.options)), len(used))
atom = int(used.argmax()) if atom is None else atom
seen = int(np.flatnonzero(hidden)[0]) if point is None and hidden.any() else point or 0

show_legend(names, {"given label": ("◆", "inherit"), "clicked": ("○", ACCENT)})
left, right = st.columns((3, 2))
with left:
    show_image_grid(
        wall(film, model, X, problem, atom),
        key="dictionary_wall",
        height=HEIGHT,
        alt=f"{len(used)} atoms of {dataset.name}; {share(model.transduction_)} found",
        film="dictionary",
        moments=moments_of(film),
        on_event=on_click_remember(ATOM),
    )
    show_wall(problem, X)
with right:
    places = X if kind == "places" else problem.points
    point_views.map_drawn(film, model, places, problem, seen, mistakes)
show_stage_times(stages)

left, right = st.columns(2)
with left:
    users_of(model, atom, problem)
with right:
    point_views.show_recipe(model, film, seen, X, problem)
    point_views.show_neighbours(model, seen, problem)

left, right = st.columns((3, 2))
with left:
    st.subheader("All codes")
    training_views.show_codes(model, film, problem, seen, atom, "dictionary_codes")
with right:
    training_views.show_margins(film, problem)
left, right = st.columns(2)
with left:
    training_views.show_terms(film)
with right:
    training_views.show_opinions(film, problem)

if plain is not None and plain_film is not None:
    st.subheader("Without the graph: USSDL")
    left, right = st.columns(2)
    with left:
        fig = wall(plain_film, plain, X, problem, None)
        show_image_grid(
            fig,
            key="dictionary_wall_plain",
            height=HEIGHT,
            alt="atoms of USSDL",
            film="dictionary",
            moments=moments_of(plain_film),
        )
    with right:
        unlike = partial(unlike_neighbours, L=model.laplacian_)
        training_views.show_without_graph(model, plain, plain_film, problem, unlike)

for Method in (SSDLGA, USSDL) if versus else (SSDLGA,):
    with st.expander(f"{Method.title}: idea, formula, paper", icon=":material/school:"):
        show_method_docs(Method)
defaults = {p.name: p.default for p in signature(SSDLGA).parameters.values()}
show_code(sidebar.code_of("SSDLGA", path.code, defaults, problem.setting, steps, noise))
=======
watch(trail.run, show_dictionary)
if beside is not None:
    watch(beside, show_beside)
code = dictionary_snippet(choice.Method, trail.done, problem.setting, choice.steps, choice.noise)
footer(choice.methods, code, stages)
>>>>>>> pgD
