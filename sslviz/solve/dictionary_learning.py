r"""Sparse codes and dictionaries: write every row of X as few atoms times numbers.

    min_{A, D}  ‖X − A D‖² + λ‖A‖₁   with   ‖d‖ ≤ 1 for every atom (row of D)

With D fixed this is a lasso for every row, scikit-learn's with alpha = λ/2; with A fixed, least
squares in a ball. `learn_dictionary` goes from batch to batch: better codes, then better atoms.

Olshausen, Field. Emergence of simple-cell receptive field properties by learning a sparse code for
natural images. Nature 1996.
Mairal, Bach, Ponce, Sapiro. Online dictionary learning for sparse coding. ICML 2009.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import NamedTuple

import numpy as np
import torch
from threadpoolctl import threadpool_limits

CHUNK = 64  # rows a thread takes at a time
ALONE = 128  # rows that are done sooner than threads have met again on a busy machine
FADE = 0.8  # of what earlier batches count for, per batch of the first pass
NEAR = 0.1  # of λ/2: codes whose conditions are that near stay until the atoms have moved further


def sparse_codes(
    X: np.ndarray,
    D: np.ndarray,
    lam: float,
    *,
    ridge: np.ndarray | float = 0.0,
    pull: np.ndarray | float = 0.0,
    tol: float = 1e-10,
) -> np.ndarray:
    """(n, atoms): for every row the minimiser of ‖x − aD‖² + λ‖a‖₁ + ridge·‖a‖² − 2 pull·a.

    `ridge` is a number or one per row, `pull` a row of numbers per row. Exact but for rounding; no
    row depends on another.
    """
    from sslviz.solve.lasso_homotopy import solve_rows

    X, D = np.asarray(X, np.float64), np.asarray(D, np.float64)
    G, B = D @ D.T, np.ascontiguousarray(X @ D.T + pull)
    rho = np.broadcast_to(np.asarray(ridge, np.float64), len(X)).copy()
    A = np.empty_like(B)

    _in_chunks(len(X), lambda rows: solve_rows(G, B[rows], rho[rows], lam / 2, tol, A[rows]))
    return A


def better_codes(X: np.ndarray, D: np.ndarray, lam: float, A: np.ndarray) -> np.ndarray:
    """(n, atoms): codes no worse than A, which were good for atoms that have moved since."""
    from sslviz.solve.lasso_homotopy import improve_rows

    G, B, A = D @ D.T, X @ D.T, A.copy()
    _in_chunks(len(X), lambda rows: improve_rows(G, B[rows], lam / 2, NEAR, A[rows]))
    return A


def _in_chunks(n: int, some: Callable[[slice], None]) -> None:
    if n <= ALONE:
        return some(slice(n))
    with ThreadPoolExecutor(torch.get_num_threads()) as threads:
        list(threads.map(some, (slice(first, first + CHUNK) for first in range(0, n, CHUNK))))


def update_atoms(
    S: np.ndarray, B: np.ndarray, D: np.ndarray, *, max_iter: int = 50, tol: float = 0.01
) -> np.ndarray:
    """Better atoms for codes A, ‖d‖ ≤ 1, from D on: S = AᵀA, B = AᵀX.

    At most `max_iter` sweeps, until one gains less than the share `tol` of all so far.
    """
    from sslviz.solve.dictionary_update import improve

    D = np.array(D, np.float64, order="C")
    improve(np.ascontiguousarray(S), np.ascontiguousarray(B), D, max_iter, tol)
    return D


class Dictionary(NamedTuple):
    D: np.ndarray  # (atoms, d)
    A: np.ndarray  # (n, atoms)
    objective: float  # ‖X − A D‖² + λ‖A‖₁


def dictionaries(
    X: np.ndarray, start: np.ndarray, lam: float, *, batch: int = 128
) -> Iterator[Dictionary]:
    """Passes through X without end, from the atoms `start` on: each yields what it has come to.

    Codes of a batch are found for the atoms at its turn, then all atoms are improved once. AᵀA and
    AᵀX follow the batch that changes. On the first pass codes are exact, and earlier batches fade,
    since their codes were made of poorer atoms. Later codes go on from those of the pass before:
    from the first yield on the objective never rises.
    """
    X, D = np.asarray(X, np.float64), np.asarray(start, np.float64)
    A = np.zeros((len(X), len(D)))
    D = _first_pass(X, A, D, lam, batch)
    while True:
        S, B, D, value = _settled(X, A, D, lam)
        yield Dictionary(D, A.copy(), value)
        with threadpool_limits(1, "blas"):
            for rows in _batches(len(X), batch):
                before, codes = A[rows], better_codes(X[rows], D, lam, A[rows])
                S += codes.T @ codes - before.T @ before
                B += (codes - before).T @ X[rows]
                A[rows] = codes
                D = update_atoms(S, B, D, max_iter=1)


@threadpool_limits.wrap(1, "blas")  # products this small lose by sharing
def _first_pass(X: np.ndarray, A: np.ndarray, D: np.ndarray, lam: float, batch: int) -> np.ndarray:
    """Fill A, and return the atoms that came of it."""
    S, B = np.zeros((len(D), len(D))), np.zeros_like(D)
    for rows in _batches(len(X), batch):
        A[rows] = codes = sparse_codes(X[rows], D, lam)
        S, B = FADE * S + codes.T @ codes, FADE * B + codes.T @ X[rows]
        D = update_atoms(S, B, D, max_iter=1)
    return D


@threadpool_limits.wrap(1, "blas")
def _settled(
    X: np.ndarray, A: np.ndarray, D: np.ndarray, lam: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """AᵀA and AᵀX without the rounding of a pass, better atoms, and the objective."""
    S, B = A.T @ A, A.T @ X
    D = update_atoms(S, B, D, max_iter=1)
    return S, B, D, _objective(X, A, D, lam)


def _batches(n: int, size: int) -> list[slice]:
    return [slice(first, first + size) for first in range(0, n, size)]


def learn_dictionary(
    X: np.ndarray, start: np.ndarray, lam: float, *, max_iter: int = 50, tol: float = 1e-3
) -> Dictionary:
    """At most `max_iter` passes, until one gains less than the share `tol`; codes exact for D."""
    before = np.inf
    for found in islice(dictionaries(X, start, lam), max_iter):
        if before - found.objective <= tol * found.objective:
            break
        before = found.objective
    A = sparse_codes(X, found.D, lam)
    return Dictionary(found.D, A, _objective(np.asarray(X, np.float64), A, found.D, lam))


def _objective(X: np.ndarray, A: np.ndarray, D: np.ndarray, lam: float) -> float:
    return float(np.square(X - A @ D).sum() + lam * np.abs(A).sum())


def unit_atoms(X: np.ndarray) -> np.ndarray:
    """Rows scaled to length 1; a zero row stays zero."""
    length = np.linalg.norm(X, axis=1, keepdims=True)
    return np.divide(X, length, out=np.zeros_like(X), where=length > 0)
