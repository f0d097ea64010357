r"""Projection filter: a cheaper bound before the error-bound filter, from a few directions only.

With U the first p directions of an orthonormal basis, y = Uᵀx and ρ = √(|x|² − |y|²),

    |y − y'|² + (ρ − ρ')² ≤ |x − x'|²

since two remainders differ by no less than their norms. The left side takes a product over p + 1
columns instead of d. Few points pass it where the directions hold most of the variance, as they do
for images; the bounds of error_bound_filter.py are computed for these pairs only. Any basis is
correct, a good one is fast, so an approximate one is used: subspace iteration on a sample.

z = (y, ρ) is computed in float64, of unit roundoff v, with a V whose |VᵀV − I| is at most η, and
then rounded to unit roundoff u. With U the orthonormal factor of V, y errs by e|x| where
e = 2pdv + η: each product by dv, |V − U| by η, which itself is known to pdv. Then ρ² errs by no
more than 3e |x|² and ρ by the root of that, so z by δ|x|, δ = 2√e + 2u, and |z − z'|² exceeds
|x − x'|² by at most 4.1 δ (|x|² + |x'|²). This is added to the α of the product of p + 1 columns.

Halko, Martinsson, Tropp. Finding structure with randomness. SIAM Review 53 (2011), algorithm 4.4.
"""

from typing import NamedTuple

import numpy as np
import torch

from sslviz.device import to_numpy, to_torch
from sslviz.graph.search.error_bound_filter import (
    COLUMN_GROUPS,
    ErrorBoundFilter,
    error_factor,
    exclude_own,
    rounded,
)

MIN_FEATURES = 128  # with fewer, the product takes little of the time
MIN_POINTS = 3000  # with fewer, the projection costs what it saves,
MIN_POINTS_PER_NEIGHBOUR = 50  # with so many more required per neighbour
BASIS_SAMPLE = 1024  # points from which the directions are computed
VARIANCE_SHARE = 0.94  # of the variance along them: with less, too many candidates remain
MAX_DIRECTIONS = 256
PROBE_ROWS = 128  # rows on which the filter is tried,
PROBE_SHARE = 0.75  # share of them that must keep few candidates


