"""A dictionary after some rounds: predictions, recording, the selected atom and point."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from sslviz.abilities import ClassAtoms, CodeGraph, Links
from sslviz.recordings.dictionary import DictionaryRun
from sslviz.recordings.dictionary_measures import NO_CLASS, dominant_classes, in_links
from sslviz.ui.problem import Problem
from sslviz.ui.result import Result


@dataclass(frozen=True)
class DictionaryResult(Result):
    """A dictionary method after the rounds so far.

    `X` are the points as the page has scaled them, `scaled` as the method has. `recording` is a
    DictionaryRecording.
    """

    X: np.ndarray = field(default_factory=lambda: np.empty((0, 0)))
    scaled: np.ndarray = field(default_factory=lambda: np.empty((0, 0)))
    learning: bool = False  # whether more rounds follow
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
        return int(np.abs(self.codes).sum(axis=0).argmax())

    @cached_property
    def codes(self) -> np.ndarray:
        """(n, atoms) the codes of all points, as far as they count for the prediction."""
        return np.asarray(self.model.counted_codes())

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
        return self.codes[:, self.atom] != 0

    @cached_property
    def explanation(self) -> Any:
        """Code, reconstruction and neighbours of the selected point."""
        return self.model.reconstruct(self.point)

    @property
    def weights(self) -> Any:
        """(n, n) weights of the graph along which codes should be alike; None without one."""
        return self.model.weights_ if isinstance(self.model, CodeGraph) else None

    @cached_property
    def neighbours(self) -> tuple[np.ndarray, np.ndarray]:
        """The points that the selected one depends on, with weights, heaviest first."""
        if not isinstance(self.model, Links):
            return self.explanation.neighbours, self.explanation.weights
        points, weights = self.model.links(self.point)
        order = np.argsort(-np.abs(weights), kind="stable")
        return points[order], weights[order]

    @cached_property
    def in_links(self) -> tuple[np.ndarray, np.ndarray]:
        """The points whose codes depend on that of the selected one, with weights."""
        return in_links(self.weights, self.point)

    @cached_property
    def atom_classes(self) -> np.ndarray:
        """(atoms,) the class each atom belongs to, or counts for most; -1 for none."""
        if not isinstance(self.model, ClassAtoms):
            return dominant_classes(self.recording.W[-1])
        names, known = np.asarray(self.model.atom_classes_), np.arange(len(self.classes))
        at = np.searchsorted(known, names).clip(max=len(known) - 1)
        return np.where(known[at] == names, at, NO_CLASS)

    @property
    def in_blocks(self) -> bool:
        """Whether the atoms of each class stand together, as many for each; some may be unused."""
        of, size = self.atom_classes, max(self.n_atoms // len(self.classes), 1)
        place = np.arange(self.n_atoms) // size
        even = self.n_atoms == size * len(self.classes)
        return (
            isinstance(self.model, ClassAtoms) and even and bool(((of == place) | (of < 0)).all())
        )


def dictionary_result(run: DictionaryRun, problem: Problem, **more: Any) -> DictionaryResult:
    """What there is after the rounds so far."""
    learning = not (run.done or run.paused or run.cancelled)
    model = run.fitted()
    labels, F = np.asarray(model.transduction_), np.asarray(model.label_distributions_)
    return DictionaryResult(
        problem, model, labels, F, recording=run.recording(), scaled=run.X, learning=learning,
        **more,
    )  # fmt: skip
