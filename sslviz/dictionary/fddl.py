r"""FDDL: atoms of a class explain its own points and no others; codes of a class stay together.

    J = ‖X − AD‖² + Σ_i (‖x_i − a_iy D_y‖² + Σ_{c≠y} ‖a_ic D_c‖²) + 2λ‖A‖₁ + λ₂(S_w − S_b + ‖A‖²)

    S_w = Σ_i ‖a_i − m_y‖²,   S_b = Σ_c n_c‖m_c − m‖²,   over labelled points; ‖d‖ ≤ 1

    class of x = argmin_c ‖x − a_c D_c‖² + w‖a − m_c‖²,   a = argmin ‖x − aD‖² + 2λ‖a‖₁

Fisher discrimination dictionary learning: D has a block D_c for each class. A labelled point must
be explained by all atoms together, and by those of its own class alone, while the blocks of other
classes must contribute nothing to it. Fisher's term makes the codes of a class alike (small S_w)
and those of classes different (large S_b); m_c is the mean code of class c, m that of all.

**What to look for:** one row of atoms per class. A labelled point as its partial reconstructions
a_c D_c: its own class looks like the point, the others vanish. With Fisher's term codes of a class
gather around their mean; without it (λ₂ = 0) accuracy on digits hardly changes. Unlabelled points
are never used. On USPS with 20 labels per class it is right for 89% of new points, as SRC is,
which learns nothing. Scale X yourself (unit length × 5 for images).

Yang, Zhang, Feng, Zhang. Fisher discrimination dictionary learning for sparse representation. ICCV
2011.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from sslviz.dictionary import lasso_parameters as own
from sslviz.dictionary.base import CheckedInput, run_rounds
from sslviz.dictionary.class_base import ClassDictionary, block_sizes
from sslviz.dictionary.stages.class_blocks import BlockRound, block_classes, sample_atoms
from sslviz.dictionary.stages.fisher_rounds import (
    first_state,
    fisher_residuals,
    fisher_rounds,
    mean_codes,
)
from sslviz.memo import stage
from sslviz.solve.dictionary_learning import sparse_codes

ROUND_ARGUMENTS = ("lam", "fisher", "mean_weight", "max_iter", "device")


def fddl_rounds(X: np.ndarray, target: np.ndarray, **arguments: Any) -> Iterator[BlockRound]:
    """One record per round: the labelled points alone, whose P is one-hot."""
    given = target >= 0
    return fisher_rounds(X[given], target[given], **arguments)


@stage("atoms and codes")
def learn_fddl(
    X: np.ndarray, target: np.ndarray, **arguments: Any
) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """All rounds: D, A and P after the last, and the objective after each."""
    return run_rounds(fddl_rounds(X, target, **arguments))


@dataclass(repr=False, eq=False)
class FDDL(ClassDictionary):
    """Fisher discrimination dictionary learning.

    X is used as given. Class probabilities are softmax(−25 residual/mean ‖x‖²), with the
    distance to the mean code in the residual.

    Attributes: `components_` (atoms, d) with norm ≤ 1, class by class; `atom_classes_` their
    classes; `class_means_` (C, atoms) mean codes of the labelled points; `codes_` (n, atoms), of
    labelled points as learnt, of the others as `transform` gives them; `objective_` after each
    round; `classes_`, `label_distributions_` (n, C), `transduction_`, `n_iter_`.
    """

    title = "FDDL"
    paper = "Yang, Zhang, Feng & Zhang, ICCV 2011"
    formula: ClassVar[tuple[str, ...]] = (
        r"J=\textcolor{1}{\|X-AD\|^2}+\sum_i\bigl(\textcolor{2}{\|x_i-a_{iy}D_y\|^2}+"
        r"\textcolor{3}{\sum_{c\ne y}\|a_{ic}D_c\|^2}\bigr)+\textcolor{4}{2\lambda\|A\|_1}+"
        r"\textcolor{5}{\lambda_2(S_w-S_b+\|A\|^2)}",
        r"D\in\mathbb R^{p\times d}",
    )
    labelled_only = True
    _rounds, _learn = staticmethod(fddl_rounds), staticmethod(learn_fddl)

    n_atoms: own.BlockAtoms = 200
    lam: own.HalfSparsity = 0.15
    fisher: own.Fisher = 0.05
    max_iter: own.LassoRounds = 10
    mean_weight: own.MeanWeight = 0.1

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit with 200 labelled points and as many atoms."""
        return 0.4 + n / 10_000

    def _arguments(self, X: np.ndarray, target: np.ndarray, classes: np.ndarray) -> CheckedInput:
        X = np.asarray(X, np.float64)
        share = block_sizes(self, target, len(classes))
        D, atom_class = sample_atoms(X, target, share, self._generator()), block_classes(share)
        arguments = {name: getattr(self, name) for name in ROUND_ARGUMENTS}
        arguments |= {"start": D, "atom_class": atom_class} | self._semi_supervised()
        used = self._taking_part(X, target)
        start = partial(first_state, *used, D, atom_class, self.lam, self.mean_weight)
        return CheckedInput(X, target, classes, arguments, start)

    def _semi_supervised(self) -> dict[str, Any]:
        """What a method that uses unlabelled points adds to the arguments of the rounds."""
        return {}

    def _taking_part(self, X: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The points that are learnt from."""
        return X[target >= 0], target[target >= 0]

    def _keep(self, problem: CheckedInput, *learnt: Any) -> None:
        D, A, _ = learnt
        _, target = self._taking_part(problem.X, problem.target)
        self.class_means_ = mean_codes(A, target, len(self.classes_))
        self._keep_atoms(problem, D, A[target >= 0], problem.arguments["atom_class"])

    def _code(self, Q: np.ndarray) -> np.ndarray:
        return sparse_codes(Q, self.components_, 2 * self.lam)

    def _residuals(self, X: np.ndarray, A: np.ndarray) -> np.ndarray:
        """(m, C) ‖x − a_c D_c‖² + w‖a − m_c‖²."""
        return fisher_residuals(
            X, A, self.components_, self._atom_class, self.class_means_, self.mean_weight
        )
