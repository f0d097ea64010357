"""Connected components of a graph, called islands in the app."""

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components


def islands(G: sparse.csr_array) -> np.ndarray:
    """(n,) the component of every point, numbered from the largest on; edges count both ways.

    Every stored entry is an edge, also at length zero.
    """
    edges = sparse.csr_array((np.ones(len(G.indices)), G.indices, G.indptr), shape=G.shape)
    count, island = connected_components(edges, directed=False)
    order = np.argsort(-np.bincount(island, minlength=count), kind="stable")
    rank = np.empty(count, np.int64)
    rank[order] = np.arange(count)
    return rank[island]
