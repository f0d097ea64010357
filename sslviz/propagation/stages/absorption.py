"""Absorption probabilities: where a random walk that stops at labelled points ends.

    F_u = P_uu F_u + P_ul Y_l

Kemeny, Snell. Finite Markov Chains. 1960, chapter 3.
"""

import numpy as np
from scipy import sparse

from sslviz.memo import stage
from sslviz.solve.absorbing_chain import absorb


@stage("solve")
def absorption(
    P: sparse.csr_array,
    target: np.ndarray,
    weights: np.ndarray | None = None,
    *,
    n_targets: int,
    device: str = "auto",
) -> np.ndarray:
    """(n, n_targets): the probability that a walk from each point ends at each target.

    `target` is -1 where the walk goes on and the number of a target where it ends; `weights` are
    the degrees of an undirected graph.
    """
    F = (target[:, None] == np.arange(n_targets)).astype(np.float64)
    free = np.flatnonzero(target < 0)
    steps = sparse.csr_array(P[free])
    onto_labels = steps @ F  # F is zero on free points
    F[free] = absorb(
        sparse.csr_array(steps[:, free]),
        onto_labels.sum(axis=1),
        onto_labels,
        weights=None if weights is None else weights[free],
        device=device,
    )
    return F / np.maximum(F.sum(axis=1, keepdims=True), 1)  # but for rounding no sum exceeds 1


@stage("basins")
def basins(
    P: sparse.csr_array,
    target: np.ndarray,
    weights: np.ndarray | None = None,
    *,
    device: str = "auto",
) -> np.ndarray:
    """(n, l): the probability that a walk ends at each of the l labelled points, in their order."""
    each = np.where(target >= 0, np.cumsum(target >= 0) - 1, -1)
    return absorption(P, each, weights, n_targets=int(each.max()) + 1, device=device)
