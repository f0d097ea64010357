r"""Dictionary and codes with a graph but without a classifier: the experiment that compares graphs.

    min ‖X − AD‖² + λ‖A‖₁ + β tr(AᵀLA),   ‖d‖ ≤ 1                                         (Eq. 7)

Zheng et al. Graph regularized sparse coding for image representation. IEEE TIP 2011.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.dictionary.stages.alternation import better_atoms
from sslviz.dictionary.stages.sparse_coding import Fixed, code
from sslviz.solve.dictionary_learning import sparse_codes


class Coded(NamedTuple):
    D: np.ndarray  # (atoms, d)
    A: np.ndarray  # (n, atoms)
    objective: np.ndarray  # Eq. 7 after every round


def code_on_graph(
    X: np.ndarray,
    start: np.ndarray,
    L: sparse.csr_array,
    *,
    lam: float,
    beta: float,
    max_iter: int = 15,
    inner: int = 50,
    device: str = "auto",
) -> Coded:
    """Codes and atoms in turn, from the atoms `start` and their plain codes on."""
    where, tau = pick_device(device), 1.0
    fixed = Fixed(to_torch(np.asarray(X, np.float64), where), L, lam, beta, 0.0)
    D, A = to_torch(start, where), to_torch(sparse_codes(X, start, lam), where)
    graph, objective = to_torch(L, where), []
    for _ in range(max_iter):
        A, tau = code(fixed, A, D, None, max_iter=inner, tau=tau)
        D = better_atoms(fixed.X, A, D, inner)
        smoothness = beta * float((A * (graph @ A)).sum())
        error = float(((fixed.X - A @ D) ** 2).sum())
        objective.append(error + lam * float(A.abs().sum()) + smoothness)
    return Coded(to_numpy(D), to_numpy(A), np.array(objective))
