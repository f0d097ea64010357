r"""JDL: learn atoms from labelled and unlabelled points, and a classifier of the codes with them.

    J = ‖X_l − A_lD‖² + ρ‖X_u − A_uD‖² + γ‖Y − A_lWᵀ‖² + γμ‖W‖²,   ‖a‖₀ ≤ T,  ‖d‖ = 1

Joint dictionary learning: D-KSVD with unlabelled points, which help to find good atoms. Codes,
atoms and classifier are improved in turn. Labelled points are coded with their label in view, so
that they use atoms that serve the classifier too; unlabelled and new points are coded on D alone
(OMP).

**What to look for:** the two reconstruction terms: unlabelled points are harder to write in atoms
that began as labelled points, and the atoms move until both are served. ρ = 0 takes the unlabelled
points away: on USPS with 20 labels per class accuracy then is 85.8% instead of 85.9%, so they do
not help there. J never rises, since a point keeps its code where OMP finds none that is better.

Pham, Venkatesh. Joint learning and dictionary construction for pattern recognition. CVPR 2008.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.dictionary import l0_parameters as own
from sslviz.dictionary.base import CheckedInput, run_rounds
from sslviz.dictionary.l0_base import L0Dictionary
from sslviz.dictionary.stages.joint_rounds import first_joint, joint_rounds
from sslviz.memo import stage


@stage("atoms and codes")
def learn_jdl(
    X: np.ndarray, target: np.ndarray, **arguments: Any
) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """All rounds: D, A and W after the last, and the objective after each."""
    return run_rounds(joint_rounds(X, target, **arguments))


@dataclass(repr=False, eq=False)
class JDL(L0Dictionary):
    """Joint dictionary learning: reconstruction of all points, classification of labelled ones.

    X is scaled to unit rows. There are at most as many atoms as labelled points.

    Attributes: `components_` (atoms, d) with norm 1, `codes_` (n, atoms), `coef_` (C, atoms),
    `objective_` after each round, `classes_`, `label_distributions_` (n, C), `transduction_`,
    `n_iter_`.
    """

    title = "JDL"
    paper = "Pham & Venkatesh, CVPR 2008"
    formula = (
        r"J=\textcolor{1}{\|X_l-A_lD\|^2}+\textcolor{2}{\rho\|X_u-A_uD\|^2}+"
        r"\textcolor{3}{\gamma\|Y-A_lW^\top\|^2}+\textcolor{4}{\gamma\mu\|W\|^2}",
        r"\|a\|_0\le T,\;\|d\|=1",
        r"D\in\mathbb R^{p\times d}",
    )
    unlabelled_off: ClassVar[dict[str, Any]] = {"rho": 0.0}
    _rounds, _learn = staticmethod(joint_rounds), staticmethod(learn_jdl)

    n_atoms: own.Atoms = 200
    n_nonzero: own.NonZeros = 5
    gamma: own.LabelWeight = 0.05
    rho: own.ReconstructionWeight = 1.0
    mu: own.RelativeRidge = 0.1
    max_iter: own.Rounds = 10

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit: ten rounds of OMP and sweeps through 200 atoms."""
        return n * (n_features + n_classes + 100) / 1_500_000

    def _arguments(self, X: np.ndarray, target: np.ndarray, classes: np.ndarray) -> CheckedInput:
        count, seed = self._start(target)
        start = check_memory(self.memory).cache(first_joint)(
            X, target, count, self.n_nonzero, self.mu, seed
        )
        names = ("n_nonzero", "gamma", "rho", "mu", "max_iter")
        arguments = {name: getattr(self, name) for name in names} | {"start": start}
        return CheckedInput(X, target, classes, arguments, tuple(start))
