r"""Eigenfunctions of the kernel: the kernel principal components of SDSC at any place.

    ψ(q) = k(q, X) V Λ⁻¹,   K V = V Λ

At the training points they are the eigenvectors themselves. With a centred kernel both k(q, X) and
the points are centred in feature space.
"""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.kernels.gram import gram, kernel_rows


def eigenfunctions(model: Any, X: np.ndarray, Q: np.ndarray) -> np.ndarray:
    """(m, C) ψ of an SDSC fitted to X, at the places Q (m, d)."""
    cached = check_memory(model.memory).cache
    spread = np.where(model.eigenvalues_ > 0, model.eigenvalues_, np.inf)
    W = model.eigenfunctions_ / spread
    rows = cached(kernel_rows)(Q, X, kernel="rbf", sigma=model.sigma_, halved=True)
    if not model.centre:
        return rows @ W
    W = W - W.mean(axis=0)
    return rows @ W - cached(gram)(X, sigma=model.sigma_, halved=True).mean(axis=0) @ W
