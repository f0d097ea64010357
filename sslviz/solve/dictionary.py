r"""Sparse codes and dictionaries: write every row of X as few atoms times numbers.

    min_{A, D}  ‖X − A D‖² + λ‖A‖₁   with   ‖d‖ ≤ 1 for every atom (row of D)

With D fixed this is a lasso for every row, scikit-learn's with alpha = λ/2; with A fixed, least
squares in a ball. `learn_dictionary` alternates between the two; neither can raise the objective.

Olshausen, Field. Emergence of simple-cell receptive field properties by learning a sparse code for
natural images. Nature 1996.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np
import torch

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.solve.fista import Solution, in_ball

CHUNK = 64  # rows a thread takes at a time


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
    from sslviz.solve.homotopy import solve_rows

    X, D = np.asarray(X, np.float64), np.asarray(D, np.float64)
    G, B = D @ D.T, np.ascontiguousarray(X @ D.T + pull)
    rho = np.broadcast_to(np.asarray(ridge, np.float64), len(X)).copy()
    A = np.empty_like(B)

    def some(start: int) -> None:
        rows = slice(start, start + CHUNK)
        solve_rows(G, B[rows], rho[rows], lam / 2, tol, A[rows])

    with ThreadPoolExecutor(torch.get_num_threads()) as threads:
        list(threads.map(some, range(0, len(X), CHUNK)))
    return A


@dataclass(frozen=True)
class Reconstruction:
    """‖X − A D‖² as a quadratic in the dictionary D."""

    gram: torch.Tensor  # 2 AᵀA
    linear: torch.Tensor  # −2 AᵀX

    def gradient(self, Z: torch.Tensor) -> torch.Tensor:
        return torch.addmm(self.linear, self.gram, Z)


def update_atoms(
    X: torch.Tensor,
    A: torch.Tensor,
    D: torch.Tensor,
    *,
    tau: float = 1.0,
    max_iter: int = 50,
    tol: float = 1e-9,
) -> Solution:
    """min ‖X − A D‖² over dictionaries with ‖d‖ ≤ 1, from D on. Unused atoms stay as they are."""
    f = Reconstruction(2 * A.T @ A, -2 * A.T @ X)
    return in_ball(f, D, tau=tau, max_iter=max_iter, tol=tol)


class Dictionary(NamedTuple):
    D: np.ndarray  # (atoms, d)
    A: np.ndarray  # (n, atoms), exact for D
    objective: float  # ‖X − A D‖² + λ‖A‖₁


def dictionaries(
    X: np.ndarray, start: np.ndarray, lam: float, *, inner: int = 10, device: str = "auto"
) -> Iterator[Dictionary]:
    """Codes and atoms in turn without end, beginning with the codes of the atoms `start`."""
    X, D = np.asarray(X, np.float64), np.asarray(start, np.float64)
    where, slope = pick_device(device), 1.0
    points = to_torch(X, where)
    while True:
        A = sparse_codes(X, D, lam)
        yield Dictionary(D, A, float(np.square(X - A @ D).sum() + lam * np.abs(A).sum()))
        atoms = to_torch(D, where)
        found = update_atoms(points, to_torch(A, where), atoms, tau=slope, max_iter=inner)
        D, slope = to_numpy(found.Z), found.tau


def learn_dictionary(
    X: np.ndarray,
    start: np.ndarray,
    lam: float,
    *,
    max_iter: int = 50,
    tol: float = 1e-3,
    device: str = "auto",
) -> Dictionary:
    """The first dictionary that is better than the one before by less than the share `tol`."""
    before = np.inf
    for found in islice(dictionaries(X, start, lam, device=device), max_iter):
        if before - found.objective <= tol * found.objective:
            break
        before = found.objective
    return found


def unit_atoms(X: np.ndarray) -> np.ndarray:
    """Rows scaled to length 1; a zero row stays zero."""
    length = np.linalg.norm(X, axis=1, keepdims=True)
    return np.divide(X, length, out=np.zeros_like(X), where=length > 0)
