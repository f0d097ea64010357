"""Inside a clustering: hubs and density, eigenvalues, the places in which clusters are heaps."""

from typing import Any

import numpy as np
import streamlit as st

from sslviz.figures.maps.clusters import degree_against_density, embedded_map, spectrum_bars
from sslviz.graph.density import KERNEL_FEATURES, NEAR, kernel_density, nearness
from sslviz.graph.neighbours import knn_lists
from sslviz.metrics import matched_columns
from sslviz.recordings.clustering import TrainingRecording
from sslviz.ui.clustering.map_view import ClusterPage
from sslviz.ui.clustering.result import StaticResult
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.server import memory

HEIGHT = 300
MOST = 3000  # points of an embedding drawn


def show_hubs(scene: ClusterPage) -> None:
    """Degree against density, eigenvalues, spectral embedding: how the hubs were clustered."""
    st.header("The hubs", divider="gray")
    if scene.hubs.n_components_ > scene.model.n_clusters:
        st.warning(
            f"The hubs fall into {scene.hubs.n_components_} islands, more than the "
            f"{scene.model.n_clusters} clusters: which islands make up the clusters is arbitrary, "
            "the smaller ones follow the nearest larger one. Raise the links of a hub or the "
            "neighbours.",
            icon=":material/broken_image:",
        )
    columns = st.columns(2)
    with columns[0]:
        show_density(scene)
    with columns[1]:
        show_eigenvalues(scene.hubs)


def show_density(scene: ClusterPage) -> None:
    """Are hubs dense?"""
    problem, sgsc = scene.problem, scene.hubs
    X, outliers = problem.dataset.X, problem.outliers
    st.subheader("Degree and density")
    if X.shape[1] <= KERNEL_FEATURES:
        density, kind = memory().cache(kernel_density)(X, ~outliers), "a kernel estimate"
    else:
        lists = knn_lists(X, min(NEAR, len(X) - 1), memory())[1]
        density, kind = nearness(lists), f"one over the distance to the {NEAR}th neighbour"
    chart = degree_against_density(density, sgsc.degrees_, sgsc.hubs_, outliers)
    show_figure(chart, key="clusters_density", height=HEIGHT, tools=False)
    said = (
        "Hubs are the points of highest degree, in the hope that they lie where it is dense. "
        "**Look for** hubs on the left: degree counts neighbours relative to the surroundings. "
        f"Density here is {kind}"
    )
    if outliers.any():
        said += (
            f". Outliers: **{outliers[sgsc.hubs_].mean():.0%}** of the hubs, "
            f"{outliers.mean():.0%} of all points"
        )
    st.caption(said + ".")


def show_eigenvalues(sgsc: Any) -> None:
    """How many clusters the hubs show by themselves."""
    st.subheader("Eigenvalues")
    values, C, islands = sgsc.eigenvalues_, sgsc.n_clusters, sgsc.n_components_
    show_figure(
        spectrum_bars(values, islands, C), key="clusters_spectrum", height=HEIGHT, tools=False
    )
    drops = values[:-1] - values[1:]
    first = int(drops.argmax()) + 1 if len(drops) else 1
    count = "one island" if islands == 1 else f"{islands} islands"
    st.caption(
        f"Of the links between hubs, σ = {sgsc.sigma_:.3g}. As many ones (violet) as islands: here "
        f"{count}. The first C, in violet and blue, are kept. **Look for** a drop after the C-th; "
        f"the largest is after the {first}{_th(first)}. Switch σ between links (edges) and all "
        "pairs, under “More” in the sidebar."
    )


def _th(number: int) -> str:
    return {1: "st", 2: "nd", 3: "rd"}.get(number if number < 20 else number % 10, "th")


def show_embedding(
    scene: ClusterPage, found: StaticResult | TrainingRecording, fitted: Any
) -> None:
    """Where k-means sees heaps: of hubs, of codes, of learnt functions."""
    wide, C = len(scene.names), scene.model.n_clusters
    centres = None
    if scene.hubs is not None:
        E, P, ids = scene.hubs.spectral_embedding_, scene.hubs.hub_distributions_, scene.hubs.hubs_
        centres = scene.hubs.centres_
        text = "Hubs on the sphere of their leading eigenvectors, in the mix of their chances q"
    else:
        E = getattr(fitted, "codes_", getattr(fitted, "embedding_", None))
        P, ids = found.P, np.arange(len(found.P))
        text = "Codes of the points" if hasattr(fitted, "codes_") else "Slowest functions"
        centres = getattr(fitted, "centres_", None)
    if E is None:
        return
    if len(E) > MOST:
        kept = np.linspace(0, len(E) - 1, MOST).astype(int)
        E, P, ids = E[kept], P[kept], ids[kept]
    axes, said = axes_of(E)
    st.subheader("Where clusters are heaps")
    fig = embedded_map(
        axes(E),
        matched_columns(P, found.order, wide),
        ids,
        centres=None if centres is None else axes(centres),
        uirevision=f"{scene.problem.view}:{type(scene.model).__name__}:{C}",
    )
    show_figure(fig, key="clusters_embedding", height=380, thumbnails=scene.problem.thumbnails)
    st.caption(
        f"{text}{said}. k-means cuts here. **Look for** one heap per cluster; threads between "
        "heaps are points that belong to both."
    )


def axes_of(E: np.ndarray) -> tuple[Any, str]:
    """A function that brings rows to two or three axes, and how: as they are, or principal ones."""
    if E.shape[1] in (2, 3):
        return (lambda rows: rows), ""
    if E.shape[1] == 1:
        return (lambda rows: np.hstack([rows, np.zeros_like(rows)])), ""
    middle = E.mean(axis=0)
    axes = np.linalg.svd(E - middle, full_matrices=False)[2][:3].T
    return (lambda rows: (rows - middle) @ axes), f", {E.shape[1]} of them seen along three axes"


def show_map(scene: ClusterPage, found: StaticResult | TrainingRecording) -> None:
    """What colours and ground of the map mean."""
    features = scene.problem.dataset.n_features
    said = "Colours are those of the **classes that clusters are matched to**. "
    if found.ground is not None:
        said += (
            "The ground is what the method says at every place, faint where it is unsure. "
            "**Look for** borders that run through gaps, and for regions without a point."
        )
    elif features > 3:
        said += (
            f"The map is a shadow of {features} features: the method sees all of them, and what "
            "lies mixed here may be apart there."
        )
    elif scene.problem.points.shape[1] == 3:
        said += "In space regions would hide the points."
    elif isinstance(found, TrainingRecording) and not found.learnt:
        said += "Regions appear as soon as clusters are learnt."
    else:
        said += "The method answers at the points alone, so there are no regions."
    st.caption(said)
