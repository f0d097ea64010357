r"""Error-bound filter: one matrix product, and bounds that prove which points it may discard.

With a, b the points moved to a common centre, scaled by a power of two and rounded,

    |a − b|² − |a|² ≈ t = |b|² − 2 aᵀb,   error ≤ α (|a|² + |b|²) + τ,   α = 1.05 (3d + 32) u

in arithmetic of unit roundoff u: a sum of d + 1 products, in whatever order, errs by at most
(d + 1) u / (1 − (d + 1) u) times the sum of their moduli, the norm of b by d u of itself, rounding
the points adds 8u (|a|² + |b|²), and τ covers underflow. A column whose lower bound exceeds the
k-th smallest upper bound is not among the k nearest; all others are measured by `lengths`.

Higham. Accuracy and Stability of Numerical Algorithms, 2nd edition, chapter 3. SIAM 2002.
"""

from typing import NamedTuple

import numpy as np
import torch

from sslviz.device import to_numpy, to_torch
from sslviz.graph.search.distances import CHUNK_NUMBERS

COLUMN_GROUPS = 512  # at least; minima over groups of columns give the k-th upper bound
CENTRE_SAMPLE = 1024  # points whose median is the centre, so that outliers do not move it


class ErrorBoundFilter(NamedTuple):
    """The points X as columns of the product."""

    k: int
    centre: np.ndarray  # (d,)
    exponent: int  # coordinates are divided by 2 to this power
    columns: torch.Tensor  # (d + 1, n): −2b, and below it |b|² less its share of the error
    block: torch.Tensor  # (m, n) memory for the product: allocating it takes a tenth of the time
    spread: torch.Tensor  # (n,) from lower to upper bound
    rise: torch.Tensor  # (groups,) the largest spread of each group
    alpha: float
    tau: float

    def product(self, Q: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        """(m, n) lower bounds t of the columns, and (m,) squared norms of the rows.

        The bounds stand in `block` and last until the next product.
        """
        a = rounded(Q, self.centre, self.exponent, self.columns)
        t = torch.mm(a, self.columns, out=self.block[: len(a)])
        return t, a[:, :-1].square().sum(1)

    def survivors(self, Q: np.ndarray, own: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """Pairs (row of Q, column), sorted, among them the k nearest columns of every row.

        `own[i]` is a column that row i must not list, or -1.
        """
        t, norms = self.product(Q)
        exclude_own(t, own)
        kth = (
            (_group_minima(t, len(self.rise)) + self.rise).topk(self.k, largest=False).values[:, -1]
        )
        limit = self.limit(kth, norms)
        rows, cols = np.divmod(np.flatnonzero(to_numpy(t <= limit[:, None])), t.shape[1])
        return rows, cols

    def limit(self, kth: torch.Tensor, norms: torch.Tensor) -> torch.Tensor:
        """(m,): what no lower bound of the k nearest exceeds, given the k-th upper bound."""
        slack = 4 * torch.finfo(kth.dtype).eps * kth.abs() + 2 * self.tau
        return kth + slack + 2.01 * self.alpha * norms

    def bounds(
        self, a: torch.Tensor, starts: torch.Tensor, cols: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Lower and upper bounds for the columns `cols[starts[i] : starts[i + 1]]` of row i."""
        shape = (len(a), self.columns.shape[1])
        pairs = torch.sparse_csr_tensor(
            starts, cols, a.new_zeros(len(cols)), shape, check_invariants=False
        )
        t = torch.sparse.sampled_addmm(pairs, a, self.columns, beta=0.0).values()
        return t, t + self.spread[cols]


def build_error_bound_filter(
    X: np.ndarray, Q: np.ndarray, k: int, m: int, like: torch.Tensor
) -> ErrorBoundFilter | None:
    """The filter that finds for m rows of Q at a time their k nearest in X, in the type of `like`.

    None if the type lacks the range for these points, or the precision for their dimension.
    """
    kind, d = torch.finfo(like.dtype), X.shape[1]
    alpha = error_factor(d, kind)
    centre, exponent, largest = centre_and_scale(X)
    if Q is not X:
        largest = max(largest, _largest_coordinates(Q, centre).max())
    if alpha > 0.01 or np.frexp(largest)[1] - exponent > np.log2(kind.max) / 2 - 20:
        return None
    b = rounded(X, centre, exponent, like)
    norms = b[:, :-1].square().sum(1)
    b[:, :-1] *= -2
    b[:, -1] = norms * (1 - alpha)
    groups = min(len(X), max(COLUMN_GROUPS, 8 * k))
    spread = 2.01 * alpha * norms
    rise = -_group_minima(-spread[None], groups)[0]
    block = like.new_empty(min(m, len(Q)), len(X))
    return ErrorBoundFilter(
        k, centre, exponent, b.T, block, spread, rise, alpha, 256 * d * kind.tiny
    )


def error_factor(d: int, kind: torch.finfo) -> float:
    """The α of a product over d features."""
    return 1.05 * (3 * d + 32) * kind.eps / 2


def exclude_own(t: torch.Tensor, own: np.ndarray | None) -> None:
    """Set the column that each row must not list to infinity."""
    if own is not None:
        masked = np.flatnonzero(own >= 0)
        at = to_torch(np.stack([masked, own[masked]]), t.device)
        t[at[0], at[1]] = torch.inf


def centre_and_scale(X: np.ndarray) -> tuple[np.ndarray, int, float]:
    """A centre, a power of two that scales most points to size 1, and the size of the farthest."""
    centre = np.median(X[:: -(-len(X) // CENTRE_SAMPLE)], axis=0)
    sizes = _largest_coordinates(X, centre)
    typical = np.median(sizes[sizes > 0]) if sizes.any() else 1.0
    return centre, int(np.clip(np.frexp(typical)[1], -1000, 1000)), float(sizes.max())


def _group_minima(t: torch.Tensor, groups: int) -> torch.Tensor:
    """(m, groups): the smallest t of each row in the columns j, j + groups, j + 2 groups, …"""
    n = t.shape[1]
    whole = n - n % groups
    minima = t[:, :whole].unflatten(1, (-1, groups)).amin(1)
    rest = minima[:, : n - whole]
    rest.copy_(torch.minimum(rest, t[:, whole:]))
    return minima


def _largest_coordinates(X: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """(n,): the largest coordinate of each point, seen from the centre."""
    step = max(1, CHUNK_NUMBERS // X.shape[1])
    parts = (np.abs(X[i : i + step] - centre).max(axis=1) for i in range(0, len(X), step))
    return np.concatenate(list(parts))


def rounded(X: np.ndarray, centre: np.ndarray, exponent: int, like: torch.Tensor) -> torch.Tensor:
    """(n, d + 1): (X − centre) / 2^exponent and a column of ones, type and device of `like`."""
    result = np.ones((len(X), X.shape[1] + 1), torch.empty(0, dtype=like.dtype).numpy().dtype)
    step = max(1, CHUNK_NUMBERS // X.shape[1])
    for i in range(0, len(X), step):
        result[i : i + step, :-1] = (X[i : i + step] - centre) * 2.0**-exponent
    return to_torch(result, like.device)
