r"""Dictionary learning: write every row of X as a weighted sum of a few atoms.

    min_{A, D}  ‖X − A D‖² + λ‖A‖₁   with   ‖d‖ ≤ 1 for every atom (row of D)

With D fixed this is a lasso for every row, scikit-learn's with alpha = λ/2; with A fixed, least
squares in a ball. `dictionaries` alternates, batch by batch: better codes, then better atoms.

Olshausen, Field. Emergence of simple-cell receptive field properties by learning a sparse code for
natural images. Nature 1996.
Mairal, Bach, Ponce, Sapiro. Online dictionary learning for sparse coding. ICML 2009.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import torch
from threadpoolctl import threadpool_limits

ROWS_PER_TASK = 64  # rows coded by one thread at a time
MAX_SERIAL_ROWS = 128  # fewer rows are done before threads would have synchronised
FIRST_PASS_DECAY = 0.8  # weight of earlier batches, per batch of the first pass
STATIONARITY_TOL = (
    0.1  # of λ/2: codes this close to stationary are left until the atoms have moved further
)


def sparse_codes(
    X: np.ndarray,
    D: np.ndarray,
    lam: float,
    *,
    ridge: np.ndarray | float = 0.0,
    pull: np.ndarray | float = 0.0,
    tol: float = 1e-10,
) -> np.ndarray:
    """(n, atoms) for every row the minimiser of ‖x − aD‖² + λ‖a‖₁ + ridge·‖a‖² − 2 pull·a.

    `ridge` is a number or one per row, `pull` a row of numbers per row. Exact up to rounding; no
    row depends on another.
    """
    from sslviz.solve.lasso_homotopy import solve_rows

    X, D = np.asarray(X, np.float64), np.asarray(D, np.float64)
    G, B = D @ D.T, np.ascontiguousarray(X @ D.T + pull)
    rho = np.broadcast_to(np.asarray(ridge, np.float64), len(X)).copy()
    A = np.empty_like(B)

    _for_row_chunks(len(X), lambda rows: solve_rows(G, B[rows], rho[rows], lam / 2, tol, A[rows]))
    return A


def refine_codes(X: np.ndarray, D: np.ndarray, lam: float, A: np.ndarray) -> np.ndarray:
    """(n, atoms) codes no worse than A, which were optimal before the atoms moved a little."""
    from sslviz.solve.lasso_homotopy import improve_rows

    G, B, A = D @ D.T, X @ D.T, A.copy()
    _for_row_chunks(
        len(X), lambda rows: improve_rows(G, B[rows], lam / 2, STATIONARITY_TOL, A[rows])
    )
    return A


def _for_row_chunks(n: int, code_rows: Callable[[slice], None]) -> None:
    if n <= MAX_SERIAL_ROWS:
        return code_rows(slice(n))
    with ThreadPoolExecutor(torch.get_num_threads()) as threads:
        list(
            threads.map(
                code_rows,
                (slice(first, first + ROWS_PER_TASK) for first in range(0, n, ROWS_PER_TASK)),
            )
        )


def update_atoms(
    S: np.ndarray, B: np.ndarray, D: np.ndarray, *, max_iter: int = 50, tol: float = 0.01
) -> np.ndarray:
    """Better atoms for codes A, ‖d‖ ≤ 1, from D on: S = AᵀA, B = AᵀX.

    At most `max_iter` sweeps, until one gains less than the share `tol` of all so far.
    """
    from sslviz.solve.dictionary_update import sweep_atoms

    D = np.array(D, np.float64, order="C")
    sweep_atoms(np.ascontiguousarray(S), np.ascontiguousarray(B), D, max_iter, tol)
    return D


class Dictionary(NamedTuple):
    """Atoms and codes after a pass."""

    D: np.ndarray  # (atoms, d)
    A: np.ndarray  # (n, atoms)
    objective: float  # ‖X − A D‖² + λ‖A‖₁


def dictionaries(
    X: np.ndarray, start: np.ndarray, lam: float, *, batch: int = 128
) -> Iterator[Dictionary]:
    """Endless passes through X from the atoms `start` on; one record per pass.

    A pass codes one batch after the other with the present atoms and improves all atoms after each;
    AᵀA and AᵀX are updated with the batch. In the first pass codes are exact, and earlier batches
    lose weight, since their codes belong to poorer atoms. Later passes refine the codes of the pass
    before: from the first record on the objective never rises.
    """
    X, D = np.asarray(X, np.float64), np.asarray(start, np.float64)
    A = np.zeros((len(X), len(D)))
    D = _first_pass(X, A, D, lam, batch)
    while True:
        S, B, D, value = _end_of_pass(X, A, D, lam)
        yield Dictionary(D, A.copy(), value)
        with threadpool_limits(1, "blas"):
            for rows in _batches(len(X), batch):
                before, codes = A[rows], refine_codes(X[rows], D, lam, A[rows])
                S += codes.T @ codes - before.T @ before
                B += (codes - before).T @ X[rows]
                A[rows] = codes
                D = update_atoms(S, B, D, max_iter=1)


@threadpool_limits.wrap(1, "blas")  # products this small are slower on several threads
def _first_pass(X: np.ndarray, A: np.ndarray, D: np.ndarray, lam: float, batch: int) -> np.ndarray:
    """Fill A, and return the atoms after the pass."""
    S, B = np.zeros((len(D), len(D))), np.zeros_like(D)
    for rows in _batches(len(X), batch):
        A[rows] = codes = sparse_codes(X[rows], D, lam)
        S, B = FIRST_PASS_DECAY * S + codes.T @ codes, FIRST_PASS_DECAY * B + codes.T @ X[rows]
        D = update_atoms(S, B, D, max_iter=1)
    return D


@threadpool_limits.wrap(1, "blas")
def _end_of_pass(
    X: np.ndarray, A: np.ndarray, D: np.ndarray, lam: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """AᵀA and AᵀX without the rounding of a pass, improved atoms, and the objective."""
    S, B = A.T @ A, A.T @ X
    D = update_atoms(S, B, D, max_iter=1)
    return S, B, D, _objective(X, A, D, lam)


def _batches(n: int, size: int) -> list[slice]:
    return [slice(first, first + size) for first in range(0, n, size)]


def _objective(X: np.ndarray, A: np.ndarray, D: np.ndarray, lam: float) -> float:
    return float(np.square(X - A @ D).sum() + lam * np.abs(A).sum())


def unit_atoms(X: np.ndarray) -> np.ndarray:
    """Rows scaled to length 1; a zero row stays zero."""
    length = np.linalg.norm(X, axis=1, keepdims=True)
    return np.divide(X, length, out=np.zeros_like(X), where=length > 0)
