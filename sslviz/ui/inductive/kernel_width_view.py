"""The width of a Gaussian kernel: a warning, and the spanning-tree rule as an animation."""

import plotly.graph_objects as go
import streamlit as st

from sslviz.figures.animated.mixture import edge_frames
from sslviz.figures.maps.points import class_map
from sslviz.figures.theme import ACCENT, scatter
from sslviz.graph.spanning_tree import Joined, kruskal_until_conflict
from sslviz.kernels.reach import unreached_share
from sslviz.recordings.spanning_tree import spanning_tree_frames
from sslviz.ui.inductive.result import InductiveResult
from sslviz.ui.page import show_map
from sslviz.ui.problem import Problem
from sslviz.ui.server import memory

MAX_POINTS = 2000  # all pairs are measured, and every edge is sent
UNREACHED_ALLOWED = 0.05  # share of the points without a warning


def warn_if_unreached(r: InductiveResult) -> None:
    """A warning where the kernel is so narrow that many points are reached by no label."""
    if r.unreached > UNREACHED_ALLOWED:
        st.warning(
            f"**{r.unreached:.0%}** of the unlabelled points are reached by no label: the kernel "
            "is so narrow that their scores are rounding errors. Raise σ.",
            icon=":material/blur_off:",
        )


def show_spanning_tree(r: InductiveResult) -> None:
    """The width in use; on demand, the animation of the spanning-tree rule."""
    if r.sigma is None:
        return
    st.subheader("Kernel width")
    st.caption(f"The kernel in use has **σ = {r.sigma:.4g}**, in the units of the data.")
    if len(r.y) > MAX_POINTS:
        st.info(f"The spanning-tree rule is shown for at most {MAX_POINTS:,} points.")
        return
    if not st.toggle(
        "Show the spanning-tree rule",
        key="inductive.spanning",
        bind="query-params",
        help="Kruskal's algorithm over all pairs of points, shortest edge first. It stops at the "
        "first edge that would connect two classes; its length is d₀, and the rule is σ = d₀/3.",
    ):
        return
    with st.spinner("Connecting …", show_time=True):
        found = memory().cache(kruskal_until_conflict)(r.problem.dataset.X, r.y)
    show_map(
        spanning_tree_map(found, r.problem),
        r.problem,
        key="inductive_spanning_map",
        height=440,
        alt=f"Spanning tree until two classes would meet, at length {found.lengths[-1]:.3g}",
    )
    st.caption(spanning_tree_caption(found, r))


def spanning_tree_map(found: Joined, problem: Problem) -> go.Figure:
    """The trees in the colours of their labels, and the edge that would connect two classes."""
    points, classes = problem.points, problem.classes
    frames = spanning_tree_frames(found, len(classes))
    fig = class_map(points, frames[-1].classes, problem.y, classes, uirevision=problem.view)
    edge_frames(fig, points, frames)
    line, name = {"color": ACCENT, "width": 5}, f"d₀ = {found.lengths[-1]:.4g}"
    fig.add_trace(scatter(points[found.edges[:, -1]], mode="lines", line=line, name=name))
    return fig


def spanning_tree_caption(found: Joined, r: InductiveResult) -> str:
    d0 = float(found.lengths[-1])
    unreached = unreached_share(r.problem.dataset.X, r.y, d0 / 3, r.model.kernel_exponent)
    return (
        f"{len(found.lengths) - 1:,} edges are added before the red one, **d₀ = {d0:.4g}**, would "
        f"connect two classes. The rule takes **σ = d₀/3 = {d0 / 3:.4g}**. **Look for** a label "
        "near another class: a single outlier makes d₀ tiny. With this σ "
        f"**{unreached:.0%}** of the unlabelled points are reached by no label (all kernel values "
        "below 10⁻¹⁶): harmless where labels spread from neighbour to neighbour, fatal for a "
        "decision function made of kernels. To try it, set “measured in” under *More* to Zhu's "
        "spanning-tree widths."
    )
