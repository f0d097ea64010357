r"""PSSDL: sparse codes, a softmax classifier of the codes, and a graph, as one probabilistic model.

    J = ‖X − AD‖² + λ‖A‖₁ + Σ_labelled (log Σ_c exp(w_c·a_i) − w_y·a_i) + μ‖W‖² + κ tr(AᵀMA)

    M = βL + (1 − β)(L_w − L_b + 1);   min J over codes A, atoms ‖d‖ ≤ 1 and classifier W

Probabilistic semi-supervised dictionary learning. L is the Laplacian of the kNN graph of all
points: neighbours should have like codes. L_w and L_b ask the same of labelled points of one class
and the opposite of different classes; the 1 (on labelled points) keeps M from being indefinite. In
the paper each term is the logarithm of a prior whose scale is learnt, too. That has no minimum, so
the scales are fixed here.

**What to look for:** the classifier's weights decide the class of each atom. The graph (κ) does not
help on USPS: 88% of new points are right with and without it, no more than by SRC, which learns
nothing. "As printed" learns all scales. From small codes on, codes, atoms and
classifier fade to zero while the objective falls without bound, as log z does; learning is stopped.
From codes of the usual size the classifier alone fades, with the same effect on the objective. The
printed form leaves much open: fixed scales, the shift of M and L_w, L_b (Fisher's scatters) are our
choice.

Babagholami-Mohamadabadi, Zarghami, Zolfaghari, Baghshah. PSSDL: probabilistic semi-supervised
dictionary learning. ECML PKDD 2013.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_memory

from sslviz.dictionary import lasso_parameters as own
from sslviz.dictionary.base import CheckedInput, DictionaryClassifier, clip_atoms, run_rounds
from sslviz.dictionary.stages.alternation import first_atoms
from sslviz.dictionary.stages.laplacians import knn_graph
from sslviz.dictionary.stages.probabilistic_rounds import (
    first_softmax_state,
    probabilistic_rounds,
    softmax_labels,
)
from sslviz.graph.neighbours import knn
from sslviz.graph.parameters import Neighbours
from sslviz.graph.weights import width
from sslviz.memo import stage
from sslviz.solve.dictionary_learning import sparse_codes, unit_atoms
from sslviz.validation import clip_to_available, row_of

WEIGHTS_AND_ROUNDS = ("lam", "kappa", "mix", "mu", "as_printed", "max_iter", "device")


@stage("atoms and codes")
def learn_pssdl(
    X: np.ndarray, target: np.ndarray, **arguments: Any
) -> tuple[tuple[Any, ...], np.ndarray]:
    """All rounds: D, A, W, P and the reason to stop; the objective after each."""
    return run_rounds(probabilistic_rounds(X, target, **arguments))


@dataclass(repr=False, eq=False)
class PSSDL(DictionaryClassifier):
    """Probabilistic semi-supervised dictionary learning.

    X is used as given. New points are coded by a plain lasso; class probabilities are the softmax
    of W a. Graph weights are exp(−d²/2σ²), σ the mean edge length, scaled to tr L = n.

    Attributes: `components_` (atoms, d) with norm ≤ 1; `coef_` (C, atoms) the classifier W;
    `pseudo_labels_` (n, C) class probabilities of the learnt codes, one-hot for labelled points;
    `codes_` (n, atoms), of labelled points as learnt, of the others as `transform` gives them;
    `learnt_codes_` (n, atoms) those of the objective; `objective_` after each round;
    `laplacian_` (n, n) L; `stopped_because_`, `classes_`, `label_distributions_` (n, C),
    `transduction_`, `n_iter_`.
    """

    title = "PSSDL"
    paper = "Babagholami-Mohamadabadi, Zarghami, Zolfaghari & Baghshah 2013"
    formula = (
        r"J=\textcolor{1}{\|X-AD\|^2}+\textcolor{2}{\lambda\|A\|_1}+\textcolor{4}{\sum_{"
        r"\text{labelled}}\bigl(\log\sum_ce^{w_c\cdot a_i}-w_y\cdot a_i\bigr)+\mu\|W\|^2}+"
        r"\textcolor{5}{\kappa\operatorname{tr}(A^\top MA)}",
        r"M=\beta L+(1-\beta)(L_w-L_b+1)",
        r"L\text{ of the }k\text{-NN graph}",
        r"D\in\mathbb R^{p\times d}",
    )
    unlabelled_off: ClassVar[dict[str, Any]] = {"kappa": 0.0}  # atoms still use all points
    pseudo_labels_teach = False
    _rounds, _learn = staticmethod(probabilistic_rounds), staticmethod(learn_pssdl)

    n_atoms: own.Atoms = 200
    lam: own.Sparsity = 0.3
    kappa: own.CodeGraph = 0.05
    as_printed: own.LearntScales = False
    max_iter: own.LassoRounds = 10
    mix: own.GraphMix = 0.5
    mu: own.SoftmaxRidge = 0.1
    n_neighbors: Neighbours = 8

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit with 200 atoms."""
        return n / 400

    def _arguments(self, X: np.ndarray, target: np.ndarray, classes: np.ndarray) -> CheckedInput:
        X = np.asarray(X, np.float64)
        cached = check_memory(self.memory).cache
        G = knn(
            X,
            clip_to_available(self, "n_neighbors", len(X) - 1),
            self.memory,
            device=self.device,
        )
        graph = cached(knn_graph)(G, width("mean", graph=G))
        D = unit_atoms(X[first_atoms(target, clip_atoms(self, len(X)), self._generator())])
        start = cached(first_softmax_state)(X, target, D, self.lam, self.mu)
        arguments = {name: getattr(self, name) for name in WEIGHTS_AND_ROUNDS}
        arguments |= {"L": graph.L, "start": start}
        first = (*start, softmax_labels(start.A, target, start.W), "")
        return CheckedInput(X, target, classes, arguments, first, graph)

    def _keep(self, problem: CheckedInput, *learnt: Any) -> None:
        D, A, W, P, reason = learnt
        self.components_, self.coef_, self.learnt_codes_, self.pseudo_labels_ = D, W, A, P
        self.laplacian_, self._weights = problem.graph.L, problem.graph.weights
        free = problem.target < 0
        self.codes_ = A.copy()
        self.codes_[free] = self._code(problem.X[free])
        self._note_end(reason)

    def _code(self, Q: np.ndarray) -> np.ndarray:
        return sparse_codes(Q, self.components_, self.lam)

    def _neighbours(self, sample: int | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if np.ndim(sample) == 0:
            return row_of(self._weights, int(sample))
        return super()._neighbours(sample)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Codes are lines through the origin: scikit-learn tests the score on clusters of the plane.
        tags.classifier_tags.poor_score = True
        return tags
