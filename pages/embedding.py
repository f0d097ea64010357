"""Views that separate: SSRL-PL with discriminant, neighbourhood, principal components beside it."""

from typing import Any

import numpy as np
import streamlit as st

import sslviz
from sslviz.experiments import embedding_evaluation
from sslviz.figures.maps.points import add_links, opinion_map
from sslviz.figures.maps.strips import add_ridges, strip_places
from sslviz.labels import one_hot
from sslviz.nearest_label import one_nn
from sslviz.params import params_of
from sslviz.snippet import model_snippet
from sslviz.ui.app import page_header
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.controls import choose_method, choose_option, choose_parameters
from sslviz.ui.embedding import detail_views, views
from sslviz.ui.messages import (
    show_code,
    show_method_docs,
    show_method_summary,
    show_stage_times,
    stop_on_error,
)
from sslviz.ui.problem import choose_problem, toggle_value
from sslviz.ui.result import percent
from sslviz.ui.server import memory
from sslviz.ui.state.clicks import on_click_remember

PATIENT = 10_000  # points up to which a kernel of all pairs is computed unasked

page_header("Views that separate")
st.markdown(
    "A **view** puts the points on a few coordinates. In a good one each class lies together and "
    "apart from the others: then the nearest label is the right one."
)
problem = choose_problem(mapped=toggle_value("embedding.data.many"))
X, y, truth, names = problem.dataset.X, problem.y, problem.dataset.y, problem.dataset.classes
hidden = y < 0
if not hidden.any():
    st.info("Every label is given, nothing is left to find: give fewer labels per class.")
    st.stop()
with st.sidebar:
    st.divider()
    family = [m for m in sslviz.METHODS if m.family == "embedding" and m is not sslviz.FLP]
    methods = {m.title: m for m in family}
    Method = choose_method("Method", methods, "map_method", help="What looks for the view.")
    p = st.slider(
        "Dimensions of the view (p)",
        1,
        10,
        2,
        key="embedding.p",
        bind="query-params",
        help="Coordinates of the map. One is drawn as strips, two as a plane, three as a space; of "
        "more, some are drawn and all count for the accuracy.",
    )
    kernel = st.session_state.get("SSRLPL.kernel") or st.query_params.get("SSRLPL.kernel")
    idle = ("n_components",) if kernel == "rbf" else ("n_components", "sigma")
    declared = tuple(q.name for q in params_of(Method) if q.name not in idle)
    parameters = {"n_components": p} | choose_parameters(Method, only=declared)
    soft = Method is sslviz.SSRLPL  # the only one with soft labels
    st.divider()
    colour, mistakes, beside = views.choose_look(soft, plain=X.shape[1] <= 3)
show_method_summary(Method)
told_all = parameters.get("labels") == "all"
if parameters.get("kernel") == "rbf" and len(X) > PATIENT:
    st.warning(f"A kernel of all pairs of {len(X):,} points takes minutes: take fewer points.")
    if not st.toggle("Compute it all the same", key="embedding.patient"):
        st.stop()


def built(**changed: str) -> Any:
    """The method as set in the sidebar, with some of it changed."""
    return Method(**{**parameters, **changed}, memory=memory())


with memory().watch() as stages, stop_on_error(), st.spinner("Projecting …", show_time=True):
    model = built().fit(X, truth if told_all else y)
    reading = embedding_evaluation.read_off(model, y, len(names))
Z, dimensions = model.embedding_, model.embedding_.shape[1]
by_label, by_mean = reading.accuracy(truth, hidden)
head = st.container()  # filled below: the picture comes first
choice = st.container()  # there even if empty: the picture keeps its place, and is not built anew

F = {
    "soft labels": reading.F,
    "answer": one_hot(reading.nearest, np.arange(len(names))),
    "truth": one_hot(truth, np.arange(len(names))),
}[colour]
facts = [
    f"point {i} · truly {names[t]}<br>nearest label: {names[a]} · nearest mean: {names[m]}"
    for i, (t, a, m) in enumerate(zip(truth, reading.nearest, reading.mean, strict=True))
]
places, axes = Z, "1 · 2"
if dimensions == 1:
    places = strip_places(Z[:, 0], truth)
elif dimensions > 2:
    pairs = tuple(f"{i} · {i + 1}" for i in range(1, dimensions))
    with choice:
        axes = choose_option(
            "Axes", ("1 · 2 · 3", *pairs), f"embedding.axes.{dimensions}", help=views.AXES
        )
    places = Z[:, [int(axis) - 1 for axis in axes.split(" · ")]]
