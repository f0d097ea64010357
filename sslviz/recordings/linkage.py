"""Clusters being merged, as a run: which points belong together at each number of clusters."""

from typing import Any, NamedTuple

import numpy as np

from sslviz.metrics import match_clusters
from sslviz.recordings.clustering import Moment
from sslviz.recordings.frames import Frames, frame_count
from sslviz.recordings.run import Run
from sslviz.recordings.training import (
    FRAME_NUMBERS,
    FRAMES,
    FRAMES_KEPT_AT_LEAST,
    LOSSES,
    compact_shares,
)


class MergeScore(NamedTuple):
    """After a merge or an epoch: what the chart shows."""

    iteration: int
    n_clusters: int
    accuracy: float  # of all clusters, each matched to at most one class
    loss: float  # of an epoch; nan after a merge


class Period(NamedTuple):
    """Features in which a period of merging took place, and the clusters at its end."""

    features: np.ndarray  # (n, p)
    labels: np.ndarray  # (n,)


class LinkageRun(Run):
    """The merges of a method on X; `moment` has the C largest clusters, other points have none.

    Frames are kept at numbers of clusters that fall geometrically, as the last merges matter most.
    `places` (m, d) is where the finished model predicts.
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
        self.moment = Moment(0, np.zeros((len(X), C)), np.arange(C))
        self.periods: list[Period] = []
        self.first = 0  # clusters before the first merge
        self._step: Any = None
        self._wanted: set[int] = set()
        super().__init__(model.merging(X))

    @property
    def has_clusters(self) -> bool:
        return self._step is not None

    def take(self, step: Any | None) -> None:
        if step is None:
            self._finish_moment()
            return
        if not self.first:
            self.first = step.n_clusters + 1
            counts = np.geomspace(self._model.n_clusters, self.first, self._most)
            self._wanted = {int(v) for v in np.rint(counts)} - {self._model.n_clusters}
        if step.period > len(self.periods):
            self.periods.append(Period(step.features, step.labels))
        elif not step.learning:
            self.periods[-1] = Period(step.features, step.labels)
        self._step = step
        loss = step.objective if step.learning else np.nan
        self.losses.add(
            step.iteration, MergeScore(step.iteration, step.n_clusters, self._accuracy(), loss)
        )
        if not step.learning and step.n_clusters in self._wanted:
            self._keep(None)

    def _finish_moment(self) -> None:
        """The final clusters, and their regions."""
        field = None
        if self._places is not None:
            labels = self._model.predict(self._places)
            field = compact_shares(np.eye(self._model.n_clusters)[labels])
        self._keep(field)

    def _keep(self, field: np.ndarray | None) -> None:
        step, C = self._step, self._model.n_clusters
        P = np.vstack([np.eye(C), np.zeros(C)])[np.minimum(step.labels, C)]
        shown = step.labels < C
        order = match_clusters(
            step.labels[shown], self._truth[shown], C, self._n_classes, self.moment.order
        )
        name = f"{step.n_clusters:,} clusters"
        self.moment = Moment(step.iteration, P, order, field, name=name)
        if field is None and self._places is not None:  # no regions in this frame
            field = np.zeros((len(self._places), C), np.uint8)
        self.frames.add(step.iteration, self.moment._replace(P=compact_shares(P), field=field))

    def _accuracy(self) -> float:
        labels, known = self._step.labels, self._truth >= 0
        count = self._step.n_clusters
        best = match_clusters(labels, self._truth, count, self._n_classes, None)
        right = (best[labels] == self._truth)[known]
        return float(right.mean()) if len(right) else np.nan

    @property
    def accuracy(self) -> float:
        """Of the present clusters; nan if no class is known."""
        return self.losses.frames[-1].accuracy

    @property
    def iteration(self) -> int:
        """Merges and epochs so far."""
        return 0 if self._step is None else self._step.iteration

    @property
    def share(self) -> float:
        if self.done or self._step is None:
            return float(self.done)
        left, C = self._step.n_clusters, self._model.n_clusters
        return (self.first - left) / max(self.first - C, 1)

    def status(self) -> str:
        if self._step is None:
            return "Not merged yet."
        left = f"{self._step.n_clusters:,} clusters"
        if self.done:
            return f"Merged from {self.first:,} to {left}."
        if self.paused:
            return f"Stopped at {left}."
        epoch = f"**Learning features** from {left}, period {self._step.period}."
        return epoch if self._step.learning else f"**Merging:** {left} of {self.first:,} are left."

    def settle(self) -> Any:
        """The fitted model once all merges are done; None before."""
        return self._model if self.done else None
