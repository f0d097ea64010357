r"""Codes of new points: sparse coding beside the trained codes, which stay fixed (Eq. 6).

    min_a ‖x − aD‖² + λ‖a‖₁ + β Σ_j v_j‖a − a_j‖²   (lle: β‖a − Σ_j v_j a_j‖², the same minimiser)

Beside a plain lasso this adds a ridge β Σ v_j and a linear term −2β Σ v_j a_j.
"""

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist

from sslviz.dictionary.stages.laplacians import Graph, learnt_weights
from sslviz.graph.linear_neighbourhoods import barycentric
from sslviz.graph.neighbours import as_csr, nearest
from sslviz.solve.dictionary_learning import sparse_codes

DISTANCES_AT_ONCE = 2**24


def weights_to_new_points(
    Q: np.ndarray,
    X: np.ndarray,
    graph: Graph,
    kind: str,
    *,
    k: int,
    sigma: float,
    spread: float,
    device: str,
) -> sparse.csr_array:
    """(m, n) weights between new points Q and trained points X."""
    if kind in ("lle", "knn"):
        indices, lengths = nearest(Q, X, k, device=device)
        if kind == "lle":
            return as_csr(indices, barycentric(Q, X, indices), len(X))
        weights = graph.scale * np.exp(-np.square(lengths / sigma) / 2)
        return as_csr(indices, weights, len(X))
    parts, step = [], max(1, DISTANCES_AT_ONCE // len(X))
    for start in range(0, len(Q), step):
        d = cdist(Q[start : start + step], X)
        if kind == "learnt":
            V = learnt_weights(np.square(d), graph.weights, spread)
        else:
            V = np.where(d <= graph.reach, graph.scale * np.exp(-np.square(d / sigma) / 2), 0.0)
        parts.append(sparse.csr_array(V))
    return sparse.csr_array(sparse.vstack(parts))


def code_new(
    Q: np.ndarray,
    D: np.ndarray,
    A: np.ndarray,
    V: sparse.csr_array | None,
    *,
    lam: float,
    beta: float,
) -> np.ndarray:
    """(m, atoms) codes by Eq. 6 for every row of Q; without V, plain sparse coding."""
    if V is None or beta == 0:
        return sparse_codes(Q, D, lam)
    return sparse_codes(Q, D, lam, ridge=beta * V.sum(axis=1), pull=beta * (V @ A))
