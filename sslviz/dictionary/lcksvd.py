r"""LC-KSVD: K-SVD that also asks labelled points to use the atoms of their own class.

    J = ‖X − AD‖² + ψ‖Q − AU‖² + γ‖Y − AWᵀ‖²,   Q_ij = [point i and atom j have the same class]

    ‖a‖₀ ≤ T,  ‖d‖ = 1;   K-SVD of [X, √ψQ, √γY]

Label-consistent K-SVD: atoms are given to classes before learning starts, evenly. Q, the ideal
code matrix, is block-diagonal: points of a class use its atoms and no others. Up to the linear map
U codes should look like that. Variant 2 learns the classifier W with the atoms; variant 1 leaves
its term out and fits W to the final codes by ridge regression. Only labelled points are used. They
are coded with their labels in view, new points without.

**What to look for:** AU beside Q turns block-diagonal as ψ grows, and AU of new points does not. On
USPS with 100 atoms for 200 labelled points, 78% of AU are on atoms of the right class at ψ = 0.001
and 99% at ψ = 4; for new points, which do not know Q, 47% and 55%. The codes A need not become
block-diagonal: for them it is 78% and 71% (all of one random choice of points), since U may be
any map. Accuracy with 20 labels per class and 200 atoms is 85.8% for variant 2, 84.2% for variant
1, and 86.1% for D-KSVD, without Q.

Jiang, Lin, Davis. Learning a discriminative dictionary for sparse coding via label consistent
K-SVD. CVPR 2011; IEEE TPAMI 2013.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sslviz.dictionary import l0_parameters as own
from sslviz.dictionary.base import CheckedInput, run_rounds
from sslviz.dictionary.dksvd import DKSVD
from sslviz.dictionary.l0_base import IdealCodeBlocks
from sslviz.dictionary.stages.l0_rounds import indicator
from sslviz.dictionary.stages.stacked_ksvd import stacked_rounds
from sslviz.memo import stage


@stage("atoms and codes")
def learn_lcksvd(
    X: np.ndarray, target: np.ndarray, **arguments: Any
) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """All rounds: D, A, W and U after the last, and the objective after each."""
    return run_rounds(stacked_rounds(X, target, **arguments))


@dataclass(repr=False, eq=False)
class LCKSVD(IdealCodeBlocks, DKSVD):
    """Label-consistent K-SVD of the labelled points, their ideal codes and their labels.

    X is scaled to unit rows. There are at most as many atoms as labelled points; where they cannot
    be shared out evenly, classes differ by one atom, or have as many as they have points.

    Attributes: `components_` (atoms, d) with norm 1, `codes_` (n, atoms), `coef_` (C, atoms),
    `atom_classes_` (atoms,) the class an atom was given to, -1 for an unused atom, `label_map_`
    (atoms, atoms) U, `objective_` after each round, `classes_`, `label_distributions_` (n, C),
    `transduction_`, `n_iter_`; `ideal_codes()` is Q.
    """

    title = "LC-KSVD"
    paper = "Jiang, Lin & Davis, CVPR 2011"
    formula = (
        r"J=\textcolor{1}{\|X-AD\|^2}+\textcolor{2}{\psi\|Q-AU\|^2}+"
        r"\textcolor{3}{\gamma\|Y-AW^\top\|^2}",
        r"Q_{ij}=[\text{point }i\text{ and atom }j\text{ of one class}]",
        r"\|a\|_0\le T,\;\|d\|=1",
        r"D\in\mathbb R^{p\times d}",
    )
    only_with: ClassVar[dict[str, tuple[str, tuple[Any, ...]]]] = {"gamma": ("variant", (2,))}
    labels_in_code = True
    _learn = staticmethod(learn_lcksvd)

    psi: own.Consistency = 0.01
    variant: own.LabelConsistencyVariant = 2

    def _weights(self) -> tuple[float, float]:
        return self.psi, self.gamma if self.variant == 2 else 0.0

    def _keep(self, problem: CheckedInput, *learnt: Any) -> None:
        super()._keep(problem, *learnt)
        self._owner, self.label_map_ = problem.arguments["owner"], learnt[3]
        self.atom_classes_ = self._name_atoms(indicator(self._owner, len(self.classes_)).T)
