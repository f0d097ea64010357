r"""Absorbing Markov chains: in which class does a random walk end? The smallest F ≥ 0 with

    F = P F + B

P holds the transition probabilities between points, e = 1 − P1 the probability of leaving the
chain, B (n, C) the part of it that belongs to each class. With B = the probabilities of stepping on
a label this is label propagation; with P = α D⁻¹W it is label spreading.

Points with few links are eliminated exactly (gth_elimination.py). The remaining core, densely
connected, is solved for all classes at once: by conjugate gradients on the chosen device or, where
these converge slowly, by sparse LU. One more column is solved along whose solution is known: every
walk ends, so F = PF + e has F = 1. Rows in which it comes out wrong belong to groups that are
almost disconnected from the rest; these few are eliminated exactly with the others fixed. No dense
n × n matrix is ever formed.
"""

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import dijkstra
from scipy.sparse.linalg import splu

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.solve.gth_elimination import eliminate, substitute
from sslviz.solve.krylov import bicgstab, cg

CORE_CAPS = np.arange(1, 17) ** 2  # costs, (links in) × (links out), up to which points go
COMPLETE_CAPS = np.concatenate([CORE_CAPS, 4 ** np.arange(5, 16)])
MAX_FACTORISED = 600  # points; a core up to this size is always factorised
ITERATIONS_BEFORE_LU = 320  # where a factorisation would be quick
MAX_ITERATIONS = 3200  # where it would not
# A graph counts as planar if the longest path to an exit exceeds both, in √n and in steps.
PLANAR_STEPS_PER_ROOT, PLANAR_STEPS = 0.08, 5
MAX_MINIMUM_DEGREE = 5000  # points; a planar core up to this size is ordered by minimum degree
MAX_ELIMINATED = 4000  # doubtful points that are eliminated to the end
CHECK_TOL = 1e-8  # accepted error of the known column
UNDETERMINED_ERROR = 1e-3  # rows with a larger error in the end are undetermined
RESIDUAL_TOL = 1e-10  # accepted residual, relative to its row
SIZE_SWEEPS = 1000  # sweeps at most to estimate the size of every row
DIAGONAL_SHIFT = 1e-15  # keeps a matrix factorisable that is singular up to rounding


