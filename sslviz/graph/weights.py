r"""Weights: Gaussian similarity on the edges of a kNN graph.

    W_ij = exp(−d_ij²/σ²)   (halved: exp(−d_ij²/2σ²)),   P = D⁻¹W,   S = D^{-1/2} W D^{-1/2}

P and S are formed from logarithms: with r the lengths over σ and m_i the shortest r of row i,
the largest exp(m_i² − r_ij²) of a row is 1, so the row of a far outlier is never 0/0.

A graph is CSR with the lengths as data: every stored entry is an edge, also at length zero. Equal
points stay linked, since nothing here drops zeros.
"""

import numpy as np
from scipy import sparse

from sslviz.graph.median_distance import median_distance
from sslviz.graph.spanning_tree_width import first_label_conflict
from sslviz.memo import stage
from sslviz.params import split_rule

WIDTH_RULES = ("mean", "median", "mst")


@stage("graph")
def undirected(G: sparse.csr_array) -> sparse.csr_array:
    """An edge wherever either point lists the other, the same length (the shorter) both ways."""
    n = G.shape[0]
    rows, cols = entry_rows(G), G.indices.astype(np.int64)
    edges = np.concatenate([rows * n + cols, cols * n + rows])
    order = np.argsort(edges, kind="stable")
    edges, first = np.unique(edges[order], return_index=True)
    data = np.minimum.reduceat(np.tile(G.data, 2)[order], first) if len(first) else G.data.copy()
    rows, cols = np.divmod(edges, n)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))])
    return sparse.csr_array((data, cols, indptr), shape=G.shape)


def width(
    sigma: float | str,
    *,
    graph: sparse.csr_array | None,
    X: np.ndarray | None = None,
    y: np.ndarray | None = None,
) -> float:
    """σ as a number: itself, or a rule ("mean", "median", "mst"), with a factor ("0.5 mean").

    `graph` is the directed kNN graph; "median" needs X and is over all pairs, or those of a sample
    where all would take long (graph/median_distance.py); "mst" needs X and y. Where all edges have
    length zero, every weight is 1 whatever σ, and a rule that yields zero returns 1.
    """
    if not isinstance(sigma, str):
        if not (np.isfinite(sigma) and sigma > 0):
            raise ValueError(f"sigma={sigma!r} is not a positive number")
        return float(sigma)
    factor, rule = _parse_rule(sigma)
    if rule == "mean":
        if graph is None or graph.nnz == 0:
            raise ValueError(f"sigma={sigma!r} needs a graph with edges")
        value = float(graph.data.mean())
    elif X is None or (rule == "mst" and y is None):
        raise ValueError(f"sigma={sigma!r} needs X" + (" and y" if rule == "mst" else ""))
    elif rule == "median":
        value = median_distance(X)
    else:
        assert y is not None
        value = first_label_conflict(X, y, graph) / 3
        if value == 0:
            raise ValueError(f"sigma={sigma!r}: equal points have different labels, so d0 is 0")
    if value == 0 and graph is not None and graph.data.any():
        raise ValueError(f"sigma={sigma!r} is 0: most points are equal; give a number or 'mean'")
    return factor * value if value > 0 else 1.0


def gaussian(G: sparse.csr_array, sigma: float, *, halved: bool = False) -> sparse.csr_array:
    """exp(−d²/σ²) on every edge; `halved` takes 2σ² instead of σ²."""
    r = _scaled(G, sigma, halved)
    with np.errstate(over="ignore"):
        return _with_data(G, np.exp(-np.square(r)))


def transitions(G: sparse.csr_array, sigma: float, *, halved: bool = False) -> sparse.csr_array:
    """P = D⁻¹W: the step of a random walk from each point. A row without edges stays empty."""
    r, rows = _scaled(G, sigma, halved), entry_rows(G)
    weight = np.exp(-_squared_excess(r, _shortest(G, r)[rows]))
    total = np.bincount(rows, weight, minlength=G.shape[0])
    return _with_data(G, weight / total[rows])


