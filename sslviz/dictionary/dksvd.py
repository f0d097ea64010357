r"""D-KSVD: learn atoms and a linear classifier of the codes by one K-SVD.

    J = ‖X − AD‖² + γ‖Y − AWᵀ‖² = ‖[X, √γY] − A [D, √γWᵀ]‖²,   ‖a‖₀ ≤ T,  ‖d‖ = 1

Discriminative K-SVD: each labelled point is written as a weighted sum of at most T atoms, and the
same weights, its code, should give its label Y through W. Label and point are stacked to one longer
vector, so that K-SVD, which knows nothing of classes, learns both. New points have no label and are
coded on D alone (OMP). Only labelled points are used: unlabelled ones are coded and classified as
new points are.

**What to look for:** each atom belongs to the class with the largest weight in its column of W.
With as many atoms as labelled points the atoms are these points, each codes itself, and J falls to
0 without anything being learnt: take half as many to see K-SVD at work. The points themselves
classify better, though: on USPS with 20 labels per class accuracy is 85.3% with 200 atoms and
83.1% with 100. J never rises, since a point keeps its code where OMP finds none that is better.

Zhang, Li. Discriminative K-SVD for dictionary learning in face recognition. CVPR 2010.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.dictionary import l0_parameters as own
from sslviz.dictionary.base import CheckedInput, run_rounds
from sslviz.dictionary.l0_base import L0Dictionary
from sslviz.dictionary.stages.stacked_ksvd import atoms_of_classes, first_stacked, stacked_rounds
from sslviz.memo import stage
from sslviz.solve.omp import omp


@stage("atoms and codes")
def learn_dksvd(
    X: np.ndarray, target: np.ndarray, **arguments: Any
) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """All rounds: D, A, W and U after the last, and the objective after each."""
    return run_rounds(stacked_rounds(X, target, **arguments))


@dataclass(repr=False, eq=False)
class DKSVD(L0Dictionary):
    """Discriminative K-SVD: K-SVD of the labelled points with their labels beside them.

    X is scaled to unit rows. There are at most as many atoms as labelled points.

    Attributes: `components_` (atoms, d) with norm 1, `codes_` (n, atoms), `coef_` (C, atoms),
    `atom_classes_` (atoms,) the class of the largest weight, -1 for an unused atom, `objective_`
    after each round, `classes_`, `label_distributions_` (n, C), `transduction_`, `n_iter_`.
    """

    title = "D-KSVD"
    paper = "Zhang & Li, CVPR 2010"
    formula: ClassVar[tuple[str, ...]] = (
        r"J=\textcolor{1}{\|X-AD\|^2}+\textcolor{3}{\gamma\|Y-AW^\top\|^2}",
        r"\|a\|_0\le T,\;\|d\|=1",
        r"D\in\mathbb R^{p\times d}",
    )
    labelled_only = True
    _rounds, _learn = staticmethod(stacked_rounds), staticmethod(learn_dksvd)

    n_atoms: own.Atoms = 200
    n_nonzero: own.NonZeros = 8
    gamma: own.LabelWeight = 0.05
    max_iter: own.Rounds = 10

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit: ten rounds of OMP and rank-one updates with 200 atoms."""
        return n * (n_features + n_classes + 100) / 1_000_000

    def _weights(self) -> tuple[float, float]:
        """ψ and γ of the stacked problem."""
        return 0.0, self.gamma

    def _arguments(self, X: np.ndarray, target: np.ndarray, classes: np.ndarray) -> CheckedInput:
        given, (psi, gamma) = target >= 0, self._weights()
        count, seed = self._start(target)
        cached = check_memory(self.memory).cache
        labelled = X[given], target[given]
        D, owner = cached(atoms_of_classes)(*labelled, count, self.n_nonzero, seed)
        start = cached(first_stacked)(*labelled, D, owner, self.n_nonzero, psi > 0)
        arguments = {
            "start": start,
            "owner": owner,
            "n_nonzero": self.n_nonzero,
            "gamma": gamma,
            "psi": psi,
            "max_iter": self.max_iter,
        }
        A = omp(X, D, self.n_nonzero)
        return CheckedInput(X, target, classes, arguments, (D, A, start.W, start.U))

    def _keep(self, problem: CheckedInput, *learnt: Any) -> None:
        super()._keep(problem, *learnt)
        self.atom_classes_ = self._name_atoms(self.coef_)