def absorb(
    P: sparse.csr_array,
    exits: np.ndarray,
    B: np.ndarray,
    *,
    weights: np.ndarray | None = None,
    device: str = "auto",
    caps: np.ndarray = CORE_CAPS,
) -> np.ndarray:
    """The smallest non-negative F (n, C) with F = P F + B; rows that reach no exit are zero.

    On an undirected graph `weights` are the degrees, w_i P_ij = w_j P_ji, up to a common factor:
    they allow conjugate gradients.
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
        kept = None if weights is None else weights[core]  # elimination keeps the symmetry
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
    """F on the core. Links from a point to itself are left out of Q: they only delay the walk."""
    F = np.zeros_like(B)
    steps = _steps_to_exit(Q, B.sum(axis=1) > 0)
    live = np.isfinite(steps)
    if not live.any():
        return F
    if not live.all():  # a step to where no class can be reached is an exit too
        exits = (exits + Q @ (~live).astype(float))[live]
        Q, B = sparse.csr_array(Q[live][:, live]), B[live]
        weights = None if weights is None else weights[live]
    outflow = exits + np.asarray(Q.sum(axis=1)).ravel()  # a sum, unlike 1 − P_ii: no cancellation
    right = np.column_stack([B, exits]) / outflow[:, None]
    scaled = sparse.csr_array(
        (Q.data / np.repeat(outflow, np.diff(Q.indptr)), Q.indices, Q.indptr), shape=Q.shape
    )
    planar = steps[live].max() > max(PLANAR_STEPS_PER_ROOT * np.sqrt(len(right)), PLANAR_STEPS)
    weights = None if weights is None else weights * outflow
    found = _solve_scaled(scaled, right, weights, device, planar)
    F[live] = _eliminate_doubtful(found, Q, exits, B, device)
    return F


def _eliminate_doubtful(
    found: np.ndarray, Q: sparse.csr_array, exits: np.ndarray, B: np.ndarray, device: str
) -> np.ndarray:
    """The solution without the known column; doubtful rows by elimination, the others fixed."""
    F, wrong = np.maximum(found[:, :-1], 0), np.abs(found[:, -1] - 1)
    doubtful = ~(wrong <= CHECK_TOL)
    if not doubtful.any():
        return F
    if doubtful.sum() > MAX_ELIMINATED:
        return np.where(wrong[:, None] < UNDETERMINED_ERROR, F, 0)
    rows = sparse.csr_array(Q[doubtful])
    known = np.where(doubtful[:, None], 0, F)
    away = exits[doubtful] + rows @ (~doubtful).astype(float)
    inside = sparse.csr_array(rows[:, doubtful])
    F[doubtful] = absorb(
        inside, away, B[doubtful] + rows @ known, device=device, caps=COMPLETE_CAPS
    )
    return F


def _solve_scaled(
    Q: sparse.csr_array,
    right: np.ndarray,
    weights: np.ndarray | None,
    device: str,
    planar: bool,
) -> np.ndarray:
    """X with X = Q X + right; the last column is the known one.

    On a planar graph, as on a surface, walks take about √n steps, on others log n. Sparse LU is
    fast on planar graphs, however slowly walks end there, and far too slow on large graphs of many
    dimensions, where walks end soon and few iterations suffice.
    """
    large, planar = len(right) > MAX_MINIMUM_DEGREE, planar or len(right) <= MAX_FACTORISED
    if large or not planar:
        found = _iterate(
            Q,
            right,
            weights,
            device,
            MAX_ITERATIONS if large and not planar else ITERATIONS_BEFORE_LU,
        )
        if found is not None:
            return found
    A = sparse.csc_array(sparse.eye_array(len(right)) - Q)
    shifted = A + DIAGONAL_SHIFT * sparse.eye_array(len(right), format="csc")
    # Minimum degree fills in less, but takes minutes to order large graphs with hubs.
    ordering = "MMD_AT_PLUS_A" if len(right) <= MAX_MINIMUM_DEGREE else "COLAMD"
    factors = splu(shifted, permc_spec=ordering, diag_pivot_thresh=0.0)
    X = factors.solve(right)
    for _ in range(2):  # iterative refinement removes the effect of the shift
        X += factors.solve(right - A @ X)
    return X


def _iterate(
    Q: sparse.csr_array,
    right: np.ndarray,
    weights: np.ndarray | None,
    device: str,
    most: int,
) -> np.ndarray | None:
    """X by conjugate gradients, or None where they do not converge.

    The error is small relative to the largest rows. Where distant rows are smaller still, the
    unknowns are measured in units of their rough size m (Doob's transform: Q_ij m_j / m_i is a
    chain again), and the error is small relative to every row.
    """
    X = _krylov(Q, right, weights, device, most)
    if X is None:
        return None
    rest = np.abs(Q @ X + right - X)[:, :-1].sum(axis=1)
    if (rest > RESIDUAL_TOL * X[:, :-1].sum(axis=1)).any():
        m = _rough_sizes(Q, right[:, :-1].sum(axis=1))
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


def _rough_sizes(Q: sparse.csr_array, b: np.ndarray) -> np.ndarray:
    """m ≈ Q m + b to a few per cent, by sweeps without subtraction: small entries are right too."""
    m = b
    for _ in range(SIZE_SWEEPS):
        m, before = Q @ m + b, m
        if (m <= 1.01 * before).all():
            break
    return np.maximum(m, np.finfo(np.float64).tiny)


def _steps_to_exit(Q: sparse.csr_array, goal: np.ndarray) -> np.ndarray:
    """Steps from each state to the nearest one in `goal`; inf where none can be reached."""
    n, ends = len(goal), np.flatnonzero(goal)
    # Reversed edges, and one more state from which they lead to all of `goal`.
    back = sparse.csr_array(Q.T)
    indices = np.concatenate([back.indices, ends])
    indptr = np.concatenate([back.indptr, [len(indices)]])
    edges = sparse.csr_array((np.ones(len(indices)), indices, indptr), shape=(n + 1, n + 1))
    return dijkstra(edges, indices=n, unweighted=True)[:n] - 1
