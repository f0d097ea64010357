r"""Spectral clustering: cut the neighbour graph where few edges connect its parts.

    S = D^{-1/2} A D^{-1/2},   S v = λ v,   u_i = (v_i1, …, v_iC)/√d_i    then k-means on the u_i

A is the k-nearest-neighbour graph: 1 where two points list each other, ½ where only one does, and 1
on the diagonal. A vector that changes little along edges has an eigenvalue near 1. The eigenvectors
of the C largest eigenvalues are almost constant on each of C groups with few edges between them,
whatever the shape of the groups; k-means separates the groups. This is scikit-learn's spectral
clustering, with eigenvectors by sparse factorisation in few dimensions and by products with S in
many, whichever is faster.

**What to look for:** moons and rings are found whole as long as no edge crosses the gap. All points
take part: a few outliers between two clusters connect them, and a separate group of outliers is a
cluster of its own. All neighbours count alike, whatever their distance.

Ng, Jordan, Weiss. On spectral clustering: analysis and an algorithm. NIPS 2001. von Luxburg. A
tutorial on spectral clustering. 2007.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_memory

from sslviz.clustering.base import Clusterer
from sslviz.clustering.kmeans import lloyd
from sslviz.clustering.stages.component_eigs import largest_eigenpairs
from sslviz.graph.neighbours import knn
from sslviz.graph.parameters import Neighbours
from sslviz.memo import stage
from sslviz.validation import clip_to_available

# Neighbour graphs in up to three dimensions have small separators, so factorisation stays sparse.
# In more dimensions it fills in: for 5000 digits it takes five times as long as products.
MAX_FACTORISED_FEATURES = 3


@stage("graph")
def knn_affinity(G: sparse.csr_array) -> sparse.csr_array:
    """A from the directed kNN graph: the mean of both directions, and ones on the diagonal."""
    n = G.shape[0]
    listed = sparse.csr_array((np.ones(G.nnz), G.indices, G.indptr), shape=(n, n))
    return sparse.csr_array((listed + listed.T) / 2 + sparse.eye_array(n))


@stage("spectrum")
def smallest_laplacian_eigs(
    A: sparse.csr_array, *, count: int, factorise: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The `count` largest eigenvalues of S and (n, count) its eigenvectors over √d."""
    root = sparse.diags_array(1 / np.sqrt(A.sum(axis=1)))
    values, V, _ = largest_eigenpairs(
        sparse.csr_array(root @ A @ root), count=count, factorise=factorise
    )
    return values, root @ V


@dataclass(repr=False, eq=False)
class SpectralClustering(Clusterer):
    """Spectral clustering of the k-nearest-neighbour graph, as scikit-learn does it.

    Attributes: `labels_` (n,), `embedding_` (n, C) on which k-means runs, `eigenvalues_` (C,),
    `affinity_matrix_` A as CSR.
    """

    title = "Spectral clustering"
    paper = "Ng, Jordan & Weiss, NIPS 2001"
    formula = (
        r"S=D^{-1/2}AD^{-1/2}\text{ of the }k\text{-NN graph}",
        r"Sv=\lambda v\;(C\text{ largest})",
        r"u_i=(v_{i1},\dots,v_{iC})/\sqrt{d_i},\;\text{then }k\text{-means}",
    )

    n_neighbors: Neighbours = 10

    def fit(self, X: Any, y: Any = None) -> "SpectralClustering":
        """Eigenvectors of the graph, then k-means on them; y is ignored."""
        X = self._check(X)
        k = clip_to_available(self, "n_neighbors", len(X) - 1)
        cached = check_memory(self.memory).cache
        A = cached(knn_affinity)(knn(X, k, self.memory, device=self.device))
        self.eigenvalues_, self.embedding_ = cached(smallest_laplacian_eigs)(
            A, count=self.n_clusters, factorise=X.shape[1] <= MAX_FACTORISED_FEATURES
        )
        self.labels_ = cached(lloyd)(
            self.embedding_,
            n_clusters=self.n_clusters,
            n_init=10,
            max_iter=300,
            seed=self._draw_seed(),
        )[1]
        self.affinity_matrix_ = A
        return self
