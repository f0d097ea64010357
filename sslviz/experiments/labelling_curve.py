"""Accuracy against the number of labels: of labels given one after another, and of random ones."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

import sslviz
from sslviz.experiments.comparison import MethodSpec
from sslviz.labels import UNLABELLED
from sslviz.memo import stage

# Methods quick enough to be fitted after every label; "" is 1-NN on the labelled points.
METHODS = {
    "label propagation": "LabelPropagation",
    "label spreading": "LabelSpreading",
    "geodesic kNN": "GeodesicKNN",
    "1-NN": "",
}
DRAWS = 20  # of random labels
POINTS_OF_CURVE = 40  # of more labels given by hand only some are measured
SIZES = (0, 1, 2, 3, 5, 7, 10, 14, 20, 28, 40, 56, 80, 113, 160, 226, 320, 453, 640)
HELD_OUT_LEAST = 5  # points of known class that stay without a label


class Measured(NamedTuple):
    """The accuracy with a number of labels, on the points of known class without one."""

    labels: int
    accuracy: float


@stage("accuracy of labels")
def labelled_accuracy(
    method: str, X: np.ndarray, y: np.ndarray, truth: np.ndarray, *, memory: Any = None
) -> float:
    """The share of right predictions on points of known class without a label; nan if none."""
    held_out = (y == UNLABELLED) & (truth != UNLABELLED)
    if not held_out.any():
        return float("nan")
    spec = MethodSpec(method, getattr(sslviz, method) if method else None, {})
    return float((spec.answer(X, y, memory) == truth)[held_out].mean())


def measured_steps(count: int) -> list[int]:
    """After how many of `count` labels the accuracy is measured: all, or every 2nd, 4th, … one.

    A step that is measured stays so while labels are added, but for halving their number.
    """
    stride = 1
    while count // stride > POINTS_OF_CURVE:
        stride *= 2
    return sorted({*range(0, count + 1, stride), count})


def labels_after(drawn: np.ndarray, by_hand: Mapping[int, int], count: int) -> np.ndarray:
    """(n,) the drawn labels and the first `count` of those given by hand, in their order."""
    y, first = drawn.copy(), list(by_hand.items())[:count]
    y[[point for point, _ in first]] = [c for _, c in first]
    return y


def hand_curve(
    method: str,
    X: np.ndarray,
    drawn: np.ndarray,
    by_hand: Mapping[int, int],
    truth: np.ndarray,
    memory: Any,
) -> list[Measured]:
    """The accuracy after the labels by hand, one after another; `memory` keeps those before."""
    accuracy = memory.cache(labelled_accuracy, ignore=["memory"])
    found = []
    for count in measured_steps(len(by_hand)):
        y = labels_after(drawn, by_hand, count)
        share = accuracy(method, X, y, truth, memory=memory)
        found.append(Measured(int((y != UNLABELLED).sum()), share))
    return found


def random_sizes(drawn: np.ndarray, truth: np.ndarray, by_hand: int) -> list[int]:
    """How many random labels are added: up to at least `by_hand`, while enough are held out."""
    room = int(((drawn == UNLABELLED) & (truth != UNLABELLED)).sum()) - HELD_OUT_LEAST
    wanted = next((size for size in SIZES if size >= max(by_hand, 10)), SIZES[-1])
    return [size for size in SIZES if size <= min(wanted, room)]


def random_curves(
    method: str, X: np.ndarray, drawn: np.ndarray, truth: np.ndarray, sizes: list[int], memory: Any
) -> Iterator[tuple[int, Measured]]:
    """Draw by draw, the accuracy after so many random labels of points of known class."""
    accuracy = memory.cache(labelled_accuracy, ignore=["memory"])
    free = np.flatnonzero((drawn == UNLABELLED) & (truth != UNLABELLED))
    for draw in range(DRAWS):
        order = np.random.default_rng(draw).permutation(free)
        for size in sizes:
            y = drawn.copy()
            y[order[:size]] = truth[order[:size]]
            share = accuracy(method, X, y, truth, memory=memory)
            yield draw, Measured(int((y != UNLABELLED).sum()), share)
