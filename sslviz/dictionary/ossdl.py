r"""OSSDL: learn atoms from batches of points; sure unlabelled points join the labelled.

    J = ‖X_l − A_lD‖² + ρ‖X_u − A_uD‖² + ψ(‖Q − A_lU‖² + μ‖U‖²) + γ(‖Y − A_lWᵀ‖² + μ‖W‖²)

    ‖a‖₀ ≤ T,  ‖d‖ = 1,  Q_ij = [point i and atom j have the same class]

Online semi-supervised dictionary learning: atoms start as labelled points and keep their class.
They are updated after every batch of 20 points. After each pass an unlabelled point whose code lies
mostly on the atoms of one class takes this class, and from then on counts as labelled. The paper
does not print this rule; it is ours.

With `labels_in_code` labelled points are coded with ideal code and label beside them, as J asks.
New points cannot be: the classifier then sees other codes than it was trained on. By default all
points are coded on D alone; then γ and ψ have no influence on the atoms, nor on the predictions.

**What to look for:** the points that join, and how many of them rightly: on USPS with 20 labels per
class 147 of 400, one of them wrongly. They change little: accuracy is 85.7% with them and 85.1%
without (sure > 1), since points as clear as these teach the classifier nothing new. Labels in the
code cost seven points.

Zhang, Jiang, Davis. Online semi-supervised discriminative dictionary learning for sparse
representation. ACCV 2012.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sslviz.dictionary import l0_parameters as own
from sslviz.dictionary.base import CheckedInput, run_rounds
from sslviz.dictionary.l0_base import ConsistentDictionary
from sslviz.dictionary.stages.online_rounds import online_rounds
from sslviz.labels import UNLABELLED
from sslviz.memo import stage


@stage("atoms and codes")
def learn_ossdl(
    X: np.ndarray, target: np.ndarray, **arguments: Any
) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """All passes: D, A, W, U and labels after the last, and the objective after each."""
    return run_rounds(online_rounds(X, target, **arguments))


@dataclass(repr=False, eq=False)
class OSSDL(ConsistentDictionary):
    """Online semi-supervised dictionary learning.

    X is scaled to unit rows. There are at most as many atoms as labelled points.

    Attributes: `components_` (atoms, d) with norm 1, `codes_` (n, atoms), `coef_` (C, atoms),
    `label_map_` (atoms, atoms) U, `atom_classes_` (atoms,) -1 for an unused atom, `joined_` (n,)
    unlabelled points that have joined, `joined_labels_` the classes they have joined with, -1 for
    others, `objective_` after each pass, `classes_`,
    `label_distributions_` (n, C), `transduction_`, `n_iter_`; `ideal_codes()` is Q.
    """

    title = "OSSDL"
    paper = "Zhang, Jiang & Davis, ACCV 2012"
    formula = (
        r"J=\textcolor{1}{\|X_l-A_lD\|^2}+\textcolor{2}{\rho\|X_u-A_uD\|^2}+"
        r"\textcolor{3}{\psi\|Q-A_lU\|^2}+\textcolor{4}{\gamma\|Y-A_lW^\top\|^2}+"
        r"\textcolor{5}{\mu(\psi\|U\|^2+\gamma\|W\|^2)}",
        r"\|a\|_0\le T,\;\|d\|=1",
        r"D\in\mathbb R^{p\times d}",
    )
    unlabelled_off: ClassVar[dict[str, Any]] = {"rho": 0.0, "sure": 1.01}
    _rounds, _learn = staticmethod(online_rounds), staticmethod(learn_ossdl)

    n_atoms: own.Atoms = 200
    n_nonzero: own.NonZeros = 8
    gamma: own.LabelWeight = 0.05
    rho: own.ReconstructionWeight = 1.0
    mu: own.RelativeRidge = 0.1
    psi: own.Consistency = 0.01
    sure: own.Sureness = 0.6
    labels_in_code: own.LabelsInCode = False
    max_iter: own.Passes = 4

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit: an update of 200 atoms for every 20 points, four passes."""
        return n * (n_features + 200) / 1_000_000

    def _arguments(self, X: np.ndarray, target: np.ndarray, classes: np.ndarray) -> CheckedInput:
        return self._checked(X, target, classes, sure=self.sure)

    def _keep(self, problem: CheckedInput, *learnt: Any) -> None:
        super()._keep(problem, *learnt)
        labels = learnt[4] if len(learnt) > 4 else problem.target
        self.joined_ = (problem.target < 0) & (labels >= 0)
        names = self.classes_[labels]
        names = names if names.dtype.kind in "iuf" else names.astype(object)
        self.joined_labels_ = np.where(self.joined_, names, UNLABELLED)
