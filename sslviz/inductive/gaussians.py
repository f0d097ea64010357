r"""Gaussian clouds with full covariances: their moments from shares of points, their densities.

    log π N(x; μ, Σ) = log π − ½ |L⁻¹(x − μ)|² + Σ_j log (L⁻¹)_jj − ½ d log 2π,   Σ = LLᵀ

L⁻¹ is triangular: a band of its rows meets only the first features.
"""

from math import log, pi

import torch

ROWS, CHUNK = 32, 2**16  # rows of a factor at a time, and numbers: so many stay in the cache
SMALL = 2**15  # numbers: below, what is told to torch costs more than what it does
TRACE = 1e-30  # of a point: no digit of a covariance knows of it


def scatter(
    X: torch.Tensor, held: torch.Tensor, means: torch.Tensor, added: torch.Tensor
) -> torch.Tensor:
    """(C, d, d) scatter of what each class holds, with what the prior adds on the diagonal."""
    if X.numel() * len(means) <= SMALL:  # all classes at once, whatever they hold
        Z = (X - means[:, None]).mul_(held.T.sqrt()[:, :, None])
        S = Z.transpose(1, 2) @ Z
    else:
        S = X.new_empty(len(means), X.shape[1], X.shape[1])
        for c, shares in enumerate(held.T.contiguous()):
            own = (shares > TRACE).nonzero()[:, 0]  # in many dimensions most have but one class
            Z = X.index_select(0, own).sub_(means[c]).mul_(shares[own].sqrt_()[:, None])
            torch.mm(Z.T, Z, out=S[c])
    S.diagonal(dim1=1, dim2=2).add_(added[:, None])
    return S


def inverses_of(covariances: torch.Tensor, floor: float) -> torch.Tensor:
    """(C, d, d) L⁻¹ where Σ = LLᵀ, one for all points: products with it cost less than solving.

    Or a sentence when the floor is lost in the rounding of the variances.
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
    """(n, C) log π_c N(x; μ_c, Σ_c), from the inverse Cholesky factors of the covariances.

    All classes in one product, about a point between them so that hardly a digit is lost.
    """
    d, centre = X.shape[1], means.mean(dim=0)
    shifts = inverses @ (means - centre)[:, :, None]
    bands = []
    for first in range(0, d, ROWS):
        band = inverses[:, first : first + ROWS, : first + ROWS]
        bands.append((band.reshape(-1, band.shape[2]), shifts[:, first : first + ROWS]))
    some = max(1, CHUNK // (len(means) * min(d, ROWS)))
    parts = [_squares((few - centre).T.contiguous(), bands) for few in X.split(some)]
    log_dets = inverses.diagonal(dim1=1, dim2=2).log().sum(dim=1)
    return weights.log() + log_dets - 0.5 * (d * log(2 * pi) + torch.cat(parts, dim=1).T)


def _squares(points: torch.Tensor, bands: list[tuple[torch.Tensor, torch.Tensor]]) -> torch.Tensor:
    """(C, n) squared lengths of L⁻¹x − L⁻¹μ, band by band."""
    total = points.new_zeros(len(bands[0][1]), points.shape[1])
    for band, shift in bands:
        width = band.shape[1]
        z = band @ points[:width]
        total += z.reshape(*shift.shape[:2], -1).sub_(shift).square_().sum(dim=1)
    return total
