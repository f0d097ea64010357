"""Base class of the dictionary methods: learn atoms, code points by them, classify the codes.

A method is one file. It states

- its parameters, as fields;
- `_rounds(X, target, **arguments)`, a generator with one record per round, each with `iteration`,
  `objective`, `terms` (a NamedTuple of the terms of the objective) and `learnt()`: a tuple of
  arrays;
- `_learn(X, target, **arguments)`, a stage that runs all rounds: what the last one learnt, and the
  objective after each (`run_rounds`);
- `_arguments`: the arguments of both, and what is known before the first round;
- `_keep`: the fitted attributes made of what was learnt;
- `_code`: the codes of new points;
- `_scores` and `_probabilities`, where a linear classifier of the codes and a softmax do not fit,
  as in methods that compare reconstructions per class;
- `_scaled`, where the method brings points to its own scale.

`learning(X, y)` takes the rounds one at a time, for those who watch or stop them.
"""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, check_memory, validate_data

from sslviz.abilities import Method
from sslviz.validation import check_labelled

MAX_VALUE = 1e140  # of X; sums of squares of larger values overflow


class CheckedInput(NamedTuple):
    """The checked input and everything known before the first round."""

    X: np.ndarray
    target: np.ndarray  # (n,) class index, -1 without label
    classes: np.ndarray
    arguments: dict[str, Any]  # of the rounds
    # What `learnt()` would give before the first round, or a function that makes it.
    start: tuple[np.ndarray, ...] | Callable[[], tuple[np.ndarray, ...]]
    graph: Any = None  # of the points, where the method has one


class Reconstruction(NamedTuple):
    """A point as a sum of atoms, and the trained points whose codes its own should resemble."""

    code: np.ndarray  # (atoms,)
    reconstruction: np.ndarray  # (d,)
    error: float  # ‖x − aD‖²
    neighbours: np.ndarray  # trained points, largest weight first
    weights: np.ndarray  # their weights


def run_rounds(records: Iterable[Any]) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """What the last round learnt, and the objective after each."""
    objective, last = [], None
    for last in records:
        objective.append(last.objective)
    assert last is not None
    return last.learnt(), np.array(objective)


@contextmanager
def solving_classifier(
    model: Any,
    unsolvable: tuple[type[Exception], ...] = (np.linalg.LinAlgError, torch.linalg.LinAlgError),
) -> Iterator[None]:
    """Say what is wrong where a classifier of the codes cannot be computed."""
    try:
        yield
    except unsolvable as error:
        raise ValueError(
            f"{type(model).__name__}: the values of X are so large that the penalty on the weights "
            "of the classifier is lost in rounding; scale X, images to length 5"
        ) from error


class Learning:
    """The rounds of a method on given points, one at a time; `fitted` is the model after any."""

    def __init__(self, model: "DictionaryClassifier", problem: CheckedInput):
        self.problem, self._model = problem, model

    def __iter__(self) -> Iterator[Any]:
        """A record per round."""
        problem = self.problem
        with solving_classifier(self._model):
            yield from type(self._model)._rounds(problem.X, problem.target, **problem.arguments)

    def fitted(self, learnt: tuple | None = None, objective: Any = ()) -> Any:
        """A copy of the model, fitted with what a record has learnt; None: the start."""
        if learnt is None:
            start = self.problem.start
            learnt = start() if callable(start) else start
        return copy(self._model)._finish(self.problem, learnt, np.array(objective, float))


