"""A course that a page watches: it learns in short slices, and what it said on its way is kept."""

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from sslviz.data.plane_grid import Plane
from sslviz.figures.maps.decision_field import margins_over_runner_up, shades
from sslviz.metrics import confident_argmax, match_clusters, matched_columns

REPAINT = 0.2  # seconds from one picture to the next
SLICE = (0.03, 0.15)  # of which it learns for so long, by how long drawing takes
LOOK = 0.05  # seconds of asking points in a picture
BLOCK = 500  # points asked at once
FRAMES = 60
BUDGET = 8_000_000  # bytes of all frames together
RECORDS = 300
AWAY = 5.0  # seconds between two slices after which nobody has been watching


class Moment(NamedTuple):
    """What the network said after some iterations."""

    iteration: int
    P: np.ndarray  # (n, C) chances of the points in 255ths
    order: np.ndarray  # (C,) colours of the clusters
    ground: np.ndarray | None  # (b, a) shades of the plane


class Record(NamedTuple):
    """What a slice was like."""

    iteration: int
    terms: tuple[float, ...]  # of the loss, on average over the slice
    used: int  # clusters that hold a point
    accuracy: float


class TrainingRecording:
    """A course, what it now says of all points, and some moments of its way.

    `order` (C,) are the colours that clusters begin with; `plane` is where else it is asked. With
    `then` the course is a first part that knows no clusters yet, and `then` makes the second of it.
    """

    def __init__(
        self,
        course: Any,
        truth: np.ndarray,
        classes: int,
        order: np.ndarray,
        plane: Plane | None = None,
        then: Callable[[Any], Any] | None = None,
    ):
        self.course, self.truth, self.plane, self.order = course, truth, plane, order
        self.then = then
        self.classes, self.clusters = classes, len(order)
        self.wide = max(classes, len(order))
        self.running, self.spent, self.slice = False, 0.0, SLICE[1]
        self.left = 0.0  # when the last slice ended
        self.learnt = False  # until then it says what its first weights say: nothing
        self.chart: tuple[float, Any] | None = None  # what a page drew of it, and when
        self.until: int | None = None  # an iteration to pause at
        self.P = np.zeros((len(truth), self.clusters))
        self._ground: np.ndarray | None = None
        self.moments: list[Moment] = []
        self.records: list[Record] = []
        self._next, self._stride, self._step = 0, 1, 1
        self.look(everywhere=True)

    @property
    def iteration(self) -> int:
        return self.course.iteration

    @property
    def iterations(self) -> int | None:
        """Iterations behind what it says; None where it says nothing yet."""
        return self.iteration if self.then is None else None

    @property
    def labels(self) -> np.ndarray:
        """(n,) clusters, numbered by the network."""
        return self.P.argmax(axis=1)

    @property
    def ground(self) -> np.ndarray | None:
        """(b, a) shades of the plane; None as long as nothing is learnt."""
        return self._ground if self.learnt else None

    @property
    def F(self) -> np.ndarray:
        """(n, colours) chances."""
        return matched_columns(self.P, self.order, self.wide)

    def done(self, epochs: int) -> bool:
        """Whether so many epochs are over, or nothing changes any more."""
        at_rest = self.iteration % self.course.per_epoch == 0 and self.course.objective.converged
        return self.then is None and (self.iteration >= self.total(epochs) or at_rest)

    def total(self, epochs: int) -> int:
        """Iterations of so many epochs."""
        return epochs * self.course.per_epoch

    @property
    def following(self) -> int:
        """The iteration at which the present epoch ends."""
        return (self.iteration // self.course.per_epoch + 1) * self.course.per_epoch

    def go(self, until: int | None = None) -> None:
        """Learn from now on, at most until this iteration."""
        self.running, self.until, self.left = True, until, perf_counter()

    def pause(self) -> None:
        """Learn no more, and ask all points."""
        self.running = False
        self.look(everywhere=True)

    def learn(self, epochs: int) -> None:
        """Learn for a slice and look; pause when there is no more to do."""
        begun, first = perf_counter(), self.iteration
        end = min(self.total(epochs), self.total(epochs) if self.until is None else self.until)
        total = np.zeros(len(self.course.objective.names))
        while not self._over(epochs, end) and (left := self.slice - (perf_counter() - begun)) > 0:
            room = min(self.following, end) - self.iteration
            count, start = max(1, min(self._step, room)), perf_counter()
            means = self.course.advance(count)
            total += count * np.array(list(means.values()))
            pace = max((perf_counter() - start) / count, 1e-6)
            self._step = max(1, int(min(left, self.slice / 3) / pace))
        self._spend(begun)
        if self.then is not None and self.iteration >= self.total(epochs):
            self._second(self.then)
        elif self._over(epochs, end):
            self.pause()
        else:
            self.look()
        self.learnt = self.then is None
        if (count := self.iteration - first) > 0:
            self._note(tuple((total / count).tolist()))

    def _spend(self, begun: float) -> None:
        """Count a slice, and what passed before it since the last one: looking and drawing."""
        now, between = perf_counter(), begun - self.left
        self.spent += now - begun + (between if between < AWAY else 0.0)
        self.left = now

    def _second(self, then: Callable[[Any], Any]) -> None:
        """Begin the second part, with what the first has learnt."""
        self.course, self.then, self.until = then(self.course), None, None
        self.moments, self.records, self.spent = [], [], 0.0
        self._stride = 1
        self.look(everywhere=True)

    def took(self, seconds: float) -> None:
        """So long took a picture with the learning before it: learn longer or less next time."""
        drawing = seconds - self.slice
        self.slice = float(np.clip((self.slice + REPAINT - drawing) / 2, *SLICE))

    def _over(self, epochs: int, end: int) -> bool:
        return self.done(epochs) or self.iteration >= end

    def look(self, everywhere: bool = False) -> None:
        """Ask the plane and some of the points, in turn; or all of them."""
        if self.then is not None:
            return
        begun, answer, n = perf_counter(), self.course.snapshot(), len(self.truth)
        for _ in range(-(-n // BLOCK)):
            at = slice(self._next, self._next + BLOCK)
            self.P[at] = answer(self.course.X[at])
            self._next = self._next + BLOCK if self._next + BLOCK < n else 0
            if not everywhere and perf_counter() - begun > LOOK:
                break
        self._match()
        if self.plane is not None:
            said = matched_columns(answer(self.plane.places), self.order, self.wide)
            self._ground = shades(self.plane.cells(margins_over_runner_up(said)), 1.0)
        self._keep()

    def _match(self) -> None:
        """Colours by the points that have an opinion, the others only guess."""
        sure = confident_argmax(self.P).any(axis=1)
        labels, truth = self.labels[sure], self.truth[sure]
        self.order = match_clusters(labels, truth, self.clusters, self.classes, self.order)

    @property
    def used(self) -> int:
        return len(np.unique(self.labels))

    @property
    def accuracy(self) -> float:
        """Share of points in the cluster that is matched to their class."""
        best = match_clusters(self.labels, self.truth, self.clusters, self.classes, None)
        return float((best[self.labels] == self.truth).mean())

    @property
    def pace(self) -> float:
        """Seconds from one iteration to the next while it runs, drawing included; 0 before."""
        return self.spent / max(self.iteration, 1)

    def _note(self, terms: tuple[float, ...]) -> None:
        self.records.append(Record(self.iteration, terms, self.used, self.accuracy))
        if len(self.records) > RECORDS:
            del self.records[1:-1:2]

    def _keep(self) -> None:
        """Add a moment, evenly spaced; the newest is always among them."""
        size = self.P.size + (0 if self._ground is None else self._ground.nbytes)
        most = int(np.clip(BUDGET // size, 2, FRAMES))
        if len(self.moments) > 1:
            before, last = self.moments[-2:]
            if last.iteration - before.iteration < self._stride:
                self.moments.pop()
        chances = np.rint(255 * self.P).astype(np.uint8)
        self.moments.append(Moment(self.iteration, chances, self.order, self._ground))
        if len(self.moments) > most:
            del self.moments[1:-1:2]
            self._stride = self.iteration // (len(self.moments) - 1)
