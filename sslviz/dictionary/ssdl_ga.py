r"""SSDL-GA: learn atoms, codes smooth on a graph, and a classifier of the codes, all at once.

    J = ‖X − AD‖² + λ‖A‖₁ + β tr(AᵀLA) + γ Σ_jk P_jk^r ‖Q_jk ∘ (Wa_j + b − y(k))‖² + μ‖W, b‖²

    min J over codes A, atoms ‖d‖ ≤ 1, classifier W, b, and P;   Q_jk = [y(k) ∘ (Wa_j + b) < 1]

Semi-supervised dictionary learning with graph regularisation and active points. Each point is
written as a weighted sum of a few atoms; the weights are its code. Atoms are learnt from labelled
and unlabelled points. The graph term (L) asks that a code is the same mixture of its neighbours'
codes as the point is of its neighbours (LLE). A linear classifier is trained on the codes: an
unlabelled point counts for every class k with weight P^r, where P are its class probabilities under
the classifier. Only active points count: those not yet beyond the margin ±1 of their class.

**What to look for:** atoms begin as points and become strokes that several classes share. P becomes
more confident from round to round, and mistakes with it: r near 1 decides early, larger r later.
β = 0 is USSDL: neighbours get unlike codes, and accuracy on digits drops by two points. The
objective may rise a little between rounds, since the active points are chosen anew. Scale X
yourself, as λ is measured against it (unit length × 5 for images); with large λ codes are empty.
Points of the plane suit atoms badly: a code describes a direction more than a place. Against noise
the paper advises first *rounds without graph*, then a graph of the reconstructions AD, which have
less noise. On 600 images of USPS (10 labels per class, 3 draws) it gained nothing at any noise:
0.88 → 0.87 at 0.5 times the root mean square of the pixels, 0.82 both at 0.8, 0.73 → 0.71 at 1.2.

Tran, Ngolè Mboula, Starck, Prost. Semi-supervised dictionary learning with graph regularization and
active points. SIAM J. Imaging Sciences 2020.
"""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.dictionary import parameters as own
from sslviz.dictionary.base import CheckedInput, DictionaryClassifier, clip_atoms, run_rounds
from sslviz.dictionary.stages.active_points import class_probabilities
from sslviz.dictionary.stages.alternation import (
    GraphOptions,
    InitialDictionary,
    first_atoms,
    graph_of,
    initial_state,
    rounds,
)
from sslviz.dictionary.stages.laplacians import Graph
from sslviz.dictionary.stages.out_of_sample import code_new, weights_to_new_points
from sslviz.graph.parameters import Neighbours, Width
from sslviz.memo import stage
from sslviz.params import Number
from sslviz.solve.dictionary_learning import sparse_codes
from sslviz.validation import clip_to_available, row_of

OWN_ARGUMENTS = (
    "lam", "beta", "gamma", "mu", "r", "max_iter", "inner", "batch_size", "epochs", "device",
    "plain_rounds",
)  # fmt: skip


@stage("atoms and codes")
def learn_ssdl_ga(
    X: np.ndarray, target: np.ndarray, **arguments: Any
) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """All rounds: D, A, W, b and P after the last, and the objective after each."""
    return run_rounds(rounds(X, target, **arguments))


