"""What estimators that train a network share: a fit is a training, taken to its end and settled.

A method states the arguments of its objective. From that come `fit`, which a memory can remember,
`steps`, one record per epoch, and the fitted attributes `losses_` and `predict_proba` of a training
left at any iteration.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.training.loop import Epoch, TrainingRun
from sslviz.training.objective import Objective
from sslviz.training.prediction import Predictor
from sslviz.training.vat import knn_radius

MAX_VALUE = 1e18  # of X; networks are trained in float32, where squares of larger values overflow


def check_magnitude(estimator: Any, X: np.ndarray) -> None:
    """Refuse values whose squares overflow in a network that takes X as given."""
    largest = float(max(X.max(), -X.min()))
    if largest > MAX_VALUE:
        raise ValueError(
            f"{type(estimator).__name__}: X holds values up to {largest:.3g}, whose squares "
            "overflow; scale X"
        )


class TrainedEstimator(ABC):
    """A subclass states its objective, the arguments to build one, and a stage that trains one."""

    epochs: int
    memory: Any
    _objective: ClassVar[Callable[..., Objective]]
    _train: ClassVar[Callable[..., tuple[np.ndarray, ...]]]  # (*, epochs, **arguments): `train`

    @abstractmethod
    def _objective_arguments(self, X: Any, y: Any) -> dict[str, Any]:
        """Arguments of the objective after checks of the input, X among them.

        Arrays and plain values only, so that a memory can name them. The names of the outputs of a
        classifier may be among them as `classes`: they go to the training instead.
        """

    def _begin(self, X: Any, y: Any) -> tuple[TrainingRun, dict[str, Any]]:
        """A training at iteration 0, and the arguments of its objective."""
        arguments = self._objective_arguments(X, y)
        classes = arguments.pop("classes", None)
        return TrainingRun(type(self)._objective(**arguments), arguments["X"], classes), arguments

    def _new_run(self, X: Any, y: Any = None) -> TrainingRun:
        """A training at iteration 0."""
        return self._begin(X, y)[0]

    def fit(self, X: Any, y: Any = None) -> Self:
        """Train for all epochs."""
        run, arguments = self._begin(X, y)
        train = check_memory(self.memory).cache(type(self)._train)
        state = train(epochs=self.epochs, **arguments)
        return self.settle(run.restore(dict(zip(run.state(), state, strict=True))))

    def steps(
        self, X: Any, y: Any = None, *, since: Mapping[str, np.ndarray] | None = None
    ) -> Iterator[Epoch]:
        """One record per epoch, from the state `since` on; run to its end, it leaves a fit."""
        run = self._new_run(X, y)
        if since is not None:
            run.restore(since)
        yield from run.epochs(self.epochs)
        self.settle(run)

    def settle(self, run: TrainingRun) -> Self:
        """Fit the estimator with what the run has learnt so far."""
        self._predictor: Predictor = run.objective.predictor()
        self.losses_ = run.losses
        return self


class AdversarialEstimator(TrainedEstimator):
    """Base of the methods with virtual adversarial training."""

    alpha: float
    device: str

    def perturbation_radii(self, X: np.ndarray) -> np.ndarray:
        """(n,) how far each point is moved in training: α distances to the tenth neighbour."""
        check_magnitude(self, X)
        return self.alpha * knn_radius(X, memory=self.memory, device=self.device)
