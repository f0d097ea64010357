"""A stream watched point by point: what was said of each, and the cover it left behind.

A film is made of pieces, each a stage that goes on from the state the one before has left: a longer
film of the same stream computes its new pieces only.
"""

import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

import sslviz
from sslviz.memo import stage
from sslviz.validation import decode_argmax

PIECE = 200  # arrivals of a stage


class Stream(NamedTuple):
    """What arrives, in order; the first `start` points are known before."""

    X: np.ndarray  # (n, d)
    y: np.ndarray  # (n,) true class
    told: np.ndarray  # (n,) whose label is given, on arrival or before
    start: int
    n_classes: int

    @property
    def target(self) -> np.ndarray:
        """(n,) class where it is told, else -1."""
        return np.where(self.told, self.y, -1)

    @property
    def covered(self) -> np.ndarray:
        """The points that the cover learns, in its numbering."""
        return np.flatnonzero(~self.told)


class Piece(NamedTuple):
    """Some arrivals; the cover after each of them, in its own numbers of points."""

    F: np.ndarray  # (t, C) what was said
    births: np.ndarray  # (t, n_c) centroids, -1 for none
    sizes: np.ndarray  # (t, n_c) for how many points each stands
    opinions: np.ndarray  # (t, n_c) class of each, -1 for none
    radius: np.ndarray  # (t,)
    owners: np.ndarray  # (t,) the centroid each arrival joined, -1 where it brought a label
    merges: np.ndarray  # (k, 3) arrival, who was absorbed, by whom
    seconds: np.ndarray  # (t,)


State = dict[str, np.ndarray]


@stage("before the stream")
def first_segment(
    method: str, settings: dict[str, Any], X: np.ndarray, target: np.ndarray, n_classes: int
) -> tuple[State, Piece]:
    """The state before the stream, and a piece without arrivals that shows it. A stage."""
    model = getattr(sslviz, method)(**settings)
    model.partial_fit(X, target, classes=np.arange(n_classes))
    births, sizes, opinions = (part[None] for part in _cover(model))
    nothing = np.empty(0, np.int64)
    return model.state(), Piece(
        np.empty((0, n_classes), np.float32), births, sizes, opinions, np.array([model.radius_]),
        nothing, nothing.reshape(0, 3), np.empty(0),
    )  # fmt: skip


@stage("stream")
def next_segment(
    method: str, settings: dict[str, Any], state: State, X: np.ndarray, target: np.ndarray
) -> tuple[State, Piece]:
    """The state after some more arrivals, and what happened. A stage.

    Whoever brings a label is answered first, then joins the labels.
    """
    model = getattr(sslviz, method)(**settings).restore(state)
    F, covers, radius, owners, merges, seconds = [], [], [], [], [], []
    for t, x in enumerate(X):
        begin = time.perf_counter()
        if target[t] >= 0:
            F.append(model.predict_proba(x[None])[0])
            model.partial_fit(x[None], target[[t]])
            owners.append(-1)
        else:
            model.observe(x)
            F.append(model.last_distribution_)
            owners.append(model.cover_.births_[model.cover_.labels_[0]])
            merges += [(t, m.absorbed, m.kept) for m in model.cover_.events_.merges]
        seconds.append(time.perf_counter() - begin)
        covers.append(_cover(model))
        radius.append(model.radius_)
    births, sizes, opinions = (np.stack(part) for part in zip(*covers, strict=True))
    return model.state(), Piece(
        np.stack(F).astype(np.float32), births, sizes, opinions, np.array(radius),
        np.array(owners), np.array(merges, np.int64).reshape(-1, 3), np.array(seconds),
    )  # fmt: skip


