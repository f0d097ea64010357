"""Views of what only some dictionary methods have: each is shown where the method offers it."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from scipy import sparse

from sslviz.abilities import (
    ErrorVectors,
    FeatureGraph,
    GroupNorms,
    IdealCodes,
    Joins,
    PointWeights,
    PseudoLabels,
    StopsEarly,
)
from sslviz.figures.charts.basic import add_right_and_wrong, share_curves, small_chart
from sslviz.figures.charts.code_blocks import group_map, objective_and_codes
from sslviz.figures.maps.pixel_graph import pixel_graph
from sslviz.figures.maps.points import add_links, class_map
from sslviz.recordings.dictionary_measures import (
    first_plane,
    heaviest_edges,
    roughness,
)
from sslviz.ui.dictionary.ideal_code_view import ideal_caption, ideal_codes
from sslviz.ui.dictionary.map_view import FRAMES_BESIDE, moment_names
from sslviz.ui.dictionary.point_lists import Points, point_images
from sslviz.ui.dictionary.result import DictionaryResult
from sslviz.ui.result import unscored_text
from sslviz.ui.state.clicks import on_click_remember
from sslviz.ui.views import View

CHART_HEIGHT = 300
TALL_HEIGHT = 440
POINTS_LISTED = 12
CONSTANT = 0.2  # pixels that vary less, relative to the one that varies most, have no lines
EDGES_SHOWN = 1500  # of the pixel graph, the heaviest
OUTLIER_WEIGHT = 0.5  # of the median weight
FADED = 0.2  # of the first size of the codes
OFF = 1e-3  # of the largest norm: an atom is switched off for a class


def join_curves(r: DictionaryResult) -> dict[str, np.ndarray]:
    """Shares over the kept rounds: of unlabelled points that joined, and of right ones."""
    found = r.recording.joined[:, r.hidden]
    joined = found >= 0
    known = joined & r.held_out[r.hidden]
    count, hits = known.sum(axis=1), (known & (found == r.truth[r.hidden])).sum(axis=1)
    share = np.divide(hits, count, out=np.full(len(count), np.nan), where=count > 0)
    return {"joined": joined.mean(axis=1), "right among the joined": share}


def joins_caption(r: DictionaryResult) -> str:
    found = r.recording.joined[-1]
    joined = found >= 0
    if not joined.any():
        return (
            "No unlabelled point was sure enough to join the labelled: every point counts for "
            "the reconstruction only. Lower the threshold, if the method has one."
        )
    known = joined & r.held_out
    right = int((known & (found == r.truth)).sum())
    text = f"**{joined.sum()}** of {r.hidden.sum()} unlabelled points have joined"
    if not known.any():
        return f"{text}. {unscored_text(r)}"
    among = "of them" if known.sum() == joined.sum() else f"of {known.sum()} with a known class"
    return (
        f"{text}, {right} {among} "
        f"with the right class ({right / known.sum():.0%}; all unlabelled points: "
        f"{r.shown_accuracy}). **Look for** a curve of right ones that falls: those that join late "
        "are less sure."
    )


def lightest_points(r: DictionaryResult) -> Points:
    """The points with the least weight in the loss."""
    weights = np.asarray(r.model.point_weights_)
    least = np.argsort(weights, kind="stable")[:POINTS_LISTED]
    return least, weights[least]


def weight_histogram(r: DictionaryResult) -> go.Figure:
    """Weights of the points in the loss, right and wrong predictions stacked."""
    weights = np.asarray(r.model.point_weights_)
    top = float(weights.max()) or 1.0
    return add_right_and_wrong(
        small_chart("weight of a point in the loss", "points"), weights, r.right,
        np.linspace(0, top, 31),
    )  # fmt: skip


def weights_caption(r: DictionaryResult) -> str:
    weights = np.asarray(r.model.point_weights_)
    light = weights < OUTLIER_WEIGHT * np.median(weights)
    labelled = int((light & (r.y >= 0)).sum())
    text = (
        "A point that the atoms reconstruct badly counts less in the next round: outliers lose "
        f"their influence. **{light.sum()}** of {len(weights)} points have less than half the "
        f"median weight, {np.median(weights):.3g}; the least is {weights.min():.3g}."
    )
    if 2 * labelled > light.sum():
        text += (
            f" Of these {labelled} are labelled: each class has a penalty on its atoms of its own, "
            "while all unlabelled points share one and are fitted more closely. **Lower λ** to "
            "see true outliers."
        )
    return text


def group_norms(r: DictionaryResult) -> go.Figure:
    """Which class uses which atoms, round by round."""
    film = r.recording
    kept = film.some(FRAMES_BESIDE)
    rows = [*map(str, r.classes), "unlabelled"]
    return group_map(list(film.groups[kept]), rows, moment_names(film.moments[kept]))


def groups_caption(r: DictionaryResult) -> str:
    shares = [
        float((norms[:-1] <= OFF * (norms.max() or 1.0)).mean())
        for norms in r.recording.groups[[0, -1]]
    ]
    return (
        "One row per class, one column per atom; dark = the labelled points of the class use the "
        "atom much. The penalty acts on whole columns of a class, so that the class switches atoms "
        f"off together: **{shares[-1]:.0%}** of all pairs of class and atom are off, "
        f"{shares[0]:.0%} at the start. A larger λ switches off more."
    )


def error_map(r: DictionaryResult) -> go.Figure:
    """Error vectors on their first two principal axes, with the links of the selected point."""
    places = first_plane(np.asarray(r.model.error_vectors_, float))
    view = f"errors:{r.problem.dataset.name}"
    fig = class_map(places, r.F, r.y, r.classes, facts=r.hover, uirevision=view)
    neighbours, weights = r.neighbours
    add_links(fig, places, r.point, neighbours, np.abs(weights))
    return fig.update_layout(showlegend=False)


def errors_caption(r: DictionaryResult) -> str:
    neighbours, _ = r.neighbours
    text = (
        "Each point is its vector of C errors, one for the atoms of each class, drawn on the two "
        "principal axes. Points of a class should gather: small error for their own class, large "
        "for the others."
    )
    if not len(neighbours):
        return text
    if r.truth[r.point] < 0:
        return text
    same = int((r.truth[neighbours] == r.truth[r.point]).sum())
    return (
        f"{text} Labels travel along links between vectors of similar direction; of the "
        f"{len(neighbours)} links of point {r.point} (red) {same} lead to points of its class."
    )


def atom_with_graph(r: DictionaryResult) -> go.Figure:
    """The selected atom with the graph of the pixels over it."""
    atom, spread = r.model.components_[r.atom], r.scaled.std(axis=0)
    varying = sparse.diags_array((spread > CONSTANT * spread.max()).astype(float))
    graph = varying @ r.model.feature_graph_ @ varying
    return pixel_graph(atom, r.image_shape or (1, 1), *heaviest_edges(graph, EDGES_SHOWN))


def feature_graph_caption(r: DictionaryResult) -> str:
    graph = r.model.feature_graph_
    first, last = (roughness(np.asarray(D, float), graph) for D in r.recording.D[[0, -1]])
    return (
        "Lines join pixels that should have similar values in an atom, since they are bright in "
        "the same images; pixels that are nearly constant have no lines here. Difference between "
        f"joined pixels, tr(DLDᵀ)/‖D‖²: **{first:.2f}** at the start, when atoms are images, "
        f"**{last:.2f}** now. **Raise α** to see it fall: the atoms blur along the lines."
    )


def pseudo_label_histogram(r: DictionaryResult) -> go.Figure:
    """Confidence of the pseudo labels of unlabelled points, right and wrong ones stacked."""
    P = np.asarray(r.model.pseudo_labels_)[r.held_out]
    fig = small_chart("largest class probability P of a point", "points")
    right = P.argmax(axis=1) == r.truth[r.held_out]
    return add_right_and_wrong(fig, P.max(axis=1).clip(0, 1), right, np.linspace(0, 1, 21))


def pseudo_label_caption(r: DictionaryResult) -> str:
    P = np.asarray(r.model.pseudo_labels_)[r.held_out]
    right, top = P.argmax(axis=1) == r.truth[r.held_out], P.max(axis=1)
    wrong = f"{top[~right].mean():.0%}" if not right.all() else "no mistakes"
    meaning = (
        "P is the weight with which an unlabelled point counts for each class while atoms are "
        "learnt."
        if r.model.pseudo_labels_teach
        else "P are the class probabilities of the learnt codes; the atoms are learnt without them."
    )
    looking = "they teach the atoms a wrong class" if r.model.pseudo_labels_teach else "sure errors"
    return (
        f"{meaning} Its largest entry names the true class for **{right.mean():.1%}** of the "
        f"unlabelled points; it is {top.mean():.0%} on average, for mistakes {wrong}. **Look for** "
        f"wrong ones on the right: {looking}."
    )


def stop_caption(r: DictionaryResult) -> str:
    """How the size of the codes follows the objective, and why learning has stopped."""
    size, objective = r.recording.size, np.asarray(r.model.objective_)
    text = f"Mean ‖a‖₁ of a code: {size[0]:.3g} at the start, **{size[-1]:.3g}** now"
    if len(objective):
        text += f"; objective {objective[0]:.4g} after the first round, **{objective[-1]:.4g}** now"
    return f"{text}. **Look for** codes that fade to nothing while the objective falls."


def _moments(r: DictionaryResult) -> dict[str, Any]:
    return {"moments": r.recording.moments[r.recording.some(FRAMES_BESIDE)]}


def _has_faded(r: DictionaryResult) -> bool:
    """Whether learning has stopped early, or the codes have lost most of their size."""
    if not isinstance(r.model, StopsEarly):
        return False
    size = r.recording.size
    return bool(r.model.stopped_because_) or bool(size[-1] < FADED * size[0])


NO_FILM: dict[str, Any] = {"film": None}  # its x axis is not time
CLICK_POINT: dict[str, Any] = {"on_event": on_click_remember(), **NO_FILM}
ABILITY_VIEWS = (
    View("dictionary_ideal", "Codes and ideal codes", ideal_codes, ideal_caption,
         when=lambda r: isinstance(r.model, IdealCodes) and (r.y >= 0).any(), height=TALL_HEIGHT,
         options=NO_FILM),
    View("dictionary_joins", "Points that join the labelled",
         lambda r: share_curves(r.recording.moments, join_curves(r), "round", ""), joins_caption,
         when=lambda r: isinstance(r.model, Joins) and r.hidden.any(), height=CHART_HEIGHT),
    View("dictionary_groups", "Atoms switched off by class", group_norms, groups_caption,
         when=lambda r: isinstance(r.model, GroupNorms), height=CHART_HEIGHT, options=_moments),
    View("dictionary_weights", "Weights of the points", weight_histogram, weights_caption,
         when=lambda r: isinstance(r.model, PointWeights), height=CHART_HEIGHT, options=NO_FILM),
    View("dictionary_lightest", "Points with the least weight",
         lambda r: point_images(r, lightest_points(r), 6),
         "The points that the loss nearly ignores.", height=CHART_HEIGHT, options=CLICK_POINT,
         when=lambda r: isinstance(r.model, PointWeights) and r.image_shape is not None,
         tiles=True),
    View("dictionary_errors", "Error vectors", error_map, errors_caption,
         when=lambda r: isinstance(r.model, ErrorVectors), height=TALL_HEIGHT,
         options=lambda r: {"thumbnails": r.problem.thumbnails, **CLICK_POINT}),
    View("dictionary_pixels", lambda r: f"Pixel graph over atom {r.atom}", atom_with_graph,
         feature_graph_caption, height=TALL_HEIGHT, tiles=True, options=NO_FILM,
         when=lambda r: isinstance(r.model, FeatureGraph) and r.image_shape is not None),
    View("dictionary_pseudo", "Pseudo labels", pseudo_label_histogram, pseudo_label_caption,
         when=lambda r: isinstance(r.model, PseudoLabels) and r.held_out.any(),
         otherwise=lambda r: unscored_text(r) if isinstance(r.model, PseudoLabels) else "",
         height=CHART_HEIGHT, options=NO_FILM),
    View("dictionary_fading", "Objective and size of the codes",
         lambda r: objective_and_codes(np.asarray(r.model.objective_), r.recording.size),
         stop_caption, when=_has_faded, height=CHART_HEIGHT),
)  # fmt: skip
