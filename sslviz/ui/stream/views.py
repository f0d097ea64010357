"""A stream that has been watched: its film as frames, its numbers, and what to look for."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from sslviz.figures.animated.stream import BALL_COLOURS, RawFramesFigure, StreamFrame, stream_map
from sslviz.figures.charts.basic import class_bars
from sslviz.figures.charts.stream import (
    accuracy_over_time,
    centroids_by_dimension,
    cover_over_time,
)
from sslviz.figures.theme import ACCENT, DIFFERENCE, UNDETERMINED
from sslviz.recordings.stream import (
    Stream,
    StreamRecording,
    final_owners,
    mean_centroid_count,
    running,
)
from sslviz.ui.components.legend import show_legend
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.controls import choose_option
from sslviz.ui.messages import show_metrics
from sslviz.ui.result import percent
from sslviz.ui.server import memory
from sslviz.ui.stream.sidebar import Source

FRAMES = 500  # at most
EXTRA = (0, 1, 2, 5, 10, 20, 50, 100, 200)  # features of chance tried
TRIED = 600  # points they are tried with
WINDOWS = {"last 50": 50, "so far": None}
CHART = 290


def steps_of(arrivals: int, asked: int) -> np.ndarray:
    """The steps that have a frame, the first and the last among them."""
    stride = max(asked, -(-arrivals // FRAMES))
    return np.unique([*range(0, arrivals + 1, stride), arrivals])


def shots_of(film: StreamRecording, stream: Stream, steps: np.ndarray) -> list[StreamFrame]:
    """A frame for each of these steps, with the merges since the one before."""
    rows, shots = stream.covered, []
    for before, t in zip([0, *steps[:-1]], steps, strict=True):
        there = film.births[t] >= 0
        since = (film.merges[:, 0] > before) & (film.merges[:, 0] <= t)
        shots.append(
            StreamFrame(
                f"{t} arrived · {there.sum()} centroids",
                stream.start + int(t),
                rows[film.births[t][there]],
                film.sizes[t][there],
                film.opinions[t][there],
                float(film.radius[t]),
                rows[film.merges[since, 1:].T],
            )
        )
    return shots


def film_drawn(
    film: StreamRecording,
    stream: Stream,
    source: Source,
    steps: np.ndarray,
    balls: tuple[str, ...],
    mistakes: bool,
) -> RawFramesFigure:
    """The figure of the film: all that has arrived until its end."""
    end = stream.start + len(film.F)
    said = np.concatenate([stream.target[: stream.start], film.labels])
    wrong = np.zeros(end, bool)
    wrong[stream.start :] = film.labels != stream.y[stream.start : end]
    return stream_map(
        shots_of(film, stream, steps),
        source.points[:end],
        said,
        stream.target[:end],
        len(source.classes),
        names=source.names[:end],
        balls=balls,
        wrong=wrong if mistakes else None,
        uirevision=f"{source.name}:{source.flat}",
    )


def show_worth(
    answers: dict[str, np.ndarray],
    films: Sequence[StreamRecording],
    stream: Stream,
    hindsight: np.ndarray,
) -> None:
    """Accuracy beside baselines, memory and time."""
    end = stream.start + len(films[0].F)
    truth = stream.y[stream.start : end]
    meanings = (
        "Quantised label propagation over labels and centroids: share of the arriving points that "
        "were answered rightly at once.",
        "Quantised robust label prediction: the same, asking hubs among the centroids.",
        "The baseline to beat: the nearest label known by then. It ignores the stream.",
    )
    numbers = [
        (name, percent(float((said == truth).mean()), "–"), meaning)
        for (name, said), meaning in zip(answers.items(), meanings, strict=True)
    ]
    late = ~stream.told[stream.start : end]
    right = (hindsight[stream.start : end] == truth)[late]
    numbers.append(
        (
            "LP in hindsight",
            percent(float(right.mean()) if len(right) else np.nan, "–"),
            "Label propagation over all points and labels at once, after the stream: what waiting "
            "and keeping everything would give.",
        )
    )
    times = " · ".join(f"{1000 * np.median(film.seconds):.1f}" for film in films)
    whole = end * stream.X.shape[1] * 8
    numbers += [
        (
            "Memory",
            in_bytes(films[0].bytes),
            "All that is kept: labels, centroids and their distances, whatever the length of the "
            f"stream. All points until here would take {in_bytes(whole)}, their distances "
            f"{in_bytes(8 * end**2)}.",
        ),
        ("ms per point", times, "To answer a point and learn it (median): by QLP · by QRLP."),
    ]
    show_metrics(numbers)


def in_bytes(count: float) -> str:
    """A number of bytes in a unit that suits it."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} GB"


def show_marks(source: Source, balls: tuple[str, ...], mistakes: bool) -> None:
    """The legend of the film; plotly's own would be drawn anew with every frame."""
    marks = {
        "given label": ("◆", "inherit"),
        "arriving": ("■", ACCENT),
        "centroid": ("⬤", UNDETERMINED),
        "merged just now": ("━", DIFFERENCE),
    }
    for name in balls[::-1]:
        marks[f"ball of radius {name}"] = ("◯", BALL_COLOURS[name])
    if mistakes:
        marks["mistake"] = ("○", ACCENT)
    show_legend(source.classes, marks)


