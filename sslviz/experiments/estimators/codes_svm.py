"""Codes of a dictionary and a linear SVM that reads them: what the four graphs are worth.

Experiment 5.1 of the SSDL-GA paper: the dictionary is learnt from the labelled points alone (Eq.
7), the SVM chooses its constant among 0.1, 1 and 10 by five folds, new points are coded beside
their neighbours. All graphs are scaled to tr L = n, so that β means the same. `noise` is Gaussian
of deviation noise · mean(X²), added to all points, trained and new, as in Table 5.
"""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV
from sklearn.svm import LinearSVC
from sklearn.utils import check_random_state

from sslviz.dictionary.stages.alternation import first_atoms
from sslviz.dictionary.stages.graph_sparse_coding import code_on_graph
from sslviz.dictionary.stages.laplacians import build
from sslviz.dictionary.stages.out_of_sample import code_new, weights_to_new_points
from sslviz.graph.neighbours import knn
from sslviz.graph.weights import width
from sslviz.labels import UNLABELLED
from sslviz.solve.dictionary_learning import unit_atoms


class CodesSVM(ClassifierMixin, BaseEstimator):
    """Sparse codes with one of the graphs of Table 2, then a linear SVM; y holds -1 for the others.

    Attributes: `classes_`, `transduction_`, `components_`, `codes_` of the labelled points.
    """

    def __init__(
        self,
        n_atoms: int = 128,
        lam: float = 0.5,
        beta: float = 1.0,
        laplacian: str = "lle",
        n_neighbors: int = 6,
        share: float = 0.05,
        spread: float = 1.0,
        noise: float = 0.0,
        *,
        memory: Any = None,
        random_state: int | None = None,
    ):
        self.n_atoms = n_atoms
        self.lam = lam
        self.beta = beta
        self.laplacian = laplacian
        self.n_neighbors = n_neighbors
        self.share = share
        self.spread = spread
        self.noise = noise
        self.memory = memory
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: np.ndarray) -> "CodesSVM":
        """Learn dictionary and SVM from the labelled points; the others are only answered."""
        rng = check_random_state(self.random_state)
        self._deviation, self._seed = self.noise * float(np.mean(np.square(X))), rng.randint(2**31)
        noisy = self._with_noise(X)
        given = np.flatnonzero(y != UNLABELLED)
        self.classes_, target = np.unique(y[given], return_inverse=True)
        self._X = noisy[given]
        lists = knn(self._X, self.n_neighbors, self.memory)
        self._sigma = width("mean", graph=lists, X=self._X)
        self._graph = build(
            self._X,
            self.laplacian,
            self.memory,
            k=self.n_neighbors,
            sigma=self._sigma,
            share=self.share,
            spread=self.spread,
        )
        # LLE comes unscaled; the others have this factor 1.
        self._beta = self.beta * len(self._X) / self._graph.L.trace()
        atoms = first_atoms(target, min(self.n_atoms, len(given)), rng)
        self.components_, self.codes_, _ = code_on_graph(
            self._X, unit_atoms(self._X[atoms]), self._graph.L, lam=self.lam, beta=self._beta
        )
        search = GridSearchCV(LinearSVC(random_state=0, max_iter=5000), {"C": [0.1, 1, 10]}, cv=5)
        self._svm = search.fit(self.codes_, y[given])
        self.transduction_ = self._answer(noisy)
        self.transduction_[given] = y[given]
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The SVM's answer to the codes of new points, to which noise is added first."""
        return self._answer(self._with_noise(X))

    def _answer(self, X: np.ndarray) -> np.ndarray:
        V = weights_to_new_points(
            X,
            self._X,
            self._graph,
            self.laplacian,
            k=self.n_neighbors,
            sigma=self._sigma,
            spread=self.spread,
            device="auto",
        )
        codes = code_new(X, self.components_, self.codes_, V, lam=self.lam, beta=self._beta)
        return self._svm.predict(codes)

    def _with_noise(self, X: np.ndarray) -> np.ndarray:
        if self._deviation == 0:
            return np.asarray(X, np.float64)
        rng = np.random.default_rng((self._seed, len(X)))
        return X + self._deviation * rng.normal(size=X.shape)
