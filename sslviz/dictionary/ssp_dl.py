r"""SSP-DL: codes keep the structure of the points: the same mixture of others as their point is.

    J = ‖X − AD‖² + λ₁ Σ_c ‖A_c‖_{2,q}^q + λ₂ Σ_u |a|^q + β‖A − VA‖²,  ‖A_c‖_{2,q}^q = Σ_j ‖A_cj‖₂^q

    V = argmin ‖X − VX‖² + λ_V‖V‖₁,  V_ii = 0;   min J over codes A and atoms ‖d‖ ≤ 1

    class of x = argmin_c ‖x − a_c D_c‖²

Semi-supervised dictionary learning by structural sparse preserving. First every point is written as
a sparse mixture of other points: V. Its code should be the same mixture of their codes, whether
they are labelled or not. Labelled points of a class share their atoms (A_cj are their coefficients
for atom j, all zero or none); unlabelled codes are sparse by themselves. Afterwards an atom belongs
to the class that uses it most. A new point is represented by trained points in the same way, and
its code is pulled towards that mixture of their codes.

**What to look for:** V's links from a clicked point: most lead to points of its class, which is how
unlabelled points find the atoms of the right class. On USPS with 20 labels per class 89% of new
points are right; without V (β = 0) 86 to 88%, no more than by SRC, which needs no learning at all.
With atoms that start from random points instead of labelled ones V matters more: 88% with it, 82%
without (two draws). With large β all codes become alike. How atoms get their classes and new points
their codes is our choice.

Wang, Zhang, Fan, Ye. Semi-supervised dictionary learning via structural sparse preserving. AAAI
2016.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted, check_memory

from sslviz.dictionary import lasso_parameters as own
from sslviz.dictionary.base import CheckedInput, clip_atoms, run_rounds
from sslviz.dictionary.class_base import ClassDictionary
from sslviz.dictionary.stages.alternation import first_atoms
from sslviz.dictionary.stages.atom_groups import atoms_by_use, class_norms
from sslviz.dictionary.stages.self_representation import (
    representation_of_new,
    self_representation,
)
from sslviz.dictionary.stages.structure_rounds import structure_rounds
from sslviz.memo import stage
from sslviz.solve.dictionary_learning import sparse_codes, unit_atoms
from sslviz.validation import row_of

LEARNT_BY = ("lam1", "lam2", "beta", "q", "max_iter", "device")


@stage("atoms and codes")
def learn_ssp_dl(
    X: np.ndarray, target: np.ndarray, **arguments: Any
) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """All rounds: D and A, and the objective after each."""
    return run_rounds(structure_rounds(X, target, **arguments))


@dataclass(repr=False, eq=False)
class SSPDL(ClassDictionary):
    """Semi-supervised dictionary learning by structural sparse preserving.

    X is used as given. Class probabilities are softmax(−25 residual/mean ‖x‖²).
    The first atoms are labelled points, then random unlabelled ones.

    Attributes: `components_` (atoms, d) with norm ≤ 1; `atom_classes_` (atoms,) the class that uses
    each atom most, -1 for an unused one; `self_representation_` (n, n) V, sparse, with an empty
    diagonal; `codes_` (n, atoms), of labelled points as learnt, of the others as `transform` gives
    them; `learnt_codes_` (n, atoms) those of the objective; `objective_` after each round;
    `classes_`, `label_distributions_` (n, C), `transduction_`, `n_iter_`.
    """

    title = "SSP-DL"
    paper = "Wang, Zhang, Fan & Ye, AAAI 2016"
    formula = (
        r"J=\textcolor{1}{\|X-AD\|^2}+\textcolor{2}{\lambda_1\sum_c\|A_c\|_{2,q}^q}+"
        r"\textcolor{3}{\lambda_2\sum_u|a|^q}+\textcolor{4}{\beta\|A-VA\|^2}",
        r"V=\arg\min\|X-VX\|^2+\lambda_V\|V\|_1,\;V_{ii}=0",
        r"D\in\mathbb R^{p\times d}",
    )
    unlabelled_off: ClassVar[dict[str, Any]] = {"beta": 0.0}  # atoms still use all points
    link_meaning = "Points that V writes it as a sum of; its code should be the same sum of codes."
    _rounds, _learn = staticmethod(structure_rounds), staticmethod(learn_ssp_dl)

    n_atoms: own.Atoms = 200
    lam1: own.LabelledGroups = 2.0
    lam2: own.UnlabelledSparsity = 0.5
    beta: own.Structure = 0.5
    max_iter: own.LassoRounds = 10
    q: own.GroupPower = 1.0
    self_sparsity: own.SelfSparsity = 2.0

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit with 200 atoms; V is nearly quadratic."""
        return n / 400 + (n / 3000) ** 2

    def _arguments(self, X: np.ndarray, target: np.ndarray, classes: np.ndarray) -> CheckedInput:
        X = np.asarray(X, np.float64)
        D = unit_atoms(X[first_atoms(target, clip_atoms(self, len(X)), self._generator())])
        V = check_memory(self.memory).cache(self_representation)(X, lam=self.self_sparsity)
        arguments = {name: getattr(self, name) for name in LEARNT_BY} | {"V": V, "start": D}
        return CheckedInput(
            X, target, classes, arguments, partial(_first_state, X, D, self.lam2), V
        )

    def _keep(self, problem: CheckedInput, *learnt: Any) -> None:
        D, A = learnt
        self.learnt_codes_, self.self_representation_ = A, problem.graph
        self._trained, self._target = problem.X, problem.target
        self._keep_atoms(problem, D, A[problem.target >= 0], atoms_by_use(A, problem.target))

    def _code(self, Q: np.ndarray) -> np.ndarray:
        """(m, atoms) min ‖x − aD‖² + λ₂‖a‖₁ + β‖a − vA‖², v the mixture of points."""
        if self.beta == 0:
            return sparse_codes(Q, self.components_, self.lam2)
        v = representation_of_new(Q, self._trained, self.self_sparsity)
        pull = self.beta * (v @ self.learnt_codes_)
        return sparse_codes(Q, self.components_, self.lam2, ridge=self.beta, pull=pull)

    def group_norms(self) -> np.ndarray:
        """(C + 1, atoms) length of the coefficients of each class for each atom, last unlabelled.

        0: the class has switched the atom off.
        """
        check_is_fitted(self, "codes_")
        return class_norms(self.learnt_codes_, self._target)

    def links(self, point: int) -> tuple[np.ndarray, np.ndarray]:
        """The points that represent a trained point, with the weights of V."""
        check_is_fitted(self, "codes_")
        return row_of(self.self_representation_, point)

    def _neighbours(self, sample: int | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if np.ndim(sample) == 0:
            return self.links(int(sample))
        v = representation_of_new(np.asarray(sample)[None], self._trained, self.self_sparsity)[0]
        return np.flatnonzero(v), v[v != 0]


def _first_state(X: np.ndarray, D: np.ndarray, lam: float) -> tuple[np.ndarray, ...]:
    return D, sparse_codes(X, D, lam)
