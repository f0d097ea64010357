r"""Every point as a few atoms; similar points by similar atoms; a classifier that reads the recipe.

    J = ‖X − AD‖² + λ‖A‖₁ + β tr(AᵀLA) + γ Σ_jk P_jk^r ‖Q_jk ∘ (Wa_j + b − y(k))‖² + μ‖W, b‖²

    min J over codes A, atoms ‖d‖ ≤ 1, classifier W, b, opinions P;   Q_jk = [y(k) ∘ (Wa_j + b) < 1]

A dictionary of atoms is learnt from labelled and unlabelled points alike; each point's code says
which few atoms it is made of. L asks a code to be the same mixture of its neighbours' codes as the
point is of its neighbours (LLE). A linear classifier reads the codes; an unlabelled point counts
for every class k with weight P^r, and P follows the classifier. Only active points count: those not
yet beyond the margin ±1 of their class.

**What to look for:** atoms begin as points and turn into strokes that several classes share. P
sharpens from round to round and mistakes become firm with it: r near 1 decides early, larger r
hesitates. β = 0 is USSDL: codes of neighbours fall apart and accuracy drops by two points on
digits. The objective may rise a little between rounds, since the active points are chosen anew.
Scale X yourself: λ is measured against it (unit length × 5 for images); with large λ codes are
empty. Points of the plane are no material for atoms: a code knows a direction, hardly a place.

Tran, Ngolè Mboula, Starck, Prost. Semi-supervised dictionary learning with graph regularization and
active points. SIAM J. Imaging Sciences 2020.
"""

import warnings
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, check_memory, validate_data

from sslviz.device import pick_device, to_numpy, to_torch
from sslviz.dictionary import parameters as own
from sslviz.dictionary.stages.active_points import opinions
from sslviz.dictionary.stages.alternation import (
    Round,
    Start,
    finished,
    first_atoms,
    initial,
    learn,
    rounds,
)
from sslviz.dictionary.stages.laplacians import Graph, build
from sslviz.dictionary.stages.out_of_sample import code_new, weights_to_new_points
from sslviz.graph.neighbours import knn
from sslviz.graph.parameters import Neighbours, Width
from sslviz.graph.weights import width
from sslviz.validation import check_labelled, clip_to_available

LARGEST = 1e140  # beyond, sums of squares overflow


class Problem(NamedTuple):
    """What is known before the first round."""

    X: np.ndarray
    target: np.ndarray  # (n,) class index, -1 without label
    classes: np.ndarray
    graph: Graph | None
    start: Start
    settings: dict[str, Any]


class Explanation(NamedTuple):
    """How a point is written: its code, what the code reconstructs, and whom it resembles."""

    code: np.ndarray  # (atoms,)
    reconstruction: np.ndarray  # (d,)
    error: float  # ‖x − aD‖²
    neighbours: np.ndarray  # trained points, heaviest first
    weights: np.ndarray  # theirs


