"""The picture of the page: numbers, the map, and a training that repaints it while it learns."""

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
import streamlit as st

import sslviz
from sslviz.data.plane_grid import Plane
from sslviz.figures.charts.training import training_chart
from sslviz.figures.maps.clusters import add_hubs, cluster_frames, cluster_map
from sslviz.figures.maps.hubs import add_paths
from sslviz.figures.theme import ACCENT
from sslviz.graph.shortest_paths import geodesic_path
from sslviz.metrics import confident_argmax, matched_columns
from sslviz.recordings.clustering import TrainingRecording
from sslviz.ui.clustering.result import StaticResult, graph_of
from sslviz.ui.clustering.sidebar import Look, short_name
from sslviz.ui.components.live_figure import Event, show_figure
from sslviz.ui.messages import show_metrics
from sslviz.ui.problem import Problem
from sslviz.ui.result import DEFAULT_SETTINGS

HEIGHT = 560
PAUSE = 0.6  # seconds between two drawings of the charts
ENDS, ENDS_IN = "clusters:ends", "clusters:ends in"


class ClusterPage(NamedTuple):
    """Everything a picture is made of, but the answer itself."""

    problem: Problem
    model: Any
    hubs: Any  # a fitted SGSC, or None
    plane: Plane | None
    look: Look
    beside: dict[str, float]  # accuracies of other methods

    @property
    def names(self) -> tuple[str, ...]:
        """Of the colours: classes, then clusters that no class is left for."""
        classes = self.problem.dataset.classes
        spare = range(len(classes), self.model.n_clusters)
        return (*classes, *(f"no class ({i + 1 - len(classes)})" for i in spare))


def numbers_shown(scene: ClusterPage, found: StaticResult | TrainingRecording) -> None:
    """How right, how many clusters, and what others reach."""
    name, hubs = short_name(type(scene.model)), scene.hubs
    begun = not isinstance(found, TrainingRecording) or found.learnt
    said = [
        (
            name,
            f"{found.accuracy:.1%}" if begun else "–",
            "Clustering accuracy: share of the points in the cluster that is matched to their "
            "class. Clusters and classes, which the method never saw, are matched at best.",
        ),
        (
            "Clusters used",
            f"{found.used if begun else '–'} of {scene.model.n_clusters}",
            "Clusters that hold at least one point.",
        ),
    ]
    if hubs is not None:
        truth = scene.problem.dataset.y[hubs.hubs_]
        right = sslviz.clustering_accuracy(truth, hubs.hub_labels_)
        meaning = "The same among the hubs alone, by spectral clustering of them."
        said.append(("Hubs", f"{right:.1%}", meaning))
    meaning = f"Clustering accuracy with as many clusters on the same points. {DEFAULT_SETTINGS}"
    said += [(other, f"{a:.1%}", meaning) for other, a in scene.beside.items()]
    show_metrics(said)


def colours_of(scene: ClusterPage, P: np.ndarray, order: np.ndarray) -> np.ndarray:
    """(n, K) what colours the points."""
    wide = len(scene.names)
    if scene.look.colour == "truth":
        return np.eye(wide)[scene.problem.dataset.y]
    return matched_columns(confident_argmax(P) if scene.look.colour == "winner" else P, order, wide)


def picture(scene: ClusterPage, found: StaticResult | TrainingRecording, quick: bool) -> go.Figure:
    """The map; `quick` leaves out what only a reader needs, not somebody who watches."""
    problem, plane = scene.problem, scene.plane
    facts = None if quick else facts_of(scene, found)
    fig = cluster_map(
        problem.points,
        colours_of(scene, found.P, found.order),
        scene.names,
        plane=None if found.ground is None or plane is None else (found.ground, plane.x, plane.y),
        wrong=found.order[found.labels] != problem.dataset.y if scene.look.mistakes else None,
        facts=facts,
        uirevision=problem.view,
    )
    if isinstance(found, TrainingRecording) and not quick and len(found.moments) > 1:
        steps = [
            (f"iteration {m.iteration:,}", colours_of(scene, m.P, m.order), m.ground)
            for m in found.moments
        ]
        cluster_frames(fig, steps)
    if scene.look.hubs and scene.hubs is not None:
        sgsc = scene.hubs
        Q = matched_columns(sgsc.hub_distributions_, found.order, len(scene.names))
        add_hubs(fig, problem.points, sgsc.hubs_, sgsc.degrees_, Q, facts)
    return fig


