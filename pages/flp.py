"""Features that agree with labels: FLP, a map and labels that take turns."""

import numpy as np
import streamlit as st

import sslviz
from sslviz.experiments import embedding_evaluation, flp_sweeps
from sslviz.figures.animated.projection import moving_map
from sslviz.figures.charts.flp import add_directions
from sslviz.figures.maps.points import add_links, opinion_map
from sslviz.labels import known_classes
from sslviz.nearest_label import one_nn
from sslviz.params import params_of
from sslviz.recordings.flp import FLPRecording, record_flp
from sslviz.snippet import model_snippet
from sslviz.ui.app import page_header
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.controls import choose_option, choose_parameter, choose_parameters
from sslviz.ui.embedding.detail_views import show_directions
from sslviz.ui.flp import chart_views, detail_views, suggestions, views
from sslviz.ui.messages import (
    show_code,
    show_method_docs,
    show_method_summary,
    show_stage_times,
    stop_on_error,
)
from sslviz.ui.problem import choose_problem, toggle_value
from sslviz.ui.result import DEFAULT_SETTINGS, percent
from sslviz.ui.server import memory
from sslviz.ui.state.clicks import on_click_remember

FLP = sslviz.FLP
USUAL = "C − 1"
WIDTHS = (0.1, 0.3, 1.0, 2.0, 3.0, 6.0, 10.0, 30.0, 100.0)
MOST = 10  # dimensions

page_header("Features that agree with labels")
show_method_summary(FLP)
suggestions.settings_offered()
problem = choose_problem(mapped=toggle_value("flp.data.many"))
X, y, truth, names = problem.dataset.X, problem.y, problem.dataset.y, problem.dataset.classes
hidden, n_given = y < 0, len(known_classes(y))
with st.container():  # there even if empty: the picture keeps its place, and is not built anew
    suggestions.show_units(problem)

declared = {p.name: p for p in params_of(FLP)}
left, right = st.columns(2)
with left:
    mode = choose_parameter(declared["mode"], "FLP.mode")
    st.caption(views.MODES[mode])
with right:
    width = choose_parameter(declared["width"], "FLP.width")
    st.caption(
        "As printed the size of A is free, and this slider has no say."
        if mode == "printed"
        else "The paper's hidden parameter. To the left everybody hears everybody; to the right "
        "each labelled point hears its nearest only."
    )
with st.sidebar:
    st.divider()
    asked = st.select_slider(
        "Dimensions (p)",
        [USUAL, *range(1, MOST + 1)],
        USUAL,
        key="FLP.n_components",
        bind="query-params",
        help="Coordinates of the map, one fewer than classes unless you say. One is drawn as "
        "strips, two as a plane; of more, the widest are drawn and all count.",
    )
    parameters = {"n_components": None if asked == USUAL else asked, "width": width, "mode": mode}
    parameters |= choose_parameters(FLP, only=("outer", "inner"))
    if mode == "printed":
        parameters["random_state"] = st.slider(
            "Random start", 0, 99, 0, key="flp.start", bind="query-params",
            help="A and the labels start from random numbers: another number, others.",
        )  # fmt: skip
    st.divider()
    p = min(parameters["n_components"] or n_given - 1, *X.shape)
    space = (
        p > 2
        and choose_option("Drawn as", ("plane", "space"), "flp.drawn", help=views.DRAWN) == "space"
    )
    mistakes = st.toggle(
        "Ring the mistakes",
        key="mistakes",
        bind="query-params",
        help="Compare with the hidden truth, at every half-step.",
    )
    plain = problem.points.shape[1] == X.shape[1]
    beside = st.toggle(
        "Show the data beside it",
        plain,
        key=f"flp.data.{'plain' if plain else 'many'}",
        bind="query-params",
        help="The same points and labels as they lie in the data set.",
    )

model = FLP(**parameters, memory=memory())
other = {"recipe": "fixed", "fixed": "recipe", "printed": "recipe"}[mode]
with memory().watch() as stages, stop_on_error(), st.spinner("Taking turns …", show_time=True):
    film = FLPRecording(*memory().cache(record_flp)(X, y, len(names), parameters))
    compared = FLP(**parameters | {"mode": other}, memory=memory()).fit(X, y)
    spread = sslviz.LabelPropagation(memory=memory()).fit(X, y).transduction_
