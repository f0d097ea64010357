r"""Discriminant analysis that keeps neighbours together, labelled or not.

    Xᵀ W X a = λ (Xᵀ(Ĩ + αL)X + ρI) a,   W_ij = 1/l_c if i and j are labelled c, else 0

Among the labelled points, the means of the classes shall lie far apart and all points close
together, as in Fisher's analysis; Ĩ marks these points, and X is centred on their mean. L, the
Laplacian of the graph that links each point to its k nearest, adds a price for pulling neighbours
apart, paid by all points. ρ keeps the problem solvable where there are more features than points.

**What to look for:** with α = 0 it is Fisher's analysis with a ridge, and with few labels in many
dimensions it overfits: labelled classes fall on points, the others lie anywhere between. Raising α
calms that. ρ is in the units of the squared features: for pixels in [0, 255] 0.1 is none.
C classes give C − 1 directions; there are no more.

Cai, He, Han. Semi-supervised discriminant analysis. ICCV 2007.
"""

from typing import Annotated, Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_memory

from sslviz.embedding.base import Projection, check_differ, project, warn_fewer_components
from sslviz.embedding.parameters import Dimensions
from sslviz.embedding.stages.discriminant import (
    by_features,
    by_points,
    eigenvectors,
    indicators,
    prefix_errors,
)
from sslviz.graph.laplacian import laplacian
from sslviz.graph.neighbours import knn
from sslviz.graph.parameters import Neighbours
from sslviz.graph.weights import undirected
from sslviz.labels import UNLABELLED
from sslviz.memo import stage
from sslviz.params import Number
from sslviz.validation import check_labelled, clip_to_available


@stage("graph")
def links(G: sparse.csr_array) -> sparse.csr_array:
    """L = D − W of the graph with weight 1 wherever either point lists the other."""
    U = undirected(G)
    return laplacian(sparse.csr_array((np.ones(U.nnz), U.indices, U.indptr), shape=U.shape))


@stage("roughness")
def roughness(X: np.ndarray, L: sparse.csr_array) -> np.ndarray:
    """XᵀLX (d, d): what each direction pays for the links; X may be shifted at will."""
    C = np.subtract(X, X.mean(axis=0, dtype=np.float64), dtype=np.float64)
    return C.T @ (L @ C)


class SDA(Projection):
    """Semi-supervised discriminant analysis: top eigenvectors a, scaled to aᵀBa = 1.

    Attributes: `classes_`, `embedding_` (n, p), `components_` (p, d), `mean_` (d,) of the labelled
    points, `eigenvalues_` (C − 1,) largest first, `n_neighbors_` the value used.
    """

    title, family = "Semi-supervised discriminant analysis", "embedding"
    paper = "Cai, He & Han, ICCV 2007"

    def __init__(
        self,
        n_components: Dimensions = None,
        alpha: Annotated[
            float,
            Number(
                "Price of pulling neighbours apart. 0: the unlabelled points do not count.",
                valid=(0, 1e12),
                shown=(0.001, 100),
                log=True,
                label="smoothness",
                symbol="α",
            ),
        ] = 1.0,
        ridge: Annotated[
            float,
            Number(
                "Added to the variance of every direction, in squared units of the features. 0 is "
                "allowed where every direction has one.",
                valid=(0, np.inf),
                shown=(0.001, 10_000),
                log=True,
                symbol="ρ",
            ),
        ] = 0.1,
        n_neighbors: Neighbours = 5,
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.n_components = n_components
        self.alpha = alpha
        self.ridge = ridge
        self.n_neighbors = n_neighbors
        self.device = device
        self.memory = memory

    def fit(self, X: Any, y: Any) -> "SDA":
        """Solve the pencil by its small side; y holds -1 for unlabelled points."""
        X, target, classes = check_labelled(self, X, y)
        cached = check_memory(self.memory).cache
        k = clip_to_available(self, "n_neighbors", len(X) - 1)
        L = cached(links)(knn(X, k, self.memory, device=self.device))
        known = target != UNLABELLED
        check_differ(self, X[known])
        mean = X[known].mean(axis=0, dtype=np.float64)
        E = indicators(target, len(classes))
        prices = {"alpha": float(self.alpha), "ridge": float(self.ridge)}
        with prefix_errors(self):
            if X.shape[1] <= len(X):
                M, solved = cached(by_features)(X, E, cached(roughness)(X, L), mean, **prices)
            else:
                M, solved = cached(by_points)(X, E, L, mean, **prices)
            values, A = eigenvectors(M, solved)
        p = A.shape[1] if self.n_components is None else min(self.n_components, A.shape[1])
        warn_fewer_components(self, p, f"{len(classes)} classes determine {A.shape[1]}")
        self.mean_, self.components_ = mean, np.ascontiguousarray(A[:, :p].T)
        self.eigenvalues_ = values
        self.embedding_ = project(X, mean, self.components_)
        self.classes_, self.n_neighbors_ = classes, k
        return self
