"""An S3VM while the weight of the unlabelled points rises to λ₂, as a run.

A solution at a neighbouring λ₁ is continued: its signs lead to a nearby minimum of the new problem,
which is there at once. It is replaced when the run from the beginning, whose end does not depend on
what was solved before, is done.
"""

from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import clone

from sslviz.content_hash import digest
from sslviz.recordings.run import Run

MAX_LAM1_RATIO = 2.5  # times that λ₁ may be smaller than that of the solution it starts from
MAX_WATCHED = 4000  # points: a run holds a kernel matrix of all pairs, and several runs are kept


class S3VMRun(Run):
    """The steps of an S3VM, or a nearby solution until they are all taken."""

    def __init__(self, model: Any, X: np.ndarray, y: np.ndarray, before: "S3VMRun | None" = None):
        self._model, self._problem = model, (X, y)
        self.lam1, self.lam2, self.ready = model.lam1, model.lam2, before is not None
        steps, begun = model.steps(X, y), perf_counter()
        self.step: Any = model.follow(X, y, before.step, exactly=False) if before else next(steps)
        self._last = self.step
        self.weight = 0.0 if self.ready else self.step.weight  # of the unlabelled points so far
        super().__init__(steps)
        self.taken, self.seconds = int(not self.ready), perf_counter() - begun

    def can_lead(self, lam1: float, lam2: float) -> bool:
        """Whether a problem with another λ₁ can start from this solution.

        At a much smaller λ₁ the nearby minimum is a poor one; with an equal λ₁ the path of the
        weight is in the memory of the model already.
        """
        solved = (self.ready or self.done) and min(self.step.weight, lam2) > 0
        return solved and lam1 != self.lam1 and lam1 >= self.lam1 / MAX_LAM1_RATIO

    def take(self, step: Any | None) -> None:
        if step is not None:
            self._last, self.weight = step, step.weight
        if step is None or not self.ready:
            self.step = self._last

    def model(self) -> Any:
        """The model as of the last step."""
        if self.done:
            return self._model
        return clone(self._model).settle(*self._problem, self.step)

    def status(self) -> str:
        ratio = round(self.lam2 / self.weight) if self.weight > 0 else None
        weight = "0" if ratio is None else f"λ₂/{ratio:,}" if ratio > 1 else "λ₂"
        if self.done:
            count, took = self.step.iteration, f"{self.seconds:.1f} s"
            return f"The weight of unlabelled points has reached λ₂: {count} steps, {took}."
        if self.ready:
            return (
                "**Running.** Shown is a nearby minimum, found from the solution before. The final "
                f"one does not depend on it; its weight of unlabelled points has reached {weight}."
            )
        if ratio is None:
            return "**Running:** the weight of unlabelled points is 0; labelled points only so far."
        changes = f"{self.step.flipped:,} change{'' if self.step.flipped == 1 else 's'} of sign"
        return f"**Running:** the weight of unlabelled points has reached {weight}, {changes}."


def s3vm_keys(model: Any, X: np.ndarray, y: np.ndarray) -> tuple[str, str]:
    """The name of the problem without its weights λ₁ and λ₂, and the name of the run."""
    values = {k: v for k, v in model.get_params(deep=False).items() if k != "memory"}
    problem = digest("s3vm", values | {"lam1": 0, "lam2": 0}, X, y)
    return problem, digest(problem, values)
