"""The sieve when the points search among themselves: every product serves both of its points.

Block by block, the rows meet the columns from themselves on. What they learn about later rows is
kept: the k smallest upper bounds so far, and the pairs below the limit these give, which can only
fall. A row is decided when its own block comes, with half the products of a plain search.
"""

from collections.abc import Iterator

import numpy as np
import torch

from sslviz.device import to_numpy
from sslviz.graph.screen import Screen, pairs


def mutual_survivors(
    sieve: Screen, X: np.ndarray, m: int, most: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Rows in blocks of m, with pairs (position in the block, column) as in `Screen.survivors`.

    A row that had to keep more than `most` pairs before its turn comes out without any.
    """
    n, norms, floor = len(X), sieve.norms, sieve.columns[-1].contiguous()
    ceilings = norms.new_full((n, sieve.k), torch.inf)  # the smallest upper bounds so far
    kept = _Kept(n, most)
    for start in range(0, n, m):
        rows, later = slice(start, min(start + m, n)), slice(min(start + m, n), n)
        t, _ = sieve.product(X[rows], start)
        t.fill_diagonal_(torch.inf)
        _lower(ceilings[rows], sieve.ceilings(t, slice(start, n)))
        limit = sieve.limit(ceilings[rows, -1], norms[rows])
        at, cols = pairs(t <= limit[:, None])
        yield np.arange(n)[rows], *kept.joined(start, at, cols + start, to_numpy(limit))
        if later.start == n:
            return
        u = t[:, later.start - start :]  # now seen from the later rows: floor of the other point
        u -= floor[later]
        u += floor[rows, None]
        _lower(ceilings[later], sieve.ceilings(u.T, rows))
        limit = sieve.limit(ceilings[later, -1], norms[later])
        cols, at = pairs(u <= limit)
        values = to_numpy(u[torch.from_numpy(cols), torch.from_numpy(at)])
        kept.add(at + later.start, cols + start, values)


def _lower(ceilings: torch.Tensor, more: torch.Tensor) -> None:
    """Keep the k smallest upper bounds of each row, in place."""
    both = torch.cat([ceilings, more], dim=1)
    ceilings.copy_(both.topk(ceilings.shape[1], largest=False).values)


class _Kept:
    """Pairs found before their row's turn, with their lower bounds; at most `most` of a row."""

    def __init__(self, n: int, most: int):
        self.rows, self.cols = np.empty(0, np.int64), np.empty(0, np.int64)
        self.values = np.empty(0)
        self.counts, self.most = np.zeros(n, np.int64), most

    def add(self, rows: np.ndarray, cols: np.ndarray, values: np.ndarray) -> None:
        self.counts += np.bincount(rows, minlength=len(self.counts))
        self.rows = np.concatenate([self.rows, rows])
        self.cols = np.concatenate([self.cols, cols])
        self.values = np.concatenate([self.values, values])
        self._select(self.counts[self.rows] <= self.most)

    def joined(
        self, start: int, at: np.ndarray, cols: np.ndarray, limit: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The pairs of the rows from `start` on, kept and new, sorted; they are kept no longer."""
        mine = self.rows < start + len(limit)
        rows = self.rows[mine] - start
        below = self.values[mine] <= limit[rows]
        at = np.concatenate([rows[below], at])
        cols = np.concatenate([self.cols[mine][below], cols])
        self._select(~mine)
        light = self.counts[start + at] <= self.most
        at, cols = at[light], cols[light]
        order = np.lexsort((cols, at))
        return at[order], cols[order]

    def _select(self, wanted: np.ndarray) -> None:
        self.rows, self.cols = self.rows[wanted], self.cols[wanted]
        self.values = self.values[wanted]
