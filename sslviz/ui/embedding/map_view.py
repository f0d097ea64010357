"""The map of the page "Embeddings": strips, a plane or a space."""

import numpy as np
import plotly.graph_objects as go

from sslviz.abilities import Witness
from sslviz.figures.maps.points import add_links, class_map
from sslviz.figures.maps.strips import add_ridges, strip_places
from sslviz.ui.embedding.result import EmbeddingResult


def embedding_map(r: EmbeddingResult, axes: str = "1 · 2") -> go.Figure:
    """The learned coordinates; `axes` says which of many are drawn."""
    places = r.Z
    if r.dimensions == 1:
        places = strip_places(r.Z[:, 0], r.problem.true_groups()[0])
    elif r.dimensions > 2:
        places = r.Z[:, [int(axis) - 1 for axis in axes.split(" · ")]]
    kernel = getattr(r.model, "kernel", None)
    shape = (kernel, min(r.dimensions, 2), axes)
    view = f"{r.problem.dataset.name}:{type(r.model).__name__}:{shape}"
    fig = _points(r, places, view)
    if r.dimensions == 1:
        add_ridges(fig, r.Z[:, 0], *r.problem.true_groups())
    return _with_links(fig, r, places)


def data_map(r: EmbeddingResult) -> go.Figure:
    """The same points and colours on the map of the data."""
    return _with_links(_points(r, r.problem.points, r.problem.view), r, r.problem.points)


def _points(r: EmbeddingResult, places: np.ndarray, view: str) -> go.Figure:
    wrong = ~r.right & r.held_out if r.look.mistakes else None
    return class_map(places, r.shown, r.y, r.classes, facts=r.hover, wrong=wrong, uirevision=view)


def _with_links(fig: go.Figure, r: EmbeddingResult, places: np.ndarray) -> go.Figure:
    if r.problem.point is not None or places.shape[1] == 2:  # in space the others turn pale
        add_links(fig, places, r.point, *r.links)
    return fig


def map_caption(r: EmbeddingResult) -> str:
    """What to look for, and the kernel widths behind it."""
    if r.dimensions == 1:
        seen = (
            "One row per true class: counts above the line, points below it. **Look for** rows "
            "that do not overlap."
        )
    else:
        seen = "**Look for** classes that are apart, and diamonds in the middle of their class."
    widths = [
        f"{symbol} = {value:.4g}"
        for symbol, value in (
            ("σₛ", getattr(r.model, "sigma_labels_", None)),
            ("σ", getattr(r.model, "sigma_", None)),
        )
        if value is not None
    ]
    units = f" In the units of the data {', '.join(widths)}." if widths else ""
    return f"{seen} Click a point to see which labelled points decide its class.{units}"


def dimension_note(r: EmbeddingResult) -> str:
    """What a reader must know of the number of dimensions and the labels used."""
    by_classes = isinstance(r.model, Witness)  # classes determine all directions
    if r.all_labels:
        return (
            "Learned from **all** labels, the hidden ones too: an upper bound, not a fair result."
        )
    if by_classes and len(r.model.classes_) == 2 and r.dimensions == 1:
        place = " in the feature space of the kernel" if r.model.kernel == "rbf" else ""
        return (
            "Two classes determine one direction: the embedding is **exactly the projection on the "
            f"difference of the soft class means**{place}."
        )
    if r.dimensions < r.dimensions_asked:
        more = " “Further dimensions: pca” under *More* adds principal components."
        return (
            f"{r.dimensions_asked} dimensions are asked for, but there are only {r.dimensions}."
            + (more if by_classes else "")
        )
    return ""