@dataclass(repr=False, eq=False)
class SSDLGA(DictionaryClassifier):
    """Semi-supervised dictionary learning with graph regularisation and active points.

    New points are coded beside their trained neighbours (Eq. 6) and then classified. X is used as
    given. Gaussian weights of "knn" and "threshold" are exp(−d²/2σ²).

    Attributes: `components_` (atoms, d) with norm ≤ 1, `codes_` (n, atoms), `coef_` (C, atoms),
    `intercept_` (C,), `pseudo_labels_` (n, C) the P of the last round, one-hot for labelled points,
    `objective_` Eq. 4 after each round, `classes_`, `label_distributions_` (n, C) the P that
    follows from the last classifier, `transduction_`, `laplacian_` and `weights_` (n, n) L and
    the V or W it is made of (None without a graph), `n_iter_`.
    """

    title = "SSDL-GA"
    paper = "Tran, Ngolè Mboula, Starck & Prost 2020"
    formula: ClassVar[tuple[str, ...]] = (
        r"J=\textcolor{1}{\|X-AD\|^2}+\textcolor{2}{\lambda\|A\|_1}+"
        r"\textcolor{3}{\beta\operatorname{tr}(A^\top LA)}+\textcolor{4}{\gamma"
        r"\sum_{jc}P_{jc}^r\|Q_{jc}\circ(Wa_j+b-y(c))\|^2+\mu\|W,b\|^2}",
        r"D\in\mathbb R^{p\times d},\;\|d\|\le1",
        r"Q_{jc}=[\,y(c)\circ(Wa_j+b)<1\,]",
        r"L\text{ of the }k\text{-NN graph}",
    )
    only_with: ClassVar[dict[str, tuple[str, tuple[Any, ...]]]] = {
        "sigma": ("laplacian", ("knn", "threshold")),
        "share": ("laplacian", ("threshold",)),
        "spread": ("laplacian", ("learnt",)),
    }
    unlabelled_off: ClassVar[dict[str, Any]] = {"beta": 0.0}  # atoms still use all points
    margin: ClassVar[float] = 1.0  # scores beyond ±1 on the right side are not active
    _rounds, _learn = staticmethod(rounds), staticmethod(learn_ssdl_ga)

    n_atoms: own.Atoms = 200
    lam: own.Sparsity = 0.3
    beta: own.Smoothness = 0.5
    gamma: own.Discrimination = 0.5
    mu: own.Ridge = 1.0
    n_neighbors: Neighbours = 8
    r: own.LabelSoftness = 1.7
    laplacian: own.Regulariser = "lle"
    max_iter: own.Rounds = 15
    sigma: Width = "mean"
    share: own.Share = 0.05
    spread: own.Spread = 1.0
    inner: own.Inner = 50
    batch_size: own.BatchSize = None
    epochs: own.Epochs = 1
    warm_start: own.WarmStart = False
    plain_rounds: Annotated[
        int,
        Number(
            "First rounds without the graph (β = 0). After them the graph is made of the "
            "reconstructions, which have less noise than the points. 0: a graph of the points.",
            valid=(0, 10**5),
            shown=(0, 10),
            label="rounds without graph",
            advanced=True,
        ),
    ] = 0

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        """Roughly the time of a fit: the gradients of 15 rounds of 50 steps with 200 atoms."""
        return n * (min(200, 2 * n_features) + n_classes) / 16_000

    def _arguments(self, X: np.ndarray, target: np.ndarray, classes: np.ndarray) -> CheckedInput:
        rng, count = self._generator(), clip_atoms(self, len(X))
        atoms, seed = first_atoms(target, count, rng), int(rng.randint(2**31))
        graph = None if self.plain_rounds else self._build_graph(X, target)
        start = self._last_solution(X, count, classes)
        if start is None:
            start = check_memory(self.memory).cache(initial_state)(
                X, target, atoms, lam=self.lam, gamma=self.gamma, mu=self.mu
            )
        arguments = {name: getattr(self, name) for name in OWN_ARGUMENTS}
        arguments |= {"L": None if graph is None else graph.L, "start": start, "seed": seed}
        if self.plain_rounds:
            arguments["options"] = self._graph_options(len(X))
        P = self._first_probabilities(start, target)
        return CheckedInput(X, target, classes, arguments, (*start, P), graph)

    def _first_probabilities(self, start: InitialDictionary, target: np.ndarray) -> np.ndarray:
        known = target[:, None] == np.arange(len(start.b))
        predicted = self._probabilities(start.A @ start.W.T + start.b)
        return np.where(target[:, None] >= 0, known, predicted)

    def _build_graph(self, X: np.ndarray, target: np.ndarray) -> Graph | None:
        options = self._graph_options(len(X))
        self._k = options.k
        graph, self._sigma = graph_of(X, target, options, self.memory, self.device)
        return graph

    def _graph_options(self, n: int) -> GraphOptions:
        k = clip_to_available(self, "n_neighbors", n - 1)
        return GraphOptions(self.laplacian, k, self.sigma, self.share, self.spread)

    def _last_solution(
        self, X: np.ndarray, count: int, classes: np.ndarray
    ) -> InitialDictionary | None:
        """The last solution, where `warm_start` is set and its shapes fit."""
        if not (self.warm_start and hasattr(self, "codes_")):
            return None
        same = self.codes_.shape == (len(X), count) and np.array_equal(self.classes_, classes)
        if not (same and self.components_.shape[1] == X.shape[1]):
            return None
        return InitialDictionary(self.components_, self.codes_, self.coef_, self.intercept_)

    def _keep(self, problem: CheckedInput, *learnt: Any) -> None:
        self.components_, self.codes_, self.coef_, self.intercept_, self.pseudo_labels_ = learnt[:5]
        self._graph, self._graph_points = problem.graph, problem.X
        if len(learnt) > 5:
            self._graph_points = learnt[5]
            self._graph = self._build_graph(learnt[5], problem.target)
        self.laplacian_ = None if self._graph is None else self._graph.L
        self.weights_ = None if self._graph is None else self._graph.weights

    def graph_meaning(self) -> str:
        """What a link of the graph means for the codes: a sentence."""
        if self.beta == 0:
            return "β is 0: the graph has no influence on the codes."
        if self.laplacian == "lle":
            return (
                "LLE weights: the point is written as a weighted sum of its neighbours (the "
                "weights add up to 1), and its code should be the same sum of their codes. Points "
                "that many others refer to are hubs: their code, right or wrong, is copied by many."
            )
        return (
            "The heavier the edge, the more alike the two codes should be. Edges have no "
            "direction, so both lists are the same."
        )

    def _code(self, Q: np.ndarray) -> np.ndarray:
        """(m, atoms) codes of new points beside their trained neighbours, Eq. 6."""
        return code_new(
            Q, self.components_, self.codes_, self._weights_to(Q), lam=self.lam, beta=self.beta
        )

    def _scores(self, X: np.ndarray, A: np.ndarray) -> np.ndarray:
        return A @ self.coef_.T + self.intercept_

    def _probabilities(self, scores: np.ndarray) -> np.ndarray:
        """(m, C) the P that minimises Eq. 4 for these scores."""
        return to_numpy(class_probabilities(to_torch(scores, pick_device(self.device)), self.r))

    def _weights_to(self, Q: np.ndarray) -> Any:
        """(m, n) weights between new and trained points; None without a graph."""
        if self._graph is None:
            return None
        if self.plain_rounds:  # the graph is one of reconstructions
            Q = sparse_codes(Q, self.components_, self.lam) @ self.components_
        return weights_to_new_points(
            Q,
            self._graph_points,
            self._graph,
            self.laplacian,
            k=self._k,
            sigma=self._sigma,
            spread=self.spread,
            device=self.device,
        )

    def _neighbours(self, sample: int | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if self._graph is None:
            return super()._neighbours(sample)
        if np.ndim(sample) == 0:
            return row_of(self.weights_, int(sample))
        return row_of(self._weights_to(np.asarray(sample, np.float64)[None]), 0)
