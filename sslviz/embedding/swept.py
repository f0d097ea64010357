"""How much a choice matters: the accuracy of FLP over kernel widths, and of many over dimensions.

Models are handed in unfitted, labels as class indices with -1 where hidden, the truth beside them.
"""

from typing import Any

import numpy as np
from sklearn.base import clone

from sslviz.embedding.film import FAINT
from sslviz.embedding.judged import share
from sslviz.embedding.readout import one_nn
from sslviz.labels import UNLABELLED


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
        heard.append(share(fitted.influence_ >= FAINT * fair, hidden))
    return np.array(found), np.array(heard)


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
