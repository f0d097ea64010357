r"""Gaussian components with full covariances: their moments and their densities.

    log π N(x; μ, Σ) = log π − ½ |L⁻¹(x − μ)|² + Σ_j log (L⁻¹)_jj − ½ d log 2π,   Σ = LLᵀ

L⁻¹ is triangular: a band of its rows involves only the first features.
"""

from math import log, pi

import torch

BAND_ROWS, CHUNK = 32, 2**18  # rows of a factor at a time, and numbers
MAX_BATCHED = 2**15  # numbers up to which one call for all classes is faster
MIN_WEIGHT = 1e-30  # of a point in a class: below, it does not change a digit of the covariance


def weighted_scatter(
    X: torch.Tensor, held: torch.Tensor, means: torch.Tensor, added: torch.Tensor
) -> torch.Tensor:
    """(C, d, d) scatter with weights `held` (C, n), plus `added` (C,) on the diagonals."""
    if X.numel() * len(means) <= MAX_BATCHED:  # all classes at once
        Z = (X.T - means[:, :, None]).mul_(held.sqrt()[:, None])
        S = Z @ Z.mT
    else:
        S = X.new_empty(len(means), X.shape[1], X.shape[1])
        for c, shares in enumerate(held):
            own = (shares > MIN_WEIGHT).nonzero()[
                :, 0
            ]  # in many dimensions most have one class only
            Z = X.index_select(0, own).sub_(means[c]).mul_(shares[own].sqrt_()[:, None])
            torch.mm(Z.T, Z, out=S[c])
    S.diagonal(dim1=1, dim2=2).add_(added[:, None])
    return S


def inverse_factors(covariances: torch.Tensor, floor: float) -> torch.Tensor:
    """(C, d, d) L⁻¹ where Σ = LLᵀ: products with it are cheaper than solving for every point.

    ValueError where the floor is lost in the rounding of the variances.
    """
    try:
        factors = torch.linalg.cholesky(covariances)
    except torch.linalg.LinAlgError as error:
        largest = float(covariances.diagonal(dim1=1, dim2=2).max())
        raise ValueError(
            f"SemiSupervisedGMM: floor={floor:g} vanishes beside a variance of {largest:g}; "
            "raise it or standardise X"
        ) from error
    identity = torch.eye(factors.shape[-1], dtype=factors.dtype).to(factors.device)
    return torch.linalg.solve_triangular(factors, identity.expand_as(factors), upper=False)


def log_joint(
    X: torch.Tensor, means: torch.Tensor, inverses: torch.Tensor, weights: torch.Tensor
) -> torch.Tensor:
    """(C, n) log π_c N(x; μ_c, Σ_c), from the inverse Cholesky factors of the covariances.

    All classes in one product, relative to the centre of the means so that few digits are lost; an
    additional feature that is 1 for all points accounts for the means.
    """
    (C, d), centre = means.shape, means.mean(dim=0)
    shifts = inverses @ (centre - means)[:, :, None]
    bands = []
    for first in range(0, d, BAND_ROWS):
        rows = slice(first, min(first + BAND_ROWS, d))
        bands.append(torch.cat([shifts[:, rows], inverses[:, rows, : rows.stop]], dim=2))
    points = torch.cat([X.new_ones(1, len(X)), (X - centre).T])
    size = max(1, CHUNK // (C * min(d, BAND_ROWS)))
    squares = torch.cat([_squares(part, bands) for part in points.split(size, dim=1)], dim=1)
    log_dets = inverses.diagonal(dim1=1, dim2=2).log().sum(dim=1)
    return (weights.log() + log_dets - 0.5 * d * log(2 * pi))[:, None] - 0.5 * squares


def _squares(points: torch.Tensor, bands: list[torch.Tensor]) -> torch.Tensor:
    """(C, n) squared lengths of L⁻¹(x − μ), band by band."""
    total = points.new_zeros(len(bands[0]), points.shape[1])
    for band in bands:
        z = band.flatten(0, 1) @ points[: band.shape[2]]
        total += z.reshape(*band.shape[:2], -1).square_().sum(dim=1)
    return total
