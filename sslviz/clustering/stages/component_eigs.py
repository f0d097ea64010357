"""The largest eigenvalues of a normalised affinity, one connected component at a time.

In a graph of several components (islands) 1 is a multiple eigenvalue: a solver applied to the whole
graph returns some rotation of the eigenvectors, or misses one. A single component has the
eigenvalue 1 once, and its eigenvector is zero on all other components.
"""

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError, eigh
from scipy.sparse.linalg import eigsh

from sslviz.graph.components import islands

MAX_DENSE = 1500  # points of a component; up to here all eigenvalues cost no more than a few

# A shift just above every eigenvalue: S − SHIFT I has an inverse, whose largest eigenvalues are the
# wanted ones and well separated. With a shift of 2, 20 000 points take 40 times as many solves.
SHIFT = 1.0001


def largest_eigenpairs(
    S: sparse.csr_array, *, count: int, factorise: bool = False
) -> tuple[np.ndarray, np.ndarray, int]:
    """The `count` largest eigenvalues of S, falling, (n, count) unit vectors, and its components.

    S is symmetric with eigenvalues in [-1, 1]; at equal eigenvalues the larger component comes
    first. The largest entry of each vector is positive. `factorise` uses sparse factorisation:
    much faster for graphs with small separators, as in the plane.
    """
    island = islands(S)
    members = np.split(np.argsort(island, kind="stable"), np.cumsum(np.bincount(island))[:-1])
    solved = [
        _component_eigenpairs(sparse.csr_array(S[rows][:, rows]), count, factorise)
        for rows in members
    ]
    values = np.concatenate([found for found, _ in solved])
    owner = np.repeat(np.arange(len(members)), [len(found) for found, _ in solved])
    place = np.concatenate([np.arange(len(found)) for found, _ in solved])
    # Eigenvalues that differ by rounding only count as equal.
    order = np.argsort(-values.round(12), kind="stable")[:count]
    V = np.zeros((S.shape[0], len(order)))
    for column, which in enumerate(order):
        V[members[owner[which]], column] = solved[owner[which]][1][:, place[which]]
    return values[order], V, len(members)


def _component_eigenpairs(
    S: sparse.csr_array, count: int, factorise: bool
) -> tuple[np.ndarray, np.ndarray]:
    m = S.shape[0]
    if m <= max(MAX_DENSE, count):
        values, V = _dense_eigenpairs(S.toarray(), [max(0, m - count), m - 1])
    else:
        start = np.random.default_rng(0).uniform(-1, 1, m)
        how = {"sigma": SHIFT, "which": "LM"} if factorise else {"which": "LA"}
        values, V = eigsh(S.tocsc() if factorise else S, count, v0=start, **how)
    order = np.argsort(-values, kind="stable")
    values, V = values[order], V[:, order]
    return values, V * np.sign(V[np.abs(V).argmax(axis=0), np.arange(len(order))])


def _dense_eigenpairs(S: np.ndarray, wanted: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Some eigenvalues, rising; all are computed where the search for some does not converge."""
    try:
        return eigh(S, subset_by_index=wanted)
    except LinAlgError:
        values, V = eigh(S, driver="evd")
        return values[wanted[0] :], V[:, wanted[0] :]
