"""Exactly the k nearest points, at the speed of a float32 matrix product.

A product in float32 screens the candidates, with proved bounds (see `screen`, `mutual`); rows that
keep too many of them are screened again in float64; what is left is measured and sorted. The
lists are those of brute force: by distance, then by index.

    d(q, x) = √ Σ_j (q_j − x_j)²
"""

from collections.abc import Iterator

import numpy as np
import torch

from sslviz.device import pick_device
from sslviz.graph.lengths import as_points, as_query, best, check_k, lengths, listable
from sslviz.graph.mutual import mutual_survivors
from sslviz.graph.screen import Screen, screen

Candidates = tuple[np.ndarray, np.ndarray, np.ndarray]  # rows; position among them and column
BLOCK = 2**24  # entries of a block of the product: 64 MB in float32


def nearest(
    Q: np.ndarray, X: np.ndarray, k: int, *, skip_self: bool = False, device: str = "auto"
) -> tuple[np.ndarray, np.ndarray]:
    """Indices and distances (m, k) of the k rows of X nearest to each row of Q.

    With `skip_self`, Q is X and row i never lists i, while points equal to it are listed.
    """
    Q, X = as_query(Q, X, k, skip_self)
    return _search(Q, X, k, np.arange(len(X)) if skip_self else None, device)


def nearest_of(
    rows: np.ndarray, X: np.ndarray, k: int, *, device: str = "auto"
) -> tuple[np.ndarray, np.ndarray]:
    """The lists of the points X[rows] among all others of X."""
    X = as_points(X)
    check_k(k, len(X), len(X) - 1)
    return _search(X[rows], X, k, np.asarray(rows), device)


def _search(
    Q: np.ndarray, X: np.ndarray, k: int, own: np.ndarray | None, device: str
) -> tuple[np.ndarray, np.ndarray]:
    columns = listable(X, k + (own is not None))
    Y = X if len(columns) == len(X) else X[columns]
    if own is not None:
        place = np.full(len(X), -1)
        place[columns] = np.arange(len(columns))
        own = place[own]
    indices, distances = np.empty((len(Q), k), np.int64), np.empty((len(Q), k))
    for rows, at, cols in _candidates(Q, Y, k, own, device):
        d = lengths(Q, Y, rows[at], cols)
        indices[rows], distances[rows] = best(at, columns[cols], d, len(rows), k)
    return indices, distances


def _candidates(
    Q: np.ndarray, Y: np.ndarray, k: int, own: np.ndarray | None, device: str
) -> Iterator[Candidates]:
    """All rows in blocks, each with columns among which are its k nearest."""
    pending, n = np.arange(len(Q)), len(Y)
    # Measuring n/32 candidates costs as much as screening the row in float64.
    most = 4 * k + n // 32
    # Where float32 products are allowed to be less than float32, their error bound would not hold.
    if torch.get_float32_matmul_precision() == "highest":
        step = max(1, BLOCK // n)
        like = torch.empty(0, dtype=torch.float32, device=pick_device(device))
        sieve = screen(Y, Q, k, step, like)
        if sieve is not None:
            mutual = Q is Y and own is not None
            blocks = mutual_survivors(sieve, Y, step, most) if mutual else None
            crowded = []
            for rows, at, cols in blocks or _survivors(sieve, Q, own, pending, step):
                counts = np.bincount(at, minlength=len(rows))
                heavy = (counts > most) | (counts < k)
                crowded.append(rows[heavy])
                yield _without(heavy, rows, at, cols)
            pending = np.concatenate(crowded)
    if len(pending):
        yield from _last_candidates(Q, Y, k, own, pending, device)


def _last_candidates(
    Q: np.ndarray, Y: np.ndarray, k: int, own: np.ndarray | None, pending: np.ndarray, device: str
) -> Iterator[Candidates]:
    """The same for rows that float32 left undecided: by float64, or simply all columns.

    Blocks are smaller here, because more of their entries may be candidates.
    """
    step = max(1, BLOCK // 4 // len(Y))
    like = torch.empty(0, dtype=torch.float64, device=pick_device(device))
    sieve = screen(Y, Q, k, step, like)
    if sieve is not None:
        yield from _survivors(sieve, Q, own, pending, step)
        return
    step = max(1, BLOCK // 16 // len(Y))
    for i in range(0, len(pending), step):
        rows = pending[i : i + step]
        at, cols = np.divmod(np.arange(len(rows) * len(Y)), len(Y))
        others = np.ones(len(at), bool) if own is None else own[rows][at] != cols
        yield rows, at[others], cols[others]


def _survivors(
    sieve: Screen, Q: np.ndarray, own: np.ndarray | None, pending: np.ndarray, step: int
) -> Iterator[Candidates]:
    for i in range(0, len(pending), step):
        rows = pending[i : i + step]
        yield rows, *sieve.survivors(Q[rows], None if own is None else own[rows])


def _without(heavy: np.ndarray, rows: np.ndarray, at: np.ndarray, cols: np.ndarray) -> Candidates:
    """The pairs of the rows that are not heavy, with positions counted anew."""
    light = ~heavy[at]
    position = np.cumsum(~heavy) - 1
    return rows[~heavy], position[at[light]], cols[light]