class SSDLGA(TransformerMixin, ClassifierMixin, BaseEstimator):
    """Semi-supervised dictionary learning with graph regularisation and active points.

    New points are coded beside their trained neighbours (Eq. 6) and read by the classifier. X is
    used as given. Gaussian weights of "knn" and "threshold" are exp(−d²/2σ²).

    Attributes: `components_` (atoms, d) with norm ≤ 1, `codes_` (n, atoms), `coef_` (C, atoms),
    `intercept_` (C,), `pseudo_labels_` (n, C) the P of the last round, one-hot for labelled points,
    `objective_` Eq. 4 after each round, `classes_`, `label_distributions_` (n, C) the P that
    follows from the last classifier, `transduction_`, `laplacian_` and `weights_` (n, n) L and
    the V or W it is made of (None if β = 0), `n_iter_`.
    """

    title, family = "SSDL-GA", "dictionary"
    paper = "Tran, Ngolè Mboula, Starck & Prost 2020"
    only_with: ClassVar[dict[str, tuple[str, tuple[Any, ...]]]] = {
        "sigma": ("laplacian", ("knn", "threshold")),
        "share": ("laplacian", ("threshold",)),
        "spread": ("laplacian", ("learnt",)),
    }

    def __init__(
        self,
        n_atoms: own.Atoms = 200,
        lam: own.Sparsity = 0.3,
        beta: own.Smoothness = 0.5,
        gamma: own.Discrimination = 0.5,
        mu: own.Ridge = 1.0,
        n_neighbors: Neighbours = 8,
        r: own.Hesitation = 1.7,
        laplacian: own.Regulariser = "lle",
        max_iter: own.Rounds = 15,
        sigma: Width = "mean",
        share: own.Share = 0.05,
        spread: own.Spread = 1.0,
        inner: own.Inner = 50,
        batch_size: own.BatchSize = None,
        epochs: own.Epochs = 1,
        warm_start: own.WarmStart = False,
        *,
        device: str = "auto",
        memory: Any = None,
        random_state: Any = None,
    ):
        self.n_atoms = n_atoms
        self.lam = lam
        self.beta = beta
        self.gamma = gamma
        self.mu = mu
        self.n_neighbors = n_neighbors
        self.r = r
        self.laplacian = laplacian
        self.max_iter = max_iter
        self.sigma = sigma
        self.share = share
        self.spread = spread
        self.inner = inner
        self.batch_size = batch_size
        self.epochs = epochs
        self.warm_start = warm_start
        self.device = device
        self.memory = memory
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "SSDLGA":
        """Learn atoms, codes and classifier; y holds -1 for unlabelled points."""
        problem = self._prepare(X, y)
        state, P, objective = check_memory(self.memory).cache(learn)(
            problem.X, problem.target, _L(problem), problem.start, **problem.settings
        )
        return self._finish(problem, state, P, objective)

    def steps(self, X: Any, y: Any) -> Iterator[Round]:
        """The same, pausing after every round with its state."""
        problem = self._prepare(X, y)
        objective = []
        for last in rounds(
            problem.X, problem.target, _L(problem), problem.start, **problem.settings
        ):
            objective.append(last.objective)
            yield last
        self._finish(problem, *finished(last), np.array(objective))

    def _prepare(self, X: Any, y: Any) -> Problem:
        X, target, classes = check_labelled(self, X, y)
        largest = float(max(X.max(), -X.min()))
        if largest > LARGEST:
            raise ValueError(
                f"{type(self).__name__}: X holds values up to {largest:.3g}, whose squares "
                "overflow; scale X"
            )
        rng = check_random_state(0 if self.random_state is None else self.random_state)
        count = self._atoms(len(X))
        atoms, seed = first_atoms(target, count, rng), int(rng.randint(2**31))
        graph = self._graph(X, target)
        if (start := self._left_off(X, count, classes)) is None:
            start = check_memory(self.memory).cache(initial)(
                X, target, atoms, lam=self.lam, gamma=self.gamma, mu=self.mu
            )
        names = ("lam", "beta", "gamma", "mu", "r", "max_iter", "inner", "batch_size", "epochs")
        settings = {name: getattr(self, name) for name in (*names, "device")} | {"seed": seed}
        return Problem(X, target, classes, graph, start, settings)

    def _atoms(self, n: int) -> int:
        if self.n_atoms > n:
            warnings.warn(
                f"{type(self).__name__}: n_atoms={self.n_atoms} but there are {n} points to start "
                f"from; taking {n}",
                UserWarning,
                stacklevel=4,
            )
        return min(self.n_atoms, n)

    def _graph(self, X: np.ndarray, target: np.ndarray) -> Graph | None:
        k = clip_to_available(self, "n_neighbors", len(X) - 1)
        self._k, self._sigma = k, 1.0
        if self.laplacian in ("knn", "threshold"):
            G = knn(X, k, self.memory, device=self.device)
            self._sigma = width(self.sigma, graph=G, X=X, y=target)
        return build(
            X,
            self.laplacian,
            self.memory,
            k=k,
            sigma=self._sigma,
            share=self.share,
            spread=self.spread,
            device=self.device,
        )

    def _left_off(self, X: np.ndarray, count: int, classes: np.ndarray) -> Start | None:
        """The last solution, if it is asked for and fits."""
        if not (self.warm_start and hasattr(self, "codes_")):
            return None
        same = self.codes_.shape == (len(X), count) and np.array_equal(self.classes_, classes)
        if not (same and self.components_.shape[1] == X.shape[1]):
            return None
        return Start(self.components_, self.codes_, self.coef_, self.intercept_)

    def _finish(
        self, problem: Problem, state: Start, P: np.ndarray, objective: np.ndarray
    ) -> "SSDLGA":
        graph = problem.graph
        self._X, self._laid = problem.X, graph
        self.components_, self.codes_, self.coef_, self.intercept_ = state
        self.pseudo_labels_, self.objective_ = P, objective
        self.n_iter_ = len(objective)
        self.laplacian_ = None if graph is None else graph.L
        self.weights_ = None if graph is None else graph.weights
        self.classes_ = problem.classes
        s = self.codes_ @ self.coef_.T + self.intercept_
        given = problem.target >= 0
        self.label_distributions_ = np.where(given[:, None], P, self._opinions(s))
        answer = self.classes_[s.argmax(axis=1)]
        self.transduction_ = np.where(given, self.classes_[problem.target], answer)
        return self

    def _opinions(self, s: np.ndarray) -> np.ndarray:
        return to_numpy(opinions(to_torch(s, pick_device(self.device)), self.r))

    def transform(self, X: Any) -> np.ndarray:
        """(m, atoms): the codes of new points, by Eq. 6."""
        check_is_fitted(self, "codes_")
        Q = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        return code_new(
            Q, self.components_, self.codes_, self._links(Q), lam=self.lam, beta=self.beta
        )

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C): the P that the classifier's scores ask for."""
        return self._opinions(self._scores(X))

    def predict(self, X: Any) -> np.ndarray:
        """The class whose classifier says most."""
        s = self._scores(X)
        return self.classes_[s.argmax(axis=1)]

    def _scores(self, X: Any) -> np.ndarray:
        codes = self.transform(X)
        return codes @ self.coef_.T + self.intercept_

    def _links(self, Q: np.ndarray) -> Any:
        """(m, n) weights with which trained points draw new ones; None without a graph."""
        if self._laid is None:
            return None
        return weights_to_new_points(
            Q,
            self._X,
            self._laid,
            self.laplacian,
            k=self._k,
            sigma=self._sigma,
            spread=self.spread,
            device=self.device,
        )

    def atom_users(self, atom: int, count: int = 10) -> np.ndarray:
        """The trained points that use an atom most, heaviest first; only those that do."""
        check_is_fitted(self, "codes_")
        use = np.abs(self.codes_[:, atom])
        return np.argsort(-use, kind="stable")[: min(count, int((use > 0).sum()))]

    def explain(self, sample: int | np.ndarray) -> Explanation:
        """How a trained point (by number) or a new one (a vector) is written."""
        check_is_fitted(self, "codes_")
        if np.ndim(sample) == 0:
            x, code = self._X[sample], self.codes_[sample]
            links = None if self.weights_ is None else self.weights_[[sample]]
        else:
            x = np.asarray(sample, np.float64)
            code, links = self.transform(x[None])[0], self._links(x[None])
        made = code @ self.components_
        neighbours, weights = np.empty(0, np.int64), np.empty(0)
        if links is not None:
            order = np.argsort(-np.abs(links.data), kind="stable")
            neighbours, weights = links.indices[order], links.data[order]
        return Explanation(code, made, float(np.square(x - made).sum()), neighbours, weights)


def _L(problem: Problem) -> Any:
    return None if problem.graph is None else problem.graph.L
