"""Films behind the fields: expectation and maximisation step by step, Kruskal edge by edge."""

from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

import sslviz

FRAMES = 24
FARTHEST = 300  # steps are looked at evenly in log time up to here


class Film(NamedTuple):
    """Some steps of a mixture; means and covariances are as wide as the map, or empty."""

    objective: np.ndarray  # of every step
    iterations: np.ndarray  # (t,) the steps kept, the last among them
    F: np.ndarray  # (t, n, C) opinions
    means: np.ndarray  # (t, C, 2)
    covariances: np.ndarray  # (t, C, 2, 2)
    scores: np.ndarray  # (t, m, C) log p(x, c) at the places


def clouds_recorded(
    parameters: dict[str, Any],
    X: np.ndarray,
    y: np.ndarray,
    points: np.ndarray,
    places: np.ndarray | None,
) -> Film:
    """The way of a SemiSupervisedGMM to its answer, from the supervised one. A stage.

    `places` (m, 2) is where the field is asked, for data of two features. Of more features a cloud
    is drawn as the points it holds lie on the map: their weighted mean and covariance there.
    """
    from sslviz.device import to_numpy

    model = sslviz.SemiSupervisedGMM(**parameters)
    wanted = {int(v) for v in np.rint(np.geomspace(1, FARTHEST, FRAMES))}
    objective: list[float] = []
    kept: list[Any] = []
    for step in model.steps(X, y):
        objective.append(step.objective)
        if kept and kept[-1].iteration not in wanted:
            kept.pop()  # it was the last until now
        # Covariances of many features are not drawn, and 24 of them would fill the memory.
        kept.append(step if X.shape[1] == 2 else step._replace(means=None, covariances=None))
    F = np.stack([to_numpy(s.F) for s in kept])
    if X.shape[1] == 2:
        means, covariances = (
            np.stack([to_numpy(a) for a in part])
            for part in ([s.means for s in kept], [s.covariances for s in kept])
        )
    else:
        moments = [_moments(points, f) for f in F]
        means, covariances = (np.stack(part) for part in zip(*moments, strict=True))
    asked = np.empty((len(kept), 0, F.shape[2]))
    if places is not None:
        weights = [to_numpy(s.weights) for s in kept]
        clouds = zip(means, covariances, weights, strict=True)
        asked = np.stack([_log_joint(places, *cloud) for cloud in clouds])
    iterations = np.array([s.iteration for s in kept])
    return Film(
        np.array(objective),
        iterations,
        F.astype(np.float32),
        means,
        covariances,
        asked.astype(np.float32),
    )


def _moments(points: np.ndarray, F: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means (C, p) and covariances (C, p, p) of points weighted by the columns of F (n, C)."""
    weight = np.maximum(F.sum(axis=0), np.finfo(float).tiny)
    means = F.T @ points / weight[:, None]
    Z = points[None] - means[:, None]
    return means, np.einsum("nc,cni,cnj->cij", F, Z, Z) / weight[:, None, None]


def _log_joint(
    Q: np.ndarray, means: np.ndarray, covariances: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """(m, C) log π_c N(q; μ_c, Σ_c) up to a constant."""
    Z = Q[None] - means[:, None]  # (C, m, 2)
    squares = np.einsum("cmi,cij,cmj->mc", Z, np.linalg.inv(covariances), Z)
    return np.log(weights) - 0.5 * np.linalg.slogdet(covariances)[1] - 0.5 * squares


class Joined(NamedTuple):
    """Kruskal's edges in order of length, up to the first that would join two classes."""

    edges: np.ndarray  # (2, m), the last one is not joined any more
    lengths: np.ndarray  # (m,)
    labels: np.ndarray  # (m, n) class that each point belongs to before the edge, -1 for none


def joined(X: np.ndarray, y: np.ndarray) -> Joined:
    """All edges of the shortest spanning tree, shortest first, until labels meet. A stage."""
    ends, lengths = _spanning_tree(cdist(X, X))
    order = np.argsort(lengths, kind="stable")
    ends, lengths = ends[:, order], lengths[order]
    part, label = np.arange(len(X)), np.asarray(y, np.int16)
    labels = []
    for a, b in ends.T:
        labels.append(label)
        if label[a] >= 0 and label[b] >= 0 and label[a] != label[b]:
            break
        both = (part == part[a]) | (part == part[b])
        part[both] = part[a]
        label = np.where(both, max(label[a], label[b]), label).astype(np.int16)
    m = len(labels)
    return Joined(ends[:, :m], lengths[:m], np.stack(labels))


def _spanning_tree(D: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Prim: ends (2, n - 1) and lengths of a shortest spanning tree of all pairs."""
    n = len(D)
    outside, via, reach = np.ones(n, bool), np.zeros(n, np.int64), D[0].copy()
    outside[0] = False
    ends, lengths = np.empty((2, n - 1), np.int64), np.empty(n - 1)
    for i in range(n - 1):
        new = int(np.where(outside, reach, np.inf).argmin())
        ends[:, i], lengths[i] = (via[new], new), reach[new]
        outside[new] = False
        closer = outside & (D[new] < reach)
        via[closer], reach[closer] = new, D[new][closer]
    return ends, lengths