def facts_of(scene: ClusterPage, found: StaticResult | TrainingRecording) -> list[str]:
    """What the label under the cursor says of every point."""
    names, y = scene.problem.dataset.classes, scene.problem.dataset.y
    share, sure = found.P.max(axis=1), confident_argmax(found.P).max(axis=1) > 0
    own = [f"in the cluster of {scene.names[found.order[c]]}" for c in range(len(found.order))]
    rows = enumerate(zip(found.labels, share, sure, strict=True))
    return [
        f"point {i} · truly {names[y[i]]}<br>{f'{own[c]} ({p:.0%})' if opinion else 'no opinion'}"
        for i, (c, p, opinion) in rows
    ]


def remember_two(event: Event) -> None:
    """Keep the last two points clicked; a third begins anew."""
    if event.kind == "click":
        ends: list[int] = st.session_state.get(ENDS, [])
        st.session_state[ENDS] = [*(ends if len(ends) < 2 else []), event.point]


def ends_of(problem: Problem) -> list[int]:
    """The points clicked, forgotten when the data change."""
    data = (problem.dataset.name, str(problem.setting.options))
    if st.session_state.get(ENDS_IN) != data:
        st.session_state[ENDS_IN], st.session_state[ENDS] = data, []
    return st.session_state[ENDS]


def add_way(fig: go.Figure, scene: ClusterPage) -> str:
    """The shortest way between two clicked points along the graph, and what is to be said of it."""
    ends, points = ends_of(scene.problem), scene.problem.points
    if not ends:
        what = "two hubs" if scene.hubs is not None else "two points"
        return f"**Click {what}** to see the shortest way between them along the graph."
    if len(ends) == 1:
        add_paths(fig, points, ends[0], [], [])
        return f"From point {ends[0]} to … **click another one**."
    first, last = ends
    X = scene.problem.dataset.X
    k = scene.hubs.k_graph if scene.hubs is not None else 10
    G = graph_of(X, k)
    path = geodesic_path(G, first, last)
    if not path:
        add_paths(fig, points, first, [[last]], [ACCENT])
        return f"**No way** leads from point {first} to point {last}: they are on two islands."
    add_paths(fig, points, first, [path], [ACCENT])
    steps = np.linalg.norm(np.diff(X[path], axis=0), axis=1)
    straight = float(np.linalg.norm(X[last] - X[first]))
    return (
        f"From point {first} to {last}: {len(path) - 1} edges of the {k}-neighbour graph, "
        f"{steps.sum():.3g} long, against {straight:.3g} in a straight line."
    )


def show_map(scene: ClusterPage, found: StaticResult | TrainingRecording, epochs: int = 0) -> None:
    """Numbers, map and, of a training, its charts. A running one learns for a slice before."""
    training = found if isinstance(found, TrainingRecording) else None
    running = training is not None and training.running
    begun = perf_counter()
    if training is not None:
        if running:
            training.learn(epochs)
            if not training.running:
                st.rerun()  # all of the page: it shows what was learnt, and waits for no more
        _progress(training, epochs)
    numbers_shown(scene, found)
    fig = picture(scene, found, quick=running)
    way = add_way(fig, scene)
    left, right = (st.container(), None) if training is None else st.columns([3, 2])
    with left:
        show_figure(
            fig,
            key="clusters_map",
            height=HEIGHT,
            thumbnails=scene.problem.thumbnails,
            alt=f"Clusters of {type(scene.model).title} on {scene.problem.dataset.name}; "
            f"{found.accuracy:.1%} right",
            film="clusters",
            moments=[m.iteration for m in training.moments] if training else None,
            on_event=remember_two,
        )
        st.caption(way)
    if training is not None and right is not None:
        with right:
            _charts(training, epochs)
        if running:
            training.took(perf_counter() - begun)


def _progress(training: TrainingRecording, epochs: int) -> None:
    at, total = training.iteration, training.total(epochs)
    pace = training.pace
    part = "Iteration" if training.then is None else "Autoencoder first: iteration"
    said = f"{part} {at:,} of {total:,}"
    if training.running and pace:
        said += f": {1 / pace:,.0f} a second, about {(total - at) * pace:.0f} s left"
    st.progress(min(at / total, 1.0), said)


def _charts(training: TrainingRecording, epochs: int) -> None:
    """Charts change less often than the map: they are read, not watched."""
    now = perf_counter()
    if not training.running or training.chart is None or now - training.chart[0] > PAUSE:
        training.chart = now, _chart(training, epochs)
    show_figure(
        training.chart[1], key="clusters_training", height=HEIGHT, tools=False, film="clusters"
    )


def _chart(training: TrainingRecording, epochs: int) -> go.Figure:
    records, names = training.records, training.course.objective.names
    columns = np.array([r.terms for r in records]).reshape(-1, len(names)).T
    return training_chart(
        np.array([r.iteration for r in records]),
        dict(zip(names, columns, strict=True)),
        np.array([r.used for r in records]),
        np.array([r.accuracy for r in records]),
        training.clusters,
        max(training.total(epochs), training.iteration),
    )
