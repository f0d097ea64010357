"""Views that separate: SSRL-PL with discriminant, neighbourhood, principal components beside it."""

from typing import Any

import numpy as np
import streamlit as st

import sslviz
from sslviz.embedding import judged
from sslviz.embedding.readout import one_nn
from sslviz.figures.embedded import add_ridges, strip_places
from sslviz.figures.points import add_links, opinion_map
from sslviz.labels import one_hot
from sslviz.params import params_of
from sslviz.snippet import model_snippet
from sslviz.ui.answers import percent
from sslviz.ui.clicked import remember
from sslviz.ui.controls import choose_method, controls, pick
from sslviz.ui.embedding import around, closer
from sslviz.ui.live import live
from sslviz.ui.problem import choose, switched_on
from sslviz.ui.saying import code_said, idea_said, method_explained, problems_said, stages_said
from sslviz.ui.server import memory
from sslviz.ui.shell import begin

PATIENT = 10_000  # points up to which a kernel of all pairs is computed unasked

begin("Views that separate")
st.markdown(
    "A **view** puts the points on a few coordinates. In a good one each class lies together and "
    "apart from the others: then the nearest label is the right one."
)
problem = choose(mapped=switched_on("embedding.data.many"))
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
    parameters = {"n_components": p} | controls(Method, only=declared)
    soft = Method is sslviz.SSRLPL  # the only one with soft labels
    st.divider()
    colour, mistakes, beside = around.look(soft, plain=X.shape[1] <= 3)
idea_said(Method)
told_all = parameters.get("labels") == "all"
if parameters.get("kernel") == "rbf" and len(X) > PATIENT:
    st.warning(f"A kernel of all pairs of {len(X):,} points takes minutes: take fewer points.")
    if not st.toggle("Compute it all the same", key="embedding.patient"):
        st.stop()


def built(**changed: str) -> Any:
    """The method as set in the sidebar, with some of it changed."""
    return Method(**{**parameters, **changed}, memory=memory())


with memory().watch() as stages, problems_said(), st.spinner("Projecting …", show_time=True):
    model = built().fit(X, truth if told_all else y)
    reading = judged.read_off(model, y, len(names))
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
        axes = pick("Axes", ("1 · 2 · 3", *pairs), f"embedding.axes.{dimensions}", help=around.AXES)
    places = Z[:, [int(axis) - 1 for axis in axes.split(" · ")]]
point = problem.clicked()
links = (np.array([], int), np.array([]))
if point is not None and hidden[point]:
    links = model.links(point) if soft else links
    links = links if len(links[0]) else judged.nearest_given(Z, y, point)

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
        live(
            fig,
            key=key,
            height=460 if beside else 560,
            thumbnails=problem.thumbnails,
            alt=f"{Method.title} of {problem.dataset.name}; {percent(by_label)} found by 1-NN",
            deep=key == "embedding_map",
            on_event=remember(),
        )
around.map_said(model)
stages_said(stages)

worth = {"1-NN in the map": by_label, "Nearest mean in the map": by_mean}
if soft and parameters["labels"] != "labelled":
    alone = built(labels="labelled").fit(X, y).embedding_
    worth["Labelled only"] = judged.share(memory().cache(one_nn)(alone, y, alone) == truth, hidden)
spread = sslviz.LabelPropagation(memory=memory()).fit(X, y).transduction_
plain = {
    "1-NN without a map": judged.share(memory().cache(one_nn)(X, y, X) == truth, hidden),
    "Label propagation": judged.share(spread == truth, hidden),
}
with head:
    around.worth_said(worth | plain)
    around.dimensions_said(model, p, told_all)

left, right = st.columns(2)
with left:
    st.subheader("One point's label")
    if point is None:
        st.info("Click a point in the picture.", icon=":material/touch_app:")
    else:
        around.point_said(reading.F, links, point, problem, soft)
with right:
    if hasattr(model, "eigenvalues_"):
        st.subheader("How many directions there are")
        around.eigenvalues_said(model, dimensions, len(model.classes_))

part = pick("**Look closer**", tuple(closer.PARTS), "embedding.part", help=closer.PARTS_HELP)
with problems_said(), st.spinner("Looking …", show_time=True):
    if reason := closer.unavailable(part, model, problem):
        st.info(reason)
    elif part == "All methods":
        others = {m.title: m(n_components=p, memory=memory()) for m in family if m is not Method}
        scores, refused = judged.compared(others, X, y, truth)
        closer.accuracies_said(scores | {Method.title: by_label}, Method.title, plain, refused)
    elif part == "Unseen points":
        candidates = {"these labels": (built(), told_all)}
        if soft:
            way = "wta" if parameters["labels"] == "wta" else "soft"
            candidates = {
                "labelled only": (built(labels="labelled"), False),
                closer.TOLD[way]: (built(labels=way), False),
                "all labels": (built(labels="all"), True),
            }
        elif Method is not sslviz.LabelledNCA:  # whose search takes minutes with all labels
            candidates["all labels"] = (built(), True)
        unseen = judged.set_aside(y, truth, problem.setting.seed)
        closer.maps_said(judged.trials(candidates, X, y, truth, unseen), unseen, problem, point)
    elif part == "Labels alike":
        closer.similarity_said(reading.F, problem)
    elif part == "The bound":
        bounds = memory().cache(judged.bounds_revealed)(
            X,
            truth,
            n_neighbors=parameters["n_neighbors"],
            sigma_labels=model.sigma_labels_ or parameters["sigma_labels"],
            labels="wta" if parameters["labels"] == "wta" else "soft",
            n_components=p,
            random_state=problem.setting.seed,
        )
        closer.bounds_said(*bounds)
    elif part == "Directions":
        closer.directions_said(model.components_, problem)
    else:
        closer.fields_said(model, problem)

with st.expander(f"{Method.title}: idea, formula, paper", icon=":material/school:"):
    method_explained(Method)
code = model_snippet(model, problem.setting)
code_said(code.replace("fit(dataset.X, y)", "fit(dataset.X, dataset.y)") if told_all else code)
