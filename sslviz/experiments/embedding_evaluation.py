"""Evaluation of embeddings: accuracy of simple classifiers on the embedded points.

The classifiers are 1-NN and nearest class mean, applied to points the embedding was fitted on and
to unseen ones. Models are passed unfitted, labels as class indices with -1 where hidden, `truth`
are all labels, -1 where the class is unknown: accuracies leave such points out.
"""

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.abilities import SoftLabels
from sslviz.embedding.ssrl_pl import SSRLPL
from sslviz.embedding.stages.performance_bound import (
    bayes_error_range,
    bound_by_errors,
    one_nn_error_bound,
    performance_bound,
)
from sslviz.graph.neighbours import nearest
from sslviz.labels import UNLABELLED, hide, one_hot
from sslviz.memo import stage
from sslviz.nearest_label import nearest_soft_mean, one_nn

REVEALED_PER_CLASS = (1, 2, 3, 5, 8, 12, 20, 32, 50, 100)  # labels given, step by step


class Reading(NamedTuple):
    """Predicted classes of all points, as class indices."""

    nearest: np.ndarray  # (n,) class of the nearest labelled point in the embedding
    mean: np.ndarray  # (n,) class whose mean, weighted by F, is nearest
    F: np.ndarray  # (n, C) label distributions of the model; zero rows where it has none

    def accuracy(self, truth: np.ndarray, among: np.ndarray) -> tuple[float, float]:
        """Accuracy of both classifiers on the points of a mask."""
        return accuracy_on(self.nearest == truth, among), accuracy_on(self.mean == truth, among)


def accuracy_on(right: np.ndarray, among: np.ndarray) -> float:
    """Share of a mask within another; nan if the other is empty."""
    return float(right[among].mean()) if among.any() else np.nan


def classify(model: Any, y: np.ndarray, n_classes: int) -> Reading:
    """Predictions of both classifiers from a fitted embedding and the labels y."""
    F, Z = label_matrix(model, y, n_classes), model.embedding_
    return Reading(one_nn(Z, y, Z), nearest_soft_mean(Z, F, Z), F)


def label_matrix(model: Any, y: np.ndarray, n_classes: int) -> np.ndarray:
    """(n, C) label distributions of the model; the given labels where it has none."""
    if not isinstance(model, SoftLabels):
        return one_hot(y, np.arange(n_classes))
    F = np.zeros((len(y), n_classes))  # a named class may have no points
    F[:, model.classes_] = model.label_distributions_
    return F


def set_aside(y: np.ndarray, truth: np.ndarray, random_state: int) -> np.ndarray:
    """(n,) mask of half of the hidden points of each class, at random."""
    hidden = np.random.default_rng(random_state).permutation(np.flatnonzero(y == UNLABELLED))
    unseen = np.zeros(len(y), bool)
    unseen[hidden[np.argsort(truth[hidden], kind="stable")][1::2]] = True
    return unseen


class EmbeddingTrial(NamedTuple):
    """An embedding fitted without some of the points."""

    Z: np.ndarray  # (n, p) all points embedded
    nearest: tuple[float, float]  # accuracy of 1-NN on unlabelled and on unseen points
    mean: tuple[float, float]  # accuracy of the nearest class mean, on both


@stage("views")
def fit_without_unseen(
    model: Any, X: np.ndarray, y: np.ndarray, truth: np.ndarray, unseen: np.ndarray, told: bool
) -> EmbeddingTrial:
    """Fit without the unseen points, embed all points and score both groups.

    `told` fits with the true labels of all seen points; 1-NN still uses the labels of y, so that
    only the embedding differs.
    """
    seen = ~unseen
    labels = truth[seen] if told else y[seen]
    model.fit(X[seen], labels)
    Z = np.empty((len(X), model.embedding_.shape[1]))
    Z[seen], Z[unseen] = model.embedding_, model.transform(X[unseen])
    F = label_matrix(model, labels, int(max(truth.max(), y.max())) + 1)
    readings = one_nn(Z, y, Z) == truth, nearest_soft_mean(Z[seen], F, Z) == truth
    known = truth != UNLABELLED
    groups = seen & (y == UNLABELLED) & known, unseen & known
    nearest, mean = ((accuracy_on(r, groups[0]), accuracy_on(r, groups[1])) for r in readings)
    return EmbeddingTrial(Z, nearest, mean)


