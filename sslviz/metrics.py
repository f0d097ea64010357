"""How right a clustering is, when its clusters have no names.

    ACC = max_τ (1/n) Σ_i 1[y_i = τ(ŷ_i)]      over all matchings τ of clusters and classes

Kuhn. The Hungarian method for the assignment problem. 1955.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment


def clustering_accuracy(y: ArrayLike, labels: ArrayLike) -> float:
    """The share of points in the right cluster when clusters are matched to classes at best."""
    y, labels = np.asarray(y), np.asarray(labels)
    if y.shape != labels.shape or y.ndim != 1 or not len(y):
        raise ValueError(
            f"clustering_accuracy: y of shape {y.shape} and labels of shape {labels.shape}, "
            "expected one of each for every point"
        )
    classes, true = np.unique(y, return_inverse=True)
    clusters, found = np.unique(labels, return_inverse=True)
    counts = np.zeros((len(clusters), len(classes)), np.int64)
    np.add.at(counts, (found, true), 1)
    return float(counts[linear_sum_assignment(counts, maximize=True)].sum() / len(y))
