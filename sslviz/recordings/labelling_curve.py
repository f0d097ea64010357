"""Random labelling as a run: draw by draw, the accuracy with more and more random labels."""

from typing import Any, NamedTuple

import numpy as np

from sslviz.experiments.labelling_curve import DRAWS, Measured, random_curves
from sslviz.recordings.run import Run

FEWEST_DRAWS = 3  # for a band


class Band(NamedTuple):
    """Accuracy of random labelling at some numbers of labels: 10%, median and 90% of draws."""

    labels: np.ndarray
    low: np.ndarray
    median: np.ndarray
    high: np.ndarray
    draws: int


class RandomLabellingRun(Run):
    """Draws of random labels, all from the same first labels."""

    def __init__(
        self,
        method: str,
        X: np.ndarray,
        drawn: np.ndarray,
        truth: np.ndarray,
        sizes: list[int],
        memory: Any,
    ):
        self.sizes = sizes
        self.found: list[tuple[int, Measured]] = []
        self.total = DRAWS * len(sizes)
        super().__init__(random_curves(method, X, drawn, truth, sizes, memory))

    def take(self, step: tuple[int, Measured] | None) -> None:
        if step is not None:
            self.found = [*self.found, step]  # other threads may be reading the old list

    @property
    def draws(self) -> int:
        """Draws that are complete."""
        return len(self.found) // len(self.sizes) if self.sizes else 0

    def band(self) -> Band | None:
        """The band of the complete draws; None while there are too few."""
        draws, found = self.draws, self.found
        if draws < FEWEST_DRAWS:
            return None
        shares = np.array([m.accuracy for _, m in found[: draws * len(self.sizes)]])
        low, median, high = np.percentile(shares.reshape(draws, -1), (10, 50, 90), axis=0)
        labels = np.array([m.labels for _, m in found[: len(self.sizes)]])
        return Band(labels, low, median, high, draws)

    def status(self) -> str:
        """How far the draws are."""
        verb = "" if self.done else "Stopped after " if self.paused else "Random labels: "
        return f"{verb}{self.draws} of {DRAWS} draws."
