r"""New points take the mean of their nearest training points, weighted as in the graph.

    F(x) = Σ_i w(x, x_i) F_i / Σ_i w(x, x_i)      over the k training points nearest to x

It is the step that the propagation would make if x joined the graph without changing it. A point
equal to training points takes their value, so that training points keep theirs.

Delalleau, Bengio, Le Roux. Efficient non-parametric function induction in semi-supervised learning.
AISTATS 2005.
"""

import numpy as np

from sslviz.graph.linear_neighbourhoods import convex
from sslviz.graph.neighbours import nearest


def extend(
    Q: np.ndarray,
    X: np.ndarray,
    F: np.ndarray,
    *,
    k: int,
    sigma: float,
    halved: bool = False,
    device: str = "auto",
) -> np.ndarray:
    """(m, C) values at the rows of Q, from the values F (n, C) at the rows of X."""
    indices, distances = nearest(Q, X, min(k, len(X)), device=device)
    scale = sigma * np.sqrt(2.0) if halved else sigma
    r = distances / scale
    with np.errstate(over="ignore"):
        weights = np.exp(-(r - r[:, :1]) * (r + r[:, :1]))  # the nearest has 1: never 0/0
    same = distances == 0
    weights = np.where(same[:, :1], same, weights)
    weights /= weights.sum(axis=1, keepdims=True)
    return np.einsum("mk,mkc->mc", weights, F[indices])


def extend_mixed(
    Q: np.ndarray, X: np.ndarray, F: np.ndarray, *, k: int, device: str = "auto"
) -> np.ndarray:
    """(m, C) values at the rows of Q, each mixed from the k nearest points by convex weights."""
    indices, distances = nearest(Q, X, min(k, len(X)), device=device)
    same = distances == 0
    weights = np.where(same[:, :1], same, convex(Q, X, indices))
    weights /= weights.sum(axis=1, keepdims=True)
    return np.einsum("mk,mkc->mc", weights, F[indices])
