r"""Neighbourhood components analysis: a projection in which neighbours have the same class.

    max_A Σ_i Σ_{j: y_j = y_i} p_ij,   p_ij = exp(−‖Ax_i − Ax_j‖²) / Σ_{k ≠ i} exp(−‖Ax_i − Ax_k‖²)

p_ij is the probability that point i picks point j at random as its neighbour, near points more
often, and takes its label. A maximises the expected number of labelled points that take the right
label. This is scikit-learn's method fitted to the labelled points: it assumes no shape of the
classes and does not use unlabelled points.

**What to look for:** it fits the labelled points almost perfectly, and with few labels it overfits:
unlabelled points need not follow. Gradient ascent finds a local maximum near its start. Starting
from discriminant directions, few labels are often fitted perfectly at once and nothing changes;
start from principal components instead. With one label per class there is nothing to learn.

Goldberger, Roweis, Hinton, Salakhutdinov. Neighbourhood components analysis. NIPS 2004.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from sklearn.neighbors import NeighborhoodComponentsAnalysis
from sklearn.utils.validation import check_memory

from sslviz.embedding.base import LabelledProjection, LabelledSet
from sslviz.memo import stage
from sslviz.params import Choice, Number


@stage("search")
def neighbourhood_components(
    X: np.ndarray, target: np.ndarray, *, n_components: int, init: str, max_iter: int
) -> tuple[np.ndarray, int]:
    """(p, d) the projection and the iterations taken; the seed is for the initial PCA."""
    model = NeighborhoodComponentsAnalysis(
        n_components, init=init, max_iter=max_iter, random_state=0
    )
    model.fit(X, target)
    return model.components_, model.n_iter_


@dataclass(repr=False, eq=False)
class LabelledNCA(LabelledProjection):
    """Neighbourhood components analysis of the labelled points, by scikit-learn.

    Attributes: `classes_`, `embedding_` (n, p), `components_` (p, d), `mean_` (d,) zero,
    `n_iter_` the iterations taken.
    """

    title = "Neighbourhood components (labelled)"
    paper = "Goldberger, Roweis, Hinton & Salakhutdinov, NIPS 2004"
    formula = (
        r"\max_A\sum_i\sum_{j:\,y_j=y_i}p_{ij}",
        r"p_{ij}\propto e^{-\|Ax_i-Ax_j\|^2},\;p_{ii}=0",
        r"A\in\mathbb R^{p\times d}",
    )

    init: Annotated[
        str,
        Choice(
            "Where gradient ascent starts.",
            ("auto", "pca"),
            ("discriminant directions where they are enough", "principal components"),
            label="start",
            advanced=True,
        ),
    ] = "auto"
    max_iter: Annotated[
        int,
        Number(
            "Largest number of iterations.",
            valid=(1, 10**6),
            shown=(1, 200),
            label="iterations",
            advanced=True,
        ),
    ] = 50

    def _directions(self, labelled: LabelledSet) -> tuple[np.ndarray, np.ndarray]:
        A, self.n_iter_ = check_memory(self.memory).cache(neighbourhood_components)(
            labelled.X,
            labelled.target,
            n_components=labelled.n_components,
            # Without scatter within the classes there are no discriminant directions.
            init="pca" if labelled.has_no_scatter else self.init,
            max_iter=self.max_iter,
        )
        return A, np.zeros(labelled.X.shape[1])
