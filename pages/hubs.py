"""Robust label prediction in three pictures: find hubs, let labels travel among them, vote."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from sslviz import GeodesicKNN, LabelPropagation, RobustLabelPrediction
from sslviz.figures.charts.basic import share_by_tenth
from sslviz.figures.maps.hubs import add_paths, front_frames, hub_graph_map, hub_map
from sslviz.figures.maps.points import add_links, height_for, opinion_map, shrink
from sslviz.figures.theme import ACCENT, HUB, class_colours, css
from sslviz.graph.components import islands
from sslviz.graph.density import KERNEL_FEATURES, NEAR, kernel_density, nearness
from sslviz.graph.neighbours import knn, knn_lists
from sslviz.snippet import model_snippet
from sslviz.ui.app import page_header
from sslviz.ui.components.legend import show_legend
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.controls import choose_option, choose_parameters
from sslviz.ui.hubs.tuning_view import run_to_the_end, show_best, show_grids
from sslviz.ui.messages import (
    show_code,
    show_method_docs,
    show_metrics,
    show_stage_times,
    stop_on_error,
    warn_if_clipped,
)
from sslviz.ui.presets.apply import show_lesson
from sslviz.ui.problem import choose_problem
from sslviz.ui.propagation.vote_view import vote_bars, vote_caption, vote_table
from sslviz.ui.result import percent, result_of, undetermined_text
from sslviz.ui.server import memory
from sslviz.ui.state.clicks import on_click_remember

USUAL = 0.3  # hubs among the unlabelled points, to begin with

page_header("Hubs that vote")
st.markdown(
    "**Robust label prediction** trusts only points that many others list among their nearest: "
    "**hubs**. Labels first travel among the hubs, then every other point asks the hubs and labels "
    "nearest to it along the graph. Outliers are listed by nobody, so they have no say: that is "
    "the hope. Move **h** and see when it comes true."
)
show_lesson("pages/hubs.py")
problem = choose_problem()
X, y, names = problem.dataset.X, problem.y, problem.dataset.classes
hidden = y < 0
if not hidden.any():
    st.info("Every label is given, nothing is left to find: give fewer labels per class.")
    st.stop()
with st.sidebar:
    st.divider()
    own = ("k_graph", "k_hub", "n_votes", "sigma", "graph")
    parameters = choose_parameters(RobustLabelPrediction, only=own)
    mistakes = st.toggle(
        "Ring the mistakes", key="mistakes", bind="query-params", help="In the third picture."
    )

most = int(hidden.sum())
usual = round(USUAL * most)
if st.session_state.get("hubs.h", 0) > most:  # left over from a larger set
    st.session_state["hubs.h"] = usual
h = st.slider(
    "**Hubs (h)**: how many of the most listed points take part",
    0,
    most,
    usual,
    key="hubs.h",
    bind="query-params",
    help="The h unlabelled points with the highest in-degree; fewer hubs are always the first of "
    "more. None: only the given labels vote. All: labels travel among all points.",
)
show = choose_option(
    "Show",
    ("all three", "1 · hubs", "2 · labels", "3 · votes"),
    "hubs.show",
    help="The three steps side by side, or one of them large.",
)

with memory().watch() as stages, stop_on_error(), st.spinner("Asking the hubs …", show_time=True):
    model = RobustLabelPrediction(**parameters, n_hubs=h, memory=memory()).fit(X, y)
    k = min(model.k_graph, len(X) - 1)
    peers = [
        LabelPropagation(n_neighbors=k, memory=memory()).fit(X, y),
        GeodesicKNN(n_neighbors=k, n_votes=model.n_votes, memory=memory()).fit(X, y),
    ]
warn_if_clipped(model)
answer = result_of(model, problem)
plain, voting = (percent(result_of(peer, problem).accuracy(hidden)) for peer in peers)
is_hub = np.zeros(len(X), bool)
is_hub[model.hubs_] = True
silent = ~model.hub_distributions_.any(axis=1)
numbers = [
    (
        "Robust label prediction",
        percent(answer.accuracy(hidden)),
        "Share of hidden labels found; undetermined counts as wrong. With h and k₂ as set here; "
        "the page of propagation tunes both by hiding labels unless told, and finds more or less.",
    ),
    (
        "Label propagation",
        plain,
        f"The plain method on the undirected graph of the same {k} neighbours. With few thousand "
        "points it often wins.",
    ),
    ("Without hubs", voting, "Geodesic kNN: the same vote, by given labels alone (h = 0)."),
]
outliers = problem.outliers
if outliers.any():
    caught = f"{(is_hub & outliers).sum()} of {outliers.sum()}"
    meaning = f"{is_hub[hidden].mean():.0%} of all hidden points are hubs. Fewer outliers: good."
    numbers.append(("Outliers among the hubs", caught, meaning))
if silent.any():
    meaning = "Hubs no label travels to: they do not vote, and are voted on like all others."
    numbers.append(("Silent hubs", f"{silent.sum():,}", meaning))
show_metrics(numbers)

rank = np.full(len(X), -1)
rank[model.hubs_] = np.arange(1, len(model.hubs_) + 1)
facts = [
    f"point {i} · truly {names[t]}<br>says {names[a] if a >= 0 else 'nothing'} ({s:.0%})<br>listed "
    f"by {d} others" + (f" · hub no. {r}" if r > 0 else "")
    for i, (t, a, s, d, r) in enumerate(
        zip(problem.dataset.y, answer.labels, answer.share, model.hub_scores_, rank, strict=True)
    )
]
point = problem.clicked()
votes = None if point is None else model.explain(point)
shared: dict[str, Any] = {"facts": facts, "uirevision": problem.view}
basis = (problem.points, y, names, model.hubs_, model.hub_scores_)


def hubs_drawn() -> go.Figure:
    return hub_map(*basis, outliers=outliers, **shared)


def labels_drawn() -> go.Figure:
    W = model.hub_graph_
    rows = np.repeat(np.arange(len(X)), np.diff(W.indptr))
    once = (rows < W.indices) | (model.graph == "directed")  # undirected links are stored twice
    edges = np.stack([rows, W.indices])[:, once]
    return hub_graph_map(*basis, model.hub_distributions_, edges, **shared)


def votes_drawn() -> go.Figure:
    wrong = ~answer.right & hidden & (answer.labels >= 0) if mistakes else None
    fig = opinion_map(problem.points, answer.F, y, names, wrong=wrong, **shared)
    voter = model.voters_[:, 0]
    nearest = np.where((voter >= 0)[:, None], answer.F[voter], 0)
    fig.frames = front_frames(
        nearest, model.voter_distances_[:, 0], answer.F, problem.points.shape[1]
    )
    return fig


pictures = {
    "1 · hubs": (
        "1 · Find the hubs",
        hubs_drawn,
        "The larger a star, the more points list it among their nearest. Ringed: outliers that "
        "made it all the same. Do the stars sit where the data are dense?",
    ),
    "2 · labels": (
        "2 · Labels travel among them",
        labels_drawn,
        "Hubs and labels are linked to their nearest of each other, measured along the graph. "
        "Look for a link that bridges two classes, and for grey stars no label reaches.",
    ),
    "3 · votes": (
        "3 · Everyone asks around",
        votes_drawn,
        "Each point takes the majority of its nearest voters. **Play** sends fronts from all "
        "voters at once: a point lights up when the first arrives. **Click** any point.",
    ),
}
wanted = [name for name in pictures if show in ("all three", name)]
if len(wanted) > 1:
    marks = {"hub": ("★", HUB), "given label": ("◆", "inherit")}
    show_legend(
        names, marks | ({"outlier among the hubs": ("○", ACCENT)} if outliers.any() else {})
    )
for column, name in zip(st.columns(len(wanted)), wanted, strict=True):
    heading, build, look = pictures[name]
    with column:
        st.markdown(f"**{heading}**")
        fig = build()
        if votes is not None and point is not None:
            if name == "3 · votes":
                colours = [css(class_colours(len(names))[c]) for c in votes.classes]
                add_paths(fig, problem.points, point, votes.paths, colours)
            else:
                add_links(fig, problem.points, point, np.array([], int), np.array([]))
        if len(wanted) > 1:
            shrink(fig, 0.6)
        show_figure(
            fig,
            key=f"hubs_{name[0]}",
            height=560 if len(wanted) == 1 else height_for(problem.points, 310, 220, 340),
            thumbnails=problem.thumbnails,
            alt=f"{heading}: {problem.dataset.name}, {h} hub{'' if h == 1 else 's'}",
            linked="hubs",
            on_event=on_click_remember(),
        )
        st.caption(look)
if (answer.labels < 0).any():
    reason = undetermined_text(answer, islands(knn(X, k, memory())))
    st.info(reason, icon=":material/landscape:")
show_stage_times(stages)

left, right = st.columns(2)
with left:
    st.subheader("Are hubs where the data are dense?")
    if X.shape[1] <= KERNEL_FEATURES:
        density = memory().cache(kernel_density)(X, ~outliers)
        how = "a kernel estimate without the outliers"
    else:
        density = nearness(knn_lists(X, min(NEAR, len(X) - 1), memory())[1])
        how = f"how near the {NEAR}th neighbour is"
    chart = share_by_tenth(density[hidden], is_hub[hidden], "tenths of the points, sparse → dense")
    show_figure(chart, key="hubs_density", height=260, tools=False)
    st.caption(
        "Rising bars: the hubs are where the data are dense, as hoped. Flat or falling bars: being "
        "listed by many says little about density, or the contrary; look at a set of images. "
        f"Dotted: every tenth alike. Density is {how}."
    )
with right:
    st.subheader("One point's vote")
    if votes is None or point is None:
        st.info("Click a point in a picture: its ways to its voters are drawn in the third.")
    else:
        voted = SimpleNamespace(
            votes=votes, point=point, y=y, classes=names, truth=problem.dataset.y
        )
        show_figure(vote_bars(voted), key="hubs_votes", height=200, tools=False)
        st.caption(vote_caption(voted))
        if (table := vote_table(voted)) is not None:
            st.dataframe(table, hide_index=True)


def take(k_hub: int, n_hubs: int) -> None:
    """Set the two sliders; called before the page runs again."""
    st.session_state["RobustLabelPrediction.k_hub"] = k_hub
    st.session_state["hubs.h"] = n_hubs


st.subheader("How many hubs, how many links?")
st.markdown(
    "A user who knows a few labels only must choose by **cross-validation**: hide some of the "
    "labels, see which setting finds them again. Here the truth is known, and stands beside it."
)
if st.toggle(
    "Try the grid",
    key="hubs.grid",
    bind="query-params",
    help="Fits every combination of hubs and links, five times with labels hidden and once "
    "against the truth: a second for two thousand points, minutes for many thousand.",
):
    bar = st.progress(0.0, "Hiding labels …")
    with stop_on_error():
        told = "Hiding labels …"
        scores = run_to_the_end(model.tune(X, y), lambda share: bar.progress(share, told)).tuning
        tries = model.try_out(X, y, problem.dataset.y)
        truth = run_to_the_end(tries, lambda share: bar.progress(share, "Asking the truth …"))
    bar.empty()
    show_grids(scores, truth.tuning, (model.k_hub, h), take)
    said, button = st.columns([3, 1], vertical_alignment="center")
    said.markdown(show_best(scores, truth.tuning))
    button.button("Take its choice", on_click=take, args=scores.best, width="stretch")

with st.expander(f"{model.title}: idea, formula, paper", icon=":material/school:"):
    show_method_docs(RobustLabelPrediction)
show_code(model_snippet(model, problem.setting))
