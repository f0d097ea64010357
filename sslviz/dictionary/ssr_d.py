r"""SSR-D: atoms for all points, each class with its own few; points that fit badly count less.

    J = Σ_i ‖x_i − a_i D‖ + λ(Σ_c ‖A_c‖_{2,q}^q + ‖A_u‖_{2,q}^q),   ‖A_c‖_{2,q}^q = Σ_j ‖A_cj‖₂^q

    min J over codes A and atoms ‖d‖ ≤ 1;   class of x = argmin_c ‖x − a_c D_c‖²

Semi-supervised robust dictionary learning. A_c are the codes of the labelled points of class c, A_u
those of all unlabelled points, A_cj the coefficients that the points of class c have for atom j.
The norms are not squared: atom j is used by a whole class or switched off for it, and a point with
a large residual counts with its length, not its square, so that outliers bend the atoms little.
Residuals below 1% of the mean length of the points count as squares, and for q < 1 the norms have
a small ε added, since exact zeros would never be left again; J has both. Afterwards an atom belongs
to the class that uses it most.

**What to look for:** the code matrix: with larger λ columns switch off class by class, and some
atoms are used by nobody. The weight 1/2‖x − aD‖ of a point is small for outliers. On USPS with 20
labels per class 89% of new points are right, as for SRC; atoms that start from random points
instead of labelled ones give 85%. q < 1, as in the paper, was no better than q = 1. New points are
coded by themselves with ‖x − aD‖² + λ‖a‖₁: the unsquared loss gives empty codes from λ = 1 on.
How atoms get their classes is our choice.

Wang, Nie, Cai, Huang. Semi-supervised robust dictionary learning via efficient l-norms
minimization. ICCV 2013.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sslviz.dictionary import lasso_parameters as own
from sslviz.dictionary.base import CheckedInput, clip_atoms, run_rounds
from sslviz.dictionary.class_base import ClassDictionary
from sslviz.dictionary.stages.alternation import first_atoms
from sslviz.dictionary.stages.atom_groups import atoms_by_use, class_norms
from sslviz.dictionary.stages.robust_rounds import least_residual, point_weights, robust_rounds
from sslviz.memo import stage
from sslviz.solve.dictionary_learning import sparse_codes, unit_atoms


@stage("atoms and codes")
def learn_ssr_d(
    X: np.ndarray, target: np.ndarray, **arguments: Any
) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """All rounds: D, A and the weights of the points; the objective after each."""
    return run_rounds(robust_rounds(X, target, **arguments))


@dataclass(repr=False, eq=False)
class SSRD(ClassDictionary):
    """Semi-supervised robust dictionary learning.

    X is used as given. Class probabilities are softmax(−25 residual/mean ‖x‖²).
    The first atoms are labelled points, then random unlabelled ones.

    Attributes: `components_` (atoms, d) with norm ≤ 1; `atom_classes_` (atoms,) the class that uses
    each atom most, -1 for an unused one; `point_weights_` (n,) the weight of each point,
    1/(2‖x − aD‖); `codes_` (n, atoms), of labelled points as learnt, of the others as `transform`
    gives them; `learnt_codes_` (n, atoms) those of the objective; `objective_` after each round;
    `classes_`, `label_distributions_` (n, C), `transduction_`, `n_iter_`.
    """

    title = "SSR-D"
    paper = "Wang, Nie, Cai & Huang, ICCV 2013"
    formula = (
        r"J=\textcolor{1}{\sum_i\|x_i-a_iD\|}+\textcolor{2}{\lambda\sum_c\|A_c\|_{2,q}^q}+"
        r"\textcolor{3}{\lambda\|A_u\|_{2,q}^q}",
        r"D\in\mathbb R^{p\times d}",
        r"\hat y=\arg\min_c\|x-a_cD_c\|^2",
    )
    _rounds, _learn = staticmethod(robust_rounds), staticmethod(learn_ssr_d)

    n_atoms: own.Atoms = 200
    lam: own.GroupSparsity = 0.5
    q: own.GroupPower = 1.0
    max_iter: own.LassoRounds = 10

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit with 200 atoms."""
        return n / 1000

    def _arguments(self, X: np.ndarray, target: np.ndarray, classes: np.ndarray) -> CheckedInput:
        X = np.asarray(X, np.float64)
        chosen = first_atoms(target, clip_atoms(self, len(X)), self._generator())
        D = unit_atoms(X[chosen])
        arguments = {"start": D, "lam": self.lam, "q": self.q, "max_iter": self.max_iter}
        return CheckedInput(X, target, classes, arguments, partial(_first_state, X, D, self.lam))

    def _keep(self, problem: CheckedInput, *learnt: Any) -> None:
        D, self.learnt_codes_, self.point_weights_ = learnt
        self._target = problem.target
        A, given = self.learnt_codes_, problem.target >= 0
        self._keep_atoms(problem, D, A[given], atoms_by_use(A, problem.target))

    def group_norms(self) -> np.ndarray:
        """(C + 1, atoms) length of the coefficients of each class for each atom, last unlabelled.

        0: the class has switched the atom off.
        """
        check_is_fitted(self, "codes_")
        return class_norms(self.learnt_codes_, self._target)


def _first_state(X: np.ndarray, D: np.ndarray, lam: float) -> tuple[np.ndarray, ...]:
    A = sparse_codes(X, D, lam)
    return D, A, point_weights(X, A, D, least_residual(X))
