r"""Where does a random walk end? The smallest F ≥ 0 with F = P F + B.

P holds the chances of moving between points, e = 1 − P1 the chance of stepping out of the chain, B
(n, C) what such a step is worth for each class. With B = chances of stepping on a label this is
label propagation; with P = α D⁻¹W it is label spreading.

Points of few links are taken out exactly (elimination.py). What is left, a well-knit core, is
solved for all classes at once: by conjugate gradients on the chosen device or, where that is
slow, by sparse LU.
One more column is solved along, whose answer is known: every walk ends, so F = PF + e has F = 1.
Rows in which it comes out wrong belong to groups that hang on the rest by next to nothing; these
few are eliminated exactly, the others held. Nothing n × n is ever dense.
"""

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import dijkstra
from scipy.sparse.linalg import splu

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.solve.gth_elimination import eliminate, substitute
from sslviz.solve.krylov import bicgstab, cg

FEW = np.arange(1, 17) ** 2  # costs, (ways in) × (ways out), up to which points are taken out
ALL = np.concatenate([FEW, 4 ** np.arange(5, 16)])
SMALL = 600  # a core of up to this many points is factorised, whatever it looks like
SOME = 320  # iterations granted where factorising would be quick
MANY = 3200  # and where it would not
FLAT, FAR = 0.08, 5  # longest way to an exit, in √n and in steps, of a graph that counts as flat
ORDERED = 5000  # a flat one of up to this many, too, ordered by minimum degree
LAST = 4000  # so many doubtful points are eliminated to the end
ACCURATE = 1e-8  # error of the known column that is let pass
USELESS = 1e-3  # rows that are this wrong in the end are called undetermined
EVEN = 1e-10  # residual that is let pass, as a share of the row it is in
REACH = 1000  # sweeps after which the size of every row must be known well enough
SHIFT = 1e-15  # added to the diagonal of a matrix that may be singular to rounding


def absorb(
    P: sparse.csr_array,
    exits: np.ndarray,
    B: np.ndarray,
    *,
    weights: np.ndarray | None = None,
    device: str = "auto",
    caps: np.ndarray = FEW,
) -> np.ndarray:
    """The smallest non-negative F (n, C) with F = P F + B; rows that reach no exit are zero.

    On an undirected graph `weights` are the degrees, w_i P_ij = w_j P_ji, up to a common factor:
    they allow a quicker iteration.
    """
    exits, F = np.array(exits, np.float64), np.array(B, np.float64, order="C")
    order, ptr, col, value, rows, cols, links = eliminate(
        P.indptr, P.indices, np.asarray(P.data, np.float64), exits, F, caps
    )
    core = np.setdiff1d(np.arange(len(F)), order)
    if len(core):
        at = np.empty(len(F), np.int64)
        at[core] = np.arange(len(core))
        Q = sparse.csr_array((links, (at[rows], at[cols])), shape=(len(core), len(core)))
        kept = None if weights is None else weights[core]  # taking out points keeps the symmetry
        F[core] = _solve_core(Q, exits[core], F[core], kept, device)
    substitute(order, ptr, col, value, F)
    return F


def _solve_core(
    Q: sparse.csr_array,
    exits: np.ndarray,
    B: np.ndarray,
    weights: np.ndarray | None,
    device: str,
) -> np.ndarray:
    """The same for the core. A point's link to itself is left out of Q: it only delays."""
    F = np.zeros_like(B)
    steps = _steps(Q, B.sum(axis=1) > 0)
    live = np.isfinite(steps)
    if not live.any():
        return F
    if not live.all():  # stepping where no class can be reached is leaving, too
        exits = (exits + Q @ (~live).astype(float))[live]
        Q, B = sparse.csr_array(Q[live][:, live]), B[live]
        weights = None if weights is None else weights[live]
    outflow = exits + np.asarray(Q.sum(axis=1)).ravel()  # a sum, unlike 1 − P_ii: no digits lost
    right = np.column_stack([B, exits]) / outflow[:, None]
    scaled = sparse.csr_array(
        (Q.data / np.repeat(outflow, np.diff(Q.indptr)), Q.indices, Q.indptr), shape=Q.shape
    )
    flat = steps[live].max() > max(FLAT * np.sqrt(len(right)), FAR)
    weights = None if weights is None else weights * outflow
    found = _solve(scaled, right, weights, device, flat)
    F[live] = _corrected(found, Q, exits, B, device)
    return F


