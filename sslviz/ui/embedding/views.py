"""Numbers and views of the page "Embeddings"."""

from typing import Any

import numpy as np

from sslviz.abilities import Eigenvalues
from sslviz.figures.charts.basic import class_bars
from sslviz.figures.maps.strips import eigenvalue_bars
from sslviz.ui.embedding.result import EmbeddingResult
from sslviz.ui.result import DEFAULT_SETTINGS
from sslviz.ui.views import Number, View

NUMBERS = (
    Number("1-NN in the map", EmbeddingResult.accuracy,
           "Accuracy on the hidden labels of the nearest given label, measured in the embedding."),
    Number("Nearest mean in the map", lambda r: r.nearest_mean,
           "Accuracy of the nearest class mean in the embedding; means are weighted by the soft "
           "labels."),
    Number("Labelled only", lambda r: r.labelled_only,
           "1-NN in the embedding of the labelled points alone: the difference is what the "
           "unlabelled points add.",
           when=lambda r: not np.isnan(r.labelled_only)),
    Number("1-NN without a map", lambda r: r.no_embedding,
           "The baseline: the nearest given label in all features."),
    Number("Label propagation", lambda r: r.propagation,
           f"No embedding: a random walk on the neighbour graph. {DEFAULT_SETTINGS}"),
)  # fmt: skip


def point_caption(r: EmbeddingResult) -> str:
    given = not r.hidden[r.point]
    start = f"True class {r.true_names[r.point]}. "
    if given:
        return start + "Its label is given."
    if _has_soft_label(r):
        return start + (
            "Its soft label (class probabilities) comes from its nearest labelled points, measured "
            "in all features."
        )
    return start + "Its class is that of the nearest given label in the embedding."


def _has_soft_label(r: EmbeddingResult) -> bool:
    return r.soft and bool(r.hidden[r.point]) and bool(r.F[r.point].any())


def link_table(r: EmbeddingResult) -> dict[str, Any] | None:
    others, weights = r.links
    if not len(others):
        return None
    return {
        "labelled point": others,
        "class": [r.classes[c] for c in r.y[others]],
        "weight": np.round(weights, 4),
    }


def _eigenvalues(r: EmbeddingResult) -> Any:
    n_classes = len(r.model.classes_)
    values = np.zeros(n_classes)
    values[: len(r.model.eigenvalues_)] = r.model.eigenvalues_
    return eigenvalue_bars(values, r.dimensions, n_classes - 1)


def eigenvalue_caption(r: EmbeddingResult) -> str:
    count = len(r.model.classes_)
    return (
        f"{count} classes determine at most {count - 1} direction{'s' if count > 2 else ''}: every "
        "bar after the line is exactly zero. Blue: the directions in use. Where the bars are flat, "
        "further dimensions matter."
    )


POINT_VIEWS = (
    View("embedding_point", lambda r: f"Label of point {r.point}",
         lambda r: class_bars(r.F[r.point], r.classes) if _has_soft_label(r) else None,
         point_caption, height=200, table=link_table),
)  # fmt: skip
VIEWS = (
    View("embedding_eigenvalues", "Eigenvalues", _eigenvalues, eigenvalue_caption,
         when=lambda r: isinstance(r.model, Eigenvalues)),
)  # fmt: skip
