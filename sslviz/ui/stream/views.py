"""Numbers and charts of the page "Streams"."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.charts.basic import class_bars
from sslviz.figures.charts.stream import (
    accuracy_over_time,
    centroids_by_dimension,
    cover_over_time,
    inherited_over_time,
)
from sslviz.recordings.stream import StreamRecording
from sslviz.recordings.stream_measures import purity, running_accuracy
from sslviz.ui.stream.map_view import frame_steps
from sslviz.ui.stream.result import NEAREST, POINTS_TRIED, StreamResult
from sslviz.ui.stream.sidebar import stream_methods
from sslviz.ui.stream.source import EXTRA_FEATURES
from sslviz.ui.views import Number, View, percent

CHART_HEIGHT = 290
HEIGHT_BESIDE = 210  # of the charts beside the map


def in_bytes(count: float) -> str:
    """A number of bytes in a unit that suits it."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} GB"


def _accuracy(name: str, meaning: str) -> Number:
    return Number(name, lambda r: percent(r.accuracy(r.predictions[name]), "–"), meaning,
                  course=lambda r: _accuracies(r, name))  # fmt: skip


def _accuracies(r: StreamResult, name: str) -> list[str]:
    """The accuracy on the arrivals up to each frame of the film."""
    known = r.truth >= 0
    right = np.cumsum((r.predictions[name] == r.truth) & known)
    counts = np.cumsum(known)
    at = frame_steps(r.arrived, r.choice.stride) - 1
    return [percent(right[i] / counts[i], "–") if i >= 0 and counts[i] else "–" for i in at]


def _hindsight(r: StreamResult) -> str:
    assert r.hindsight is not None
    unlabelled = ~r.stream.labelled[r.now]
    return percent(r.accuracy(r.hindsight[r.now], unlabelled), "–")


def _kept_bytes(r: StreamResult) -> int:
    """Of the method shown; methods with a cover keep the same, but for a few tuned numbers."""
    return (r.film if r.network else next(iter(r.recordings.values()))).bytes


def _memory_help(r: StreamResult) -> str:
    end, d = r.now.stop, r.stream.X.shape[1]
    kept = "the last points and their weights" if r.network else "centroids and their distances"
    return (
        f"All that {r.choice.shown} keeps: labelled points, {kept}, whatever the length of the "
        f"stream. All points so far would take {in_bytes(end * d * 8)}, their distances "
        f"{in_bytes(8 * end**2)}."
    )


def _milliseconds(film: StreamRecording) -> str:
    return f"{1000 * np.median(film.seconds):.2g}" if len(film.seconds) else "–"


def _time_help(r: StreamResult) -> str:
    each = ", ".join(f"{name} {_milliseconds(film)}" for name, film in r.recordings.items())
    return f"Median time of {r.choice.shown} to predict a point and learn it. All: {each} ms."


NUMBERS = (
    *(_accuracy(name, f"{m.title}: accuracy of the predictions made on arrival.")
      for name, m in stream_methods().items()),
    _accuracy(NEAREST, "Baseline: the class of the nearest label given by then. It does not use "
              "the unlabelled points."),
    Number("LP in hindsight", _hindsight,
           "Label propagation over all points and labels at once, after the stream: what waiting "
           "and keeping everything would give.", when=lambda r: r.hindsight is not None),
    Number("Memory", lambda r: in_bytes(_kept_bytes(r)), _memory_help),
    Number("ms per point", lambda r: _milliseconds(r.film), _time_help),
    Number("Change by leaving", lambda r: f"{r.film.change.max():.1g}",
           "The largest change of any probability of a kept point at the moment when another one "
           "left, over the whole stream. In exact arithmetic it is 0; this is rounding.",
           when=lambda r: r.network),
)  # fmt: skip


def accuracy_chart(r: StreamResult) -> go.Figure:
    """Running accuracy of all methods."""
    curves = {
        name: running_accuracy(labels == r.truth, r.choice.window, r.truth >= 0)
        for name, labels in r.predictions.items()
    }
    labels_at = np.flatnonzero(r.stream.labelled[r.now]) + 1
    return accuracy_over_time(curves, labels_at)


def accuracy_caption(r: StreamResult) -> str:
    over = "all arrivals so far" if r.choice.window is None else f"the last {r.choice.window}"
    return (
        f"Accuracy over {over}. Dotted: 1-NN on the labelled points only. Above it the unlabelled "
        "points help; below it the centroids mislead. Where all curves fall together, the classes "
        "have moved away from their labels."
    )


