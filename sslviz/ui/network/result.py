"""A network classifier at one moment of its training, beside its twin and simpler methods."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

import sslviz
from sslviz.content_hash import digest
from sslviz.data.plane_grid import Plane, plane_of
from sslviz.labels import one_hot
from sslviz.nearest_label import one_nn
from sslviz.recordings.network import NetworkMoment, NetworkRun
from sslviz.ui.problem import Problem
from sslviz.ui.result import Look, Result

PLANE_CELLS = 4000  # predicted at every step of a training


@dataclass(frozen=True)
class NetworkResult(Result):
    """Predictions at one moment; `labels` are -1 where there is none yet."""

    run: Any = None  # NetworkRun
    moment: Any = None  # NetworkMoment
    plane: Plane | None = None
    baselines: dict[str, np.ndarray] = field(default_factory=dict)  # labels (n,) by method

    @property
    def trained(self) -> bool:
        """Whether the network has learnt anything: not its random initial weights."""
        return self.moment.iteration > 0

    @property
    def running(self) -> bool:
        return not (self.run.done or self.run.paused)

    @cached_property
    def twin_accuracy(self) -> float:
        """Of the network without unlabelled terms; nan without one."""
        return self.run.twin_accuracy

    def colours(self, moment: NetworkMoment) -> np.ndarray:
        """(n, C) what colours the points at a moment."""
        if self.look.colour == "truth":
            return one_hot(self.truth, np.arange(len(self.classes)))
        if moment.iteration == 0:
            return np.zeros(moment.P.shape)
        if self.look.colour == "mix":
            return moment.P / max(float(moment.P.sum(axis=1).max()), 1e-9)
        return one_hot(moment.P.argmax(axis=1), np.arange(len(self.classes))) * moment.P.any(
            axis=1, keepdims=True
        )

    def matched(self, P: np.ndarray) -> np.ndarray:
        """Probabilities in the order of the colours: they are."""
        return P


def plane_of_problem(problem: Problem) -> Plane | None:
    """The cells of the plane where the data are its points; None otherwise."""
    plane = plane_of(problem.points, problem.dataset.n_features, PLANE_CELLS)
    return plane if plane is not None and plane.exact else None


def baselines_of(problem: Problem, memory: Any) -> dict[str, np.ndarray]:
    """Labels by simpler methods on the same points, by their titles."""
    X, y = problem.dataset.X, problem.y
    spread = sslviz.LabelPropagation(memory=memory).fit(X, y)
    return {"1-NN": memory.cache(one_nn)(X, y, X), "Label propagation": spread.transduction_}


def recipe(model: Any, problem: Problem, plane: Plane | None) -> tuple:
    """The class and the arguments of the training of a model on the problem."""
    scored = np.where(problem.held_out, problem.dataset.y, -1)
    places = None if plane is None else plane.places
    return NetworkRun, model, problem.dataset.X, problem.y, scored, places


def training_name(model: Any, problem: Problem) -> str:
    """The name of a training: everything its result depends on."""
    values = {k: v for k, v in model.get_params(deep=False).items() if k != "memory"}
    return digest("network", problem.dataset.X, problem.y, type(model).__name__, values)


def result_of_run(
    run: NetworkRun,
    model: Any,
    problem: Problem,
    look: Look,
    plane: Plane | None = None,
    baselines: dict[str, np.ndarray] | None = None,
) -> NetworkResult:
    """The present predictions of a training; all points are predicted where it does not go on."""
    if run.taken and (run.done or run.paused):
        run.complete()
    moment, y = run.moment, problem.y
    P = moment.P if moment.iteration else np.zeros_like(moment.P)
    given = one_hot(y, np.arange(P.shape[1]))
    F = np.where((y >= 0)[:, None], given, P)
    labels = np.where(F.any(axis=1), F.argmax(axis=1), -1)
    shown: dict[str, Any] = {"run": run, "moment": moment, "plane": plane}
    return NetworkResult(problem, model, labels, F, look, baselines=baselines or {}, **shown)
