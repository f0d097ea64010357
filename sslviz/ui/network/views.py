"""Numbers and views of the page "Networks"."""

from collections.abc import Iterator

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.charts.network import accuracy_and_loss
from sslviz.figures.charts.training import arrow_plane
from sslviz.figures.maps.image_grid import NO_CLASS, image_wall
from sslviz.recordings.frames import values_at
from sslviz.ui.network.result import NetworkResult
from sslviz.ui.page import MAP_HEIGHT
from sslviz.ui.result import DEFAULT_SETTINGS
from sslviz.ui.views import Number, View, percent

NOT_TRAINED = "–"
FILTERS_IN_A_ROW = 16
PICTURE_HEIGHT, ARROW_HEIGHT = 260, 320
CLEAR_LEAD = 0.02  # of a baseline, from which on a sentence says so
TWIN = "Without unlabelled points"


def _baseline(title: str) -> Number:
    return Number(
        title,
        lambda r: percent(r.accuracy_of(r.baselines[title]), r.no_accuracy),
        f"Accuracy of this method on the same points and labels. {DEFAULT_SETTINGS}",
        when=lambda r: title in r.baselines,
    )


def _course(r: NetworkResult, name: str) -> list[str]:
    """An accuracy in every frame of the training."""
    losses = r.run.losses.frames
    steps, found = [one.iteration for one in losses], [getattr(one, name) for one in losses]
    shares = values_at(r.run.frames.iterations, steps, found)
    return [percent(share, NOT_TRAINED) for share in shares]


NUMBERS = (
    Number("Accuracy", lambda r: r.shown_accuracy if r.trained else NOT_TRAINED,
           "Share of the hidden labels that the network predicts.",
           course=lambda r: _course(r, "accuracy")),
    Number(TWIN, lambda r: percent(r.twin_accuracy, r.no_accuracy) if r.trained else NOT_TRAINED,
           "Accuracy of the same network with its unlabelled terms switched off, trained beside it "
           "with the same seed: what the labelled points alone can teach.",
           when=lambda r: r.run.twin is not None, course=lambda r: _course(r, "twin_accuracy")),
    _baseline("1-NN"),
    _baseline("Label propagation"),
)  # fmt: skip


def training_figure(r: NetworkResult) -> go.Figure:
    """Accuracies and loss terms over the iterations."""
    losses, names = r.run.chart, r.run.training.objective.names
    at = np.array([loss.iteration for loss in losses])
    scored = r.held_out.any()
    accuracies = {"accuracy": np.array([loss.accuracy for loss in losses])}
    if r.run.twin is not None:
        accuracies["without unlabelled points"] = np.array([loss.twin_accuracy for loss in losses])
    return accuracy_and_loss(
        at,
        {name: np.array([loss.terms[i] for loss in losses]) for i, name in enumerate(names)},
        accuracies if scored else {},
        {title: r.accuracy_of(labels) for title, labels in r.baselines.items()} if scored else {},
        r.run.iterations,
    )


TRAINING = View("network_training", "", training_figure, height=MAP_HEIGHT)


def denoised_images(r: NetworkResult) -> go.Figure:
    """Some images in three rows: with noise, rebuilt, clean."""
    data, picture = r.problem.dataset, r.run.picture
    rows = [picture[name] for name in ("noisy", "rebuilt", "clean")]
    truth = np.tile(data.y[picture["points"]], 3)
    assert data.image_shape is not None
    count = len(picture["points"])
    facts = [
        f"point {i}, {name}" for name in ("with noise", "rebuilt", "clean")
        for i in picture["points"]
    ]  # fmt: skip
    return image_wall(
        [np.concatenate(rows)], data.image_shape, [truth], data.n_classes, [""],
        columns=count, facts=facts, together=3 * count,
    )  # fmt: skip


def denoising_arrows(r: NetworkResult) -> go.Figure:
    """In the plane: from places with noise to where the decoder puts them."""
    picture, X = r.run.picture, r.problem.dataset.X
    moves = picture["rebuilt"] - picture["noisy"]
    view = f"{r.problem.view}:denoising"
    return arrow_plane(X, r.colours(r.moment), picture["noisy"], moves, uirevision=view)


def filters(r: NetworkResult) -> go.Figure:
    """The 3 × 3 filters of the first convolution."""
    found = r.run.picture["filters"]
    return image_wall(
        [found], (3, 3), [np.full(len(found), NO_CLASS)], 1, [""], columns=FILTERS_IN_A_ROW
    )


def _denoises(r: NetworkResult) -> bool:
    return "rebuilt" in r.run.picture


INSIDE = (
    View("network_images", "Noise and its removal", denoised_images,
         "Ten images, rims in the colours of their true classes. Top: **with noise**, as the "
         "network sees them in training. Middle: **rebuilt** by the decoder. Bottom: clean. "
         "**Look for** strokes that come back, and for digits rebuilt as a similar one of another "
         "class.",
         when=lambda r: _denoises(r) and r.problem.dataset.image_shape is not None,
         height=PICTURE_HEIGHT, tiles=True),
    View("network_images", "Noise and its removal", denoising_arrows,
         "Arrows lead from points with noise to where the decoder puts them. In the plane noise "
         "looks like data: **look for** arrows towards the middle of a cluster, and for none that "
         "know which branch a point came from.",
         when=lambda r: _denoises(r) and r.problem.dataset.n_features == 2, height=ARROW_HEIGHT),
    View("network_filters", "Filters", filters,
         "The filters of the first convolution, 3 × 3 pixels each: blue weights add, red ones "
         "subtract. **Look for** pairs of a blue and a red side: they react to edges of one "
         "direction.",
         when=lambda r: "filters" in r.run.picture, height=PICTURE_HEIGHT, tiles=True),
)  # fmt: skip


def remarks(r: NetworkResult) -> Iterator[str]:
    """Sentences on a finished training: what wins without a network or unlabelled points."""
    if not (r.run.done and r.held_out.any()):
        return
    own = r.accuracy()
    scores = {name: r.accuracy_of(labels) for name, labels in r.baselines.items()}
    ahead = {name: score for name, score in scores.items() if score > own + CLEAR_LEAD}
    if ahead:
        names = " and ".join(f"{name} ({score:.1%})" for name, score in ahead.items())
        verb = "predicts" if len(ahead) == 1 else "predict"
        yield f"{names} {verb} more hidden labels than this network ({own:.1%}), without training."
    if r.run.twin is not None and r.twin_accuracy > own + CLEAR_LEAD:
        yield (
            f"The same network on labelled points alone is better ({r.twin_accuracy:.1%}): here "
            "the unlabelled points mislead it. Try another seed of the network."
        )
