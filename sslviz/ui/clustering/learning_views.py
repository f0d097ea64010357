"""Views of what is learnt on the page "Clustering": codes, fakes, shares, merges, features."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.charts.merging import merge_chart, share_bars
from sslviz.figures.maps.code_space import CodeFrame, codes_map, entropy_map, features_map
from sslviz.figures.maps.image_grid import NO_CLASS, image_wall
from sslviz.recordings.clustering import ClusteringRun, Moment
from sslviz.recordings.linkage import LinkageRun
from sslviz.recordings.principal_axes import principal_axes
from sslviz.ui.clustering.map_view import frame_name, moments
from sslviz.ui.clustering.result import ClusteringResult
from sslviz.ui.page import MAP_HEIGHT
from sslviz.ui.views import View

WATCHED_HEIGHT = 340
FAKE_IMAGES, FAKE_COLUMNS = 48, 12
AXES_SHOWN = 2


def present_moment(r: ClusteringResult) -> Moment:
    """What figures beside the map show: while a training runs, it changes twice a second."""
    return r.run.inside if r.running and isinstance(r.run, ClusteringRun) else r.moment


def shown_moments(r: ClusteringResult) -> list[Moment]:
    """The present moment alone while a training runs, else all frames."""
    if r.running or moments(r) is None:
        return [present_moment(r)]
    assert r.run is not None
    return r.run.frames.frames


def codes_figure(r: ClusteringResult) -> go.Figure:
    """Codes and components on the leading axes of the first codes."""
    assert r.run is not None
    axes, mean = principal_axes(r.run.frames.frames[0].picture["codes"])
    frames = []
    for m in shown_moments(r):
        variances = m.picture["variances"]
        frames.append(
            CodeFrame(
                frame_name(m),
                (m.picture["codes"] - mean) @ axes,
                r.colours(m),
                (m.picture["means"] - mean) @ axes,
                np.einsum("da,cd,db->cab", axes, variances, axes),
                m.order,
            )
        )
    return codes_map(frames, len(r.names), uirevision=f"{r.problem.view}:codes")


def codes_caption(r: ClusteringResult) -> str:
    d = r.moment.picture["codes"].shape[1]
    shown = "" if d <= AXES_SHOWN else f", two principal axes of {d} coordinates"
    return (
        f"Codes of the points{shown}; ellipses are two standard deviations of the Gaussian "
        "components. **Look for** codes that gather in ellipses. A cluster that has two ellipses "
        "from the start keeps both: the start decides."
    )


def entropies(r: ClusteringResult, moment: Moment) -> np.ndarray:
    """(b, a) entropy of the prediction on the plane, as a share of log C."""
    assert r.plane is not None and moment.field is not None
    P = moment.field / 255
    total = P.sum(axis=1, keepdims=True)
    P = np.divide(P, total, out=np.full(P.shape, 1 / P.shape[1]), where=total > 0)
    logs = np.log(P, out=np.zeros(P.shape), where=P > 0)
    return r.plane.cells(-(P * logs).sum(axis=1) / np.log(P.shape[1]))


def fakes_figure(r: ClusteringResult) -> go.Figure:
    assert r.plane is not None
    frames = [(frame_name(m), entropies(r, m), m.picture["fakes"]) for m in shown_moments(r)]
    view = f"{r.problem.view}:fakes"
    return entropy_map(r.problem.points, frames, r.plane.x, r.plane.y, uirevision=view)


def fake_images(r: ClusteringResult) -> go.Figure:
    """The same fakes at every moment."""
    data, found = r.problem.dataset, shown_moments(r)
    assert data.image_shape is not None
    return image_wall(
        [m.picture["fakes"][:FAKE_IMAGES] for m in found],
        data.image_shape,
        [np.full(FAKE_IMAGES, NO_CLASS)] * len(found),
        data.n_classes,
        [frame_name(m) for m in found],
        columns=FAKE_COLUMNS,
        facts=["a fake"] * FAKE_IMAGES,
        uirevision="fakes",
    )


def shares_figure(r: ClusteringResult) -> go.Figure:
    """p̄ of all points, beside the shares of the true classes."""
    moment = present_moment(r)
    shares = r.matched(moment.P, moment.order).mean(axis=0)
    known = r.truth[r.truth >= 0]
    true = np.bincount(known, minlength=len(r.names)) / len(known) if len(known) else None
    return share_bars(shares, true, r.names)


def shares_caption(r: ClusteringResult) -> str:
    text = "Bars: the mean prediction over all points. Pink: shares of the true classes. Dotted: "
    if has_fakes(r):
        return text + (
            "equal shares, which the entropy H(p̄) asks for. **Look for** bars at the dotted line "
            "where the classes are not equally large."
        )
    return text + (
        "equal shares. Nothing pushes towards these: **look for** bars that are far from pink, "
        "clusters that were cut or joined at the start."
    )


def has_fakes(r: ClusteringResult) -> bool:
    return "fakes" in r.moment.picture


def player_of(r: ClusteringResult) -> dict[str, object]:
    """Arguments of a figure whose player moves with that of the map."""
    return {"tools": True, "moments": None if r.running else moments(r)}


def merges_figure(r: ClusteringResult) -> go.Figure:
    """Clusters left and accuracy; epochs of learning are shaded."""
    assert isinstance(r.run, LinkageRun)
    scores = r.run.losses.frames
    return merge_chart(
        np.array([s.iteration for s in scores]),
        np.array([s.n_clusters for s in scores]),
        np.array([s.accuracy for s in scores]),
        np.array([not np.isnan(s.loss) for s in scores]),
        r.model.n_clusters,
    )


MERGES = View(
    "clustering_merges", "", merges_figure,
    "Accuracy counts each class in one cluster only: with many clusters it is small. Violet: "
    "epochs in which features are learnt.",
    when=lambda r: isinstance(r.run, LinkageRun) and bool(r.run.losses.frames),
    otherwise=lambda r: "**Start** merges the clusters: their number and the accuracy follow here."
    if isinstance(r.run, LinkageRun) else "",
    height=MAP_HEIGHT,
)  # fmt: skip


def features_figure(r: ClusteringResult) -> go.Figure:
    """Points where the features put them, in the colours of their clusters."""
    frames = [(frame_name(m), m.picture["features"], r.colours(m)) for m in shown_moments(r)]
    return features_map(frames, uirevision=f"{r.problem.view}:features")


def features_caption(r: ClusteringResult) -> str:
    text = (
        "Two principal axes of the features in which neighbours are found, scaled to one size; at "
        "first X itself. They move while features are learnt, between the merges. **Look for** "
        "groups that draw together and apart from others."
    )
    if r.problem.dataset.n_features > 2:
        return text
    return (
        f"{text} Features have length 1: points of the plane become a ring, on which only their "
        "direction counts. Here merging without learning does better: switch **Learn** off."
    )


WATCHED = (
    View("clustering_codes", "Codes and components", codes_figure, codes_caption,
         when=lambda r: "codes" in r.moment.picture, height=WATCHED_HEIGHT, options=player_of),
    View("clustering_fakes", "Fakes over the entropy", fakes_figure,
         "Pink: fakes; grey: real points. Violet: where the classifier is undecided (entropy near "
         "log C), clear where it is sure. **Look for** fakes that move towards the data, and for "
         "violet that retreats to the gaps between clusters.",
         when=lambda r: has_fakes(r) and r.plane is not None and r.moment.field is not None,
         height=WATCHED_HEIGHT, options=player_of),
    View("clustering_fakes", "Fakes", fake_images,
         "Images that the generator makes out of random numbers, the same numbers at every moment. "
         "**Look for** strokes: it has learnt only what makes the classifier sure, not to draw.",
         when=lambda r: has_fakes(r) and r.problem.dataset.image_shape is not None
         and r.plane is None, height=WATCHED_HEIGHT, options=player_of),
    View("clustering_shares", "Shares of the clusters p̄", shares_figure, shares_caption,
         when=lambda r: has_fakes(r) or "codes" in r.moment.picture, height=WATCHED_HEIGHT),
    View("clustering_features", "Features", features_figure, features_caption,
         when=lambda r: "features" in r.moment.picture, height=WATCHED_HEIGHT,
         options=player_of),
)  # fmt: skip