def log_transitions(G: sparse.csr_array, sigma: float) -> np.ndarray:
    """log P of every edge, finite where P itself would underflow."""
    r, rows = _scaled(G, sigma, False), entry_rows(G)
    excess = _squared_excess(r, _shortest(G, r)[rows])
    total = np.bincount(rows, np.exp(-excess), minlength=G.shape[0])
    return np.maximum(-excess, np.finfo(np.float64).min) - np.log(total[rows])


def normalised(G: sparse.csr_array, sigma: float, *, halved: bool = False) -> sparse.csr_array:
    """S = D^{-1/2} W D^{-1/2} of a symmetric graph, itself exactly symmetric."""
    r, rows, cols = _scaled(G, sigma, halved), entry_rows(G), G.indices
    shortest = _shortest(G, r)
    here = _squared_excess(r, shortest[rows])
    total = np.bincount(rows, np.exp(-here), minlength=G.shape[0])
    with np.errstate(over="ignore"):
        data = np.exp(-0.5 * (here + _squared_excess(r, shortest[cols]))) / np.sqrt(
            total[rows] * total[cols]
        )
    return _with_data(G, data)


def log_degrees(G: sparse.csr_array, sigma: float, *, halved: bool = False) -> np.ndarray:
    """(n,) log Σ_j W_ij, finite where the sum itself would underflow; -inf for an empty row."""
    r, rows = _scaled(G, sigma, halved), entry_rows(G)
    shortest = _shortest(G, r)
    total = np.bincount(rows, np.exp(-_squared_excess(r, shortest[rows])), minlength=G.shape[0])
    with np.errstate(divide="ignore", over="ignore"):
        return np.where(total > 0, np.log(total) - np.square(shortest), -np.inf)


def relative_degrees(G: sparse.csr_array, sigma: float, *, halved: bool = False) -> np.ndarray:
    """(n,) degrees as shares of the largest one, never quite zero."""
    logs = log_degrees(G, sigma, halved=halved)
    most = logs.max(initial=-np.inf)
    return np.maximum(np.exp(logs - (most if most > -np.inf else 0)), np.finfo(np.float64).tiny)


def entry_rows(G: sparse.csr_array) -> np.ndarray:
    """(nnz,) the row that each stored entry stands in."""
    return np.repeat(np.arange(G.shape[0], dtype=np.int64), np.diff(G.indptr))


def _squared_excess(r: np.ndarray, shortest: np.ndarray) -> np.ndarray:
    """r² − m² without cancellation and without ∞ − ∞."""
    with np.errstate(over="ignore"):
        return (r - shortest) * (r + shortest)


def _shortest(G: sparse.csr_array, r: np.ndarray) -> np.ndarray:
    """(n,) the shortest entry of each row, inf for an empty one."""
    result = np.full(G.shape[0], np.inf)
    filled = np.diff(G.indptr) > 0
    if filled.any():
        result[filled] = np.minimum.reduceat(r, G.indptr[:-1][filled])
    return result


def _scaled(G: sparse.csr_array, sigma: float, halved: bool) -> np.ndarray:
    if not (np.isfinite(sigma) and sigma > 0):
        raise ValueError(f"sigma={sigma!r} is not a positive number")
    with np.errstate(over="ignore"):
        return G.data / (sigma * np.sqrt(2.0) if halved else sigma)


def _with_data(G: sparse.csr_array, data: np.ndarray) -> sparse.csr_array:
    return sparse.csr_array((data, G.indices.copy(), G.indptr.copy()), shape=G.shape)


def _parse_rule(sigma: str) -> tuple[float, str]:
    try:
        factor, rule = split_rule(sigma)
    except ValueError:
        factor, rule = 0.0, ""
    if rule not in WIDTH_RULES or not (np.isfinite(factor) and factor > 0):
        rules = " or ".join(repr(r) for r in WIDTH_RULES)
        raise ValueError(f"sigma={sigma!r} is neither a number nor {rules}, with a factor or not")
    return factor, rule
