"""Islands of a graph: points that can reach each other, and no others."""

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components


def islands(G: sparse.csr_array) -> np.ndarray:
    """(n,) the island of every point, numbered from the largest on; direction does not matter.

    Whatever is stored is an edge, also at length zero.
    """
    edges = sparse.csr_array((np.ones(len(G.indices)), G.indices, G.indptr), shape=G.shape)
    count, island = connected_components(edges, directed=False)
    order = np.argsort(-np.bincount(island, minlength=count), kind="stable")
    rank = np.empty(count, np.int64)
    rank[order] = np.arange(count)
    return rank[island]
