"""Assignment of arriving points to a cover: each joins a centroid or becomes one (compiled)."""

import numpy as np
from numba import njit

from sslviz.stream.stages.distances import distance


@njit(cache=True)
def assign_until_full(
    X: np.ndarray,
    start: int,
    stop: int,
    C: np.ndarray,
    D: np.ndarray,
    m: np.ndarray,
    born: np.ndarray,
    owner: np.ndarray,
    count: int,
    seen: int,
    radius: float,
    capacity: int,
) -> tuple[int, int]:
    """Assign points until there is one centroid too many: the next point and the centroid count.

    `owner` receives the centroid of each point, named by its position in the stream.
    """
    d = np.empty(capacity + 1)
    for i in range(start, stop):
        at = 0
        for c in range(count):
            d[c] = distance(X[i], C[c])
            if d[c] < d[at]:
                at = c
        if count > 0 and d[at] <= radius:
            m[at] += 1
            owner[i] = born[at]
            continue
        for j in range(X.shape[1]):
            C[count, j] = X[i, j]
        for c in range(count):
            D[count, c] = D[c, count] = d[c]
        m[count], D[count, count] = 1, 0.0
        born[count] = owner[i] = seen + i - start
        count += 1
        if count > capacity:
            return i + 1, count
    return stop, count