def cover_title(r: StreamResult) -> str:
    return f"Cover: {r.film.counts[-1]} centroids, {len(r.film.doublings)} doublings of R"


def cover_caption(r: StreamResult) -> str:
    fall = int(-np.diff(r.film.counts).min(initial=0))
    merging = (
        "at each doubling of R all centroids within the new R merge."
        if r.choice.parameters["merge"] == "doubling"
        else "with lazy merging only the closest pair merges, and the cover stays full."
    )
    return (
        "The *cover* is the set of centroids. At the dotted line it is full. The largest drop was "
        f"**{fall}** centroids at once: {merging}"
    )


def centroid_title(r: StreamResult) -> str:
    assert r.centroid is not None
    return f"{r.centroid.title} stands for {r.centroid.size} points"


def centroid_bars(r: StreamResult) -> go.Figure:
    """True classes of the arrivals that belong to the selected centroid."""
    assert r.centroid is not None
    truth = r.truth[r.centroid.members]
    count = np.bincount(truth[truth >= 0], minlength=r.stream.n_classes)
    return class_bars(count / max(count.sum(), 1), r.source.classes)


def centroid_caption(r: StreamResult) -> str:
    assert r.centroid is not None
    pure = percent(purity(r.owners, r.truth), "–")
    return (
        f"True classes of its {len(r.centroid.members)} arrivals. Over all centroids **{pure}** of "
        "the arrivals are of the largest class of their centroid: no method that keeps only "
        "centroids can do better on past points. **Click a centroid** in the map."
    )


def dimension_chart(r: StreamResult) -> go.Figure:
    """Centroids left with more and more random features."""
    d, capacity = r.source.X.shape[1], r.choice.parameters["capacity"]
    features = d + np.array(EXTRA_FEATURES)
    return centroids_by_dimension(features, dict(r.by_dimension), d + r.choice.noise, capacity)


DIMENSION_CAPTION = (
    f"The first {POINTS_TRIED} points with 0 to {EXTRA_FEATURES[-1]} random features added. With "
    "many features all distances are alike: one doubling of R merges nearly all centroids "
    "(doubling), unless only pairs merge (lazy). “Random features added” in the sidebar adds them "
    "to the stream itself."
)


def inherited_caption(r: StreamResult) -> str:
    c = r.choice.parameters["capacity"]
    return (
        f"Share of its edges, by weight, that a kept point has inherited, on average. {r.lost} "
        f"points have left and are known by such edges only. The cost: {c}² weights and a linear "
        f"system of {c} unknowns per point. Positions are forgotten, and an edge is never measured "
        "again; labels stay for ever, also where another class has moved to their place."
    )


BESIDE_MAP = (
    View("stream_accuracy", "Accuracy over time", accuracy_chart, accuracy_caption,
         when=lambda r: bool((r.truth >= 0).any()),
         otherwise=lambda r: "The true classes of the arrivals are unknown: there is no accuracy."
         if r.arrived else "After the first arrivals.",
         height=HEIGHT_BESIDE, options={"alt": "accuracy over time"}),
    View("stream_members", centroid_title, centroid_bars, centroid_caption,
         when=lambda r: not r.network and r.centroid is not None, height=HEIGHT_BESIDE,
         options={"alt": "true classes of the points of a centroid", "film": None}),
    View("stream_inherited", lambda r: f"Inherited edges: {r.film.inherited[-1]:.0%}",
         lambda r: inherited_over_time(r.film.inherited), inherited_caption,
         when=lambda r: r.network, height=HEIGHT_BESIDE,
         options={"alt": "share of inherited edges over time"}),
)  # fmt: skip
VIEWS = (
    View("stream_cover", cover_title,
         lambda r: cover_over_time(r.film.counts, r.film.radius, r.choice.parameters["capacity"]),
         cover_caption, when=lambda r: not r.network, height=CHART_HEIGHT,
         options={"alt": "centroids and radius over time"}),
    View("stream_left", "Centroids in more dimensions", dimension_chart, DIMENSION_CAPTION,
         when=lambda r: bool(r.by_dimension) and not r.network, height=CHART_HEIGHT,
         options={"alt": "centroids against features", "film": None}),
)  # fmt: skip