def _cover(model: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Births, sizes and opinions of the centroids, padded to the capacity."""
    found = model.cover_.births_, model.multiplicities_, model.centroid_labels()
    padded = np.full((3, model.capacity), -1, np.int32)
    for row, part in zip(padded, found, strict=True):
        row[: len(part)] = part
    return padded[0], padded[1], padded[2]


class StreamRecording(NamedTuple):
    """A whole stream as one method saw it; step 0 is before the first arrival."""

    F: np.ndarray  # (T, C) what was said of each arrival
    births: np.ndarray  # (T + 1, n_c), and so on: see Piece
    sizes: np.ndarray
    opinions: np.ndarray
    radius: np.ndarray
    owners: np.ndarray  # (T,)
    merges: np.ndarray  # (k, 3), steps from 1
    seconds: np.ndarray  # (T,)
    bytes: int  # that the state takes in the end

    @property
    def labels(self) -> np.ndarray:
        """(T,) the class said, -1 for nothing."""
        return decode_argmax(self.F, np.arange(self.F.shape[1]))

    @property
    def counts(self) -> np.ndarray:
        """(T + 1,) centroids."""
        return (self.births >= 0).sum(axis=1)

    @property
    def doublings(self) -> np.ndarray:
        """Steps at which the radius grew."""
        return np.flatnonzero(np.diff(self.radius) > 0) + 1


def record_stream(
    cached: Callable,
    method: str,
    settings: dict[str, Any],
    stream: Stream,
    arrivals: int,
    progress: Callable[[int], None],
) -> StreamRecording:
    """The first `arrivals` of a stream; `cached` remembers stages, `progress` hears what is done.

    A later piece of a long stream is computed from the state that the one before has left.
    """
    known = slice(0, stream.start)
    state, first = cached(first_segment)(
        method, settings, stream.X[known], stream.target[known], stream.n_classes
    )
    pieces = [first]
    end = min(stream.start + arrivals, len(stream.X))
    cuts = [*range(stream.start, end, PIECE), end]
    for a, b in pairwise(cuts):
        state, piece = cached(next_segment)(
            method, settings, state, stream.X[a:b], stream.target[a:b]
        )
        shifted = piece.merges + np.array([a - stream.start + 1, 0, 0])
        pieces.append(piece._replace(merges=shifted))
        progress(b - stream.start)
    parts = [np.concatenate(part) for part in zip(*pieces, strict=True)]
    return StreamRecording._make([*parts, sum(part.nbytes for part in state.values())])


def show_nearest(stream: Stream, arrivals: int) -> np.ndarray:
    """(T,) the class of the nearest label known when each point arrives: plain 1-NN."""
    end = min(stream.start + arrivals, len(stream.X))
    given = np.flatnonzero(stream.told[:end])
    later = np.arange(stream.start, end)
    D = cdist(stream.X[later].astype(np.float64), stream.X[given].astype(np.float64))
    D[given[None] >= later[:, None]] = np.inf
    return stream.y[given[D.argmin(axis=1)]]


def final_owners(film: StreamRecording, stream: Stream) -> np.ndarray:
    """(T,) the centroid, as a row of the stream, that each arrival belongs to in the end, or -1."""
    into: dict[int, int] = {}
    for _, absorbed, kept in film.merges[::-1].tolist():  # whoever absorbs is absorbed later
        into[absorbed] = into.get(kept, kept)
    rows = stream.covered
    return np.array([-1 if o < 0 else rows[into.get(o, o)] for o in film.owners.tolist()], int)


def running(right: np.ndarray, window: int | None) -> np.ndarray:
    """(T,) share of right answers so far, or among the last `window`."""
    total = np.concatenate([[0], np.cumsum(right)])
    now = np.arange(1, len(right) + 1)
    first = np.zeros_like(now) if window is None else np.maximum(now - window, 0)
    return (total[now] - total[first]) / (now - first)


@stage("noise features")
def with_noise_features(X: np.ndarray, noise: int) -> np.ndarray:
    """X with so many features of pure chance, each as wide as the features are on average.

    The first of them are the same however many there are.
    """
    if not noise:
        return X
    width = float(X.std(axis=0, dtype=np.float64).mean()) or 1.0
    rng = np.random.default_rng(0)
    return np.column_stack([X, *(width * rng.standard_normal(len(X)) for _ in range(noise))])


@stage("centroids")
def mean_centroid_count(
    X: np.ndarray, extra: tuple[int, ...], capacity: int, merge: str
) -> np.ndarray:
    """(e,) centroids there are, on average over the stream, with so many features more. A stage."""
    return np.array(
        [np.mean(list(_counts(with_noise_features(X, e), capacity, merge))) for e in extra]
    )


def _counts(X: np.ndarray, capacity: int, merge: str) -> Iterator[int]:
    """How many centroids there are, ten points at a time, once the cover has been full."""
    cover = sslviz.DoublingCover(capacity, merge)
    X = np.ascontiguousarray(X, np.float64)
    cover.begin(X.shape[1])
    for start in range(0, len(X), 10):
        cover.extend(X[start : start + 10])  # checking them would take longer
        if start > capacity:
            yield len(cover.centroids_)
