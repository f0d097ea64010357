"""What is measured on a recorded stream: baselines, purity of centroids, order, added features."""

from collections.abc import Iterator

import numpy as np
from scipy.spatial.distance import cdist

import sslviz
from sslviz.data import Dataset
from sslviz.data.drift import DRIFTING, as_stream
from sslviz.memo import stage
from sslviz.recordings.stream import Stream, StreamRecording


def nearest_label_predictions(stream: Stream, arrivals: int) -> np.ndarray:
    """(T,) 1-NN: the class of the nearest label known when each point arrives."""
    end = min(stream.start + arrivals, len(stream.X))
    given = np.flatnonzero(stream.labelled[:end])
    later = np.arange(stream.start, end)
    D = cdist(stream.X[later].astype(np.float64), stream.X[given].astype(np.float64))
    D[given[None] >= later[:, None]] = np.inf
    return stream.y[given[D.argmin(axis=1)]]


def final_owners(film: StreamRecording, stream: Stream) -> np.ndarray:
    """(T,) the centroid that each arrival belongs to in the end, as a row of the stream, or -1."""
    into: dict[int, int] = {}
    for _, absorbed, kept in film.merges[::-1].tolist():  # one that absorbs is absorbed later
        into[absorbed] = into.get(kept, kept)
    rows = stream.covered
    return np.array([-1 if o < 0 else rows[into.get(o, o)] for o in film.owners.tolist()], int)


def purity(owners: np.ndarray, truth: np.ndarray) -> float:
    """Share of the points that are of the largest class of their centroid; nan without points.

    Points of unknown class (-1) do not count.
    """
    kept = (owners >= 0) & (truth >= 0)
    pairs, count = np.unique(np.stack([owners[kept], truth[kept]]), axis=1, return_counts=True)
    if not len(count):
        return np.nan
    largest = [count[pairs[0] == c].max() for c in np.unique(pairs[0])]
    return float(np.sum(largest) / count.sum())


def running_accuracy(
    right: np.ndarray, window: int | None, known: np.ndarray | None = None
) -> np.ndarray:
    """(T,) share of correct predictions so far, or among the last `window`.

    Only points of a mask count, if it is given; nan where there is none of them.
    """
    counted = np.ones(len(right), bool) if known is None else known
    total = np.concatenate([[0], np.cumsum(right & counted)])
    count = np.concatenate([[0], np.cumsum(counted)])
    now = np.arange(1, len(right) + 1)
    first = np.zeros_like(now) if window is None else np.maximum(now - window, 0)
    among = count[now] - count[first]
    return np.where(among > 0, (total[now] - total[first]) / np.maximum(among, 1), np.nan)


@stage("noise features")
def with_noise_features(X: np.ndarray, noise: int) -> np.ndarray:
    """X with so many random features, each as wide as the features are on average.

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
    """(e,) centroids on average over the stream, with so many random features added. A stage.

    In a stream too short to fill the cover every point is a centroid.
    """
    counts = (list(_counts(with_noise_features(X, e), capacity, merge)) for e in extra)
    return np.array([np.mean(found or [len(X)]) for found in counts])


def _counts(X: np.ndarray, capacity: int, merge: str) -> Iterator[int]:
    """The number of centroids after every ten points, once the cover has been full."""
    cover = sslviz.DoublingCover(capacity, merge)
    X = np.ascontiguousarray(X, np.float64)
    cover.begin(X.shape[1])
    for start in range(0, len(X), 10):
        cover.extend(X[start : start + 10])  # checking them would take longer
        if start > capacity:
            yield len(cover.centroids_)


@stage("data")
def drifting_dataset(name: str, options: dict[str, object]) -> Dataset:
    """A stream whose classes move. A stage."""
    return DRIFTING[name](**options)


@stage("order")
def arrival_order(y: np.ndarray, order: str) -> np.ndarray:
    """The rows of a data set in order of arrival. A stage."""
    classes = tuple(map(str, range(max(y.max() + 1, 1))))
    numbers = Dataset(np.arange(len(y))[:, None], y, "rows", "", classes)
    return as_stream(numbers, order).X[:, 0].astype(np.int64)
