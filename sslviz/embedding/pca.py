r"""Principal component analysis of the labelled points: the directions of largest variance.

    max_V tr(Vᵀ X_Lᵀ H X_L V),  VᵀV = I

The labels choose the points but are not used otherwise. It is the simplest linear projection, and
shows how much of another projection's accuracy is due to the labels.

**What to look for:** where the classes account for most of the variance, as for objects seen from
all sides, it is nearly as accurate as methods that use the labels. Where they differ in a detail,
such as one stroke of a digit, it is not. l points have l − 1 principal components.

Pearson. On lines and planes of closest fit to systems of points in space. Philosophical Magazine
2(11), 1901. Jolliffe. Principal component analysis. Springer 2002.
"""

from dataclasses import dataclass

import numpy as np
from sklearn.decomposition import PCA
from sklearn.utils.validation import check_memory

from sslviz.embedding.base import LabelledProjection, LabelledSet
from sslviz.memo import stage


@stage("solve")
def principal_components(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All principal directions (≤ l − 1, d), largest variance first, and the mean."""
    solver = "covariance_eigh" if X.shape[1] <= len(X) else "full"
    model = PCA(svd_solver=solver).fit(X)
    return model.components_[: len(X) - 1], model.mean_


@dataclass(repr=False, eq=False)
class LabelledPCA(LabelledProjection):
    """Principal components of the labelled points, by scikit-learn.

    Attributes: `classes_`, `embedding_` (n, p), `components_` (p, d) orthonormal, `mean_` (d,).
    """

    title = "Principal components (labelled)"
    paper = "Pearson 1901; Jolliffe 2002"
    formula = (
        r"\max_{V^\top V=I}\operatorname{tr}(V^\top X_L^\top HX_LV)",
        r"V\in\mathbb R^{d\times p}",
    )

    def _directions(self, labelled: LabelledSet) -> tuple[np.ndarray, np.ndarray]:
        A, mean = check_memory(self.memory).cache(principal_components)(labelled.X)
        return A[: labelled.n_components], mean
