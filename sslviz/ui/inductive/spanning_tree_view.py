"""Zhu's rule for σ as a film: edges join points, shortest first, until two classes would meet."""

import numpy as np
import streamlit as st

from sslviz.figures.animated.mixture import join_frames
from sslviz.figures.maps.points import opinion_map
from sslviz.figures.theme import ACCENT, scatter
from sslviz.graph.spanning_tree import FRAMES, Joined, kruskal_until_conflict
from sslviz.labels import one_hot
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.problem import Problem
from sslviz.ui.server import memory

MOST_POINTS = 2000  # all pairs are measured, and every edge is sent


def show_spanning_tree(problem: Problem, sigma: float, exponent: float) -> None:
    """A switch, and when it is on the film; weights are exp(−d²/(exponent·σ²))."""
    st.subheader("How wide? The spanning-tree rule")
    st.caption(f"The kernel in use is **σ = {sigma:.4g}** wide: what the slider comes to.")
    if len(problem.y) > MOST_POINTS:
        st.info(f"The film measures all pairs: take at most {MOST_POINTS:,} points.")
        return
    if not st.toggle(
        "Watch edges join until two classes would meet",
        key="fields.spanning",
        bind="query-params",
        help="Kruskal's algorithm over all pairs, shortest first. It stops at the first edge that "
        "would join two differently labelled groups; its length is d₀, and σ = d₀/3.",
    ):
        return
    with st.spinner("Joining …", show_time=True):
        found = memory().cache(kruskal_until_conflict)(problem.dataset.X, problem.y)
    names, points, d0 = problem.dataset.classes, problem.points, float(found.lengths[-1])
    steps = film(found, len(names))
    fig = opinion_map(points, steps[-1][2], problem.y, names, uirevision=problem.view)
    join_frames(fig, points, steps)
    line = {"color": ACCENT, "width": 5}
    fig.add_trace(
        scatter(points[found.edges[:, -1]], mode="lines", line=line, name=f"d₀ = {d0:.4g}")
    )
    show_figure(
        fig,
        key="fields_spanning_map",
        height=440,
        alt=f"Edges joined shortest first until two classes would meet, at length {d0:.3g}",
    )
    far = weights_below(problem.dataset.X, problem.y, d0 / 3, exponent)
    st.caption(
        f"{len(found.lengths) - 1:,} edges join before the red one, **d₀ = {d0:.4g}**, would tie "
        f"two classes together. The rule takes **σ = d₀/3 = {d0 / 3:.4g}**. **Look for** one label "
        "near another class: a single outlier makes d₀ tiny. With this σ "
        f"**{far:.0%}** of the points feel no label at all (every weight below 10⁻¹⁶): fine where "
        "labels travel from neighbour to neighbour, ruinous for a field of kernels. Set “measured "
        "in” under *More* to Zhu's widths to see it."
    )


def film(found: Joined, n_classes: int) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Name, edges so far and one-hot groups of some moments, the last just before the conflict."""
    last = len(found.lengths) - 1
    moments = np.unique(np.rint(np.linspace(0, last, min(FRAMES, last + 1))).astype(int))
    names = [f"{m} edges, up to {found.lengths[m]:.3g}" for m in moments[:-1]]
    names.append(f"stop: d₀ = {found.lengths[-1]:.3g}")
    return [
        (name, found.edges[:, :m], one_hot(found.labels[m], np.arange(n_classes)))
        for name, m in zip(names, moments, strict=True)
    ]


def weights_below(X: np.ndarray, y: np.ndarray, sigma: float, exponent: float) -> float:
    """Share of unlabelled points all of whose weights to labelled ones are below 10⁻¹⁶."""
    return float((nearest_given(X, y)[1] > reach(sigma, exponent))[y < 0].mean())


def reach(sigma: float, exponent: float) -> float:
    """The distance at which a weight is 10⁻¹⁶."""
    return sigma * float(np.sqrt(exponent * 16 * np.log(10)))


def nearest_given(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The label of the nearest labelled point and its distance, of every point."""
    from sslviz.graph.neighbours import nearest

    given = np.flatnonzero(y >= 0)
    at, distance = nearest(X, X[given], 1)
    return y[given[at[:, 0]]], distance[:, 0]
