"""A dictionary after some rounds: predictions, recording, the selected atom and point."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

import sslviz
from sslviz.nearest_label import one_nn
from sslviz.recordings.dictionary import DictionaryRun, dominant_classes, in_links
from sslviz.ui.problem import Problem
from sslviz.ui.result import Result


@dataclass(frozen=True)
class DictionaryResult(Result):
    """A dictionary method after the rounds so far; `X` are the points as they are scaled.

    `recording` is a DictionaryRecording.
    """

    X: np.ndarray = field(default_factory=lambda: np.empty((0, 0)))
    clicked_atom: int | None = None
    continued: bool = False  # by a warm start
    baselines: Mapping[str, np.ndarray] = field(default_factory=dict)  # title -> labels
    other: "DictionaryResult | None" = None  # the method beside it
    beside: bool = False  # whether it is that other one: nothing is selected in it

    @property
    def n_atoms(self) -> int:
        return len(self.model.components_)

    @property
    def image_shape(self) -> tuple[int, int] | None:
        return self.problem.dataset.image_shape

    @property
    def places(self) -> np.ndarray:
        """(n, 2 or 3) positions on the map: the scaled points where these can be drawn."""
        return self.X if self.X.shape[1] in (2, 3) else self.problem.points

    @cached_property
    def atom(self) -> int:
        """The clicked atom, or the one used most."""
        if self.clicked_atom is not None:
            return self.clicked_atom
        return int(np.abs(self.model.codes_).sum(axis=0).argmax())

    @cached_property
    def typical_point(self) -> int:
        """The first hidden point that is predicted correctly, if possible with links in the graph
        to and from others: it stays the same from round to round."""
        right = self.hidden & self.right
        linked = right if self.weights is None else right & (self.weights.count_nonzero(axis=0) > 0)
        for candidates in (linked, right, self.hidden):
            if candidates.any():
                return int(candidates.argmax())
        return 0

    @cached_property
    def users(self) -> np.ndarray:
        """(n,) which points use the selected atom."""
        return self.model.codes_[:, self.atom] != 0

    @cached_property
    def explanation(self) -> Any:
        """Code, reconstruction and neighbours of the selected point."""
        return self.model.reconstruct(self.point)

    @property
    def weights(self) -> Any:
        """(n, n) weights of the graph between points; None without one."""
        return getattr(self.model, "weights_", None)

    @cached_property
    def in_links(self) -> tuple[np.ndarray, np.ndarray]:
        """The points whose codes depend on that of the selected one, with weights."""
        return in_links(self.weights, self.point)

    @cached_property
    def atom_classes(self) -> np.ndarray:
        """(atoms,) the class with the largest weight of each atom."""
        return dominant_classes(self.recording.W[-1])


def dictionary_result(run: DictionaryRun, problem: Problem, **more: Any) -> DictionaryResult:
    """What there is after the rounds so far."""
    model = run.fitted()
    labels, F = np.asarray(model.transduction_), np.asarray(model.label_distributions_)
    return DictionaryResult(problem, model, labels, F, recording=run.recording(), **more)


def baselines_of(X: np.ndarray, y: np.ndarray, memory: Any) -> dict[str, np.ndarray]:
    """Labels of the nearest given point and of label propagation, on the same points."""
    spread = sslviz.LabelPropagation(memory=memory).fit(X, y)
    return {"1-NN": memory.cache(one_nn)(X, y, X), "Label propagation": spread.transduction_}
