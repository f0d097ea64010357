r"""SSD-LP: a dictionary per class; labels spread among points that the classes fit equally badly.

    J = Σ_c ‖X_c − A_c D_c‖² + λ‖A_c‖₁ + γ‖A_c − M_c‖² + Σ_jc P_jc‖x_j − a_jc D_c‖² + λ‖a_jc‖₁

    min J over codes and atoms ‖d‖ ≤ 1;   M_c = mean of A_c;   e_jc = ‖x_j − a_jc D_c‖²

    class of x = argmin_c ‖x − a_c D_c‖² + w‖a_c − M_c‖²,   a_c = argmin ‖x − aD_c‖² + λ‖a‖₁

Semi-supervised dictionary learning with label propagation. Every class codes every point by its own
atoms alone. The errors e_j that the C classes make on a point, scaled to sum 1, are its error
vector. Labels spread over a graph of the error vectors by random walks: P_jc is the probability
that a walk from an unlabelled point ends at class c. The atoms of class c then learn from its
labelled points and from all others with weight P_jc.

**What to look for:** error vectors as points with the links that labels travel on: groups by class,
although e_j knows no labels. On USPS with 20 labels per class 88% of unlabelled points get the
right P, and 91% of new points the right class; Metaface, which uses no unlabelled point, reaches
90%. The survey of Tran et al. prints −γ: then the objective is unbounded below as soon as γ
exceeds the least eigenvalue of D_c D_cᵀ (0.002 on USPS), and learning stops ("as printed").
The graph is our choice; the paper's is not known to us.

Chen, Yang. Semi-supervised dictionary learning with label propagation for image classification.
Computational Visual Media 2017.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sslviz.dictionary import lasso_parameters as own
from sslviz.dictionary.base import CheckedInput, run_rounds
from sslviz.dictionary.class_base import SeparateCodes, block_sizes
from sslviz.dictionary.stages.class_blocks import (
    block_classes,
    block_codes,
    blocks,
    class_residuals,
    sample_atoms,
)
from sslviz.dictionary.stages.error_propagation import (
    error_graph,
    propagate_errors,
    relative_errors,
)
from sslviz.dictionary.stages.separate_coding import first_separate_codes, ssd_lp_rounds
from sslviz.memo import stage
from sslviz.validation import row_of

LEARNT_WITH = ("lam", "gamma", "n_links", "as_printed", "max_iter", "device")


@stage("atoms and codes")
def learn_ssd_lp(
    X: np.ndarray, target: np.ndarray, **arguments: Any
) -> tuple[tuple[Any, ...], np.ndarray]:
    """All rounds: D, A, P, error vectors and the reason to stop; the objective after each."""
    return run_rounds(ssd_lp_rounds(X, target, **arguments))


@dataclass(repr=False, eq=False)
class SSDLP(SeparateCodes):
    """Semi-supervised dictionary learning with label propagation.

    X is used as given. Class probabilities are softmax(−25 residual/mean ‖x‖²), with the
    distance to the mean code in the residual. Weights of the error graph are exp(−d²/σ²), σ its
    mean edge length.

    Attributes: `components_` (atoms, d) with norm ≤ 1, class by class; `atom_classes_` their
    classes; `class_means_` (C, atoms) mean codes of the labelled points; `pseudo_labels_` (n, C)
    the P of the last round, one-hot for labelled points; `error_vectors_` (n, C) those it was
    computed from; `codes_` (n, atoms), of labelled points as learnt (zero outside their class), of
    the others as `transform` gives them, by each class apart; `learnt_codes_` (n, atoms) those of
    the objective; `objective_` after each round; `stopped_because_`, `classes_`,
    `label_distributions_` (n, C), `transduction_`, `n_iter_`.
    """

    title = "SSD-LP"
    paper = "Chen & Yang 2017"
    formula = (
        r"J=\sum_c\bigl(\textcolor{1}{\|X_c-A_cD_c\|^2}+"
        r"\textcolor{2}{\gamma\|A_c-M_c\|^2}\bigr)+\textcolor{3}{"
        r"\sum_{jc}P_{jc}\|x_j-a_{jc}D_c\|^2}+\textcolor{4}{\lambda\|A\|_1}",
        r"P\text{: walks on the }k\text{-NN graph of errors }e_{jc}=\|x_j-a_{jc}D_c\|^2",
        r"D\in\mathbb R^{p\times d}",
    )
    unlabelled_off: ClassVar[dict[str, Any]] = {}
    link_meaning = "Points on which the classes make similar errors: labels travel along the links."
    _rounds, _learn = staticmethod(ssd_lp_rounds), staticmethod(learn_ssd_lp)

    n_atoms: own.BlockAtoms = 200
    lam: own.Sparsity = 0.3
    gamma: own.CodeSpread = 0.1
    max_iter: own.LassoRounds = 10
    n_links: own.ErrorLinks = 10
    mean_weight: own.MeanWeight = 0.1
    as_printed: own.PrintedSign = False

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit with 20 atoms per class."""
        return n * n_classes / 6000

    def _arguments(self, X: np.ndarray, target: np.ndarray, classes: np.ndarray) -> CheckedInput:
        X = np.asarray(X, np.float64)
        share = block_sizes(self, target, len(classes))
        D, atom_class = sample_atoms(X, target, share, self._generator()), block_classes(share)
        arguments = {name: getattr(self, name) for name in LEARNT_WITH}
        arguments |= {"start": D, "atom_class": atom_class}
        start = partial(_first_state, X, target, D, atom_class, self.lam, self.n_links, self.device)
        return CheckedInput(X, target, classes, arguments, start)

    def _keep(self, problem: CheckedInput, *learnt: Any) -> None:
        D, A, self.pseudo_labels_, self.error_vectors_, reason = learnt
        atom_class, self.learnt_codes_ = problem.arguments["atom_class"], A
        self.class_means_ = np.zeros((len(self.classes_), len(D)))
        for c, mine in blocks(atom_class, len(self.classes_)):
            self.class_means_[c, mine] = A[np.ix_(problem.target == c, mine)].mean(axis=0)
        self._keep_atoms(problem, D, A[problem.target >= 0], atom_class)
        self._note_end(reason)

    def _code(self, Q: np.ndarray) -> np.ndarray:
        return block_codes(Q, self.components_, self._atom_class, len(self.classes_), self.lam)

    def _residuals(self, X: np.ndarray, A: np.ndarray) -> np.ndarray:
        """(m, C) ‖x − a_c D_c‖² + w‖a_c − M_c‖²."""
        residual = class_residuals(X, A, self.components_, self._atom_class, len(self.classes_))
        for c, mine in blocks(self._atom_class, len(self.classes_)):
            away = A[:, mine] - self.class_means_[c, mine]
            residual[:, c] += self.mean_weight * np.square(away).sum(axis=1)
        return residual

    def links(self, point: int) -> tuple[np.ndarray, np.ndarray]:
        """The points whose error vectors are linked to that of a trained point, and weights."""
        check_is_fitted(self, "codes_")
        return row_of(error_graph(self.error_vectors_, self.n_links, self.device)[1], point)


def _first_state(
    X: np.ndarray,
    target: np.ndarray,
    D: np.ndarray,
    atom_class: np.ndarray,
    lam: float,
    n_links: int,
    device: str,
) -> tuple[Any, ...]:
    A, E = first_separate_codes(X, target, D, atom_class, lam)
    U = relative_errors(E)
    return D, A, propagate_errors(U, target, n_links, device), U, ""
