"""Which point to label next: several rules, each with its reason."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sslviz.graph.neighbours import knn_lists
from sslviz.labels import UNLABELLED
from sslviz.memo import stage
from sslviz.propagation.active_learning import MAX_UNLABELLED, questions
from sslviz.propagation.label_propagation import LabelPropagation

NEIGHBOURS = 10
WITHOUT_LABELS = ("densest region", "largest hub")  # rules that look at the points only


class NextLabel(NamedTuple):
    """A point, and why its label is wanted."""

    point: int
    reason: str


def _expected_risk(X: np.ndarray, y: np.ndarray) -> NextLabel:
    if (y == UNLABELLED).sum() > MAX_UNLABELLED:
        raise ValueError(
            f"the expected risk needs all pairs of unlabelled points, at most {MAX_UNLABELLED:,}: "
            "show fewer points or choose another rule"
        )
    model = LabelPropagation().fit(X, y)
    before = next(iter(questions(model, y, "expected risk", 0)))
    point = int(np.nanargmax(before.help))
    return NextLabel(
        point,
        f"Its label is expected to correct {before.help[point]:.1f} of about {before.risk:.0f} "
        "wrong predictions of label propagation.",
    )


def _margin(X: np.ndarray, y: np.ndarray) -> NextLabel:
    F = np.sort(LabelPropagation().fit(X, y).label_distributions_, axis=1)
    point = int(np.where(y == UNLABELLED, F[:, -1] - F[:, -2], np.inf).argmin())
    if F[point, -1] == 0:
        return NextLabel(point, "No label reaches it: its part of the graph has none.")
    return NextLabel(
        point,
        f"Label propagation cannot decide: its two most probable classes have {F[point, -1]:.0%} "
        f"and {F[point, -2]:.0%}.",
    )


def _density(X: np.ndarray, y: np.ndarray) -> NextLabel:
    near, d = knn_lists(X, min(NEIGHBOURS, len(X) - 1))
    covered = (y[near] != UNLABELLED).any(axis=1) | (y != UNLABELLED)
    free = ~covered if (~covered).any() else y == UNLABELLED
    point = int(np.where(free, d.mean(axis=1), np.inf).argmin())
    return NextLabel(
        point,
        f"It lies in the densest region without a label: its {near.shape[1]} neighbours are "
        f"{d[point].mean():.3g} away on average, {np.median(d.mean(axis=1)):.3g} is usual.",
    )


def _hub(X: np.ndarray, y: np.ndarray) -> NextLabel:
    near, _ = knn_lists(X, min(NEIGHBOURS, len(X) - 1))
    count = np.bincount(near.ravel(), minlength=len(X))
    point = int(np.where(y == UNLABELLED, count, -1).argmax())
    return NextLabel(
        point,
        f"It is the largest hub without a label: {count[point]} points have it among their "
        f"{near.shape[1]} nearest neighbours, so its label reaches many.",
    )


RULES: dict[str, Callable[[np.ndarray, np.ndarray], NextLabel]] = {
    "expected risk": _expected_risk,
    "smallest margin": _margin,
    "densest region": _density,
    "largest hub": _hub,
}


@stage("next label")
def next_label(X: np.ndarray, y: np.ndarray, rule: str) -> NextLabel:
    """The unlabelled point to label next by one of the RULES."""
    if not (y == UNLABELLED).any():
        raise ValueError("every point has a label")
    if rule not in WITHOUT_LABELS and len(np.unique(y[y != UNLABELLED])) < 2:
        raise ValueError(
            f"{rule} needs labels of two classes: begin with {' or '.join(WITHOUT_LABELS)}"
        )
    return RULES[rule](X, y)
