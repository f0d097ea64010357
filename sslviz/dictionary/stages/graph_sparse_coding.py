r"""Graph regularised sparse coding: dictionary and codes with a graph, no classifier.

    min ‖X − AD‖² + λ‖A‖₁ + β tr(AᵀLA),   ‖d‖ ≤ 1                                         (Eq. 7)

Zheng et al. Graph regularized sparse coding for image representation. IEEE TIP 2011.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.dictionary.stages.alternation import improve_atoms
from sslviz.dictionary.stages.sparse_coding import CodingProblem, improve_codes
from sslviz.solve.dictionary_learning import sparse_codes


class GraphCodes(NamedTuple):
    """Atoms, codes and objective of graph regularised sparse coding."""

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
) -> GraphCodes:
    """Codes and atoms improved in turn, from the atoms `start` and their plain codes on."""
    where, tau = pick_device(device), 1.0
    problem = CodingProblem(to_torch(np.asarray(X, np.float64), where), L, lam, beta, 0.0)
    D, A = to_torch(start, where), to_torch(sparse_codes(X, start, lam), where)
    graph, objective = to_torch(L, where), []
    for _ in range(max_iter):
        A, tau = improve_codes(problem, A, D, None, max_iter=inner, tau=tau)
        D = improve_atoms(problem.X, A, D, inner)
        smoothness = beta * float((A * (graph @ A)).sum())
        error = float(((problem.X - A @ D) ** 2).sum())
        objective.append(error + lam * float(A.abs().sum()) + smoothness)
    return GraphCodes(to_numpy(D), to_numpy(A), np.array(objective))
