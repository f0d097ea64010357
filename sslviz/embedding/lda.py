r"""Fisher's discriminant analysis, told the labelled points only.

    max_a aᵀ S_b a / aᵀ(S_w + ρI)a   ⇔   S_b a = λ (S_w + ρI) a

S_b is the scatter of the class means, S_w the mean scatter within classes: classes shall lie far
apart in units of their own width. It is the textbook's answer, and what a method with unlabelled
points has to beat.

**What to look for:** with few labels in many dimensions the width within classes is unknown along
most directions, and the map puts labelled points of a class on one spot while unlabelled ones lie
anywhere. A ridge ρ, in squared units of the features, calms that; with one label per class it is
needed. C classes give C − 1 directions.

Fisher. The use of multiple measurements in taxonomic problems. Annals of Eugenics 7, 1936.
Friedman. Regularized discriminant analysis. J. American Statistical Association 84, 1989.
"""

from typing import Annotated, Any

import numpy as np
from scipy import sparse
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.utils.validation import check_memory

from sslviz.embedding.labelled_base import LabelledProjection, Told
from sslviz.embedding.parameters import Dimensions
from sslviz.embedding.stages.discriminant import (
    by_features,
    by_points,
    eigenvectors,
    indicators,
    prefix_errors,
)
from sslviz.memo import stage
from sslviz.params import Number


@stage("solve")
def fisher(X: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All directions (≤ C − 1, d) and the mean, by scikit-learn."""
    model = LinearDiscriminantAnalysis(solver="svd").fit(X, target)
    return model.scalings_[:, : len(model.classes_) - 1].T.copy(), model.xbar_


@stage("solve")
def ridged(
    X: np.ndarray, target: np.ndarray, *, n_classes: int, ridge: float
) -> tuple[np.ndarray, np.ndarray]:
    """The same with ρI added to S_w, in the same scale: aᵀ(S_w + ρI)a = 1.

    S_t = S_w + S_b in place of S_w has the same eigenvectors, with λ/(1 + λ) for λ.
    """
    count, d = X.shape
    mean, E = X.mean(axis=0), indicators(target, n_classes)
    if d <= count:
        M, solved = by_features(X, E, np.zeros((d, d)), mean, alpha=0.0, ridge=count * ridge)
    else:
        none = sparse.csr_array((count, count))
        M, solved = by_points(X, E, none, mean, alpha=0.0, ridge=count * ridge)
    values, A = eigenvectors(M, solved)
    return (A * np.sqrt(count / (1 - values))).T.copy(), mean


class LabelledLDA(LabelledProjection):
    """Linear discriminant analysis of the labelled points: scikit-learn's, or with a ridge.

    Attributes: `classes_`, `embedding_` (n, p), `components_` (p, d), `mean_` (d,).
    """

    title, family = "Discriminant analysis (labelled)", "embedding"
    paper = "Fisher 1936; Friedman 1989"

    def __init__(
        self,
        n_components: Dimensions = None,
        ridge: Annotated[
            float,
            Number(
                "Added to the variance of every direction within classes. 0: scikit-learn's own.",
                valid=(0, 1e12),
                shown=(0.001, 10_000),
                log=True,
                symbol="ρ",
            ),
        ] = 0.0,
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.n_components = n_components
        self.ridge = ridge
        self.device = device
        self.memory = memory

    def _directions(self, told: Told) -> tuple[np.ndarray, np.ndarray]:
        cached = check_memory(self.memory).cache
        X, target, n_classes, p = told
        if self.ridge > 0:
            with prefix_errors(self):
                A, mean = cached(ridged)(X, target, n_classes=n_classes, ridge=float(self.ridge))
        elif told.thin:
            raise ValueError(
                "LabelledLDA: one labelled point in each class, or many equal ones, show no width "
                "within classes; label more points or give ridge > 0"
            )
        else:
            A, mean = cached(fisher)(X, target)
        return A[:p], mean
