"""The k nearest neighbours of every point: choice of the search, and reuse of its lists.

With a memory lists are built once at K_MAX and cut to k: moving a slider below K_MAX never searches
again, since the k nearest are the first k of the K_MAX nearest.
"""

from typing import Any

import numpy as np
from scipy import sparse

from sslviz.graph.search.distances import as_points, check_k
from sslviz.memo import stage

K_MAX = 50
# Measured on Gaussian data at k = 50, the worst case for a tree: it is 7 times as fast as the
# product in 2 dimensions, as fast in 9 or 10 (5000 and 20 000 points alike), and slower beyond.
TREE_FEATURES = 10
# The product is quadratic, the descent nearly linear, but it compiles for a minute once per process
# and is not exact. 70 000 images take the product half a minute; the descent wins well above that.
EXACT_POINTS = 120_000
SEARCHES = ("auto", "exact", "approximate")


@stage("neighbours")
def neighbours(
    X: np.ndarray, *, k: int, method: str = "auto", device: str = "auto"
) -> tuple[np.ndarray, np.ndarray]:
    """Indices and distances (n, k) of the k nearest other points, by distance, then by index.

    "exact" is a k-d tree in few dimensions and a blocked matrix product in many; "approximate" is
    nearest-neighbour descent; "auto" is exact wherever that takes seconds rather than minutes.
    """
    points = as_points(X)
    n, d = points.shape
    check_k(k, n, n - 1)
    if method not in SEARCHES:
        raise ValueError(f"neighbours: method={method!r} is not one of {', '.join(SEARCHES)}")
    if method == "approximate" or (method == "auto" and d > TREE_FEATURES and n > EXACT_POINTS):
        from sslviz.graph.search.nn_descent import approximate

        return approximate(points, k, device=device)
    return nearest(points, points, k, skip_self=True, device=device)


def nearest(
    Q: np.ndarray, X: np.ndarray, k: int, *, skip_self: bool = False, device: str = "auto"
) -> tuple[np.ndarray, np.ndarray]:
    """Exactly the k rows of X nearest to each row of Q, by the search that suits the dimension."""
    if X.shape[1] <= TREE_FEATURES:
        from sslviz.graph.search.kd_tree import tree_nearest as search
    else:
        from sslviz.graph.search.blocked_product import product_nearest as search
    return search(Q, X, k, skip_self=skip_self, device=device)


def search_seconds(n: int, n_features: int) -> float:
    """Roughly how long the neighbours of n points take on one core."""
    return 1e-5 * n if n_features <= TREE_FEATURES else 2e-11 * n**2 * (n_features + 50)


def knn_lists(
    X: np.ndarray, k: int, memory: Any = None, *, method: str = "auto", device: str = "auto"
) -> tuple[np.ndarray, np.ndarray]:
    """Neighbour lists (n, k); a memory keeps them at K_MAX, or its next doubling, to be cut."""
    X = X if sparse.issparse(X) else np.asarray(X)  # sparse X is refused in `neighbours`
    if memory is None or sparse.issparse(X) or X.ndim != 2 or X.size == 0:
        return neighbours(X, k=k, method=method, device=device)
    check_k(k, len(X), len(X) - 1)
    from sklearn.utils.validation import check_memory

    longest = K_MAX
    while longest < k:
        longest *= 2
    stage = check_memory(memory).cache(neighbours)
    indices, distances = stage(X, k=min(longest, len(X) - 1), method=method, device=device)
    return indices[:, :k], distances[:, :k]


def knn(
    X: np.ndarray, k: int, memory: Any = None, *, method: str = "auto", device: str = "auto"
) -> sparse.csr_array:
    """The directed kNN graph: n × n Euclidean distances, exactly k stored in every row.

    Row i holds the k points nearest to i, never i itself, ties by lower index; the distance 0 of
    equal points is stored.
    """
    indices, distances = knn_lists(X, k, memory, method=method, device=device)
    return as_csr(indices, distances, len(indices))


def as_csr(indices: np.ndarray, distances: np.ndarray, n: int) -> sparse.csr_array:
    """Lists (m, k) as an m × n matrix, columns sorted, zeros stored."""
    m, k = indices.shape
    order = np.argsort(indices, axis=1)
    columns = np.take_along_axis(indices, order, axis=1).ravel()
    data = np.take_along_axis(distances, order, axis=1).ravel()
    return sparse.csr_array((data, columns, np.arange(0, m * k + 1, k)), shape=(m, n))
