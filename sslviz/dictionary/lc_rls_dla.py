r"""LC-RLSDLA: learn atoms and classifier from one point at a time, by recursive least squares.

    J = ‖X_l − A_lD‖² + ρ‖X_u − A_uD‖² + ψ(‖Q − A_lU‖² + μ‖U‖²) + γ(‖Y − A_lWᵀ‖² + μ‖W‖²)

    D ← D + g u (x − aD),   K ← K/λ − g u uᵀ,   u = K aᵀ/λ,   g = 1/(1 + a u)

Label-consistent recursive least squares dictionary learning: after every point x with code a the
atoms are the least squares fit of all points so far, in which earlier ones lose weight by the
factor λ, since their codes belong to older atoms. λ rises from `forgetting` to 1. The same step
updates U and W, with labelled points only. Q asks that points use the atoms of their own class, as
in OSSDL; nobody joins the labelled here. By default all points are coded on D alone; then γ and ψ
have no influence on the atoms, nor on the predictions.

**What to look for:** one pass is enough, and more are worse: on USPS with 20 labels per class
84.3% after one and 81.8% after three. Nor does forgetting help: 86.0% with λ = 1. Labels in the
code cost 28 points, since new points are coded without them.

Matiz, Barner. Label consistent recursive least squares dictionary learning for image
classification. ICIP 2016.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sslviz.dictionary import l0_parameters as own
from sslviz.dictionary.base import CheckedInput, run_rounds
from sslviz.dictionary.l0_base import ConsistentDictionary
from sslviz.dictionary.stages.recursive_rounds import recursive_rounds
from sslviz.memo import stage


@stage("atoms and codes")
def learn_lc_rls_dla(
    X: np.ndarray, target: np.ndarray, **arguments: Any
) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """All passes: D, A, W and U after the last, and the objective after each."""
    return run_rounds(recursive_rounds(X, target, **arguments))


@dataclass(repr=False, eq=False)
class LCRLSDLA(ConsistentDictionary):
    """Label-consistent dictionary learning by recursive least squares.

    X is scaled to unit rows. There are at most as many atoms as labelled points.

    Attributes: `components_` (atoms, d) with norm 1, `codes_` (n, atoms), `coef_` (C, atoms),
    `label_map_` (atoms, atoms) U, `atom_classes_` (atoms,) -1 for an unused atom, `joined_` (n,)
    all False, `objective_` after each pass, `classes_`, `label_distributions_` (n, C),
    `transduction_`, `n_iter_`; `ideal_codes()` is Q.
    """

    title = "LC-RLSDLA"
    paper = "Matiz & Barner, ICIP 2016"
    formula = (
        r"J=\textcolor{1}{\|X_l-A_lD\|^2}+\textcolor{2}{\rho\|X_u-A_uD\|^2}+"
        r"\textcolor{3}{\psi\|Q-A_lU\|^2}+\textcolor{4}{\gamma\|Y-A_lW^\top\|^2}+"
        r"\textcolor{5}{\mu(\psi\|U\|^2+\gamma\|W\|^2)}",
        r"D\leftarrow D+g\,u\,(x-aD)",
        r"K\leftarrow K/\lambda-g\,uu^\top,\;u=Ka^\top/\lambda,\;g=1/(1+au)",
        r"\|a\|_0\le T",
        r"D\in\mathbb R^{p\times d}",
    )
    unlabelled_off: ClassVar[dict[str, Any]] = {"rho": 0.0}
    _rounds, _learn = staticmethod(recursive_rounds), staticmethod(learn_lc_rls_dla)

    n_atoms: own.Atoms = 200
    n_nonzero: own.NonZeros = 5
    gamma: own.LabelWeight = 0.05
    rho: own.ReconstructionWeight = 1.0
    mu: own.RelativeRidge = 0.1
    psi: own.Consistency = 0.01
    forgetting: own.Forgetting = 0.99
    labels_in_code: own.LabelsInCode = False
    max_iter: own.Passes = 1

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit: for every point some matrices of 200 × 200 and all atoms."""
        return n * (n_features + 800) / 3_000_000

    def _arguments(self, X: np.ndarray, target: np.ndarray, classes: np.ndarray) -> CheckedInput:
        return self._checked(X, target, classes, forgetting=self.forgetting)

    def _keep(self, problem: CheckedInput, *learnt: Any) -> None:
        super()._keep(problem, *learnt)
        self.joined_ = np.zeros(len(problem.X), bool)
