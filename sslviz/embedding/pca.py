r"""Principal components of the labelled points: the directions in which they differ most.

    max_V tr(Vᵀ X_Lᵀ H X_L V),  VᵀV = I

Which classes there are plays no part. It is the plainest linear map there is, and shows how much of
another map's success is owed to the labels.

**What to look for:** where classes are what data differ by most, as for objects seen from all
sides, it does nearly as well as methods that are told the labels; where they are a detail, as a
stroke of a digit, it does not. l points have l − 1 principal components.

Pearson. On lines and planes of closest fit to systems of points in space. Philosophical Magazine
2(11), 1901. Jolliffe. Principal component analysis. Springer 2002.
"""

from typing import Any

import numpy as np
from sklearn.decomposition import PCA
from sklearn.utils.validation import check_memory

from sslviz.embedding.labelled_base import LabelledProjection, Told
from sslviz.embedding.parameters import Dimensions
from sslviz.memo import stage


@stage("solve")
def components(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All principal directions (≤ l − 1, d), largest variance first, and the mean."""
    solver = "covariance_eigh" if X.shape[1] <= len(X) else "full"
    model = PCA(svd_solver=solver).fit(X)
    return model.components_[: len(X) - 1], model.mean_


class LabelledPCA(LabelledProjection):
    """Principal components of the labelled points, scikit-learn's.

    Attributes: `classes_`, `embedding_` (n, p), `components_` (p, d) orthonormal, `mean_` (d,).
    """

    title, family = "Principal components (labelled)", "embedding"
    paper = "Pearson 1901; Jolliffe 2002"

    def __init__(
        self, n_components: Dimensions = None, *, device: str = "auto", memory: Any = None
    ):
        self.n_components = n_components
        self.device = device
        self.memory = memory

    def _directions(self, told: Told) -> tuple[np.ndarray, np.ndarray]:
        A, mean = check_memory(self.memory).cache(components)(told.X)
        return A[: told.n_components], mean
