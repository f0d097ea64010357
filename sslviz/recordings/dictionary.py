"""A dictionary learner watched round by round, left at any round and taken up again.

Its moments are 0 … t: at moment 0 atoms are points and the classifier knows the labelled ones
alone, moment i follows round i. A learning may be shared by threads; each round is done once.
"""

import threading
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from sslviz.dictionary.ssdl_ga import SSDLGA
from sslviz.dictionary.stages.alternation import Round, rounds


class DictionaryRecording(NamedTuple):
    """Moments 0 … t of a learning."""

    D: np.ndarray  # (t + 1, atoms, d)
    W: np.ndarray  # (t + 1, C, atoms) what the classifier makes of each atom
    scores: np.ndarray  # (t + 1, n, C) A Wᵀ + b; the margins are ±1
    P: np.ndarray  # (t + 1, n, C) the opinions that follow, one-hot where labelled
    used: np.ndarray  # (t + 1,) atoms in a code, on average
    error: np.ndarray  # (t + 1,) ‖X − AD‖² / ‖X‖²
    terms: np.ndarray  # (t, 4) of the objective: reconstruction, sparsity, graph, discrimination

    def right(self, truth: np.ndarray, among: np.ndarray) -> np.ndarray:
        """(t + 1,): share of the points of a mask whose highest score is that of their class."""
        return (self.scores[:, among].argmax(axis=2) == truth[among]).mean(axis=1)


class DictionaryRun:
    """The rounds of an SSDLGA or USSDL on X and y, y holding -1 for unlabelled points.

    A model that was fitted before and has `warm_start` goes on from where it is.
    """

    def __init__(self, model: SSDLGA, X: Any, y: Any):
        self._model = copy(model)
        self._problem = problem = self._model._prepare(X, y)
        self._rounds = rounds(problem.X, problem.target, **problem.arguments)
        self._last: Round | None = None
        self._objective: list[float] = []
        self._terms: list[tuple[float, ...]] = []
        self._moments: list[tuple[Any, ...]] = []
        self._lock = threading.Lock()
        self.total: int = model.max_iter
        self._keep(*problem.arguments["start"])

    @property
    def done(self) -> int:
        """Rounds so far."""
        return len(self._objective)

    def advance(self) -> None:
        """One more round, unless all are done."""
        with self._lock:
            if self.done == self.total:
                return
            self._last = next(self._rounds)
            self._terms.append(self._last.terms)
            self._keep(*self._last.learnt()[:4])
            self._objective.append(self._last.objective)

    def fitted(self) -> SSDLGA:
        """The model that `fit` with `max_iter` = `done` gives; there must have been a round."""
        with self._lock:
            if self._last is None:
                raise ValueError("Learning: fitted() before the first advance()")
            objective = np.array(self._objective)
            model = copy(self._model)
            model._finish(self._problem, self._last.learnt(), objective)
            return model

    def film(self) -> DictionaryRecording:
        """All moments so far."""
        with self._lock:
            D, W, scores, P, used, error = map(np.stack, zip(*self._moments, strict=True))
            return DictionaryRecording(D, W, scores, P, used, error, np.array(self._terms))

    def _keep(self, D: np.ndarray, A: np.ndarray, W: np.ndarray, b: np.ndarray) -> None:
        X, target = self._problem.X, self._problem.target
        s = A @ W.T + b
        known = target[:, None] == np.arange(len(b))
        P = np.where(target[:, None] >= 0, known, self._model._probabilities(s))
        size = float(np.square(X).sum()) or 1.0
        self._moments.append(
            (
                *(part.astype(np.float32) for part in (D, W, s, P)),
                float((A != 0).sum(axis=1).mean()),
                float(np.square(X - A @ D).sum()) / size,
            )
        )


def unlike_neighbours(A: np.ndarray, L: Any) -> float:
    """tr(AᵀLA)/‖A‖²: how much codes differ from what their neighbours' make of them."""
    return float((A * (L @ A)).sum() / (np.square(A).sum() or 1.0))
