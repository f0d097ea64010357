r"""Cross-validation of a whole grid of LLReg: one factorisation for all folds and label weights.

    (M + t E_kept E_keptᵀ) F = t E_kept Y   ⇔   F_l = G z,   (I + D G) z = t Y_kept
    G = Eᵀ(M + E Eᵀ)⁻¹E,   D = diag(t − 1 where kept, −1 where held out)

M = (I − A)ᵀ(I − A), the disagreement of the local models, does not depend on labels. It is
factorised once with weight one on every label; another weight, or a fold left out, changes l
entries of its diagonal, and the values of the labelled points follow from an l × l system.

Woodbury. Inverting modified matrices. Princeton University, 1950.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from sklearn.utils.validation import check_memory

from sslviz.experiments.kernel_grids import Search
from sslviz.graph.neighbours import knn_lists
from sslviz.inductive.ll_reg import agreement, local_predictions, mutual, solve
from sslviz.labels import UNLABELLED, known_classes, one_hot
from sslviz.memo import stage


def llreg_grid(
    X: np.ndarray,
    y: np.ndarray,
    fold: np.ndarray,
    *,
    n_neighbors: Sequence[int],
    lam: Sequence[float],
    tradeoff: Sequence[float],
    device: str = "auto",
    memory: Any = None,
) -> Search:
    """Cross-validated LLReg for every (k, λ, t); undetermined points count as wrong."""
    cached = check_memory(memory).cache
    given = np.flatnonzero(np.asarray(y) != UNLABELLED)
    Y = one_hot(np.asarray(y)[given], known_classes(y))
    scores = np.zeros((len(n_neighbors), len(lam), len(tradeoff), *Y.shape))
    for i, k in enumerate(n_neighbors):
        indices, _ = knn_lists(X, min(k, len(X) - 1), memory, device=device)
        graph = cached(mutual)(np.ascontiguousarray(indices))
        component = connected_components(graph, directed=False)[1][given]
        for j, smoothness in enumerate(lam):
            A = cached(local_predictions)(X, graph, lam=smoothness)
            G = cached(influence)(A, given)
            for number in np.unique(fold[given]):
                kept = fold[given] != number
                reached = np.isin(component, component[kept])
                for m, t in enumerate(tradeoff):
                    F = _held_out_values(G[np.ix_(reached, reached)], kept[reached], Y[reached], t)
                    out = ~kept & reached
                    scores[i, j, m, out] = F[~kept[reached]]
    answer = np.where(scores.max(axis=-1) > 0, scores.argmax(axis=-1), UNLABELLED)
    return Search((answer == Y.argmax(axis=1)).mean(axis=-1), scores)


@stage("influence")
def influence(A: sparse.csr_array, given: np.ndarray) -> np.ndarray:
    """G (l, l): response of the labelled points to a unit target at one, all with weight one."""
    _, component = connected_components(A, directed=False)
    known = np.flatnonzero(np.isin(component, component[given]))
    at = np.searchsorted(known, given)
    targets = np.zeros((len(known), len(given)))
    targets[at, np.arange(len(given))] = 1.0
    M = agreement(sparse.csr_array(A[known][:, known])) + sparse.diags_array(targets.sum(axis=1))
    return solve(sparse.csc_array(M), targets)[at]


def _held_out_values(G: np.ndarray, kept: np.ndarray, Y: np.ndarray, t: float) -> np.ndarray:
    """(l, C) values of the labelled points when only the kept labels are used, with weight t."""
    D = np.where(kept, t - 1.0, -1.0)
    return G @ np.linalg.solve(np.eye(len(G)) + D[:, None] * G, t * kept[:, None] * Y)