def show_map(source: Source, noise: int, balls: tuple[str, ...], stride: int) -> None:
    """What the film shows."""
    words = (
        "**Play** it. Squares with a red rim are arriving, in the colour of the answer they get at "
        "once; then they fade. Circles are the centroids, all that is kept: the larger, the more "
        "points they stand for, in the colour the graph gives them now. Violet lines: just merged. "
        "Grey: known before the stream, or without an answer."
    )
    if balls:
        words += (
            " A point within **R** (violet) of its nearest centroid joins it; all that joined lie "
            "within **2R** (grey)."
        )
    elif noise:
        words += (
            f" The {noise} features of chance are not drawn, and no balls either: they live in all "
            "features."
        )
    elif not source.flat:
        words += " The map is a shadow of many features: balls cannot be drawn on it."
    st.caption(f"{words} Each frame takes in {stride} point{'s' if stride > 1 else ''}.")


def show_accuracy(answers: dict[str, np.ndarray], stream: Stream) -> None:
    """Running accuracy of all three together."""
    window = choose_option("Right answers among the", tuple(WINDOWS), "stream.window")
    T = len(next(iter(answers.values())))
    truth = stream.y[stream.start : stream.start + T]
    curves = {name: running(said == truth, WINDOWS[window]) for name, said in answers.items()}
    at = np.flatnonzero(stream.told[stream.start : stream.start + T]) + 1
    show_figure(accuracy_over_time(curves, at), key="stream_accuracy", height=CHART, tools=False,
         film="stream", alt="running accuracy")  # fmt: skip
    st.caption(
        "The dotted line knows labels only. Above it the stream helps; below it the summary "
        "misleads. Where all fall together, the world has left the labels behind."
    )


def show_cover(film: StreamRecording, capacity: int, merge: str) -> None:
    """How many centroids, and how wide their balls."""
    st.markdown(f"**The cover**: {film.counts[-1]} centroids, {len(film.doublings)} doublings of R")
    show_figure(
        cover_over_time(film.counts, film.radius, capacity),
        key="stream_cover",
        height=CHART + 28,
        tools=False,
        film="stream",
        alt="centroids and radius over time",
    )
    fall = int(-np.diff(film.counts).min(initial=0))
    st.caption(
        f"At the dotted line the cover is full. The steepest fall took **{fall}** centroids at "
        "once: "
        + (
            "with each doubling all within the new R merge."
            if merge == "doubling"
            else "lazily only the closest pair merges, and the cover stays full."
        )
    )


def show_dimension(source: Source, capacity: int, noise: int) -> None:
    """The collapse: the same points with more and more features of chance."""
    X, d = source.X[~source.given][:TRIED].astype(np.float64), source.X.shape[1]
    stage = memory().cache(mean_centroid_count)
    curves = {merge: stage(X, EXTRA, capacity, merge) for merge in ("doubling", "lazy")}
    st.markdown("**More dimensions**: how many centroids are left")
    fig = centroids_by_dimension(d + np.array(EXTRA), curves, d + noise, capacity)
    show_figure(
        fig, key="stream_left", height=CHART + 28, tools=False, alt="centroids against features"
    )
    st.caption(
        f"The first {len(X):,} points with 0 to {EXTRA[-1]} features of chance added. With many "
        "features all distances are alike: one doubling of R takes in nearly everything "
        "(doubling), unless only pairs merge (lazy). The slider in the sidebar adds features to "
        "the stream itself."
    )


def show_centroid(film: StreamRecording, stream: Stream, source: Source, point: int | None) -> None:
    """Whom a centroid stands for, by their true classes: the clicked one or the heaviest."""
    rows = stream.covered
    there = film.births[-1] >= 0
    centroids, sizes = rows[film.births[-1][there]], film.sizes[-1][there]
    owners = final_owners(film, stream)
    if not len(centroids):
        return
    row = int(centroids[sizes.argmax()])
    words = "The heaviest centroid"
    if point is not None and len(at := np.flatnonzero(source.names == point)):
        clicked = int(at[0])
        if clicked in centroids:
            row, words = clicked, f"Centroid {point}"
        elif clicked >= stream.start and owners[clicked - stream.start] >= 0:
            row = int(owners[clicked - stream.start])
            words = f"Point {point} has joined centroid {source.names[row]}, which"
    mine = np.flatnonzero(owners == row)
    count = np.bincount(stream.y[stream.start + mine], minlength=stream.n_classes)
    total = int(sizes[np.flatnonzero(centroids == row)[0]])
    st.markdown(f"{words} stands for **{total}** points in the end")
    show_figure(
        class_bars(count / max(count.sum(), 1), source.classes),
        key="stream_members",
        height=CHART,
        tools=False,
        alt="true classes of the points a centroid stands for",
    )
    pure = purity(owners, stream.y[stream.start : stream.start + len(owners)])
    st.caption(
        f"True classes of the {len(mine)} arrivals it took in. Over all centroids "
        f"**{percent(pure, '–')}** of the arrivals are with a majority of their own class: no "
        "method that hears centroids only can do better on what is gone. Click a centroid."
    )


def purity(owners: np.ndarray, truth: np.ndarray) -> float:
    """Share of the points that belong to the largest class of their centroid; nan of none."""
    kept = owners >= 0
    pairs, count = np.unique(np.stack([owners[kept], truth[kept]]), axis=1, return_counts=True)
    if not len(count):
        return np.nan
    most = [count[pairs[0] == c].max() for c in np.unique(pairs[0])]
    return float(np.sum(most) / count.sum())
