r"""Graph Laplacians: how much a function on the points differs from its mean over neighbours.

    L = D − W,   L_sym = D^{-1/2} L D^{-1/2},   L_rw = D^{-1} L,   D_ii = Σ_j W_ij

Isolated points have an empty row in each of them: their value is not compared with any other.

von Luxburg. A tutorial on spectral clustering. Statistics and Computing 17, 2007.
"""

import numpy as np
from scipy import sparse

KINDS = ("unnormalised", "symmetric", "random_walk")


def laplacian(W: sparse.csr_array, kind: str = "unnormalised") -> sparse.csr_array:
    """The Laplacian of a graph of weights (not lengths), W symmetric and non-negative."""
    if kind not in KINDS:
        raise ValueError(f"laplacian: kind={kind!r} is not one of {', '.join(KINDS)}")
    W = sparse.csr_array(W)
    degree = W.sum(axis=1)
    L = sparse.csr_array(sparse.diags_array(degree) - W)
    if kind == "unnormalised":
        return L
    inverse = np.divide(1.0, degree, out=np.zeros(len(degree)), where=degree > 0)
    rows = np.repeat(np.arange(len(degree)), np.diff(L.indptr))
    if kind == "random_walk":
        scale = inverse[rows]
    else:
        root = np.sqrt(inverse)
        scale = root[rows] * root[L.indices]  # one product for both directions: exactly symmetric
    return sparse.csr_array((L.data * scale, L.indices, L.indptr), shape=L.shape)
