"""A stream observed point by point by one or more methods, recorded in segments.

Each segment is a stage that starts from the state left by the one before: a longer recording of the
same stream computes its new segments only.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

import sslviz
from sslviz.abilities import HandsOnEdges, KeepsCover
from sslviz.memo import stage
from sslviz.recordings.run import Run
from sslviz.validation import decode_argmax

SEGMENT = 100  # arrivals of a stage

State = dict[str, np.ndarray]


class Stream(NamedTuple):
    """Points in order of arrival; the first `start` are known before the stream begins."""

    X: np.ndarray  # (n, d)
    y: np.ndarray  # (n,) true class
    labelled: np.ndarray  # (n,) whose label is given, before the stream or on arrival
    start: int
    n_classes: int

    @property
    def target(self) -> np.ndarray:
        """(n,) class where it is given, else -1."""
        return np.where(self.labelled, self.y, -1)

    @property
    def covered(self) -> np.ndarray:
        """The unlabelled points, in the numbering of births."""
        return np.flatnonzero(~self.labelled)

    def rows(self, ends: np.ndarray) -> np.ndarray:
        """Rows of points given by birth, or as -1 - number of a labelled point."""
        return np.concatenate([self.covered, np.flatnonzero(self.labelled)[::-1]])[ends]


class Segment(NamedTuple):
    """Some arrivals, and what is kept after each of them; it has its own numbers of points.

    Ends of edges are births of centroids, or -1 - number of a labelled point.
    """

    F: np.ndarray  # (t, C) class probabilities predicted on arrival
    births: np.ndarray  # (t, n_c) centroids, -1 for none
    sizes: np.ndarray  # (t, n_c) number of points that each stands for
    predictions: np.ndarray  # (t, n_c) class of each, -1 for none
    radius: np.ndarray  # (t,) 0 without a cover
    owners: np.ndarray  # (t,) the centroid that each arrival joined, -1 where it had a label
    merges: np.ndarray  # (k, 3) arrival, absorbed centroid, centroid that absorbs it
    edges: np.ndarray  # (k, 3) arrival, two ends: the strongest edges of a network
    handed_on: np.ndarray  # (k, 3) arrival, two ends that have inherited an edge
    inherited: np.ndarray  # (t,) share of the weights of a network
    change: np.ndarray  # (t,) largest change of a label distribution by a departure
    seconds: np.ndarray  # (t,)


@stage("before the stream")
def first_segment(
    method: str, settings: dict[str, Any], X: np.ndarray, target: np.ndarray, n_classes: int
) -> tuple[State, Segment]:
    """The state before the stream, and a segment without arrivals that shows it. A stage."""
    model = getattr(sslviz, method)(**settings)
    model.partial_fit(X, target, classes=np.arange(n_classes))
    kept = Kept.of(model, 0)
    nothing = np.empty(0, np.int64)
    return model.state(), Segment(
        F=np.empty((0, n_classes), np.float32), owners=nothing, seconds=np.empty(0),
        **_columns([kept._replace(merges=[], handed_on=[])]),
    )  # fmt: skip


@stage("stream")
def next_segment(
    method: str, settings: dict[str, Any], state: State, X: np.ndarray, target: np.ndarray
) -> tuple[State, Segment]:
    """The state after some more arrivals, and what happened. A stage.

    A point with a label is predicted first, then it joins the labelled points.
    """
    model = getattr(sslviz, method)(**settings).restore(state)
    F, kept, owners, seconds = [], [], [], []
    for t, x in enumerate(X):
        begin = time.perf_counter()
        if target[t] >= 0:
            F.append(model.predict_proba(x[None])[0])
            model.partial_fit(x[None], target[[t]])
        else:
            model.observe(x)
            F.append(model.last_distribution_)
        seconds.append(time.perf_counter() - begin)
        owners.append(-1 if target[t] >= 0 else model.births_[model.owners_[0]])
        now = Kept.of(model, t)
        kept.append(now if target[t] < 0 else now._replace(merges=[], handed_on=[]))
    return model.state(), Segment(
        F=np.stack(F).astype(np.float32), owners=np.array(owners), seconds=np.array(seconds),
        **_columns(kept),
    )  # fmt: skip


class Kept(NamedTuple):
    """What a model has kept after an arrival: fields as in `Segment`."""

    births: np.ndarray
    sizes: np.ndarray
    predictions: np.ndarray
    radius: float
    merges: list[tuple[int, int, int]]
    edges: list[tuple[int, int, int]]
    handed_on: list[tuple[int, int, int]]
    inherited: float
    change: float

    @classmethod
    def of(cls, model: Any, t: int) -> "Kept":
        found = model.births_, model.multiplicities_, model.centroid_labels()
        padded = np.full((3, model.capacity), -1, np.int32)
        for row, part in zip(padded, found, strict=True):
            row[: len(part)] = part
        births, sizes, predictions = padded
        if isinstance(model, KeepsCover):
            merges = [(t, m.absorbed, m.kept) for m in model.cover_.events_.merges]
            return cls(births, sizes, predictions, model.cover_.radius_, merges, [], [], 0.0, 0.0)
        assert isinstance(model, HandsOnEdges)
        now, names = model.network_summary(), np.append(found[0], 0)
        edges, handed_on = (
            [(t, *pair) for pair in np.where(ends >= 0, names[ends], ends).T.tolist()]
            for ends in (now.edges, now.handed_on)
        )
        return cls(births, sizes, predictions, 0.0, [], edges, handed_on, now.inherited, now.change)


def _columns(kept: list[Kept]) -> dict[str, np.ndarray]:
    """The columns of some steps."""
    columns = dict(zip(Kept._fields, zip(*kept, strict=True), strict=True))
    for name in ("merges", "edges", "handed_on"):
        rows = [row for step in columns.pop(name) for row in step]
        columns[name] = np.array(rows, np.int32).reshape(-1, 3)
    return {name: np.array(part) for name, part in columns.items()}


class StreamRecording(NamedTuple):
    """What one method predicted and kept of a stream; step 0 is before the first arrival."""

    F: np.ndarray  # (T, C) class probabilities predicted on arrival
    births: np.ndarray  # (T + 1, n_c), and so on: see Segment
    sizes: np.ndarray
    predictions: np.ndarray
    radius: np.ndarray
    owners: np.ndarray  # (T,)
    merges: np.ndarray  # (k, 3), steps from 1
    edges: np.ndarray  # (k, 3), steps from 0
    handed_on: np.ndarray  # (k, 3), steps from 1
    inherited: np.ndarray  # (T + 1,)
    change: np.ndarray  # (T + 1,)
    seconds: np.ndarray  # (T,)
    bytes: int  # of the state in the end

    @property
    def labels(self) -> np.ndarray:
        """(T,) the predicted class, -1 for none."""
        return decode_argmax(self.F, np.arange(self.F.shape[1]))

    @property
    def counts(self) -> np.ndarray:
        """(T + 1,) centroids."""
        return (self.births >= 0).sum(axis=1)

    @property
    def doublings(self) -> np.ndarray:
        """Steps at which the radius grew."""
        return np.flatnonzero(np.diff(self.radius) > 0) + 1


class StreamRun(Run):
    """The first `arrivals` of a stream, observed by several methods in turn, segment by segment.

    `methods` maps the name of each to its class and settings; `cached` remembers stages.
    """

    patience = 0.5

    def __init__(
        self,
        methods: Mapping[str, tuple[str, dict[str, Any]]],
        stream: Stream,
        arrivals: int,
        cached: Callable[[Callable[..., Any]], Callable[..., Any]],
    ):
        self._methods, self._stream, self._cached = methods, stream, cached
        end = min(stream.start + arrivals, len(stream.X))
        self._cuts = [*range(stream.start, end, SEGMENT), end]
        self.arrivals = end - stream.start
        self._parts: dict[str, tuple[tuple[Segment, int], ...]] = {}
        known = slice(0, stream.start)
        self._states: dict[str, State] = {}
        for name, (method, settings) in methods.items():
            state, first = cached(first_segment)(
                method, settings, stream.X[known], stream.target[known], stream.n_classes
            )
            self._states[name] = state
            self._parts[name] = ((first, _size(state)),)
        super().__init__(self._segments())
        self.total = len(methods) * (len(self._cuts) - 1)

    def _segments(self) -> Iterator[tuple[str, Segment, int]]:
        X, target, start = self._stream.X, self._stream.target, self._stream.start
        for a, b in pairwise(self._cuts):
            for name, (method, settings) in self._methods.items():
                state, segment = self._cached(next_segment)(
                    method, settings, self._states[name], X[a:b], target[a:b]
                )
                self._states[name] = state
                step = np.array([a - start + 1, 0, 0])
                moved = {
                    part: getattr(segment, part) + step for part in ("merges", "edges", "handed_on")
                }
                yield name, segment._replace(**moved), _size(state)

    def take(self, step: tuple[str, Segment, int] | None) -> None:
        if step is not None:
            name, segment, size = step
            self._parts[name] = (*self._parts[name], (segment, size))

    def recordings(self) -> dict[str, StreamRecording]:
        """What each method did with the arrivals that all of them have seen."""
        parts = dict(self._parts)
        count = min(map(len, parts.values()))
        return {name: _recording_of(segments[:count]) for name, segments in parts.items()}

    def status(self) -> str:
        """How many points have arrived."""
        count = min(map(len, self._parts.values())) - 1
        arrived = self._cuts[count] - self._stream.start
        if self.done:
            return f"{self.arrivals:,} points have arrived."
        return f"{arrived:,} of {self.arrivals:,} points have arrived."


def _recording_of(parts: tuple[tuple[Segment, int], ...]) -> StreamRecording:
    segments, sizes = zip(*parts, strict=True)
    joined = [np.concatenate(part) for part in zip(*segments, strict=True)]
    return StreamRecording._make([*joined, sizes[-1]])


def _size(state: State) -> int:
    return sum(part.nbytes for part in state.values())
