"""The largest eigenvalues of a normalised affinity, island by island.

Where a graph has several islands, 1 is a multiple eigenvalue: a solver that looks at all of it at
once returns some rotation of its eigenvectors, or misses one. Each island alone has a single 1, and
its eigenvector is zero on all others.
"""

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError, eigh
from scipy.sparse.linalg import eigsh

from sslviz.graph.components import islands

DENSE = 1500  # points of an island up to which all eigenvalues are as cheap as a few

# Just above every eigenvalue: S − BEYOND I has an inverse, whose largest eigenvalues are those
# wanted and far apart. From 2 instead, 20 000 points take 40 times as many solves.
BEYOND = 1.0001


def largest(
    S: sparse.csr_array, *, count: int, seamed: bool = False
) -> tuple[np.ndarray, np.ndarray, int]:
    """The `count` largest eigenvalues of S, falling, (n, count) unit vectors, and its islands.

    S is symmetric with eigenvalues in [-1, 1]; at equal eigenvalues the larger island comes first.
    Of each vector the largest entry is positive. `seamed` graphs, as in the plane, fall apart along
    thin seams: there elimination stays sparse and finds eigenvalues close to 1 much faster.
    """
    island = islands(S)
    members = np.split(np.argsort(island, kind="stable"), np.cumsum(np.bincount(island))[:-1])
    solved = [_of_one(sparse.csr_array(S[rows][:, rows]), count, seamed) for rows in members]
    values = np.concatenate([found for found, _ in solved])
    owner = np.repeat(np.arange(len(members)), [len(found) for found, _ in solved])
    place = np.concatenate([np.arange(len(found)) for found, _ in solved])
    # Equal up to rounding is equal.
    order = np.argsort(-values.round(12), kind="stable")[:count]
    V = np.zeros((S.shape[0], len(order)))
    for column, which in enumerate(order):
        V[members[owner[which]], column] = solved[owner[which]][1][:, place[which]]
    return values[order], V, len(members)


def _of_one(S: sparse.csr_array, count: int, seamed: bool) -> tuple[np.ndarray, np.ndarray]:
    m = S.shape[0]
    if m <= max(DENSE, count):
        values, V = _of_dense(S.toarray(), [max(0, m - count), m - 1])
    else:
        start = np.random.default_rng(0).uniform(-1, 1, m)
        how = {"sigma": BEYOND, "which": "LM"} if seamed else {"which": "LA"}
        values, V = eigsh(S.tocsc() if seamed else S, count, v0=start, **how)
    order = np.argsort(-values, kind="stable")
    values, V = values[order], V[:, order]
    return values, V * np.sign(V[np.abs(V).argmax(axis=0), np.arange(len(order))])


def _of_dense(S: np.ndarray, wanted: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Some eigenvalues, rising; all are computed where equal ones defeat the search for some."""
    try:
        return eigh(S, subset_by_index=wanted)
    except LinAlgError:
        values, V = eigh(S, driver="evd")
        return values[wanted[0] :], V[:, wanted[0] :]
