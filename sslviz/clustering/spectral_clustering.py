r"""Cut the neighbour graph where it is thin: clusters are heaps among its slowest vibrations.

    S = D^{-1/2} A D^{-1/2},   S v = λ v,   u_i = (v_i1, …, v_iC)/√d_i    then k-means on the u_i

A is the k-nearest-neighbour graph, 1 where two points list each other, ½ where only one does, and 1
on the diagonal. A vector that hardly changes along edges has an eigenvalue near 1; those of the C
largest ones are almost constant on each of C groups with few edges between them, however these are
bent. It is scikit-learn's spectral clustering, with eigenvectors by whichever way is fast: by
inverting sparse matrices in few dimensions, by products with S in many.

**What to look for:** moons and rings come out whole, as long as no edge bridges the gap. All points
take part: a few outliers between two clusters build that bridge, and a group of outliers on an
island of its own is a cluster for it. Neighbours count alike whatever their distance.

Ng, Jordan, Weiss. On spectral clustering: analysis and an algorithm. NIPS 2001. von Luxburg. A
tutorial on spectral clustering. 2007.
"""

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_memory

from sslviz.clustering.base import Clusterer
from sslviz.clustering.kmeans import lloyd
from sslviz.clustering.parameters import Clusters
from sslviz.clustering.stages.component_eigs import largest
from sslviz.graph.neighbours import knn
from sslviz.graph.parameters import Neighbours
from sslviz.memo import stage
from sslviz.validation import clip_to_available

# Graphs in the plane and in space fall apart along thin seams, and elimination stays sparse. In
# more dimensions it does not: 5000 digits take it five times as long as products.
SEAMS = 3


@stage("graph")
def links(G: sparse.csr_array) -> sparse.csr_array:
    """A of the directed kNN graph: the mean of its two directions, and ones on the diagonal."""
    n = G.shape[0]
    listed = sparse.csr_array((np.ones(G.nnz), G.indices, G.indptr), shape=(n, n))
    return sparse.csr_array((listed + listed.T) / 2 + sparse.eye_array(n))


@stage("spectrum")
def smallest_laplacian_eigs(
    A: sparse.csr_array, *, count: int, seamed: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The `count` largest eigenvalues of S and (n, count) its eigenvectors over √d."""
    root = sparse.diags_array(1 / np.sqrt(A.sum(axis=1)))
    values, V, _ = largest(sparse.csr_array(root @ A @ root), count=count, seamed=seamed)
    return values, root @ V


class SpectralClustering(Clusterer):
    """Spectral clustering of the k-nearest-neighbour graph, as scikit-learn does it.

    Attributes: `labels_` (n,), `embedding_` (n, C) on which k-means runs, `eigenvalues_` (C,),
    `affinity_matrix_` A as CSR.
    """

    title, family = "Spectral clustering", "clustering"
    paper = "Ng, Jordan & Weiss, NIPS 2001"

    def __init__(
        self,
        n_clusters: Clusters = 8,
        n_neighbors: Neighbours = 10,
        *,
        device: str = "auto",
        memory: Any = None,
        random_state: Any = None,
    ):
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.device = device
        self.memory = memory
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> "SpectralClustering":
        """Eigenvectors of the graph, then k-means on them; y is ignored."""
        X = self._checked(X)
        k = clip_to_available(self, "n_neighbors", len(X) - 1)
        cached = check_memory(self.memory).cache
        A = cached(links)(knn(X, k, self.memory, device=self.device))
        self.eigenvalues_, self.embedding_ = cached(smallest_laplacian_eigs)(
            A, count=self.n_clusters, seamed=X.shape[1] <= SEAMS
        )
        self.labels_ = cached(lloyd)(
            self.embedding_, n_clusters=self.n_clusters, n_init=10, max_iter=300, seed=self._seed()
        )[1]
        self.affinity_matrix_ = A
        return self
