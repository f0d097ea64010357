"""Virtual adversarial training seen: the worst directions, and whether they were found."""

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from sslviz.figures.charts.training import arrow_plane, ratio_curve
from sslviz.figures.maps.image_grid import image_wall
from sslviz.metrics import matched_columns
from sslviz.recordings.clustering import TrainingRecording
from sslviz.ui.clustering.map_view import ClusterPage
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.messages import show_metrics

ARROWS = 48
ASKED = (60, 500)  # points behind the ratio: few of a large network, which answers slowly
WORK = 10**7  # points times parameters
LOOKS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
PRINTED = 10.0  # units of the data: the thesis' ξ
IMAGES = 6
HEIGHT = 320


def show_shaking(
    scene: ClusterPage, training: TrainingRecording, eps: np.ndarray, shaken: Callable[..., Any]
) -> None:
    """Arrows of some points, and how much worse than random ones they are, over ξ.

    `eps` (n,) are the radii; `shaken(network, X, eps, ξ)` finds the arrows `r`, what they do,
    `adversarial`, and the `ratio` to what random ones do.
    """
    st.header("The worst directions", divider="gray")
    if training.iteration == 0:
        st.info("Start the training: a network that says the same everywhere fears nothing.")
        return
    X = scene.problem.dataset.X
    network: Any = training.course.objective.predictor()
    count = int(np.clip(WORK // len(training.course.objective.theta), *ASKED))
    some = np.linspace(0, len(X) - 1, min(count, len(X))).astype(int)
    xi = st.select_slider(
        "Look-ahead (ξ)",
        LOOKS,
        0.1,
        key="clusters.xi",
        bind="query-params",
        format_func="{:g} radii".format,
        help="How far away the worst direction is looked for, in this picture alone. The network "
        "learns with the ξ of the sidebar.",
    )
    asked = {at: shaken(network, X[some], eps[some], at) for at in LOOKS}
    radius = max(float(np.median(eps[some])), np.finfo(float).tiny)
    printed = shaken(network, X[some], eps[some], PRINTED / radius).ratio
    show_metrics(
        [
            (
                "Adversarial / random",
                f"{asked[xi].ratio:.2f}",
                "How much more the answers change (KL) in the direction found than in a random "
                f"one of the same length, over {len(some)} points.",
            ),
            (
                "With ξ = 10 as printed",
                f"{printed:.2f}",
                f"Ten units of the data are {PRINTED / radius:.3g} radii here. Near 1 the "
                "direction found is no better than a random one.",
            ),
        ]
    )
    left, right = st.columns([3, 2])
    with right:
        ratios = np.array([asked[at].ratio for at in LOOKS])
        chart = ratio_curve(np.array(LOOKS), ratios, xi, PRINTED / radius)
        show_figure(chart, key="clusters_ratio", height=HEIGHT, tools=False)
        st.caption(
            "How much worse than a random direction the one found is. **Look for** the fall "
            "towards 1, dotted: so far off, the search finds nothing."
        )
    with left:
        _moves(scene, training, some, asked[xi].r, asked[xi].adversarial)


def _moves(
    scene: ClusterPage,
    training: TrainingRecording,
    some: np.ndarray,
    r: np.ndarray,
    moved: np.ndarray,
) -> None:
    worst = np.argsort(-moved, kind="stable")
    X, shape = scene.problem.dataset.X, scene.problem.dataset.image_shape
    F = matched_columns(training.P, training.order, len(scene.names))
    if X.shape[1] == 2:
        drawn = np.sort(np.concatenate([worst[: ARROWS // 2], np.arange(ARROWS // 2)]))
        drawn = np.unique(drawn[drawn < len(some)])
        fig = arrow_plane(X, F, some[drawn], r[drawn], uirevision=f"{scene.problem.view}:arrows")
        show_figure(fig, key="clusters_arrows", height=HEIGHT)
        st.caption(
            "From each point to where its answer changes most, ε = α times the distance to its "
            "tenth neighbour away; half of them are the points that move most. **Look for** "
            "arrows across the border between two regions, and at a far ξ for arrows anywhere."
        )
    elif shape is not None:
        drawn = worst[:IMAGES]
        tiles = np.concatenate([X[some[drawn]], r[drawn], X[some[drawn]] + r[drawn]])
        labels = np.tile(scene.problem.dataset.y[some[drawn]], 3)
        fig = image_wall(
            [tiles], shape, [labels], scene.problem.dataset.n_classes, [""], columns=len(drawn)
        )
        show_figure(fig, key="clusters_arrows", height=HEIGHT, tools=False)
        st.caption(
            "The images whose answers change most, the change that does it (its own scale: blue "
            "adds ink, red takes it away), and both together."
        )
    else:
        st.caption(f"In {X.shape[1]} dimensions an arrow cannot be drawn: see the numbers.")
