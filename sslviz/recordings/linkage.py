"""Clusters being merged, as a run: which points belong together at each number of clusters.

While features are learnt between the merges, the run shows where they have moved the points.
"""

from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from sslviz.metrics import match_clusters
from sslviz.recordings.clustering import Moment
from sslviz.recordings.frames import Frames, frame_count
from sslviz.recordings.principal_axes import unit_plane
from sslviz.recordings.run import Run
from sslviz.recordings.training import (
    FRAME_NUMBERS,
    FRAMES,
    FRAMES_KEPT_AT_LEAST,
    LOSSES,
    compact_shares,
)

SHORTEST_VIEW = 0.12  # seconds between two looks at features that are being learnt


class MergeScore(NamedTuple):
    """After a merge or an epoch: what the chart shows."""

    iteration: int
    n_clusters: int
    accuracy: float  # of all clusters, each matched to at most one class
    loss: float  # of an epoch; nan after a merge


class Progress(NamedTuple):
    """Where the run is."""

    iteration: int  # merges and epochs so far
    n_clusters: int
    period: int  # of merging and learning, from 1
    learning: bool


class LinkageRun(Run):
    """The merges of a method on X; `moment` has the C largest clusters, other points have none.

    Frames are kept at numbers of clusters that fall geometrically, as the last merges matter most.
    A method that learns has `features` in the picture of every moment: (n, 2) where neighbours are
    found. `places` (m, d) is where the finished model predicts.
    """

    ready = False

    def __init__(
        self, model: Any, X: np.ndarray, truth: np.ndarray, n_classes: int,
        places: np.ndarray | None = None,
    ):  # fmt: skip
        self._model, self._X, self._truth, self._places = model, X, truth, places
        self._n_classes, C = n_classes, model.n_clusters
        self._most = frame_count(len(X) * C, FRAME_NUMBERS, FRAMES_KEPT_AT_LEAST, FRAMES)
        self.frames, self.losses = Frames(self._most + 2), Frames(LOSSES)
        self._no_field = None if places is None else np.zeros((len(places), C), np.uint8)
        self._first_plane = unit_plane(X)
        self._plane, self._period, self._plane_time = self._first_plane, 1, -np.inf
        self.moment = Moment(0, np.zeros((len(X), C)), np.arange(C), picture=self._picture())
        self.first = 0  # clusters before the first merge
        self._now: Progress | None = None
        self._wanted: set[int] = set()
        super().__init__(model.merging(X))

    def _picture(self) -> dict[str, np.ndarray]:
        return {"features": self._plane} if self._model.learn else {}

    @property
    def has_clusters(self) -> bool:
        return self._now is not None

    def take(self, step: Any | None) -> None:
        if step is None:
            self._finish_moment()
            return
        C = self._model.n_clusters
        if not self.first:
            self.first = step.n_clusters + 1
            counts = np.geomspace(C, self.first, self._most)
            self._wanted = {int(v) for v in np.rint(counts)} - {C}
        self._now = Progress(step.iteration, step.n_clusters, step.period, step.learning)
        self._renew_plane(step)
        loss = step.objective if step.learning else np.nan
        accuracy = self._accuracy(step.labels)
        self.losses.add(step.iteration, MergeScore(step.iteration, step.n_clusters, accuracy, loss))
        P = np.vstack([np.eye(C), np.zeros(C)])[np.minimum(step.labels, C)]
        shown = step.labels < C
        order = match_clusters(
            step.labels[shown], self._truth[shown], C, self._n_classes, self.moment.order
        )
        name = f"{step.n_clusters:,} clusters"
        self.moment = Moment(step.iteration, P, order, None, self._picture(), name)
        if not step.learning and step.n_clusters in self._wanted:
            self._keep(self._no_field)

    def _renew_plane(self, step: Any) -> None:
        """Where the features put the points; during an epoch no oftener than it is drawn."""
        if not self._model.learn:
            return
        if step.learning and monotonic() - self._plane_time > SHORTEST_VIEW:
            self._plane = unit_plane(step.learner.features()(self._X), self._first_plane)
            self._plane_time = monotonic()
        elif not step.learning and step.period > self._period:
            self._plane = unit_plane(step.features, self._first_plane)
            self._period = step.period

    def _finish_moment(self) -> None:
        """The final clusters, and their regions."""
        field = None
        if self._places is not None:
            labels = self._model.predict(self._places)
            field = compact_shares(np.eye(self._model.n_clusters)[labels])
        self.moment = self.moment._replace(field=field)
        self._keep(field)

    def _keep(self, field: np.ndarray | None) -> None:
        """A frame of the present moment."""
        P = compact_shares(self.moment.P)
        self.frames.add(self.moment.iteration, self.moment._replace(P=P, field=field))

    def _accuracy(self, labels: np.ndarray) -> float:
        known = self._truth >= 0
        best = match_clusters(labels, self._truth, int(labels.max()) + 1, self._n_classes, None)
        right = (best[labels] == self._truth)[known]
        return float(right.mean()) if len(right) else np.nan

    @property
    def accuracy(self) -> float:
        """Of the present clusters; nan if no class is known."""
        return self.losses.frames[-1].accuracy

    @property
    def iteration(self) -> int:
        """Merges and epochs so far."""
        return 0 if self._now is None else self._now.iteration

    @property
    def share(self) -> float:
        if self.done or self._now is None:
            return float(self.done)
        left, C = self._now.n_clusters, self._model.n_clusters
        return (self.first - left) / max(self.first - C, 1)

    def status(self) -> str:
        if self._now is None:
            return "Not merged yet."
        left = f"{self._now.n_clusters:,} clusters"
        if self.done:
            return f"Merged from {self.first:,} to {left}."
        if self.paused:
            return f"Stopped at {left}."
        epoch = f"**Learning features** from {left}, period {self._now.period}."
        return epoch if self._now.learning else f"**Merging:** {left} of {self.first:,} are left."

    def settle(self) -> Any:
        """The fitted model once all merges are done; None before."""
        return self._model if self.done else None
