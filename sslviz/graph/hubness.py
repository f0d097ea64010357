"""Hubness: how many points have a point among their nearest neighbours; hubs have it largest.

    N_k(x) = |{ i : x is one of the k nearest neighbours of x_i }|

Radovanović, Nanopoulos, Ivanović. Hubs in space: popular nearest neighbors in
high-dimensional data. JMLR 11, 2010.
"""

import numpy as np
from scipy import sparse

from sslviz.graph.search.distances import check_sparse


def in_degree(G: sparse.csr_array) -> np.ndarray:
    """How many neighbour lists contain each point: entries per column, zero lengths included."""
    check_sparse(G)
    return np.bincount(G.tocsr().indices, minlength=G.shape[1])


def hubs(
    G: sparse.csr_array, count: int | None = None, among: np.ndarray | None = None
) -> np.ndarray:
    """Indices by falling in-degree, ties by lower index: the first `count`, or all.

    Only points of the boolean mask `among` are considered, such as the unlabelled ones.
    """
    degree = in_degree(G)
    mask = np.ones(len(degree), bool) if among is None else np.asarray(among)
    if mask.dtype != bool or mask.shape != degree.shape:
        raise ValueError(f"hubs: among is not a boolean mask of {len(degree)} points")
    points = np.flatnonzero(mask)
    if count is not None and not 0 <= count <= len(points):
        raise ValueError(
            f"hubs: count={count} is not in 0 to {len(points)}, the points to choose from"
        )
    order = np.argsort(-degree[points], kind="stable")
    return points[order[:count]]
