"""How much a choice matters: FLP beside others, over kernel widths and over dimensions.

Models are handed in unfitted, labels as class indices with -1 where hidden, the truth beside them.
"""

from typing import Any

import numpy as np
from sklearn.base import clone

from sslviz.embedding.flp import FLP
from sslviz.embedding.lda import LabelledLDA
from sslviz.embedding.nca import LabelledNCA
from sslviz.embedding.sda import SDA
from sslviz.experiments.embedding_evaluation import compared, share
from sslviz.labels import UNLABELLED, known_classes
from sslviz.nearest_label import one_nn

NO_INFLUENCE = 0.01  # of the equal share: such a point changes nothing in H
TRIED = 6  # numbers of dimensions in a sweep
WAYS = {"recipe": "FLP", "fixed": "FLP, A fixed", "printed": "FLP as printed"}


def ways(model: FLP) -> dict[str, FLP]:
    """The model in its three modes, by title; as printed from the same random numbers always."""
    seed = {"random_state": model.random_state or 0}
    return {
        title: clone(model).set_params(mode=mode, **(seed if mode == "printed" else {}))
        for mode, title in WAYS.items()
    }


def rivals(y: np.ndarray, n_components: int | None = None, memory: Any = None) -> dict[str, tuple]:
    """The paper's other projections, each with the most dimensions it can have.

    NCA starts from the principal components of the labelled points, so has no more than these.
    """
    given, fewer = int((y != UNLABELLED).sum()), len(known_classes(y)) - 1
    wanted = n_components or fewer
    few, many = min(wanted, fewer), min(wanted, given)
    return {
        "NCA": (LabelledNCA(many, init="pca", memory=memory), given),
        "SDA": (SDA(few, memory=memory), fewer),
        "LDA": (LabelledLDA(few, ridge=0.1, memory=memory), fewer),
    }


def beside_others(
    model: FLP, X: np.ndarray, y: np.ndarray, truth: np.ndarray
) -> tuple[dict[str, float], dict[str, str]]:
    """Hidden labels found by FLP in its three modes and by its rivals; why others cannot be fitted.

    FLP answers by its own labels, the others by the nearest given label in their map.
    """
    hidden = y == UNLABELLED
    own = {
        title: share(way.fit(X, y).transduction_ == truth, hidden)
        for title, way in ways(model).items()
    }
    others = rivals(y, model.n_components, model.memory)
    found, refused = compared({name: other for name, (other, _) in others.items()}, X, y, truth)
    return own | found, refused


def over_widths(
    model: Any, X: np.ndarray, y: np.ndarray, truth: np.ndarray, widths: tuple[float, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Hidden labels found (t,) and hidden points still heard (t,), both as shares."""
    hidden = y == UNLABELLED
    fair = (~hidden).sum() / len(y)
    found, heard = [], []
    for width in widths:
        fitted = clone(model).set_params(width=width).fit(X, y)
        found.append(share(fitted.transduction_ == truth, hidden))
        heard.append(share(fitted.influence_ >= NO_INFLUENCE * fair, hidden))
    return np.array(found), np.array(heard)


def numbers_tried(most: int, *also: int) -> tuple[int, ...]:
    """Some numbers of dimensions from 1 to `most`, and these as far as they are among them."""
    some = np.rint(np.linspace(1, most, min(TRIED, most))).astype(int)
    return tuple(sorted({*some.tolist(), *(d for d in also if d <= most)}))


def over_dimensions(
    models: dict[str, tuple[Any, int]],
    X: np.ndarray,
    y: np.ndarray,
    truth: np.ndarray,
    unseen: np.ndarray,
    dimensions: tuple[int, ...],
) -> dict[str, np.ndarray]:
    """(t, 2) accuracies of each on unlabelled and on unseen points; nan beyond a model's most.

    `models` holds each with the most dimensions it can have. The unseen points are not fitted on.
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
    """Own answers of a classifier; of an embedding, the nearest label in its map."""
    seen = ~unseen
    model.fit(X[seen], y[seen])
    right = np.empty(len(y), bool)
    if hasattr(model, "transduction_"):
        right[seen] = model.transduction_ == truth[seen]
        right[unseen] = model.predict(X[unseen]) == truth[unseen] if unseen.any() else False
    else:
        Z = model.embedding_
        right[seen] = one_nn(Z, y[seen], Z) == truth[seen]
        new = model.transform(X[unseen]) if unseen.any() else Z[:0]
        right[unseen] = one_nn(Z, y[seen], new) == truth[unseen]
    return share(right, seen & (y == UNLABELLED)), share(right, unseen)
