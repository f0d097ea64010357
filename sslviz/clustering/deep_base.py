"""Base classes of the clusterers that train a network: training, epochs, prediction."""

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sslviz.clustering.base import Clusterer
from sslviz.clustering.parameters import PAPER_LAYERS, QUICK_LAYERS
from sslviz.training.estimator import AdversarialEstimator, TrainedEstimator
from sslviz.training.loop import TrainingRun
from sslviz.training.prediction import predict_in_blocks

IMAGE_FEATURES = 50  # from this many features on, "auto" is the paper's network


class DeepClusterer(TrainedEstimator, Clusterer):
    """A subclass states its objective, the arguments to build one, and a stage that trains one.

    `training` gives a run to be advanced at will, `settle` fits the estimator with what a run has
    learnt so far; `fit` does both with all epochs and ignores y.
    """

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit: that of the network's size, hardly that of n."""
        return 10.0 if n_features < IMAGE_FEATURES else 300.0

    @abstractmethod
    def _arguments(self, X: np.ndarray) -> dict[str, Any]:
        """Arguments of the objective: arrays and plain values, so that a memory can name them."""

    def _objective_arguments(self, X: Any, y: Any) -> dict[str, Any]:
        return self._arguments(self._check(X))

    def training(self, X: Any) -> TrainingRun:
        """A training at iteration 0, ready to be advanced."""
        return self._new_run(X)

    def settle(self, run: TrainingRun) -> Self:
        """Fit the estimator with what the run has learnt so far."""
        super().settle(run)
        self.labels_ = predict_in_blocks(self._predictor, run.X).argmax(axis=1)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) probabilities of the clusters."""
        check_is_fitted(self, "labels_")
        return predict_in_blocks(self._predictor, self._check(X, reset=False))

    def predict(self, X: Any) -> np.ndarray:
        """The most probable cluster of each point."""
        return self.predict_proba(X).argmax(axis=1)


class AdversarialClusterer(AdversarialEstimator, DeepClusterer):
    """Base of the clusterers with virtual adversarial training: SEDC and IMSAT."""


def layer_sizes(
    n_features: int,
    hidden: tuple[int, ...] | str,
    outputs: int,
    *,
    quick: tuple[int, ...] = QUICK_LAYERS,
    paper: tuple[int, ...] = PAPER_LAYERS,
) -> tuple[int, ...]:
    """All sizes from input to output; "auto" is `quick` for few features and `paper` for many."""
    if isinstance(hidden, str):
        hidden = quick if n_features < IMAGE_FEATURES else paper
    return n_features, *hidden, outputs