class ProjectionFilter(NamedTuple):
    """The points X as columns of the smaller product, beside the filter of all features."""

    full: ErrorBoundFilter
    basis: torch.Tensor  # (d, p) float64
    columns: torch.Tensor  # (p + 2, n): −2z, and below it |z|² less its share of the error
    alpha: float
    most: int  # candidates of a row; measuring more takes as long as filtering the row

    def survivors(self, Q: np.ndarray, own: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """Pairs (row of Q, column), sorted, among them the k nearest columns of a row.

        A row that keeps too many candidates has no pair at all.
        """
        full = self.full
        a, z = self._rows(Q, own)
        norms = a[:, :-1].square().sum(1)
        t = torch.mm(z, self.columns, out=full.block[: len(z)])
        exclude_own(t, own)
        seeds = _candidate_columns(t, full.k)
        starts = torch.arange(0, seeds.numel() + 1, full.k, device=t.device)
        _, upper = full.bounds(a, starts, seeds.flatten())
        limit = full.limit(upper.unflatten(0, seeds.shape).amax(1), norms)
        # t is |z − z'|² less |z|², not less |a|²: they differ by |a|² (5u + 3e), below one α.
        reach = limit + (full.alpha + 3 * self.alpha) * norms
        rows, cols = np.divmod(np.flatnonzero(to_numpy(t <= reach[:, None])), t.shape[1])
        counts = np.bincount(rows, minlength=len(Q))
        if counts.max() > self.most:
            light = counts[rows] <= self.most
            rows, cols, counts = rows[light], cols[light], np.where(counts > self.most, 0, counts)
        starts = to_torch(np.concatenate([[0], np.cumsum(counts)]), t.device)
        lower, upper = full.bounds(a, starts, to_torch(cols, t.device))
        few = lower <= limit[to_torch(rows, t.device)]
        lower, upper, kept = lower[few], upper[few], to_numpy(few)
        rows, cols = rows[kept], cols[kept]
        limit = full.limit(_kth(rows, upper, full.k, len(Q)), norms)
        kept = to_numpy(lower <= limit[to_torch(rows, t.device)])
        return rows[kept], cols[kept]

    def _rows(self, Q: np.ndarray, own: np.ndarray | None) -> tuple[torch.Tensor, torch.Tensor]:
        """The rows of both products; for points that are columns too they are copied from there."""
        if own is None or (own < 0).any():
            a = rounded(Q, self.full.centre, self.full.exponent, self.columns)
            return a, _projected(Q, self.full, self.basis)
        at = to_torch(own, self.columns.device)
        a, z = (part.T[at] * -0.5 for part in (self.full.columns, self.columns))
        a[:, -1] = z[:, -1] = 1
        return a, z


def build_projection_filter(
    full: ErrorBoundFilter, X: np.ndarray, Q: np.ndarray, own: np.ndarray | None
) -> ProjectionFilter | None:
    """The filter that finds for the rows of Q the candidates in X; None where it does not pay."""
    n, d = X.shape
    if min(n, len(Q)) < MIN_POINTS + MIN_POINTS_PER_NEIGHBOUR * full.k or d < MIN_FEATURES:
        return None
    basis = _directions(X, full)
    if basis is None:
        return None
    p = basis.shape[1]
    gram = basis.T @ basis
    gram.diagonal().sub_(1)
    e = p * d * torch.finfo(torch.float64).eps + float(gram.norm())
    kind = torch.finfo(full.columns.dtype)
    alpha = error_factor(p + 1, kind) + 4.1 * (2 * e**0.5 + kind.eps)
    z = torch.cat([_projected(X[i : i + 4096], full, basis) for i in range(0, n, 4096)])
    norms = z[:, :-1].square().sum(1)
    z[:, :-1] *= -2
    z[:, -1] = norms * (1 - alpha)
    built = ProjectionFilter(full, basis, z.T, alpha, 4 * full.k + n // 32)
    probe = np.linspace(0, len(Q) - 1, min(PROBE_ROWS, len(full.block))).astype(int)
    found, _ = built.survivors(Q[probe], None if own is None else own[probe])
    return built if len(np.unique(found)) >= PROBE_SHARE * len(probe) else None


def _projected(X: np.ndarray, full: ErrorBoundFilter, basis: torch.Tensor) -> torch.Tensor:
    """(n, p + 2): the points z = (y, ρ) and a column of ones, in the type of the filter."""
    x = rounded(X, full.centre, full.exponent, basis)[:, :-1]
    y = x @ basis
    rest = (x.square().sum(1) - y.square().sum(1)).clamp(min=0).sqrt()
    z = torch.cat([y, rest[:, None], torch.ones_like(rest)[:, None]], 1)
    return z.to(full.columns.dtype)


def _directions(X: np.ndarray, full: ErrorBoundFilter) -> torch.Tensor | None:
    """(d, p): nearly the principal axes of a sample, in which outliers count no more than others.

    None if MAX_DIRECTIONS of them do not hold VARIANCE_SHARE of the variance.
    """
    d = X.shape[1]
    like = torch.empty(0, dtype=torch.float64, device=full.columns.device)
    C = rounded(X[:: -(-len(X) // BASIS_SAMPLE)], full.centre, full.exponent, like)[:, :-1]
    norms = C.norm(dim=1, keepdim=True)
    C = C * (norms.median() / norms.clamp(min=norms.median())).nan_to_num(0.0)
    C = C - C.mean(0)
    start = np.random.default_rng(0).normal(size=(d, min(MAX_DIRECTIONS, d // 2)))
    V = to_torch(start, like.device)
    for _ in range(2):
        V = torch.linalg.qr(C.T @ (C @ V)).Q
    image = C @ V
    variances, axes = torch.linalg.eigh(image.T @ image)
    shares = variances.flip(0).cumsum(0) / C.square().sum()
    p = max(8, int((shares < VARIANCE_SHARE).sum()) + 1)
    return V @ axes.flip(1)[:, :p] if p <= V.shape[1] else None


def _candidate_columns(t: torch.Tensor, k: int) -> torch.Tensor:
    """(m, k) different columns of small t: the smallest of k groups, in which it is smallest."""
    groups = min(max(COLUMN_GROUPS, 8 * k), t.shape[1] // 2)
    folded = t[:, : t.shape[1] // groups * groups].unflatten(1, (-1, groups))
    group = folded.amin(1).topk(k, largest=False).indices
    members = folded.gather(2, group[:, None].expand(-1, folded.shape[1], -1))
    return members.min(1).indices * groups + group


def _kth(rows: np.ndarray, values: torch.Tensor, k: int, m: int) -> torch.Tensor:
    """(m,): the k-th smallest value of each row, the values being sorted by row."""
    counts = np.bincount(rows, minlength=m)
    place = np.arange(len(rows)) - (np.cumsum(counts) - counts)[rows]
    table = values.new_full((m, max(k, counts.max())), torch.inf)
    at = to_torch(np.stack([rows, place]), values.device)
    table[at[0], at[1]] = values
    return table.topk(k, largest=False).values[:, -1]
