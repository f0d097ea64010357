"""Base class of the classifiers that train a network: labels, training, prediction."""

from abc import abstractmethod
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from sslviz.abilities import Method
from sslviz.labels import one_hot
from sslviz.training.estimator import TrainedEstimator, check_magnitude
from sslviz.training.loop import TrainingRun
from sslviz.training.objective import Objective
from sslviz.training.prediction import predict_in_blocks
from sslviz.validation import check_labelled


class ClassifierObjective(Objective):
    """An objective with labels: `target` (n,) holds class indices, -1 for unlabelled points."""

    target: np.ndarray


@dataclass(repr=False, eq=False)
class NetworkClassifier(TrainedEstimator, ClassifierMixin, Method, BaseEstimator):
    """Base of the family.

    `training(X, y)` gives a run to be advanced at will, `settle` fits the estimator with what a run
    has learnt so far; `fit` does both with all epochs.

    Attributes: `classes_`, `transduction_` (n,) given labels, and predictions for the other points,
    `label_distributions_` (n, C) one-hot where the label is given, `losses_` (epochs, terms).
    """

    family = "network"

    _: KW_ONLY
    device: str = "auto"
    memory: Any = None
    random_state: Any = None

    @abstractmethod
    def _arguments(self, X: np.ndarray, target: np.ndarray, n_classes: int) -> dict[str, Any]:
        """Arguments of the objective beside X, target, seed and device."""

    def _objective_arguments(self, X: Any, y: Any) -> dict[str, Any]:
        X, target, classes = check_labelled(self, X, y)
        check_magnitude(self, X)
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        shared = {"X": X, "target": target, "seed": seed, "device": self.device}
        return shared | {"classes": classes} | self._arguments(X, target, len(classes))

    def training(self, X: Any, y: Any) -> TrainingRun:
        """A training at iteration 0, ready to be advanced."""
        return self._new_run(X, y)

    def settle(self, run: TrainingRun) -> Self:
        """Fit the estimator with what the run has learnt so far."""
        super().settle(run)
        assert isinstance(run.objective, ClassifierObjective) and run.classes is not None
        target, classes = run.objective.target, run.classes
        P = predict_in_blocks(self._predictor, run.X)
        given = target >= 0
        self.classes_ = classes
        self.label_distributions_ = np.where(
            given[:, None], one_hot(target, np.arange(len(classes))), P
        )
        self.transduction_ = np.where(given, classes[target], classes[P.argmax(axis=1)])
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) class probabilities of new points."""
        check_is_fitted(self, "transduction_")
        X = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        return predict_in_blocks(self._predictor, X)

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class of new points."""
        P = self.predict_proba(X)
        return self.classes_[P.argmax(axis=1)]
