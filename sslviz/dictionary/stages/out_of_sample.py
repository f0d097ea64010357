r"""New points are coded beside the trained ones, which stay as they are (Eq. 6).

    min_a ‖x − aD‖² + λ‖a‖₁ + β Σ_j v_j‖a − a_j‖²   (lle: β‖a − Σ_j v_j a_j‖², the same minimiser)

Only the pull towards the neighbours' codes is new beside a plain lasso: ridge β Σ v_j and linear
term −2β Σ v_j a_j.
"""

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist

from sslviz.dictionary.stages.laplacians import Graph, barycentric, learnt_rows
from sslviz.graph.neighbours import as_csr, nearest
from sslviz.solve.dictionary_learning import sparse_codes

BLOCK = 2**24  # distances held at once


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
    """(m, n): with which weight each trained point X draws each new point Q."""
    if kind in ("lle", "knn"):
        indices, lengths = nearest(Q, X, k, device=device)
        if kind == "lle":
            return as_csr(indices, barycentric(Q, X, indices), len(X))
        weights = graph.scale * np.exp(-np.square(lengths / sigma) / 2)
        return as_csr(indices, weights, len(X))
    parts, step = [], max(1, BLOCK // len(X))
    for start in range(0, len(Q), step):
        d = cdist(Q[start : start + step], X)
        if kind == "learnt":
            V = learnt_rows(np.square(d), graph.weights, spread)
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
    """(m, atoms): Eq. 6 for every row of Q; without V, plain sparse coding."""
    if V is None or beta == 0:
        return sparse_codes(Q, D, lam)
    return sparse_codes(Q, D, lam, ridge=beta * V.sum(axis=1), pull=beta * (V @ A))
