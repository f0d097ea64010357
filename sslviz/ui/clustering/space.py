"""The space in which clusters are found: eigenvectors of hubs or points, or codes of a network."""

from typing import Any, NamedTuple

import numpy as np

from sslviz.abilities import Embeds, Encodes
from sslviz.recordings.principal_axes import principal_axes

SPACE_POINTS = 3000  # drawn


class ClusterSpace(NamedTuple):
    """The space in which the clusters are found: by k-means, or from its centres on by training."""

    places: np.ndarray  # (m, 2 or 3)
    P: np.ndarray  # (m, C) cluster probabilities
    points: np.ndarray  # (m,) their numbers
    centres: np.ndarray | None  # (C, 2 or 3)
    meaning: str
    trained: bool  # the centres, after k-means


def cluster_space(fitted: Any, hubs: Any, P: np.ndarray) -> ClusterSpace | None:
    """Eigenvectors of the hubs, codes, or learnt functions; else None."""
    points, centres, n_axes = np.arange(len(P)), None, 3
    trained = hubs is None and isinstance(fitted, Encodes)
    if hubs is not None:
        E, P, points, centres = hubs.U, hubs.Q, hubs.hubs, hubs.centres
        meaning = "Hubs at their coordinates in the leading eigenvectors of the hub graph"
    elif isinstance(fitted, Encodes):
        E, centres, meaning = fitted.codes_, fitted.centres_, "Codes of the points"
        n_axes = 2  # in a plane no group hides its centre
    elif isinstance(fitted, Embeds):
        E, meaning = fitted.embedding_, "Points at their coordinates in the leading eigenvectors"
    else:
        return None
    kept = np.linspace(0, len(E) - 1, min(len(E), SPACE_POINTS)).astype(int)
    axes, mean = principal_axes(E, n_axes)
    if E.shape[1] > n_axes:
        count = ("two", "three")[n_axes - 2]
        meaning += f" (the first {count} principal axes of {E.shape[1]} coordinates)"
    return ClusterSpace(
        (E[kept] - mean) @ axes,
        P[kept],
        points[kept],
        None if centres is None else (centres - mean) @ axes,
        meaning,
        trained,
    )