point = problem.clicked()
links = (np.array([], int), np.array([]))
if point is not None and hidden[point]:
    links = model.links(point) if soft else links
    links = links if len(links[0]) else embedding_evaluation.nearest_given(Z, y, point)

wrong = (reading.nearest != truth) & hidden if mistakes else None
shape = (parameters.get("kernel"), min(dimensions, 2), axes)
view = f"{problem.dataset.name}:{Method.__name__}:{shape}"
pictures = [("embedding_map", places, view)]
if beside:
    pictures.append(("embedding_data", problem.points, problem.view))
for column, (key, where, revision) in zip(st.columns(len(pictures)), pictures, strict=True):
    fig = opinion_map(where, F, y, names, facts=facts, wrong=wrong, uirevision=revision)
    if dimensions == 1 and key == "embedding_map":
        add_ridges(fig, Z[:, 0], truth, names)
    if point is not None:
        add_links(fig, where, point, *links)
    with column:
        show_figure(
            fig,
            key=key,
            height=460 if beside else 560,
            thumbnails=problem.thumbnails,
            alt=f"{Method.title} of {problem.dataset.name}; {percent(by_label)} found by 1-NN",
            deep=key == "embedding_map",
            on_event=on_click_remember(),
        )
views.show_map(model)
show_stage_times(stages)

worth = {"1-NN in the map": by_label, "Nearest mean in the map": by_mean}
if soft and parameters["labels"] != "labelled":
    alone = built(labels="labelled").fit(X, y).embedding_
    worth["Labelled only"] = embedding_evaluation.share(
        memory().cache(one_nn)(alone, y, alone) == truth, hidden
    )
spread = sslviz.LabelPropagation(memory=memory()).fit(X, y).transduction_
plain = {
    "1-NN without a map": embedding_evaluation.share(
        memory().cache(one_nn)(X, y, X) == truth, hidden
    ),
    "Label propagation": embedding_evaluation.share(spread == truth, hidden),
}
with head:
    views.show_worth(worth | plain)
    views.show_dimensions(model, p, told_all)

left, right = st.columns(2)
with left:
    st.subheader("One point's label")
    if point is None:
        st.info("Click a point in the picture.", icon=":material/touch_app:")
    else:
        views.show_point(reading.F, links, point, problem, soft)
with right:
    if hasattr(model, "eigenvalues_"):
        st.subheader("How many directions there are")
        views.show_eigenvalues(model, dimensions, len(model.classes_))

part = choose_option(
    "**Look closer**", tuple(detail_views.PARTS), "embedding.part", help=detail_views.PARTS_HELP
)
with stop_on_error(), st.spinner("Looking …", show_time=True):
    if reason := detail_views.unavailable(part, model, problem):
        st.info(reason)
    elif part == "All methods":
        others = {m.title: m(n_components=p, memory=memory()) for m in family if m is not Method}
        scores, refused = embedding_evaluation.compared(others, X, y, truth)
        detail_views.show_accuracies(
            scores | {Method.title: by_label}, Method.title, plain, refused
        )
    elif part == "Unseen points":
        candidates = {"these labels": (built(), told_all)}
        if soft:
            way = "wta" if parameters["labels"] == "wta" else "soft"
            candidates = {
                "labelled only": (built(labels="labelled"), False),
                detail_views.TOLD[way]: (built(labels=way), False),
                "all labels": (built(labels="all"), True),
            }
        elif Method is not sslviz.LabelledNCA:  # whose search takes minutes with all labels
            candidates["all labels"] = (built(), True)
        unseen = embedding_evaluation.set_aside(y, truth, problem.setting.seed)
        detail_views.show_maps(
            embedding_evaluation.trials(candidates, X, y, truth, unseen), unseen, problem, point
        )
    elif part == "Labels alike":
        detail_views.show_similarity(reading.F, problem)
    elif part == "The bound":
        bounds = memory().cache(embedding_evaluation.bounds_revealed)(
            X,
            truth,
            n_neighbors=parameters["n_neighbors"],
            sigma_labels=model.sigma_labels_ or parameters["sigma_labels"],
            labels="wta" if parameters["labels"] == "wta" else "soft",
            n_components=p,
            random_state=problem.setting.seed,
        )
        detail_views.show_bounds(*bounds)
    elif part == "Directions":
        detail_views.show_directions(model.components_, problem)
    else:
        detail_views.show_fields(model, problem)

with st.expander(f"{Method.title}: idea, formula, paper", icon=":material/school:"):
    show_method_docs(Method)
code = model_snippet(model, problem.setting)
show_code(code.replace("fit(dataset.X, y)", "fit(dataset.X, dataset.y)") if told_all else code)
