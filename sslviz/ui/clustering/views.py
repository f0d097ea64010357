"""Numbers and views of the page "Clustering"."""

from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go

from sslviz.abilities import Pretrains
from sslviz.figures.charts.training import training_chart
from sslviz.figures.maps.clusters import degree_against_density, space_map, spectrum_bars
from sslviz.figures.maps.image_grid import NO_CLASS, image_wall
from sslviz.graph.density import DENSITY_NEIGHBOURS, KERNEL_FEATURES
from sslviz.recordings.clustering import ClusteringRun
from sslviz.recordings.frames import values_at
from sslviz.recordings.linkage import LinkageRun
from sslviz.ui.clustering.result import ClusteringResult, accuracy_where_known
from sslviz.ui.page import MAP_HEIGHT
from sslviz.ui.result import DEFAULT_SETTINGS
from sslviz.ui.views import Number, View

TERM_NAMES = {"vat": "adversarial", "energy": "Rayleigh quotients"}  # others are words
NO_VALUE = "–"  # before there are clusters
IMAGES_IN_A_ROW = 14
HUB_CHART_HEIGHT, SPACE_HEIGHT, IMAGE_HEIGHT = 300, 380, 60


def _baseline(title: str) -> Number:
    return Number(
        title,
        lambda r: r.baselines[title],
        f"Accuracy of this method with as many clusters on the same points. {DEFAULT_SETTINGS}",
        when=lambda r: title in r.baselines,
    )


def has_start(r: ClusteringResult) -> bool:
    """Whether a pretraining is over and the clusters found after it are known."""
    return r.run is not None and isinstance(r.model, Pretrains) and bool(r.run.frames.frames)


def start_accuracy(r: ClusteringResult) -> float:
    """Clustering accuracy of the first frame after pretraining."""
    assert r.run is not None
    return accuracy_where_known(r.truth, r.run.frames.frames[0].P.argmax(axis=1))


def class_accuracy(r: ClusteringResult) -> float:
    """Accuracy on points without a given label, cluster c being class c; nan if none is known."""
    assert r.given is not None
    hidden = (r.given < 0) & (r.truth >= 0)
    return float((r.labels == r.truth)[hidden].mean()) if hidden.any() else np.nan


def _course(
    r: ClusteringResult, name: str, form: Callable[[float], str] = "{:.1%}".format
) -> list[str] | None:
    """A measure of the clusters in every frame of a training or of merges."""
    if r.run is None:
        return None
    losses = r.run.losses.frames
    steps, found = [one.iteration for one in losses], [getattr(one, name) for one in losses]
    values = values_at(r.run.frames.iterations, steps, found)
    return [NO_VALUE if np.isnan(value) else form(value) for value in values]


NUMBERS = (
    Number("Accuracy", lambda r: r.accuracy if r.trained else NO_VALUE,
           "Clustering accuracy: clusters are matched one to one to the classes as well as "
           "possible (Hungarian method); share of points in the cluster of their class. The method "
           "itself never sees a class.", course=lambda r: _course(r, "accuracy")),
    Number("Clusters used",
           lambda r: f"{r.used if r.trained else NO_VALUE} of {r.model.n_clusters}",
           "Clusters with at least one point.",
           when=lambda r: not isinstance(r.run, LinkageRun) or r.run.done,  # before, there are more
           course=lambda r: _course(r, "used", lambda used: f"{used:.0f} of {r.model.n_clusters}")
           if isinstance(r.run, ClusteringRun) else None),
    Number("Hubs", lambda r: accuracy_where_known(r.truth[r.hubs.hubs], r.hubs.labels),
           "Accuracy of the spectral clustering of the hubs, on the hubs alone.",
           when=lambda r: r.hubs is not None),
    Number("After pretraining", start_accuracy,
           "Accuracy at the start of the second part: clusters found among the codes of the "
           "autoencoder alone. The difference is what training both together adds.",
           when=has_start),
    Number("Without learning", lambda r: r.without_learning,
           "Accuracy of the merges in X alone, with the same neighbours.",
           when=lambda r: isinstance(r.run, LinkageRun) and r.run.done and r.model.learn),
    Number("Classes", lambda r: class_accuracy(r) if r.trained else NO_VALUE,
           "Share of the points without a label whose cluster is their class. Here clusters are "
           "not matched: with labels, cluster c is class c.",
           when=lambda r: r.given is not None),
    _baseline("k-means"),
    _baseline("Spectral clustering"),
)  # fmt: skip


def loss_chart(r: ClusteringResult) -> go.Figure:
    """Loss terms, accuracy and clusters used over the iterations."""
    assert isinstance(r.run, ClusteringRun)
    losses, C = r.run.chart, r.model.n_clusters
    return training_chart(
        np.array([loss.iteration for loss in losses]),
        {TERM_NAMES.get(name, name): y[: len(losses)] for name, y in r.run.terms.items()},
        np.array([loss.used or np.nan for loss in losses]),
        np.array([loss.accuracy for loss in losses]),
        C,
        max(r.run.iterations, r.run.iteration),
        (float(np.log(C)), "log C") if "fakes" in r.moment.picture else None,
    )


TRAINING = View(
    "clustering_training", "", loss_chart,
    when=lambda r: isinstance(r.run, ClusteringRun), height=MAP_HEIGHT,
)  # fmt: skip


