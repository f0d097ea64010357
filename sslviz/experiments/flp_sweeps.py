"""Sweeps of FLP: its three modes and other projections over kernel widths and dimensions.

Models are passed unfitted, labels as class indices with -1 where hidden, `truth` are all labels,
-1 where the class is unknown: accuracies leave such points out.
"""

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, clone

from sslviz.embedding.flp import FLP
from sslviz.embedding.lda import LabelledLDA
from sslviz.embedding.nca import LabelledNCA
from sslviz.embedding.sda import SDA
from sslviz.experiments.embedding_evaluation import accuracy_on, one_nn_accuracies
from sslviz.labels import UNLABELLED, known_classes
from sslviz.nearest_label import one_nn

DIMENSION_COUNT = 6  # values of p in a sweep
MIN_INFLUENCE = 0.01  # of the mean influence: below it a point no longer affects others
MODE_TITLES = {"recipe": "FLP", "fixed": "FLP, A fixed", "printed": "FLP as printed"}


def in_all_modes(model: FLP) -> dict[str, FLP]:
    """The model in its three modes, by title; the random start of "printed" is always the same."""
    seed = {"random_state": model.random_state or 0}
    return {
        title: clone(model).set_params(mode=mode, **(seed if mode == "printed" else {}))
        for mode, title in MODE_TITLES.items()
    }


def other_projections(
    y: np.ndarray, n_components: int | None = None, memory: Any = None
) -> dict[str, tuple]:
    """The paper's other projections, each with its largest possible number of dimensions.

    LDA and SDA have at most C − 1. NCA starts from the principal components of the labelled points,
    so has at most as many as there are of these.
    """
    n_labelled, rank = int((y != UNLABELLED).sum()), len(known_classes(y)) - 1
    p = n_components or rank
    return {
        "NCA": (LabelledNCA(min(p, n_labelled), init="pca", memory=memory), n_labelled),
        "SDA": (SDA(min(p, rank), memory=memory), rank),
        "LDA": (LabelledLDA(min(p, rank), ridge=0.1, memory=memory), rank),
    }


def compare_projections(
    model: FLP, X: np.ndarray, y: np.ndarray, truth: np.ndarray
) -> tuple[dict[str, float], dict[str, str]]:
    """Accuracy of FLP in its three modes and of the other projections; error messages of the rest.

    FLP predicts by its own label distributions, the others by 1-NN in their embedding.
    """
    hidden = (y == UNLABELLED) & (truth != UNLABELLED)
    own = {
        title: accuracy_on(way.fit(X, y).transduction_ == truth, hidden)
        for title, way in in_all_modes(model).items()
    }
    others = other_projections(y, model.n_components, model.memory)
    found, refused = one_nn_accuracies(
        {name: other for name, (other, _) in others.items()}, X, y, truth
    )
    return own | found, refused


def over_widths(
    model: Any, X: np.ndarray, y: np.ndarray, truth: np.ndarray, widths: tuple[float, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Accuracy (t,) and share of hidden points with influence on others (t,), by kernel width."""
    hidden = y == UNLABELLED
    mean_influence = (~hidden).sum() / len(y)
    accuracies, influential = [], []
    for width in widths:
        fitted = clone(model).set_params(width=width).fit(X, y)
        known = hidden & (truth != UNLABELLED)
        accuracies.append(accuracy_on(fitted.transduction_ == truth, known))
        enough = fitted.influence_ >= MIN_INFLUENCE * mean_influence
        influential.append(accuracy_on(enough, hidden))
    return np.array(accuracies), np.array(influential)


def dimensions_tried(most: int, *also: int) -> tuple[int, ...]:
    """Evenly spaced numbers of dimensions from 1 to `most`, and those of `also` up to `most`."""
    some = np.rint(np.linspace(1, most, min(DIMENSION_COUNT, most))).astype(int)
    return tuple(sorted({*some.tolist(), *(d for d in also if d <= most)}))


def over_dimensions(
    models: dict[str, tuple[Any, int]],
    X: np.ndarray,
    y: np.ndarray,
    truth: np.ndarray,
    unseen: np.ndarray,
    dimensions: tuple[int, ...],
) -> dict[str, np.ndarray]:
    """(t, 2) accuracies on unlabelled and on unseen points by number of dimensions, for each model.

    `models` holds each with its largest possible number of dimensions; beyond it entries are nan.
    """
    curves = {}
    for name, (model, most) in models.items():
        rows = [
            _accuracies(clone(model).set_params(n_components=p), X, y, truth, unseen)
            if p <= most
            else (np.nan, np.nan)
            for p in dimensions
        ]
        curves[name] = np.array(rows)
    return curves


def _accuracies(
    model: Any, X: np.ndarray, y: np.ndarray, truth: np.ndarray, unseen: np.ndarray
) -> tuple[float, float]:
    """Accuracy on unlabelled and on unseen points: a classifier's own, an embedding's by 1-NN."""
    seen = ~unseen
    model.fit(X[seen], y[seen])
    right = np.empty(len(y), bool)
    if isinstance(model, ClassifierMixin):
        right[seen] = model.transduction_ == truth[seen]
        right[unseen] = model.predict(X[unseen]) == truth[unseen] if unseen.any() else False
    else:
        Z = model.embedding_
        right[seen] = one_nn(Z, y[seen], Z) == truth[seen]
        new = model.transform(X[unseen]) if unseen.any() else Z[:0]
        right[unseen] = one_nn(Z, y[seen], new) == truth[unseen]
    known = truth != UNLABELLED
    return accuracy_on(right, seen & (y == UNLABELLED) & known), accuracy_on(right, unseen & known)
