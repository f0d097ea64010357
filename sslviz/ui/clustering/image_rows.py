"""A row of images for every cluster."""

import numpy as np
import streamlit as st

from sslviz.figures.maps.image_grid import NOBODY, image_wall
from sslviz.recordings.clustering import TrainingRecording
from sslviz.ui.clustering.map_view import ClusterPage
from sslviz.ui.clustering.result import StaticResult
from sslviz.ui.components.live_figure import show_figure

ACROSS = 14


def show_samples(scene: ClusterPage, found: StaticResult | TrainingRecording) -> None:
    """Images of every cluster that holds some, drawn evenly from it, rimmed by their true class."""
    dataset = scene.problem.dataset
    if dataset.image_shape is None:
        return
    st.header("Images of the clusters", divider="gray")
    labels, order = found.labels, found.order
    if isinstance(found, TrainingRecording) and not found.learnt:
        if scene.hubs is None:
            st.info("Each cluster has a row of its images here once something is learnt.")
            return
        st.markdown("Nothing is learnt yet: these are the clusters of the **hubs**.")
        labels = np.full(len(dataset.y), -1)
        labels[scene.hubs.hubs_] = scene.hubs.hub_labels_
    rows = [c for c in np.argsort(order) if (labels == c).any()]
    images, rims, ids, facts = [], [], [], []
    for c in rows:
        mine = np.flatnonzero(labels == c)
        at = mine[np.linspace(0, len(mine) - 1, min(ACROSS, len(mine))).astype(int)]
        spare = ACROSS - len(at)
        images.append(np.vstack([dataset.X[at], np.zeros((spare, dataset.n_features))]))
        rims += [*dataset.y[at].tolist(), *[NOBODY] * spare]
        ids += [*at.tolist(), *[None] * spare]
        own = f"cluster of {scene.names[order[c]]}, {len(mine)} points"
        facts += [*(f"{own}<br>truly {dataset.classes[dataset.y[i]]}" for i in at), *[own] * spare]
    fig = image_wall(
        [np.vstack(images)],
        dataset.image_shape,
        [np.array(rims)],
        dataset.n_classes,
        [""],
        columns=ACROSS,
        ids=ids,
        facts=facts,
    )
    show_figure(fig, key="clusters_samples", height=60 * len(rows) + 20, tools=False)
    st.caption(
        "A row per cluster, its images drawn evenly from it, **rimmed in the colour of their true "
        "class**: a row of one colour is a cluster that is a class. **Look for** two classes that "
        "share a row, and one that has two."
    )
