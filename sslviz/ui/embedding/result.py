"""An embedding fitted to a problem: its coordinates, classes read off it, baselines."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sslviz import LabelPropagation
from sslviz.abilities import Links, Witness
from sslviz.experiments.embedding_evaluation import Reading, accuracy_on, classify, nearest_given
from sslviz.labels import one_hot
from sslviz.nearest_label import one_nn
from sslviz.ui.problem import Problem
from sslviz.ui.result import Look, Result

ALL_LABELS = "all"  # the value of `labels` that uses the hidden ones, too


@dataclass(frozen=True)
class EmbeddingResult(Result):
    """Coordinates of all points; predictions are those of the nearest given label in them."""

    reading: Reading | None = None
    dimensions_asked: int = 2
    labelled_only: float = np.nan  # accuracy of the embedding of the labelled points alone
    no_embedding: float = np.nan  # accuracy of 1-NN in all features
    propagation: float = np.nan  # accuracy of label propagation

    @property
    def Z(self) -> np.ndarray:
        return self.model.embedding_

    @property
    def dimensions(self) -> int:
        return self.Z.shape[1]

    @property
    def soft(self) -> bool:
        """Whether unlabelled points have soft labels of their own."""
        return isinstance(self.model, Witness)

    @property
    def all_labels(self) -> bool:
        """Whether the hidden labels were used."""
        return getattr(self.model, "labels", "") == ALL_LABELS

    @property
    def nearest_mean(self) -> float:
        assert self.reading is not None
        return accuracy_on(self.reading.mean == self.truth, self.held_out)

    @cached_property
    def links(self) -> tuple[np.ndarray, np.ndarray]:
        """The labelled points that the selected point's class depends on, with weights."""
        nothing: tuple[np.ndarray, np.ndarray] = (np.array([], int), np.array([]))
        if not self.hidden[self.point]:
            return nothing
        links = self.model.links(self.point) if isinstance(self.model, Links) else nothing
        return links if len(links[0]) else nearest_given(self.Z, self.y, self.point)

    @cached_property
    def shown(self) -> np.ndarray:
        """(n, C) the classes that colour the points."""
        assert self.reading is not None
        if self.look.colour == "soft labels":
            return self.reading.F
        found = self.truth if self.look.colour == "truth" else self.labels
        return one_hot(found, np.arange(len(self.classes)))

    @cached_property
    def hover(self) -> list[str]:
        assert self.reading is not None
        rows = zip(self.problem.point_texts(), self.labels, self.reading.mean, strict=True)
        names = self.classes
        return [f"{text}<br>1-NN: {names[a]} · nearest mean: {names[m]}" for text, a, m in rows]


def embed(
    Method: type, parameters: dict[str, Any], problem: Problem, look: Look, memory: Any
) -> EmbeddingResult:
    """Fit an embedding and its baselines."""
    X, y, truth = problem.dataset.X, problem.y, problem.dataset.y
    hidden, one = problem.held_out, memory.cache(one_nn)
    every = parameters.get("labels") == ALL_LABELS
    model = Method(**parameters, memory=memory).fit(X, truth if every else y)
    reading = classify(model, y, len(problem.dataset.classes))
    alone = np.nan
    if parameters.get("labels", "labelled") != "labelled":
        Z = Method(**parameters | {"labels": "labelled"}, memory=memory).fit(X, y).embedding_
        alone = accuracy_on(one(Z, y, Z) == truth, hidden)
    propagated = LabelPropagation(memory=memory).fit(X, y).transduction_
    return EmbeddingResult(
        problem,
        model,
        reading.nearest,
        reading.F,
        look,
        reading=reading,
        dimensions_asked=parameters["n_components"],
        labelled_only=alone,
        no_embedding=accuracy_on(one(X, y, X) == truth, hidden),
        propagation=accuracy_on(propagated == truth, hidden),
    )