def procrustes_aligned(Z: np.ndarray, onto: np.ndarray) -> np.ndarray:
    """Z (n, p) rotated and reflected to match another embedding (n, q) in least squares.

    Distances are kept. If the numbers of coordinates differ, the shorter one is filled with zeros.
    """
    Z, onto = Z - Z.mean(axis=0), onto - onto.mean(axis=0)
    onto = np.pad(onto, ((0, 0), (0, max(Z.shape[1] - onto.shape[1], 0))))
    U, _, Vt = np.linalg.svd(Z.T @ onto[:, : Z.shape[1]])
    return Z @ U @ Vt


def unseen_trials(
    candidates: dict[str, tuple[Any, bool]],
    X: np.ndarray,
    y: np.ndarray,
    truth: np.ndarray,
    unseen: np.ndarray,
) -> dict[str, EmbeddingTrial]:
    """Fit every candidate (model, told) and align its first two coordinates with the first one."""
    found = {
        name: fit_without_unseen(m, X, y, truth, unseen, told)
        for name, (m, told) in candidates.items()
    }
    first = next(iter(found.values())).Z[:, :2]
    return {
        name: trial._replace(Z=procrustes_aligned(trial.Z[:, :2], first))
        for name, trial in found.items()
    }


def one_nn_accuracies(
    models: dict[str, Any], X: np.ndarray, y: np.ndarray, truth: np.ndarray
) -> tuple[dict[str, float], dict[str, str]]:
    """1-NN accuracy of each embedding on the hidden points; error messages of the others."""
    found, refused, hidden = {}, {}, (y == UNLABELLED) & (truth != UNLABELLED)
    for name, model in models.items():
        try:
            Z = model.fit(X, y).embedding_
        except ValueError as error:
            refused[name] = str(error)
        else:
            nearest = check_memory(model.memory).cache(one_nn)(Z, y, Z)
            found[name] = accuracy_on(nearest == truth, hidden)
    return found, refused


def nearest_given(Z: np.ndarray, y: np.ndarray, point: int) -> tuple[np.ndarray, np.ndarray]:
    """The labelled point nearest to `point` in the embedding, and its weight 1."""
    known = np.flatnonzero(y != UNLABELLED)
    squares = np.square(Z[known] - Z[point]).sum(axis=1)
    return known[[squares.argmin()]], np.ones(1)


class RevealedBounds(NamedTuple):
    """Bounds of SSRL-PL while more and more labels are given."""

    counts: np.ndarray  # (t,) numbers of labels
    bounds: np.ndarray  # (t, 3) gap, sharp, printed
    best: float  # √f(V*)
    in_the_limit: np.ndarray  # (t,) Theorem 3 with the error of 1-NN by Eq. 21, δ = 0
    bayes_errors: tuple[float, float]  # smallest and largest estimate


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
) -> RevealedBounds:
    """The bounds for more and more labels given to SSRL-PL. A stage.

    The points are shifted and scaled into the unit ball, where the printed bound is stated. The
    Bayes error of Eq. 21 is not known: in its place stands its largest estimate, the error of 1-NN
    with the labels of all other points.
    """
    ball = X - X.mean(axis=0, dtype=np.float64)
    radius = float(np.sqrt(np.square(ball).sum(axis=1).max()))
    ball /= max(radius, np.finfo(float).tiny)
    p = min(n_components, X.shape[1])
    counts, bounds = [], []
    for per_class in REVEALED_PER_CLASS:
        y = hide(truth, per_class=per_class, random_state=random_state)
        given = int((y != UNLABELLED).sum())
        if given == len(y):
            break
        k = min(n_neighbors, given)
        model = SSRLPL(1, k, sigma_labels=sigma_labels, labels=labels).fit(X, y)
        counts.append(given)
        bounds.append(performance_bound(ball, model.label_distributions_, truth, p))
    all_labels = SSRLPL(1, labels="all").fit(ball, truth)
    best = float(np.sqrt(all_labels.eigenvalues_[:p].sum()))
    bayes = bayes_error_range(_leave_one_out_error(X, truth), n_classes := len(np.unique(truth)))
    errors = (len(X) - np.array(counts)) * one_nn_error_bound(bayes[1], n_classes)
    limit = bound_by_errors(errors, len(X))
    return RevealedBounds(np.array(counts), np.array(bounds).reshape(-1, 3), best, limit, bayes)


def _leave_one_out_error(X: np.ndarray, truth: np.ndarray) -> float:
    """Share of the points whose nearest other point is of another class."""
    return float((truth[nearest(X, X, 1, skip_self=True)[0][:, 0]] != truth).mean())
