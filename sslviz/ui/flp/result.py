"""FLP fitted to a problem and recorded half-step by half-step, with its baselines."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sslviz import FLP, LabelPropagation
from sslviz.experiments.embedding_evaluation import accuracy_on
from sslviz.labels import known_classes
from sslviz.nearest_label import one_nn
from sslviz.recordings.flp import NO_INFLUENCE, FLPRecording, record_flp
from sslviz.ui.problem import Problem
from sslviz.ui.result import Look, Result

COMPARED_WITH = {"recipe": "fixed", "fixed": "recipe", "printed": "recipe"}


@dataclass(frozen=True)
class FLPResult(Result):
    """Labels and projection after every half-step; `model` is not fitted."""

    recording: FLPRecording | None = None
    dimensions: int = 1
    dimensions_asked: int | None = None
    other_mode: str = "fixed"
    other_accuracy: float = np.nan  # of the same settings in the other mode
    one_nn: float = np.nan
    propagation: float = np.nan
    space: bool = False  # three dimensions are drawn

    @property
    def steps(self) -> FLPRecording:
        assert self.recording is not None
        return self.recording

    @property
    def mode(self) -> str:
        return self.model.mode

    @property
    def n_given(self) -> int:
        """Classes with a given label."""
        return len(known_classes(self.y))

    @property
    def chance(self) -> float:
        """Accuracy of guessing."""
        return 1 / self.n_given

    @cached_property
    def accuracies(self) -> np.ndarray:
        """(T,) accuracy after every half-step."""
        return self.steps.accuracy(self.truth, self.held_out)

    @cached_property
    def influential(self) -> np.ndarray:
        """(T,) share of the hidden points that have an influence on H."""
        return self.steps.influential(self.hidden)

    @cached_property
    def neighbours(self) -> tuple[np.ndarray, np.ndarray]:
        """The points with the largest weight for the selected one at the end, and the weights."""
        return self.steps.neighbours(-1, self.point)

    @property
    def without_influence(self) -> bool:
        return bool(self.steps.influence[-1][self.point] < NO_INFLUENCE)

    @cached_property
    def hover(self) -> list[str]:
        names, last = self.classes, self.steps.influence[-1]
        texts = self.problem.point_texts()
        rows = zip(texts, self.labels, self.F.max(axis=1), last, self.y, strict=True)
        return [
            f"{text}{' · given' if g >= 0 else ''}<br>at the end: "
            + ("" if g >= 0 else f"predicted {names[a] if a >= 0 else 'nothing'} ({s:.0%}) · ")
            + f"influence {v:.2g}"
            for text, a, s, v, g in rows
        ]


def learn_features(
    parameters: dict[str, Any], problem: Problem, look: Look, memory: Any, *, space: bool = False
) -> FLPResult:
    """Record FLP with these parameters, and fit what stands beside it."""
    X, y, truth = problem.dataset.X, problem.y, problem.dataset.y
    hidden, mode = problem.held_out, parameters["mode"]
    record = memory.cache(record_flp, ignore=["memory"])
    recording = FLPRecording(*record(X, y, problem.dataset.n_classes, parameters, memory=memory))
    other = COMPARED_WITH[mode]
    compared = FLP(**parameters | {"mode": other}, memory=memory).fit(X, y).transduction_
    propagated = LabelPropagation(memory=memory).fit(X, y).transduction_
    nearest = memory.cache(one_nn)(X, y, X)
    return FLPResult(
        problem,
        FLP(**parameters, memory=memory),
        recording.predictions[-1],
        recording.F[-1],
        look,
        recording,
        dimensions=recording.Z.shape[2],
        dimensions_asked=parameters["n_components"],
        other_mode=other,
        other_accuracy=accuracy_on(compared == truth, hidden),
        one_nn=accuracy_on(nearest == truth, hidden),
        propagation=accuracy_on(propagated == truth, hidden),
        space=space,
    )
