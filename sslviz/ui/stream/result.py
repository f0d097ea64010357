"""A stream as far as it has arrived: predictions of the methods, and what is left of the points."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

import sslviz
from sslviz.abilities import HandsOnEdges
from sslviz.recordings.stream import Stream, StreamRecording
from sslviz.recordings.stream_measures import (
    final_owners,
    mean_centroid_count,
    nearest_label_predictions,
)
from sslviz.ui.stream.sidebar import StreamChoice, stream_methods
from sslviz.ui.stream.source import EXTRA_FEATURES, StreamSource

NEAREST = "1-NN"
POINTS_TRIED = 600  # with more and more random features


class Centroid(NamedTuple):
    """A centroid and the arrivals that belong to it in the end."""

    title: str
    size: int  # points it stands for
    members: np.ndarray  # steps of its arrivals


@dataclass(frozen=True)
class StreamResult:
    """Recordings of all methods on the arrivals so far."""

    source: StreamSource
    stream: Stream
    choice: StreamChoice
    recordings: Mapping[str, StreamRecording]
    hindsight: np.ndarray | None = None  # labels of propagation over all points, in the end
    by_dimension: Mapping[str, np.ndarray] = field(default_factory=dict)  # merging -> centroids
    point: int | None = None  # the clicked one, by its number in the data set

    @property
    def film(self) -> StreamRecording:
        return self.recordings[self.choice.shown]

    @property
    def network(self) -> bool:
        """Whether the method shown keeps a network of points instead of a cover."""
        return issubclass(stream_methods()[self.choice.shown], HandsOnEdges)

    @property
    def arrived(self) -> int:
        return len(self.film.F)

    @property
    def lost(self) -> int:
        """How many of the points that were kept are kept no more."""
        births = self.film.births
        return len(np.setdiff1d(births, births[-1]))

    @property
    def now(self) -> slice:
        """The rows of the stream that have arrived."""
        return slice(self.stream.start, self.stream.start + self.arrived)

    @property
    def truth(self) -> np.ndarray:
        return self.stream.y[self.now]

    @cached_property
    def predictions(self) -> dict[str, np.ndarray]:
        """(T,) predicted classes of each method and of the nearest label."""
        found = {name: film.labels for name, film in self.recordings.items()}
        return found | {NEAREST: nearest_label_predictions(self.stream, self.arrived)}

    def accuracy(self, labels: np.ndarray, among: np.ndarray | slice = slice(None)) -> float:
        """Accuracy on the arrivals of known class, or those of a mask; nan if there are none."""
        right, known = (labels == self.truth)[among], (self.truth >= 0)[among]
        return float(right[known].mean()) if known.any() else np.nan

    @cached_property
    def owners(self) -> np.ndarray:
        return final_owners(self.film, self.stream)

    @cached_property
    def centroid(self) -> Centroid | None:
        """The clicked centroid, that of a clicked point, or the one that stands for most points."""
        film = self.film
        there = film.births[-1] >= 0
        rows, sizes = self.stream.covered[film.births[-1][there]], film.sizes[-1][there]
        if not len(rows):
            return None
        row, title = int(rows[sizes.argmax()]), "The largest centroid"
        at = np.flatnonzero(self.source.names == self.point)
        clicked = int(at[0]) if len(at) else -1
        step = clicked - self.stream.start
        if clicked in rows:
            row, title = clicked, f"Centroid {self.point}"
        elif 0 <= step < len(self.owners) and self.owners[step] >= 0:
            row = int(self.owners[step])
            title = f"Point {self.point} belongs to centroid {self.source.names[row]}, which"
        members = np.flatnonzero(self.owners == row)
        return Centroid(title, int(sizes[np.flatnonzero(rows == row)[0]]), members)


def labels_in_hindsight(stream: Stream, arrivals: int, memory: Any) -> np.ndarray:
    """Label propagation over all points and labels at once, after the stream."""
    end = stream.start + arrivals
    propagation = sslviz.LabelPropagation(memory=memory)
    return propagation.fit(stream.X[:end], stream.target[:end]).transduction_


def centroids_by_features(
    source: StreamSource, capacity: int, memory: Any
) -> dict[str, np.ndarray]:
    """Centroids left by both ways of merging, with more and more random features."""
    X = source.X[~source.given][:POINTS_TRIED].astype(np.float64)
    counted = memory.cache(mean_centroid_count)
    return {merge: counted(X, EXTRA_FEATURES, capacity, merge) for merge in ("doubling", "lazy")}
