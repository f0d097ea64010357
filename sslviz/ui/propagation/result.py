"""Propagation methods fitted to a problem, with their sweeps recorded where there are any."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from sslviz.abilities import Absorbs, Explains, Links, Steps
from sslviz.graph.components import islands
from sslviz.graph.neighbours import knn
from sslviz.recordings.propagation import SweepRecording, record_sweeps
from sslviz.ui.problem import Problem
from sslviz.ui.result import Look, Result, argmax_rows, undetermined_text

OTHER_EDGES = {"directed": "undirected", "undirected": "directed"}


@dataclass(frozen=True)
class PropagationResult(Result):
    """A fitted propagation method; `other` is the result it is compared with."""

    recording: SweepRecording | None = None
    basins: np.ndarray | None = None  # (n, l) where a walk from each point ends
    other_basins: np.ndarray | None = None  # with the other kind of edges
    other: "Result | None" = None
    reason: str = ""  # why points are undetermined

    def shown(self, F: np.ndarray) -> np.ndarray:
        """The probabilities to draw: all of them, or the predicted class alone."""
        return F if self.look.colour == "mix" else argmax_rows(F)

    @cached_property
    def votes(self) -> Any:
        """The votes behind the prediction of the selected point, where the method votes."""
        return self.model.explain(self.point) if isinstance(self.model, Explains) else None

    @cached_property
    def links(self) -> tuple[np.ndarray, np.ndarray]:
        """The points that the selected one depends on, and their weights."""
        if isinstance(self.model, Links):
            return self.model.links(self.point)
        return np.array([], int), np.array([])

    @cached_property
    def answers(self) -> np.ndarray | None:
        """(t + 1, n) predicted class in every frame of the film, -1 undetermined; the limit last.

        None where nothing is played.
        """
        if self.recording is None or self.basins is not None:
            return None
        F = self.recording.F
        found = np.where(F.any(axis=2), F.argmax(axis=2), -1)
        return np.concatenate([found, self.labels[None]])

    def accuracy_course(self, among: np.ndarray | None = None) -> list[float] | None:
        """Accuracy in every frame of the film, on the held-out points or those of a mask."""
        if self.answers is None:
            return None
        mask = self.held_out if among is None else among & self.held_out
        right = (self.answers == self.truth)[:, mask]
        return right.mean(axis=1).tolist() if mask.any() else None

    @property
    def differ(self) -> np.ndarray | None:
        """(n,) hidden points on which it differs from the other method."""
        if self.other is None:
            return None
        return (self.labels != self.other.labels) & self.hidden

    @property
    def edges(self) -> str:
        return getattr(self.model, "graph", "")


def propagate(
    Method: type, parameters: dict[str, Any], problem: Problem, look: Look, memory: Any
) -> PropagationResult:
    """Fit a method and record what the options of the picture need."""
    X, y = problem.dataset.X, problem.y
    model = Method(**parameters, memory=memory).fit(X, y)
    recording, basins, twin = None, None, None
    if look.record and isinstance(model, Steps):
        record = memory.cache(record_sweeps, ignore=["memory"])
        recording = SweepRecording(*record(Method.__name__, parameters, X, y, memory=memory))
    if look.colour == "basin" and isinstance(model, Absorbs):
        basins = model.absorbers()[1]
        edges = {"graph": OTHER_EDGES[parameters["graph"]]}
        twin = Method(**{**parameters, **edges}, memory=memory).fit(X, y).absorbers()[1]
    F = np.asarray(model.label_distributions_)
    labels = np.asarray(model.transduction_)
    found = PropagationResult(
        problem, model, labels, F, look, recording, basins=basins, other_basins=twin
    )
    if not found.undetermined.any():
        return found
    k = min(getattr(model, "n_neighbors", None) or model.k_graph, len(X) - 1)
    return replace(found, reason=undetermined_text(found, islands(knn(X, k, memory))))


def pair(results: list[PropagationResult], titles: list[str]) -> list[PropagationResult]:
    """One or two results under different names, each with a reference to the other."""
    named = [replace(r, name=title) for r, title in zip(results, titles, strict=True)]
    if len(named) < 2:
        return named
    first, second = named
    return [replace(first, other=second), replace(second, other=first, default_point=first.point)]
