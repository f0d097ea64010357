r"""Metaface: learn a few atoms for each class, then classify by the least residual as SRC does.

    min Σ_c ‖X_c − A_c D_c‖² + λ‖A_c‖₁  over codes A_c and atoms ‖d‖ ≤ 1

    class of x = argmin_c ‖x − a_c D_c‖²,   a_c = argmin ‖x − aD_c‖² + λ‖a‖₁

Metaface learning replaces the labelled points of SRC by atoms that are learnt from them, class by
class, with no regard to the other classes. Atoms start as random mixtures of the points of a class.
A new point is coded by the atoms of each class alone (C lassos, the default) or, as in the paper,
by those of all classes at once (coding = all).

**What to look for:** one row of atoms per class, and codes of labelled points that are zero outside
their own block. With fewer atoms than labelled points a class is summarised, and coding a point
gets cheaper. Unlabelled points are never used. On USPS with 20 labels and 20 atoms per class one
lasso on all atoms is right for 89% of new points, as SRC is, and one lasso per class for 90%: the
atoms of a class were learnt to explain its points alone. Scale X yourself (unit length × 5 for
images).

Yang, Zhang, Yang, Zhang. Metaface learning for sparse representation based face recognition. ICIP
2010.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch

from sslviz.dictionary import lasso_parameters as own
from sslviz.dictionary.base import CheckedInput, run_rounds
from sslviz.dictionary.class_base import SeparateCodes, block_sizes
from sslviz.dictionary.stages.class_blocks import (
    BlockRound,
    LassoTerms,
    block_classes,
    block_codes,
    blocks,
    mixed_atoms,
    one_hot_rows,
)
from sslviz.memo import stage
from sslviz.solve.dictionary_learning import sparse_codes, update_atoms


def own_block_codes(
    X: np.ndarray, target: np.ndarray, D: np.ndarray, atom_class: np.ndarray, lam: float
) -> np.ndarray:
    """(labelled points, atoms) codes by the atoms of a point's own class, zero elsewhere."""
    labels = target[target >= 0]
    points = X[target >= 0]
    A = np.zeros((len(labels), len(D)))
    for c, mine in blocks(atom_class, int(target.max()) + 1):
        rows = np.flatnonzero(labels == c)
        A[np.ix_(rows, mine)] = sparse_codes(points[rows], D[mine], lam)
    return A


def metaface_rounds(
    X: np.ndarray,
    target: np.ndarray,
    *,
    start: np.ndarray,
    atom_class: np.ndarray,
    lam: float,
    max_iter: int,
) -> Iterator[BlockRound]:
    """One record per round: better atoms for the codes, then the codes for these atoms."""
    points, D, n_classes = X[target >= 0], start.copy(), int(target.max()) + 1
    A = own_block_codes(X, target, D, atom_class, lam)
    F = torch.as_tensor(one_hot_rows(target, n_classes))
    for iteration in range(1, max_iter + 1):
        for c, mine in blocks(atom_class, n_classes):
            rows = target[target >= 0] == c
            mixed = A[np.ix_(rows, mine)]
            D[mine] = update_atoms(mixed.T @ mixed, mixed.T @ points[rows], D[mine])
        A = own_block_codes(X, target, D, atom_class, lam)
        terms = LassoTerms(float(np.square(points - A @ D).sum()), lam * float(np.abs(A).sum()))
        yield BlockRound(iteration, sum(terms), terms, F, (D.copy(), A, atom_class))


@stage("atoms and codes")
def learn_metaface(
    X: np.ndarray, target: np.ndarray, **arguments: Any
) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """All rounds: atoms, codes of labelled points, classes of atoms; the objective after each."""
    return run_rounds(metaface_rounds(X, target, **arguments))


@dataclass(repr=False, eq=False)
class Metaface(SeparateCodes):
    """Metaface learning: a dictionary for each class, learnt from its labelled points.

    X is used as given. Class probabilities are softmax(−25 residual/mean ‖x‖²).

    Attributes: `components_` (atoms, d) with norm ≤ 1, class by class; `atom_classes_` their
    classes; `codes_` (n, atoms), of labelled points as learnt, of the others as `transform` gives
    them; `objective_` over the labelled points after each round; `classes_`,
    `label_distributions_` (n, C), `transduction_`, `n_iter_`.
    """

    title = "Metaface"
    paper = "Yang, Zhang, Yang & Zhang, ICIP 2010"
    formula = (
        r"J=\sum_c\textcolor{1}{\|X_c-A_cD_c\|^2}+\textcolor{2}{\lambda\|A_c\|_1}",
        r"\hat y=\arg\min_c\|x-a_cD_c\|^2",
        r"D\in\mathbb R^{p\times d}",
    )
    labelled_only = True
    _rounds, _learn = staticmethod(metaface_rounds), staticmethod(learn_metaface)

    n_atoms: own.BlockAtoms = 200
    lam: own.Sparsity = 0.3
    max_iter: own.LassoRounds = 10
    coding: own.Coding = "class"

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit: the codes of unlabelled points with 200 atoms."""
        return n / 10_000

    def _arguments(self, X: np.ndarray, target: np.ndarray, classes: np.ndarray) -> CheckedInput:
        X, rng = np.asarray(X, np.float64), self._generator()
        share = block_sizes(self, target, len(classes))
        D, atom_class = mixed_atoms(X, target, share, rng), block_classes(share)
        arguments: dict[str, Any] = {"start": D, "atom_class": atom_class}
        arguments |= {"lam": self.lam, "max_iter": self.max_iter}
        start = partial(_first_state, X, target, D, atom_class, self.lam)
        return CheckedInput(X, target, classes, arguments, start)

    def _keep(self, problem: CheckedInput, *learnt: Any) -> None:
        D, A, atom_class = learnt
        self._keep_atoms(problem, D, A, atom_class)

    def _code(self, Q: np.ndarray) -> np.ndarray:
        if self.coding == "all":
            return super()._code(Q)
        return block_codes(Q, self.components_, self._atom_class, len(self.classes_), self.lam)

    def _coded_apart(self) -> bool:
        return self.coding == "class"


def _first_state(
    X: np.ndarray, target: np.ndarray, D: np.ndarray, atom_class: np.ndarray, lam: float
) -> tuple[np.ndarray, ...]:
    return D, own_block_codes(X, target, D, atom_class, lam), atom_class
