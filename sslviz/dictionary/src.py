r"""SRC: code a point by all labelled points, and take the class whose points explain it best.

    a = argmin ‖x − aD‖² + λ‖a‖₁,   class of x = argmin_c ‖x − a_c D_c‖²

Sparse representation-based classification: the labelled points, scaled to length 1, are the atoms
D; nothing is learnt. A point is written as a weighted sum of a few of them. Only the weights a_c of
one class are kept at a time, and the class that then leaves the least residual wins.

**What to look for:** look at a point as its partial reconstructions a_c D_c. Its own class should
look like the point, all others nearly empty. Nothing is learnt, unlabelled points are never used,
and yet most methods of this family hardly do better: on USPS with 20 labels per class SRC is right
for 89% of new points, the others for 88 to 92%. Scale X yourself, as λ is measured against it
(unit length × 5 for images). Points of the plane suit it badly: an atom is a direction, no place.

Wright, Yang, Ganesh, Sastry, Ma. Robust face recognition via sparse representation. IEEE TPAMI
2009.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
import torch

from sslviz.dictionary import lasso_parameters as own
from sslviz.dictionary.base import CheckedInput, run_rounds
from sslviz.dictionary.class_base import ClassDictionary
from sslviz.dictionary.stages.class_blocks import BlockRound, LassoTerms, one_hot_rows
from sslviz.memo import stage
from sslviz.solve.dictionary_learning import sparse_codes, unit_atoms


def src_rounds(X: np.ndarray, target: np.ndarray, *, lam: float) -> Iterator[BlockRound]:
    """One round: the labelled points as atoms, and the codes of all points."""
    given = np.argsort(target, kind="stable")[np.count_nonzero(target < 0) :]
    D = unit_atoms(X[given])
    A = sparse_codes(X, D, lam)
    terms = LassoTerms(float(np.square(X - A @ D).sum()), lam * float(np.abs(A).sum()))
    F = torch.as_tensor(one_hot_rows(target, int(target.max()) + 1))
    yield BlockRound(1, sum(terms), terms, F, (D, A, target[given]))


def _codes(X: np.ndarray, target: np.ndarray, **arguments: Any) -> tuple[np.ndarray, ...]:
    return next(src_rounds(X, target, **arguments)).learnt()


@stage("codes")
def learn_src(
    X: np.ndarray, target: np.ndarray, **arguments: Any
) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """Atoms, codes and the class of each atom; and the objective."""
    return run_rounds(src_rounds(X, target, **arguments))


@dataclass(repr=False, eq=False)
class SRC(ClassDictionary):
    """Sparse representation-based classification: atoms are the labelled points.

    X is used as given; atoms are scaled to length 1. Class probabilities are
    softmax(−25 residual/mean ‖x‖²).

    Attributes: `components_` (labelled points, d), class by class; `atom_classes_` their classes;
    `codes_` (n, atoms); `objective_` the lasso of all points, one number; `classes_`,
    `label_distributions_` (n, C), `transduction_`, `n_iter_` = 1.
    """

    title = "SRC"
    paper = "Wright, Yang, Ganesh, Sastry & Ma 2009"
    formula = (
        r"a=\arg\min\|x-aD\|^2+\lambda\|a\|_1",
        r"\hat y=\arg\min_c\|x-a_cD_c\|^2",
        r"D=\textcolor{labelled}{\text{labelled points}}",
    )
    labelled_only = True
    max_iter: ClassVar[int] = 1
    _rounds, _learn = staticmethod(src_rounds), staticmethod(learn_src)

    lam: own.Sparsity = 0.3

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit with 200 labelled points."""
        return n / 15_000

    def _arguments(self, X: np.ndarray, target: np.ndarray, classes: np.ndarray) -> CheckedInput:
        X = np.asarray(X, np.float64)
        arguments = {"lam": self.lam}
        return CheckedInput(X, target, classes, arguments, partial(_codes, X, target, **arguments))

    def _keep(self, problem: CheckedInput, *learnt: Any) -> None:
        D, A, atom_class = learnt
        self._keep_atoms(problem, D, A, atom_class)