def _corrected(
    found: np.ndarray, Q: sparse.csr_array, exits: np.ndarray, B: np.ndarray, device: str
) -> np.ndarray:
    """The solution without the known column, doubtful rows eliminated with the others held."""
    F, wrong = np.maximum(found[:, :-1], 0), np.abs(found[:, -1] - 1)
    doubtful = ~(wrong <= ACCURATE)
    if not doubtful.any():
        return F
    if doubtful.sum() > LAST:
        return np.where(wrong[:, None] < USELESS, F, 0)
    rows = sparse.csr_array(Q[doubtful])
    held = np.where(doubtful[:, None], 0, F)
    away = exits[doubtful] + rows @ (~doubtful).astype(float)
    inside = sparse.csr_array(rows[:, doubtful])
    F[doubtful] = absorb(inside, away, B[doubtful] + rows @ held, device=device, caps=ALL)
    return F


def _solve(
    Q: sparse.csr_array,
    right: np.ndarray,
    weights: np.ndarray | None,
    device: str,
    flat: bool,
) -> np.ndarray:
    """X with X = Q X + right; the last column is the known one.

    On a flat graph, as on a surface, walks have about √n steps to go, on others log n. Sparse LU is
    quick on flat ones, however slowly walks end there, and hopeless on large ones of many
    dimensions, where walks end soon and iterations are few.
    """
    large, flat = len(right) > ORDERED, flat or len(right) <= SMALL
    if large or not flat:
        found = _iterate(Q, right, weights, device, MANY if large and not flat else SOME)
        if found is not None:
            return found
    A = sparse.csc_array(sparse.eye_array(len(right)) - Q)
    shifted = A + SHIFT * sparse.eye_array(len(right), format="csc")
    # Minimum degree fills in less, but its ordering takes minutes on large graphs with hubs.
    ordering = "MMD_AT_PLUS_A" if len(right) <= ORDERED else "COLAMD"
    factors = splu(shifted, permc_spec=ordering, diag_pivot_thresh=0.0)
    X = factors.solve(right)
    for _ in range(2):  # take the shift's effect out again, where it can be
        X += factors.solve(right - A @ X)
    return X


def _iterate(
    Q: sparse.csr_array,
    right: np.ndarray,
    weights: np.ndarray | None,
    device: str,
    most: int,
) -> np.ndarray | None:
    """The same by conjugate gradients, or None where they do not converge.

    Its error is small beside the largest rows. Where far rows are smaller still, the unknowns are
    measured in units of their rough size m (Doob's transform: Q_ij m_j / m_i is a chain again), and
    the error is small beside every row.
    """
    X = _krylov(Q, right, weights, device, most)
    if X is None:
        return None
    rest = np.abs(Q @ X + right - X)[:, :-1].sum(axis=1)
    if (rest > EVEN * X[:, :-1].sum(axis=1)).any():
        m = _sizes(Q, right[:, :-1].sum(axis=1))
        chain = sparse.csr_array(sparse.diags_array(1 / m) @ Q @ sparse.diags_array(m))
        finer = _krylov(chain, right[:, :-1] / m[:, None], None, device, most)
        if finer is not None:
            X[:, :-1] = finer * m[:, None]
    return X


def _krylov(
    Q: sparse.csr_array,
    right: np.ndarray,
    weights: np.ndarray | None,
    device: str,
    most: int,
) -> np.ndarray | None:
    where = pick_device(device)
    A = to_torch(sparse.csr_array(sparse.eye_array(len(right)) - Q), where)
    b = to_torch(right, where)
    patience = most // 8
    if weights is None:
        solution = bicgstab(A, b, b, tol=1e-11, max_iter=most, patience=patience)
    else:
        w = to_torch(weights, where)
        solution = cg(A, b, b, w, tol=1e-11, max_iter=2 * most, patience=2 * patience)
    return to_numpy(solution.X) if solution.converged else None


def _sizes(Q: sparse.csr_array, b: np.ndarray) -> np.ndarray:
    """m ≈ Q m + b to a few per cent, by sweeps that only add: small entries are right, too."""
    m = b
    for _ in range(REACH):
        m, before = Q @ m + b, m
        if (m <= 1.01 * before).all():
            break
    return np.maximum(m, np.finfo(np.float64).tiny)


def _steps(Q: sparse.csr_array, goal: np.ndarray) -> np.ndarray:
    """How many steps each state is from the nearest one in `goal`; inf where none is in reach."""
    n, ends = len(goal), np.flatnonzero(goal)
    # Edges turned round, and one more state from which they lead to all of `goal`.
    back = sparse.csr_array(Q.T)
    indices = np.concatenate([back.indices, ends])
    indptr = np.concatenate([back.indptr, [len(indices)]])
    edges = sparse.csr_array((np.ones(len(indices)), indices, indptr), shape=(n + 1, n + 1))
    return dijkstra(edges, indices=n, unweighted=True)[:n] - 1
