"""Texts as features: TF-IDF weights of their words, reduced by a truncated SVD.

Texts are compared by the angle between them: their rows have length 1, or are zero for a text
without a known word. Deerwester et al. Indexing by latent semantic analysis. JASIS 1990.
"""

from collections.abc import Sequence

import numpy as np

from sslviz.data.uploads.limits import MAX_FEATURES, Refusal
from sslviz.data.uploads.sparse_matrix import SVD_COMPONENTS


def word_features(texts: Sequence[str]) -> np.ndarray:
    """(n, r) with r at most `SVD_COMPONENTS`: the leading left singular vectors, scaled."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    try:
        weights = TfidfVectorizer(max_features=MAX_FEATURES).fit_transform(texts)
    except ValueError as error:
        raise Refusal("its texts hold no words") from error
    count = min(SVD_COMPONENTS, min(weights.shape) - 1)
    if count < 1:
        raise Refusal("its texts hold a single word")
    Z = TruncatedSVD(count, algorithm="arpack", random_state=0).fit_transform(weights)
    length = np.linalg.norm(Z, axis=1, keepdims=True)
    return Z / np.where(length > 0, length, 1)
