"""What an embedding is worth: classes read off it, on points it was fitted on and on unseen ones.

Models are handed in unfitted, labels as class indices with -1 where hidden, the truth beside them.
"""

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.embedding.ssrl_pl import SSRLPL
from sslviz.embedding.stages.performance_bound import performance_bound
from sslviz.labels import UNLABELLED, hide, one_hot
from sslviz.memo import stage
from sslviz.nearest_label import nearest_soft_mean, one_nn

PER_CLASS = (1, 2, 3, 5, 8, 12, 20, 32, 50, 100)  # labels revealed on the way to all of them


class Reading(NamedTuple):
    """What every point is said to be, in class indices."""

    nearest: np.ndarray  # (n,) the class of the nearest labelled point in the map
    mean: np.ndarray  # (n,) the class whose soft mean is nearest
    F: np.ndarray  # (n, C) the labels the map follows; zero rows where there is none

    def accuracy(self, truth: np.ndarray, among: np.ndarray) -> tuple[float, float]:
        """Share of right answers of either kind among the points of a mask."""
        return share(self.nearest == truth, among), share(self.mean == truth, among)


def share(right: np.ndarray, among: np.ndarray) -> float:
    """Share of a mask within another; nan if that is empty."""
    return float(right[among].mean()) if among.any() else np.nan


def read_off(model: Any, y: np.ndarray, n_classes: int) -> Reading:
    """Both readings of a fitted embedding; the nearest label is one of those in y."""
    F, Z = followed(model, y, n_classes), model.embedding_
    return Reading(one_nn(Z, y, Z), nearest_soft_mean(Z, F, Z), F)


def followed(model: Any, y: np.ndarray, n_classes: int) -> np.ndarray:
    """(n, C) the label distributions of the model, or the given labels where it has none."""
    if not hasattr(model, "label_distributions_"):
        return one_hot(y, np.arange(n_classes))
    F = np.zeros((len(y), n_classes))  # a class may have a name and no point
    F[:, model.classes_] = model.label_distributions_
    return F


def set_aside(y: np.ndarray, truth: np.ndarray, random_state: int) -> np.ndarray:
    """(n,) mask of every second hidden point of each class, drawn at random."""
    hidden = np.random.default_rng(random_state).permutation(np.flatnonzero(y == UNLABELLED))
    unseen = np.zeros(len(y), bool)
    unseen[hidden[np.argsort(truth[hidden], kind="stable")][1::2]] = True
    return unseen


class Trial(NamedTuple):
    """A map fitted without some of the points."""

    Z: np.ndarray  # (n, p) where it puts all of them
    nearest: tuple[float, float]  # accuracy on unlabelled and on unseen points, nearest label
    mean: tuple[float, float]  # the same, nearest mean


@stage("views")
def fit_without_unseen(
    model: Any, X: np.ndarray, y: np.ndarray, truth: np.ndarray, unseen: np.ndarray, told: bool
) -> Trial:
    """Fit without the unseen points and read off all of them.

    `told` fits with every label of the others; what is nearest is still looked for among y, so that
    only the map differs.
    """
    seen = ~unseen
    labels = truth[seen] if told else y[seen]
    model.fit(X[seen], labels)
    Z = np.empty((len(X), model.embedding_.shape[1]))
    Z[seen], Z[unseen] = model.embedding_, model.transform(X[unseen])
    F = followed(model, labels, int(truth.max()) + 1)
    readings = one_nn(Z, y, Z) == truth, nearest_soft_mean(Z[seen], F, Z) == truth
    groups = seen & (y == UNLABELLED), unseen
    nearest, mean = ((share(r, groups[0]), share(r, groups[1])) for r in readings)
    return Trial(Z, nearest, mean)


def procrustes_aligned(Z: np.ndarray, onto: np.ndarray) -> np.ndarray:
    """Z (n, p) turned and mirrored to lie on another map (n, q) as well as it can.

    Distances stay. Where one map has fewer coordinates, the others of the longer one are left.
    """
    Z, onto = Z - Z.mean(axis=0), onto - onto.mean(axis=0)
    onto = np.pad(onto, ((0, 0), (0, max(Z.shape[1] - onto.shape[1], 0))))
    U, _, Vt = np.linalg.svd(Z.T @ onto[:, : Z.shape[1]])
    return Z @ U @ Vt


def trials(
    candidates: dict[str, tuple[Any, bool]],
    X: np.ndarray,
    y: np.ndarray,
    truth: np.ndarray,
    unseen: np.ndarray,
) -> dict[str, Trial]:
    """Every candidate (model, told) tried, its map turned onto the first one as it is drawn."""
    found = {
        name: fit_without_unseen(m, X, y, truth, unseen, told)
        for name, (m, told) in candidates.items()
    }
    first = next(iter(found.values())).Z[:, :2]
    return {
        name: trial._replace(Z=procrustes_aligned(trial.Z[:, :2], first))
        for name, trial in found.items()
    }


def compared(
    models: dict[str, Any], X: np.ndarray, y: np.ndarray, truth: np.ndarray
) -> tuple[dict[str, float], dict[str, str]]:
    """Accuracy of each on the hidden points by the nearest label; why others cannot be fitted."""
    found, refused, hidden = {}, {}, y == UNLABELLED
    for name, model in models.items():
        try:
            Z = model.fit(X, y).embedding_
        except ValueError as error:
            refused[name] = str(error)
        else:
            nearest = check_memory(model.memory).cache(one_nn)(Z, y, Z)
            found[name] = share(nearest == truth, hidden)
    return found, refused


def nearest_given(Z: np.ndarray, y: np.ndarray, point: int) -> tuple[np.ndarray, np.ndarray]:
    """The labelled point nearest to another on a map, with weight 1."""
    known = np.flatnonzero(y != UNLABELLED)
    away = np.square(Z[known] - Z[point]).sum(axis=1)
    return known[[away.argmin()]], np.ones(1)


@stage("bounds")
def bounds_revealed(
    X: np.ndarray,
    truth: np.ndarray,
    *,
    n_neighbors: int,
    sigma_labels: float | str,
    labels: str,
    n_components: int,
    random_state: int,
) -> tuple[np.ndarray, np.ndarray, float]:
    """Numbers of labels (t,), the bound (gap, sharp, printed) at each (t, 3), and √f(V*). A stage.

    The points are shifted and scaled into the unit ball, where the printed bound is meant to hold;
    the labels are those of SSRL-PL, of which more and more are revealed.
    """
    ball = X - X.mean(axis=0, dtype=np.float64)
    radius = float(np.sqrt(np.square(ball).sum(axis=1).max()))
    ball /= max(radius, np.finfo(float).tiny)
    p = min(n_components, X.shape[1])
    counts, bounds = [], []
    for per_class in PER_CLASS:
        y = hide(truth, per_class=per_class, random_state=random_state)
        given = int((y != UNLABELLED).sum())
        if given == len(y):
            break
        k = min(n_neighbors, given)
        model = SSRLPL(1, k, sigma_labels=sigma_labels, labels=labels).fit(X, y)
        counts.append(given)
        bounds.append(performance_bound(ball, model.label_distributions_, truth, p))
    everything = SSRLPL(1, labels="all").fit(ball, truth)
    best = float(np.sqrt(everything.eigenvalues_[:p].sum()))
    return np.array(counts), np.array(bounds).reshape(-1, 3), best
