"""A fit of the page "Decision boundaries": at once, or as a run that is watched."""

from dataclasses import dataclass
from typing import Any

from sslviz.abilities import Continuation, GaussianComponents
from sslviz.data.plane_grid import Plane, plane_of
from sslviz.memo import Stage
from sslviz.recordings.mixture import MixtureRun, mixture_key
from sslviz.recordings.s3vm import MAX_WATCHED, S3VMRun, s3vm_keys
from sslviz.ui.inductive.result import (
    InductiveLook,
    InductiveResult,
    class_order,
    fitted_result,
    mixture_result,
    relabel,
)
from sslviz.ui.inductive.sidebar import InductiveChoice
from sslviz.ui.problem import Problem
from sslviz.ui.runs import start_run
from sslviz.ui.state.slots import S3VM_RUN


@dataclass
class Fit:
    """A chosen method on a problem; `run` takes its steps, where these are watched."""

    choice: InductiveChoice
    problem: Problem
    look: InductiveLook
    memory: Any

    def __post_init__(self) -> None:
        self.model = self.choice.Method(**self.choice.parameters, memory=self.memory)
        self.order = class_order(self.problem, self.choice.backwards)
        self.plane = plane_of(self.problem.points, self.problem.dataset.n_features)
        self.run: MixtureRun | S3VMRun | None = None

    def start(self) -> list[Stage]:
        """Fit the model, or start its run; the time that the run took."""
        X, y = self.problem.dataset.X, relabel(self.problem.y, self.order)
        if isinstance(self.model, GaussianComponents):
            self.run, took = start_mixture(self.model, X, y, self.problem.points, self.plane)
        elif isinstance(self.model, Continuation) and len(X) <= MAX_WATCHED:
            self.run, took = start_s3vm(self.model, X, y)
        else:
            self.model.fit(X, y)
            return []
        return [took]

    def result(self) -> InductiveResult:
        """The result as far as the run is, for the point clicked by now."""
        problem = self.problem._replace(point=self.problem.clicked())
        if isinstance(self.run, MixtureRun):
            recording = self.run.recording()
            return mixture_result(
                self.model, recording, problem, self.plane, self.look, self.memory
            )
        model = self.model if self.run is None else self.run.model()
        return fitted_result(model, problem, self.plane, self.order, self.look, self.memory)


def start_mixture(
    model: Any, X: Any, y: Any, points: Any, plane: Plane | None
) -> tuple[MixtureRun, Stage]:
    places = plane.places if plane is not None and plane.exact else None
    name = mixture_key(model, X, y, points, places)
    return start_run(name, MixtureRun, model, X, y, points, places)


def start_s3vm(model: Any, X: Any, y: Any) -> tuple[S3VMRun, Stage]:
    """Starts from the last solution of this session where that is a good start."""
    where, name = s3vm_keys(model, X, y)
    last = S3VM_RUN.get(where)
    before = last if last is not None and last.can_lead(model.lam1, model.lam2) else None
    run, took = start_run(name, S3VMRun, model, X, y, before)
    S3VM_RUN.set(run, where)
    return run, took
