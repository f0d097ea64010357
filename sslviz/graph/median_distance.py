r"""Median distance over all pairs of points.

n points have n(n − 1)/2 pairs, too many to hold and sort. Pairs drawn at random give two bounds
between which the median must lie; one pass over tiles of a matrix product counts the shorter pairs
and keeps those between the bounds, about a fiftieth, among which the median is then found. The
product only ranks pairs; the one or two pairs in the middle are measured.
"""

import numpy as np

from sslviz.graph.search.distances import as_points, lengths
from sslviz.memo import stage

TILE_SHAPE = 256, 512  # 1 MB of squares fits the cache of a core
ALL_PAIRS_KEPT = 2**21  # up to so many pairs all are kept
# Pairs drawn, and the bounds' distance from their median in ranks: seven standard deviations.
PAIRS_DRAWN, RANK_MARGIN = 2**17, 0.01
EQUAL_TOLERANCE = 1e-12  # squares with a smaller relative difference belong to one distance
# Steps of one pass, (d + 80) n²: some seconds. Beyond, the median is that of SAMPLE_POINTS points
# drawn with seed 0.
MAX_WORK, SAMPLE_POINTS = 10**11, 5000
ORIGIN_SAMPLE = 1024  # points whose median is the origin, so that outliers do not move it


@stage("scale")
def median_distance(X: np.ndarray) -> float:
    """The median over all pairs; beyond MAX_WORK over the pairs of a sample."""
    return float(middle_distances(X).mean())


def middle_distances(X: np.ndarray) -> np.ndarray:
    """The middle one of all distances, or the two middle ones where their number is even."""
    X = as_points(X)
    n, d = X.shape
    if n < 2:
        raise ValueError(f"the median distance needs at least 2 points, X has {n}")
    if (d + 80) * n**2 > MAX_WORK and n > SAMPLE_POINTS:
        X = X[np.sort(np.random.default_rng(0).choice(n, SAMPLE_POINTS, replace=False))]
        n = SAMPLE_POINTS
    pairs = n * (n - 1) // 2
    ranks = np.unique([(pairs - 1) // 2, pairs // 2])
    left, right = distance_factors(X)
    margin = RANK_MARGIN if pairs > ALL_PAIRS_KEPT else 0.5
    while True:
        low, high, example = _median_bounds(left[:, :-2], margin)
        if low >= (1 - EQUAL_TOLERANCE) * high:  # the median is one of many equal lengths
            return lengths(X, X, *example)
        shorter, squares, ends = _count_and_keep(left, right, low, high)
        at = ranks - shorter
        if 0 <= at[0] and at[-1] < len(squares):
            return lengths(X, X, *ends[:, np.argpartition(squares, at)[at]])
        margin *= 8


def distance_factors(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two (n, d + 2) whose product, left_i · right_j, is the squared distance on a common scale."""
    C = X - np.median(X[:: -(-len(X) // ORIGIN_SAMPLE)], axis=0)
    C = np.ldexp(C, -int(np.frexp(np.abs(C).max())[1]))
    norms, ones = np.square(C).sum(axis=1)[:, None], np.ones((len(C), 1))
    return np.hstack([C, norms, ones]), np.hstack([-2 * C, ones, norms])


def _median_bounds(C: np.ndarray, margin: float) -> tuple[float, float, np.ndarray]:
    """Squares between which the median lies, and a pair (2, 1) of about that distance."""
    if margin >= 0.5:
        return -np.inf, np.inf, np.empty((2, 1), int)
    drawn = np.random.default_rng(0).integers(len(C), size=(2, PAIRS_DRAWN))
    drawn = drawn[:, drawn[0] != drawn[1]]
    squares = np.square(lengths(C, C, *drawn))
    at = (len(squares) * np.array([0.5 - margin, 0.5, 0.5 + margin])).astype(int)
    first, middle, last = np.argpartition(squares, at)[at]
    return squares[first], squares[last], drawn[:, [middle]]


def _count_and_keep(
    left: np.ndarray, right: np.ndarray, low: float, high: float
) -> tuple[int, np.ndarray, np.ndarray]:
    """The number of pairs with squares below `low`, and those up to `high` with their ends."""
    n, (tall, wide) = len(left), TILE_SHAPE
    shorter, squares, ends = 0, [], []
    for i in range(0, n, tall):
        for j in range(i - i % wide, n, wide):
            tile = left[i : i + tall] @ right[j : j + wide].T
            if j < i + tall:  # every pair once, and no point with itself
                rows = np.arange(i, i + len(tile))[:, None]
                tile[rows >= np.arange(j, j + tile.shape[1])] = np.inf
            shorter += int(np.count_nonzero(tile < low))
            kept = np.flatnonzero((tile >= low) & (tile <= high) & (tile < np.inf))
            squares.append(tile.ravel()[kept])
            rows, cols = np.divmod(kept, tile.shape[1])
            ends.append(np.stack([i + rows, j + cols]))
    return shorter, np.concatenate(squares), np.concatenate(ends, axis=1)
