"""Shift and scale of points before a network, and back."""

from typing import NamedTuple

import torch


class Scaling(NamedTuple):
    """(x − centre)/scale, one scale for all features or one for each."""

    centre: torch.Tensor
    scale: torch.Tensor

    def __call__(self, X: torch.Tensor) -> torch.Tensor:
        return (X - self.centre) / self.scale

    def inverse(self, X: torch.Tensor) -> torch.Tensor:
        """Points in the units of the data."""
        return X * self.scale + self.centre


def common_scaling(X: torch.Tensor) -> Scaling:
    """Mean 0 and mean square 1 over all features together, which keeps distances."""
    centre = X.mean(dim=0)
    return Scaling(centre, positive((X - centre).square().mean().sqrt()))


def standard_scaling(X: torch.Tensor) -> Scaling:
    """Mean 0 and variance 1 of every feature; constant ones stay."""
    return Scaling(X.mean(dim=0), positive(X.std(dim=0, correction=0)))


def pixel_scaling(X: torch.Tensor) -> Scaling:
    """Values from 0 to 1: divided by the largest."""
    return Scaling(torch.zeros_like(X[0]), positive(X.max()))


def positive(scale: torch.Tensor) -> torch.Tensor:
    """1 where a scale is zero."""
    return torch.where(scale > 0, scale, torch.ones_like(scale))
