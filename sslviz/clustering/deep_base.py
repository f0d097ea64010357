"""Base classes of the clusterers that train a network: training, epochs, prediction."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted, check_memory

from sslviz.clustering.base import Clusterer
from sslviz.clustering.parameters import PAPER_LAYERS, QUICK_LAYERS
from sslviz.training.loop import Epoch, TrainingRun
from sslviz.training.objective import Objective
from sslviz.training.prediction import predict_in_blocks
from sslviz.training.vat import knn_radius

IMAGE_FEATURES = 50  # from this many features on, "auto" is the paper's network


class DeepClusterer(Clusterer, ABC):
    """A subclass states its objective, the arguments to build one, and a stage that trains one.

    `training` gives a run to be advanced at will, `settle` fits the estimator with what a run has
    learnt so far; `fit` does both with all epochs.
    """

    epochs: int
    _objective: ClassVar[Callable[..., Objective]]
    _train: ClassVar[Callable[..., tuple[np.ndarray, ...]]]  # (*, epochs, **arguments): `train`

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit: that of the network's size, hardly that of n."""
        return 10.0 if n_features < IMAGE_FEATURES else 300.0

    @abstractmethod
    def _arguments(self, X: np.ndarray) -> dict[str, Any]:
        """Arguments of the objective: arrays and plain values, so that a memory can name them."""

    def fit(self, X: Any, y: Any = None) -> "DeepClusterer":
        """Train for all epochs; y is ignored."""
        X = self._check(X)
        arguments = self._arguments(X)
        train = check_memory(self.memory).cache(type(self)._train)
        run = TrainingRun(type(self)._objective(**arguments), X)
        state = train(epochs=self.epochs, **arguments)
        return self.settle(run.restore(dict(zip(run.state(), state, strict=True))))

    def training(self, X: Any) -> TrainingRun:
        """A training at iteration 0, ready to be advanced."""
        X = self._check(X)
        return TrainingRun(type(self)._objective(**self._arguments(X)), X)

    def steps(
        self, X: Any, y: Any = None, *, since: Mapping[str, np.ndarray] | None = None
    ) -> Iterator[Epoch]:
        """One record per epoch, from the state `since` on; run to its end, it leaves a fit."""
        run = self.training(X)
        if since is not None:
            run.restore(since)
        yield from run.epochs(self.epochs)
        self.settle(run)

    def settle(self, run: TrainingRun) -> "DeepClusterer":
        """Fit the estimator with what the run has learnt so far."""
        self._predictor = run.objective.predictor()
        self.losses_ = run.losses
        self.labels_ = predict_in_blocks(self._predictor, run.X).argmax(axis=1)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) probabilities of the clusters."""
        check_is_fitted(self, "labels_")
        return predict_in_blocks(self._predictor, self._check(X, reset=False))

    def predict(self, X: Any) -> np.ndarray:
        """The most probable cluster of each point."""
        return self.predict_proba(X).argmax(axis=1)


class AdversarialClusterer(DeepClusterer):
    """Base of the clusterers with virtual adversarial training: SEDC and IMSAT."""

    alpha: float

    def perturbation_radii(self, X: np.ndarray) -> np.ndarray:
        """(n,) how far each point is moved in training: α distances to the tenth neighbour."""
        return self.alpha * knn_radius(X, memory=self.memory, device=self.device)


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
