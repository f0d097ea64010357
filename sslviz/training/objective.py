"""What a training minimises, as the training loop sees it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import reduce
from operator import add

import numpy as np
import torch

from sslviz.training import batches
from sslviz.training.prediction import Predictor


class Objective(ABC):
    """A loss of several terms over parameters that lie in one tensor.

    A method states the terms of the loss on a batch, and a predictor made of the parameters so far.
    The defaults are those of one network trained by Adam.
    """

    names: tuple[str, ...]  # of the terms
    weights: tuple[float, ...]  # their factors in the loss
    seed: int
    theta: torch.Tensor  # all parameters
    parts: list[torch.Tensor]  # views of theta that require gradients, in the order of theta
    momenta: tuple[float, float] = (0.9, 0.999)  # Adam's betas

    @property
    def converged(self) -> bool:
        """Whether more training would change nothing."""
        return False

    @property
    def per_epoch(self) -> int:
        """Iterations of an epoch."""
        return batches.EPOCH_ITERATIONS

    def rate(self, iteration: int) -> float:
        """The learning rate of an iteration, counted from 0."""
        return 0.002

    @abstractmethod
    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        """The terms of the loss on the batch of an iteration, counted from 0."""

    def gradient(self, terms: Sequence[torch.Tensor]) -> torch.Tensor:
        """The gradient of the weighted sum with respect to theta.

        Two networks with opposite aims replace it: each part gets the gradient of its own loss.
        """
        loss = reduce(add, (w * term for w, term in zip(self.weights, terms, strict=True)))
        gradients = torch.autograd.grad(loss, self.parts)
        return torch.cat([g.reshape(-1) for g in gradients])

    @abstractmethod
    def predictor(self) -> Predictor:
        """The network as trained so far, copied."""

    def state(self) -> dict[str, torch.Tensor]:
        """What training changes beside theta, such as running averages."""
        return {}

    def picture(self) -> dict[str, np.ndarray]:
        """What a page draws of the present state beside the predictions, such as centres."""
        return {}
