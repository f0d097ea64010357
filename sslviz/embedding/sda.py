r"""Semi-supervised discriminant analysis: discriminant directions that keep neighbours together.

    Xᵀ W X a = λ (Xᵀ(Ĩ + αL)X + ρI) a,   W_ij = 1/l_c if i and j are labelled c, else 0

As in Fisher's analysis, the labelled class means should lie far apart relative to the scatter of
the labelled points; Ĩ marks these points, and X is centred on their mean. L, the Laplacian of the
k-nearest-neighbour graph of all points, labelled or not, adds a penalty on distances between
neighbours in the projection. ρ keeps the problem solvable with more features than points.

**What to look for:** with α = 0 it is Fisher's analysis with a ridge. With few labels in many
dimensions that overfits: labelled classes collapse to single places and the other points lie
anywhere between; a larger α reduces this. ρ is in the squared units of the features: for pixels
in [0, 255] a value of 0.1 has no effect. C classes give C − 1 directions.

Cai, He, Han. Semi-supervised discriminant analysis. ICCV 2007.
"""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_memory

from sslviz.embedding.base import Projection, check_points_differ, warn_fewer_components
from sslviz.embedding.parameters import Dimensions
from sslviz.embedding.stages.discriminant import (
    eigenvectors,
    indicators,
    prefix_errors,
    solve_by_features,
    solve_by_points,
)
from sslviz.embedding.stages.linear_projection import project
from sslviz.graph.laplacian import laplacian
from sslviz.graph.neighbours import knn
from sslviz.graph.parameters import Neighbours
from sslviz.graph.weights import undirected
from sslviz.labels import UNLABELLED
from sslviz.memo import stage
from sslviz.params import Number
from sslviz.validation import check_labelled, clip_to_available


@stage("graph")
def unweighted_laplacian(G: sparse.csr_array) -> sparse.csr_array:
    """L = D − W of the graph with weight 1 wherever either point lists the other."""
    U = undirected(G)
    return laplacian(sparse.csr_array((np.ones(U.nnz), U.indices, U.indptr), shape=U.shape))


@stage("roughness")
def roughness(X: np.ndarray, L: sparse.csr_array) -> np.ndarray:
    """XᵀLX (d, d): the penalty of the graph on each direction; it does not depend on the origin."""
    C = np.subtract(X, X.mean(axis=0, dtype=np.float64), dtype=np.float64)
    return C.T @ (L @ C)


@dataclass(repr=False, eq=False)
class SDA(Projection):
    """Semi-supervised discriminant analysis: top eigenvectors a, scaled to aᵀBa = 1.

    Attributes: `classes_`, `embedding_` (n, p), `components_` (p, d), `mean_` (d,) of the labelled
    points, `eigenvalues_` (C − 1,) largest first, `n_neighbors_` the value used.
    """

    title, abbreviation = "Semi-supervised discriminant analysis", "SDA"
    paper = "Cai, He & Han, ICCV 2007"
    formula = (
        r"X^\top WX\,a=\lambda\,\bigl(X^\top(\tilde I+"
        r"\textcolor{unlabelled}{\alpha L})X+\rho I\bigr)\,a,\;p\text{ largest }\lambda",
        r"W_{ij}=\textcolor{labelled}{1/l_c}\text{ if }i,j\text{ are labelled }c",
        r"L\text{ of the }k\text{-NN graph}",
    )
    unlabelled_off: ClassVar[dict[str, Any]] = {"alpha": 0.0}

    n_components: Dimensions = None
    alpha: Annotated[
        float,
        Number(
            "Penalty on distances between neighbours. 0: unlabelled points have no effect.",
            valid=(0, 1e12),
            shown=(0.001, 100),
            log=True,
            label="smoothness",
            symbol="α",
        ),
    ] = 1.0
    ridge: Annotated[
        float,
        Number(
            "Added to the variance of every direction, in squared units of the features. 0 is "
            "allowed if the points vary in every direction.",
            valid=(0, np.inf),
            shown=(0.001, 10_000),
            log=True,
            symbol="ρ",
        ),
    ] = 0.1
    n_neighbors: Neighbours = 5

    def fit(self, X: Any, y: Any) -> Self:
        """Solve the eigenproblem on its smaller side; y holds -1 for unlabelled points."""
        X, target, classes = check_labelled(self, X, y)
        cached = check_memory(self.memory).cache
        k = clip_to_available(self, "n_neighbors", len(X) - 1)
        L = cached(unweighted_laplacian)(knn(X, k, self.memory, device=self.device))
        known = target != UNLABELLED
        check_points_differ(self, X[known])
        mean = X[known].mean(axis=0, dtype=np.float64)
        E = indicators(target, len(classes))
        penalties = {"alpha": float(self.alpha), "ridge": float(self.ridge)}
        with prefix_errors(self):
            if X.shape[1] <= len(X):
                R = cached(roughness)(X, L)
                M, solved = cached(solve_by_features)(X, E, R, mean, **penalties)
            else:
                M, solved = cached(solve_by_points)(X, E, L, mean, **penalties)
            values, A = eigenvectors(M, solved)
        p = A.shape[1] if self.n_components is None else min(self.n_components, A.shape[1])
        warn_fewer_components(self, p, f"{len(classes)} classes determine {A.shape[1]}")
        self.mean_, self.components_ = mean, np.ascontiguousarray(A[:, :p].T)
        self.eigenvalues_ = values
        self.embedding_ = project(X, mean, self.components_)
        self.classes_, self.n_neighbors_ = classes, k
        return self
