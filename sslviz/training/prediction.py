"""Predictions of a network with fixed parameters, for any number of points."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
import torch

from sslviz.device import one_thread, to_numpy, to_torch

BLOCK_POINTS = 2**13  # points passed through a network at once


class Predictor(Protocol):
    """A network with fixed parameters, unaffected by further training."""

    @property
    def device(self) -> torch.device:
        """Where its parameters are."""

    def probabilities(self, X: torch.Tensor) -> torch.Tensor:
        """(m, C) of points in float64."""


def predict_in_blocks(predictor: Predictor, X: np.ndarray) -> np.ndarray:
    """(m, C) probabilities of points."""
    return map_in_blocks(predictor.probabilities, X, predictor.device)


def map_in_blocks(
    function: Callable[[torch.Tensor], torch.Tensor], X: np.ndarray, device: torch.device
) -> np.ndarray:
    """A function of points in float64, applied to some thousand rows at a time."""
    with torch.no_grad(), one_thread():
        blocks = [
            to_numpy(function(to_torch(block, device, torch.float64)))
            for block in np.array_split(X, max(1, -(-len(X) // BLOCK_POINTS)))
        ]
    return np.vstack(blocks)