def density_caption(r: ClusteringResult) -> str:
    few = r.problem.dataset.n_features <= KERNEL_FEATURES
    kind = "a kernel estimate" if few else f"1 / distance to the {DENSITY_NEIGHBOURS}th neighbour"
    text = (
        "Hubs are the points of highest degree, meant to lie where the data are dense. **Look "
        "for** hubs on the left: degree is high only relative to the neighbourhood. Density here "
        f"is {kind}."
    )
    outliers = r.problem.outliers
    if outliers.any():
        text += (
            f" Outliers: **{outliers[r.hubs.hubs].mean():.0%}** of the hubs, {outliers.mean():.0%} "
            "of all points."
        )
    return text


def eigenvalue_caption(r: ClusteringResult) -> str:
    values, components = r.hubs.eigenvalues, r.hubs.n_components
    drops = values[:-1] - values[1:]
    place = int(drops.argmax()) + 1 if len(drops) else 1
    parts = "one connected component" if components == 1 else f"{components} connected components"
    return (
        f"Of the hub graph with kernel width σ = {r.hubs.sigma:.3g}. It has {parts} (*islands*), "
        "each with an eigenvalue of 1 (violet). The first C (violet and blue) are used. **Look "
        f"for** a drop after the C-th; the largest is after number {place}. The rule for σ is "
        "under “More” in the sidebar."
    )


def components_warning(r: ClusteringResult) -> str:
    """A sentence where the hub graph has more components than there are clusters; else empty."""
    if r.hubs is None or r.hubs.n_components <= r.model.n_clusters:
        return ""
    return (
        f"The hub graph has {r.hubs.n_components} connected components (*islands*), more than the "
        f"{r.model.n_clusters} clusters: which of them form the clusters is arbitrary, and the "
        "smaller ones follow the nearest larger one. Raise the neighbours of a hub (k₁) or of a "
        "point (k₀)."
    )


def _space(r: ClusteringResult) -> go.Figure:
    space = r.space
    assert space is not None
    return space_map(
        space.places,
        r.matched(space.P),
        space.points,
        centres=space.centres,
        uirevision=f"{r.problem.view}:{type(r.model).__name__}:{r.model.n_clusters}",
    )


HUB_VIEWS = (
    View("clustering_density", "Degree and density",
         lambda r: degree_against_density(r.density, r.hubs.degrees, r.hubs.hubs,
                                          r.problem.outliers),
         density_caption, height=HUB_CHART_HEIGHT),
    View("clustering_spectrum", "Eigenvalues",
         lambda r: spectrum_bars(r.hubs.eigenvalues, r.hubs.n_components, r.model.n_clusters),
         eigenvalue_caption, height=HUB_CHART_HEIGHT),
)  # fmt: skip


def _image_rows(r: ClusteringResult) -> list[np.ndarray]:
    """Points of every cluster that has some, evenly chosen, in the order of the colours."""
    clusters = [np.flatnonzero(r.labels == c) for c in np.argsort(r.moment.order)]
    return [
        members[np.linspace(0, len(members) - 1, min(IMAGES_IN_A_ROW, len(members))).astype(int)]
        for members in clusters
        if len(members)
    ]


def cluster_images(r: ClusteringResult) -> go.Figure:
    """A row of images for every cluster, with rims in the colour of their true class."""
    data, rows, true_names = r.problem.dataset, _image_rows(r), r.problem.true_names()
    images, rims, ids, facts = [], [], [], []
    for row in rows:
        spare = IMAGES_IN_A_ROW - len(row)
        name = f"cluster of {r.names[r.moment.order[r.labels[row[0]]]]}"
        images.append(np.vstack([data.X[row], np.zeros((spare, data.n_features))]))
        rims += [*data.y[row].tolist(), *[NO_CLASS] * spare]
        ids += [*row.tolist(), *[None] * spare]
        facts += [*(f"{name}<br>true class {true_names[i]}" for i in row)]
        facts += [name] * spare
    assert data.image_shape is not None
    fig = image_wall(
        [np.vstack(images)],
        data.image_shape,
        [np.array(rims)],
        data.n_classes,
        [""],
        columns=IMAGES_IN_A_ROW,
        ids=ids,
        facts=facts,
    )
    return fig.update_layout(height=IMAGE_HEIGHT * len(rows) + 20)


def _space_caption(r: ClusteringResult) -> str:
    assert r.space is not None
    if r.space.trained:
        found = "; pink crosses are the centres: k-means finds the first, training moves them"
    else:
        found = "; pink crosses are the centres of k-means"
    return (
        f"{r.space.meaning}{found if r.space.centres is not None else '. k-means runs here'}. "
        "**Look for** one compact group per cluster; points between two groups belong to both."
    )


SPACE = View(
    "clustering_space",
    lambda r: "Codes and centres" if r.space.trained else "Where k-means finds the clusters",
    _space, _space_caption,
    when=lambda r: r.space is not None, height=SPACE_HEIGHT, options={"tools": True},
)  # fmt: skip

IMAGES = View(
    "clustering_images", "Images of the clusters", cluster_images,
    "A row for each cluster, its images evenly chosen; **the rim has the colour of the true "
    "class**. A row of one colour is a cluster that equals a class. **Look for** two classes that "
    "share a row and for a class with two rows.",
    when=lambda r: r.problem.dataset.image_shape is not None and r.trained,
)  # fmt: skip
