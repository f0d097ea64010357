r"""Linear discriminant analysis: class means far apart, relative to the scatter within classes.

    max_a aᵀ S_b a / aᵀ(S_w + ρI)a   ⇔   S_b a = λ (S_w + ρI) a

S_b is the scatter of the class means, S_w the mean scatter within the classes, both of the labelled
points only. This is the standard supervised projection, and the baseline that a method with
unlabelled points has to beat.

**What to look for:** with few labels in many dimensions S_w is singular or unknown along most
directions; labelled points of a class are mapped to one place while unlabelled ones lie anywhere. A
ridge ρ, in squared units of the features, reduces this overfitting; with one label per class it is
needed. C classes give C − 1 directions.

Fisher. The use of multiple measurements in taxonomic problems. Annals of Eugenics 7, 1936.
Friedman. Regularized discriminant analysis. J. American Statistical Association 84, 1989.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from scipy import sparse
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.utils.validation import check_memory

from sslviz.embedding.base import LabelledProjection, LabelledSet
from sslviz.embedding.stages.discriminant import (
    eigenvectors,
    indicators,
    prefix_errors,
    solve_by_features,
    solve_by_points,
)
from sslviz.memo import stage
from sslviz.params import Number


@stage("solve")
def fisher_directions(X: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All directions (≤ C − 1, d) and the mean, by scikit-learn."""
    model = LinearDiscriminantAnalysis(solver="svd").fit(X, target)
    return model.scalings_[:, : len(model.classes_) - 1].T.copy(), model.xbar_


@stage("solve")
def regularised_directions(
    X: np.ndarray, target: np.ndarray, *, n_classes: int, ridge: float
) -> tuple[np.ndarray, np.ndarray]:
    """All directions a and the mean with ρI added to S_w, scaled to aᵀ(S_w + ρI)a = 1.

    S_t = S_w + S_b in place of S_w has the same eigenvectors, with λ/(1 + λ) for λ.
    """
    count, d = X.shape
    mean, E = X.mean(axis=0), indicators(target, n_classes)
    if d <= count:
        M, solved = solve_by_features(X, E, np.zeros((d, d)), mean, alpha=0.0, ridge=count * ridge)
    else:
        no_graph = sparse.csr_array((count, count))
        M, solved = solve_by_points(X, E, no_graph, mean, alpha=0.0, ridge=count * ridge)
    values, A = eigenvectors(M, solved)
    return (A * np.sqrt(count / (1 - values))).T.copy(), mean


@dataclass(repr=False, eq=False)
class LabelledLDA(LabelledProjection):
    """Linear discriminant analysis of the labelled points: scikit-learn's, or with a ridge.

    Attributes: `classes_`, `embedding_` (n, p), `components_` (p, d), `mean_` (d,).
    """

    title = "Discriminant analysis (labelled)"
    paper = "Fisher 1936; Friedman 1989"
    formula = (
        r"\max_a\;a^\top S_ba\,/\,a^\top(S_w+\rho I)a",
        r"S_ba=\lambda(S_w+\rho I)a,\;p\text{ largest }\lambda",
    )

    ridge: Annotated[
        float,
        Number(
            "Added to the variance of every direction within classes. 0: scikit-learn's own.",
            valid=(0, 1e12),
            shown=(0.001, 10_000),
            log=True,
            symbol="ρ",
        ),
    ] = 0.0

    def _directions(self, labelled: LabelledSet) -> tuple[np.ndarray, np.ndarray]:
        cached = check_memory(self.memory).cache
        X, target, n_classes, p = labelled
        if self.ridge > 0:
            with prefix_errors(self):
                A, mean = cached(regularised_directions)(
                    X, target, n_classes=n_classes, ridge=float(self.ridge)
                )
        elif labelled.has_no_scatter:
            raise ValueError(
                "LabelledLDA: one labelled point in each class, or many equal ones, have no "
                "scatter within classes; label more points or give ridge > 0"
            )
        else:
            A, mean = cached(fisher_directions)(X, target)
        return A[:p], mean