found, audible = film.found(truth, hidden), film.heard(hidden)
chance = 1 / n_given
nearest = embedding_evaluation.share(memory().cache(one_nn)(X, y, X) == truth, hidden)
propagated = embedding_evaluation.share(spread == truth, hidden)
views.show_worth(
    {
        "Labels found": (
            float(found[-1]),
            "Share of the hidden labels that FLP finds; saying nothing counts as wrong.",
        ),
        {"fixed": "With A fixed", "recipe": "With A learnt"}[other]: (
            embedding_evaluation.share(compared.transduction_ == truth, hidden),
            "The same settings, but "
            + ("the map stays at PCA." if other == "fixed" else "the map is learnt by the recipe."),
        ),
        "1-NN without a map": (nearest, "The nearest given label in all features."),
        "Label propagation": (
            propagated,
            f"No map: labels travel along the neighbour graph. {DEFAULT_SETTINGS}",
        ),
    },
    film,
    hidden,
)
with st.container():  # as above
    views.show_dimensions(asked, p)
    if not hidden.any():
        views.show_all_given(mode)
    elif mode == "printed":
        views.show_collapse(film, found, audible, chance)

point = problem.clicked()
facts = views.facts_of(film, problem)
pictures = st.columns((3, 2) if beside else 1)
with pictures[0]:
    fig = moving_map(
        views.stills(film, 3 if space else min(p, 2), truth, hidden, mistakes, point),
        y,
        names,
        rows=truth,
        clicked=point,
        facts=facts,
        uirevision=views.view_of(problem, mode, min(p, 2), space),
    )
    show_figure(
        fig,
        key="flp_map",
        height=540,
        thumbnails=problem.thumbnails,
        alt=f"Map of {problem.dataset.name} by FLP; {percent(float(found[-1]))} found",
        film="flp",
        moments=film.kept,
        on_event=on_click_remember(),
    )
if beside:
    with pictures[1]:
        fig = opinion_map(problem.points, film.F[-1], y, names, facts=facts,
                          uirevision=problem.view)  # fmt: skip
        if X.shape[1] == 2:
            add_directions(fig, problem.points, film.A)
        if point is not None:
            add_links(fig, problem.points, point, np.array([], int), np.array([]))
        show_figure(
            fig,
            key="flp_data",
            height=540,
            thumbnails=problem.thumbnails,
            alt=f"{problem.dataset.name} as it is",
            on_event=on_click_remember(),
        )
views.show_map(p, mode, hidden)
show_stage_times(stages)

columns = st.columns(3)
with columns[0]:
    chart_views.show_harmony(film, found, audible, chance)
with columns[1]:
    chart_views.show_voices(film, problem)
with columns[2]:
    chart_views.show_point(film, point, problem)

part = choose_option(
    "**Look closer**", tuple(detail_views.PARTS), "flp.part", help=detail_views.PARTS_HELP
)
with stop_on_error(), st.spinner("Looking …", show_time=True):
    if part == "Directions":
        show_directions(film.A[1].T, problem)
    elif not hidden.any():
        st.info("With every label given nothing is left to find: give fewer labels per class.")
    elif part == "All methods":
        baselines = {"1-NN without a map": nearest, "Label propagation": propagated}
        scores, refused = flp_sweeps.beside_others(model, X, y, truth)
        detail_views.show_methods(scores, flp_sweeps.WAYS[mode], baselines, refused)
    elif part == "The width" and mode == "printed":
        st.info("As printed nothing holds the size of A: there is no width to set, it runs away.")
    elif part == "The width":
        tried = flp_sweeps.over_widths(model, X, y, truth, WIDTHS)
        detail_views.show_width(WIDTHS, *tried, width, nearest)
    else:
        most = min(MOST, *X.shape)
        some = flp_sweeps.numbers_tried(most, n_given - 1, p)
        ways = {
            t: (way, most) for t, way in flp_sweeps.ways(model).items() if way.mode != "printed"
        }
        unseen = embedding_evaluation.set_aside(y, truth, problem.setting.seed)
        ways |= flp_sweeps.rivals(y, memory=memory())
        curves = flp_sweeps.over_dimensions(ways, X, y, truth, unseen, some)
        detail_views.show_dimensions(np.array(some), curves, p, n_given - 1, int((~hidden).sum()))

with st.expander("FLP: idea, formula, paper", icon=":material/school:"):
    show_method_docs(FLP)
show_code(model_snippet(model, problem.setting))