@dataclass(repr=False, eq=False)
class DictionaryClassifier(TransformerMixin, ClassifierMixin, Method, BaseEstimator, ABC):
    """Base of the family.

    Attributes: `components_` (atoms, d), `codes_` (n, atoms), `classes_`, `label_distributions_`
    (n, C), `transduction_`, `objective_` after each round, `n_iter_`.
    """

    family = "dictionary"
    labelled_only: ClassVar[bool] = False  # whether unlabelled points have no influence
    pseudo_labels_teach: ClassVar[bool] = True  # whether `pseudo_labels_`, if any, change atoms
    link_meaning: ClassVar[str] = "Near points, whose codes should be alike."  # with a graph
    _rounds: ClassVar[Callable[..., Iterator[Any]]]
    _learn: ClassVar[Callable[..., tuple[tuple, np.ndarray]]]

    _: KW_ONLY
    device: str = "auto"
    memory: Any = None
    random_state: Any = None

    @abstractmethod
    def _arguments(self, X: np.ndarray, target: np.ndarray, classes: np.ndarray) -> CheckedInput:
        """The problem with the arguments of the rounds: arrays and plain values."""

    @abstractmethod
    def _keep(self, problem: CheckedInput, *learnt: Any) -> None:
        """Set `components_`, `codes_`, and what else the method has learnt."""

    @abstractmethod
    def _code(self, Q: np.ndarray) -> np.ndarray:
        """(m, atoms) codes of new points."""

    def _probabilities(self, scores: np.ndarray) -> np.ndarray:
        """(m, C) class probabilities from scores."""
        return softmax(scores, axis=1)

    def _note_end(self, reason: str) -> None:
        """Keep the reason why learning stopped before its last round, with a warning; "": none."""
        self.stopped_because_ = reason
        if reason:
            text = f"{type(self).__name__} stopped: {reason}"
            warnings.warn(text, UserWarning, stacklevel=4)

    def _scaled(self, X: np.ndarray) -> np.ndarray:
        """The points in the scale of the method."""
        return X

    def fit(self, X: Any, y: Any) -> "DictionaryClassifier":
        """Learn atoms, codes and classifier; y holds -1 for unlabelled points."""
        problem = self._prepare(X, y)
        learn = check_memory(self.memory).cache(type(self)._learn)
        with solving_classifier(self):
            learnt = learn(problem.X, problem.target, **problem.arguments)
        return self._finish(problem, *learnt)

    def steps(self, X: Any, y: Any) -> Iterator[Any]:
        """One record per round with the state after it; run to its end, it leaves a fit."""
        learning, objective = self.learning(X, y), []
        for last in learning:
            objective.append(last.objective)
            yield last
        self._finish(learning.problem, last.learnt(), np.array(objective))

    def learning(self, X: Any, y: Any) -> Learning:
        """The rounds, to be taken one at a time."""
        return Learning(self, self._prepare(X, y))

    def _prepare(self, X: Any, y: Any) -> CheckedInput:
        X, target, classes = check_labelled(self, X, y)
        largest = float(max(X.max(), -X.min()))
        if largest > MAX_VALUE:
            raise ValueError(
                f"{type(self).__name__}: X holds values up to {largest:.3g}, whose squares "
                "overflow; scale X"
            )
        with solving_classifier(self):
            return self._arguments(self._scaled(X), target, classes)

    def _generator(self) -> np.random.RandomState:
        return check_random_state(0 if self.random_state is None else self.random_state)

    def _finish(
        self, problem: CheckedInput, learnt: tuple, objective: np.ndarray
    ) -> "DictionaryClassifier":
        self._X = problem.X
        self.classes_, self.objective_, self.n_iter_ = problem.classes, objective, len(objective)
        self._keep(problem, *learnt)
        self._training_scores = scores = self._scores(problem.X, self.codes_)
        given = problem.target >= 0
        known = problem.target[:, None] == np.arange(len(self.classes_))
        self.label_distributions_ = np.where(given[:, None], known, self._probabilities(scores))
        predicted = self.classes_[scores.argmax(axis=1)]
        self.transduction_ = np.where(given, self.classes_[problem.target], predicted)
        return self

    def _scores(self, X: np.ndarray, A: np.ndarray) -> np.ndarray:
        """(m, C) scores of points X with codes A: a linear classifier of the codes."""
        return A @ self.coef_.T

    def atom_weights(self) -> np.ndarray:
        """(C, atoms) how strongly each atom indicates each class: the weights of the classifier."""
        check_is_fitted(self, "codes_")
        return self.coef_

    def transform(self, X: Any) -> np.ndarray:
        """(m, atoms) codes of new points."""
        return self._code(self._check_new(X))

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) class probabilities of new points."""
        return self._probabilities(self._new_scores(X))

    def predict(self, X: Any) -> np.ndarray:
        """The class with the highest score."""
        scores = self._new_scores(X)
        return self.classes_[scores.argmax(axis=1)]

    def _new_scores(self, X: Any) -> np.ndarray:
        Q = self._check_new(X)
        return self._scores(Q, self._code(Q))

    def _check_new(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "codes_")
        X = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        return self._scaled(X)

    def training_scores(self) -> np.ndarray:
        """(n, C) scores of the trained points; the highest is the prediction."""
        check_is_fitted(self, "codes_")
        return self._training_scores

    def counted_codes(self) -> np.ndarray:
        """(n, atoms) the codes of the trained points as far as they count: here wholly."""
        check_is_fitted(self, "codes_")
        return self.codes_

    def atom_users(self, atom: int, count: int = 10) -> np.ndarray:
        """The trained points with an atom in their code, largest coefficient first."""
        use = np.abs(self.counted_codes()[:, atom])
        return np.argsort(-use, kind="stable")[: min(count, int((use > 0).sum()))]

    def reconstruct(self, sample: int | np.ndarray) -> Reconstruction:
        """The code of a trained point (an index) or a new one (a vector), and what it makes."""
        check_is_fitted(self, "codes_")
        x, code = self._sample(sample)
        made = code @ self.components_
        neighbours, weights = self._neighbours(sample)
        order = np.argsort(-np.abs(weights), kind="stable")
        error = float(np.square(x - made).sum())
        return Reconstruction(code, made, error, neighbours[order], weights[order])

    def reconstructions(self) -> np.ndarray:
        """(n, d) what the codes of the trained points make of the atoms."""
        return self.counted_codes() @ self.components_

    def _sample(self, sample: int | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The point and the code of a trained point (an index) or a new one (a vector)."""
        if np.ndim(sample) == 0:
            return self._X[sample], self.codes_[sample]
        x = self._check_new(np.asarray(sample, np.float64)[None])[0]
        return x, self._code(x[None])[0]

    def _neighbours(self, sample: int | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Trained points whose codes that of a sample should resemble, and weights; here none."""
        return np.empty(0, np.int64), np.empty(0)


def clip_atoms(estimator: Any, n: int, kind: str = "points") -> int:
    """`n_atoms`, or the number of points of a kind, with a warning, when there are fewer."""
    if estimator.n_atoms > n:
        warnings.warn(
            f"{type(estimator).__name__}: n_atoms={estimator.n_atoms} but there are {n} {kind} to "
            f"start from; taking {n}",
            UserWarning,
            stacklevel=5,
        )
    return min(estimator.n_atoms, n)
