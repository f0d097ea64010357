"""Blocked product: exactly the k nearest points, at the speed of a float32 matrix product.

A product in float32 filters the candidates with proved error bounds (error_bound_filter.py). Where
it pays, a smaller product filters before it (projection_filter.py). Rows that keep too many
candidates are filtered again in float64. The remaining pairs are measured and sorted in float64.
The lists are those of brute force: by distance, then by index.

    d(q, x) = √ Σ_j (q_j − x_j)²
"""

from collections.abc import Iterator

import numpy as np
import torch

from sslviz.device import all_cores, pick_device
from sslviz.graph.search.distances import (
    as_points,
    as_query,
    check_k,
    drop_surplus_duplicates,
    k_smallest_per_row,
    lengths,
)
from sslviz.graph.search.error_bound_filter import ErrorBoundFilter, build_error_bound_filter
from sslviz.graph.search.projection_filter import ProjectionFilter, build_projection_filter

BLOCK_ENTRIES = 2**24  # entries of a block of the product: 64 MB in float32


def product_nearest(
    Q: np.ndarray, X: np.ndarray, k: int, *, skip_self: bool = False, device: str = "auto"
) -> tuple[np.ndarray, np.ndarray]:
    """Indices and distances (m, k) of the k rows of X nearest to each row of Q.

    With `skip_self`, Q is X and row i never lists i, while points equal to it are listed.
    """
    Q, X = as_query(Q, X, k, skip_self)
    return _search(Q, X, k, np.arange(len(X)) if skip_self else None, device)


def product_nearest_of(
    rows: np.ndarray, X: np.ndarray, k: int, *, device: str = "auto"
) -> tuple[np.ndarray, np.ndarray]:
    """The lists of the points X[rows] among all others of X."""
    X = as_points(X)
    check_k(k, len(X), len(X) - 1)
    return _search(X[rows], X, k, np.asarray(rows), device)


def _search(
    Q: np.ndarray, X: np.ndarray, k: int, own: np.ndarray | None, device: str
) -> tuple[np.ndarray, np.ndarray]:
    columns = drop_surplus_duplicates(X, k + (own is not None))
    Y = X if len(columns) == len(X) else X[columns]
    if own is not None:
        place = np.full(len(X), -1)
        place[columns] = np.arange(len(columns))
        own = place[own]
    indices, distances = np.empty((len(Q), k), np.int64), np.empty((len(Q), k))
    with all_cores():
        for rows, candidates in _candidates(Q, Y, k, own, device):
            at, cols = candidates
            d = lengths(Q, Y, rows[at], cols)
            indices[rows], distances[rows] = k_smallest_per_row(at, columns[cols], d, len(rows), k)
    return indices, distances


def _candidates(
    Q: np.ndarray, Y: np.ndarray, k: int, own: np.ndarray | None, device: str
) -> Iterator[tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]]:
    """Blocks of rows with pairs (position in the block, column) that include the nearest k."""
    pending = np.arange(len(Q))
    for filter_, step, most in _filters(Q, Y, k, own, device):
        left = [pending[:0]]
        for rows in _blocks(pending, step):
            at, cols = filter_.survivors(Q[rows], None if own is None else own[rows])
            counts = np.bincount(at, minlength=len(rows))
            heavy = (counts < k) | (counts > most)
            left.append(rows[heavy])
            at, cols, rows = _without_rows(heavy, at, cols, rows)
            yield rows, (at, cols)
        pending = np.concatenate(left)
        if len(pending) == 0:
            return
    # Rows beyond the range of both types: all pairs, in smaller blocks since all are candidates.
    for rows in _blocks(pending, max(1, BLOCK_ENTRIES // 16 // len(Y))):
        at, cols = np.divmod(np.arange(len(rows) * len(Y)), len(Y))
        if own is not None:
            kept = own[rows][at] != cols
            at, cols = at[kept], cols[kept]
        yield rows, (at, cols)


def _filters(
    Q: np.ndarray, Y: np.ndarray, k: int, own: np.ndarray | None, device: str
) -> Iterator[tuple[ErrorBoundFilter | ProjectionFilter, int, int]]:
    """Filters from the fastest to the sharpest, with the rows per block and the pairs per row.

    A row that keeps more pairs is left to the next filter.
    """
    # Where float32 products are allowed to be less than float32, their error bound would not hold.
    single = torch.get_float32_matmul_precision() == "highest"
    for dtype in (torch.float32, torch.float64) if single else (torch.float64,):
        like = torch.empty(0, dtype=dtype, device=pick_device(device))
        step = max(1, (BLOCK_ENTRIES if dtype == torch.float32 else BLOCK_ENTRIES // 4) // len(Y))
        full = build_error_bound_filter(Y, Q, k, step, like)
        if full is None:
            continue
        if dtype == torch.float64:
            yield full, step, len(Y)
            continue
        # Measuring n/32 candidates costs as much as filtering the row in float64.
        most = 4 * k + len(Y) // 32
        quick = build_projection_filter(full, Y, Q, own)
        if quick is not None:
            yield quick, step, most
        yield full, step, most


def _blocks(rows: np.ndarray, step: int) -> Iterator[np.ndarray]:
    for i in range(0, len(rows), step):
        yield rows[i : i + step]


def _without_rows(
    heavy: np.ndarray, at: np.ndarray, cols: np.ndarray, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The pairs of the rows that are not heavy, with positions counted anew."""
    if not heavy.any():
        return at, cols, rows
    light = ~heavy[at]
    position = np.cumsum(~heavy) - 1
    return position[at[light]], cols[light], rows[~heavy]
