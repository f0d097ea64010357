r"""Neighbourhood components: a map on which labelled points choose neighbours of their own class.

    max_A Σ_i Σ_{j: y_j = y_i} p_ij,   p_ij = exp(−‖Ax_i − Ax_j‖²) / Σ_{k ≠ i} exp(−‖Ax_i − Ax_k‖²)

Each labelled point picks another at random, near ones more often, and takes its label. A is turned
and stretched until it is right as often as possible. It is scikit-learn's, told the labelled points
only: no class needs to be round, and no unlabelled point is looked at.

**What to look for:** it fits the labelled points almost perfectly, with few labels also by chance:
unlabelled ones need not follow. The search climbs from where it starts to the nearest summit, not
the highest; discriminant directions often fit few labels perfectly, and then it stays there: start
from principal components instead. One label per class leaves nothing to choose.

Goldberger, Roweis, Hinton, Salakhutdinov. Neighbourhood components analysis. NIPS 2004.
"""

from typing import Annotated, Any

import numpy as np
from sklearn.neighbors import NeighborhoodComponentsAnalysis
from sklearn.utils.validation import check_memory

from sslviz.embedding.labelled_base import LabelledProjection, Told
from sslviz.embedding.parameters import Dimensions
from sslviz.memo import stage
from sslviz.params import Choice, Number


@stage("search")
def neighbourhood(
    X: np.ndarray, target: np.ndarray, *, n_components: int, init: str, max_iter: int
) -> tuple[np.ndarray, int]:
    """(p, d) the map and the steps taken; the seed is for the solver inside the start."""
    model = NeighborhoodComponentsAnalysis(
        n_components, init=init, max_iter=max_iter, random_state=0
    )
    model.fit(X, target)
    return model.components_, model.n_iter_


class LabelledNCA(LabelledProjection):
    """Neighbourhood components analysis of the labelled points, scikit-learn's.

    Attributes: `classes_`, `embedding_` (n, p), `components_` (p, d), `mean_` (d,) zero,
    `n_iter_` the steps taken.
    """

    title, family = "Neighbourhood components (labelled)", "embedding"
    paper = "Goldberger, Roweis, Hinton & Salakhutdinov, NIPS 2004"

    def __init__(
        self,
        n_components: Dimensions = None,
        init: Annotated[
            str,
            Choice(
                "Where the search starts.",
                ("auto", "pca"),
                ("discriminant directions where they are enough", "principal components"),
                label="start",
                advanced=True,
            ),
        ] = "auto",
        max_iter: Annotated[
            int,
            Number(
                "Steps of the search at most.",
                valid=(1, 10**6),
                shown=(1, 200),
                label="iterations",
                advanced=True,
            ),
        ] = 50,
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.n_components = n_components
        self.init = init
        self.max_iter = max_iter
        self.device = device
        self.memory = memory

    def _directions(self, told: Told) -> tuple[np.ndarray, np.ndarray]:
        X, target, _, p = told
        A, self.n_iter_ = check_memory(self.memory).cache(neighbourhood)(
            X,
            target,
            n_components=p,
            init="pca" if told.thin else self.init,  # discriminant directions do not exist then
            max_iter=self.max_iter,
        )
        return A, np.zeros(X.shape[1])
