"""Sparse codes with a graph penalty, classified by a linear SVM: a comparison of four graphs.

Experiment 5.1 of the SSDL-GA paper: the dictionary is learnt from the labelled points alone (Eq.
7), the SVM chooses C among 0.1, 1 and 10 by 5-fold cross-validation, new points are coded together
with their neighbours. All graphs are scaled to tr L = n, so that β is comparable. Gaussian noise of
standard deviation noise · mean(X²) is added to all points, training and new, as in Table 5.
"""

from dataclasses import KW_ONLY, dataclass
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


@dataclass(repr=False, eq=False)
class CodesSVM(ClassifierMixin, BaseEstimator):
    """Sparse codes with one of the graphs of Table 2, then a linear SVM; y is -1 where unlabelled.

    Attributes: `classes_`, `transduction_`, `components_`, `codes_` of the labelled points.
    """

    n_atoms: int = 128
    lam: float = 0.5
    beta: float = 1.0
    laplacian: str = "lle"
    n_neighbors: int = 6
    share: float = 0.05
    spread: float = 1.0
    noise: float = 0.0
    _: KW_ONLY
    memory: Any = None
    random_state: int | None = None

    def fit(self, X: np.ndarray, y: np.ndarray) -> "CodesSVM":
        """Learn dictionary and SVM from the labelled points; the others are only predicted."""
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
        # The LLE graph is not scaled yet; the others have trace n already.
        self._beta = self.beta * len(self._X) / self._graph.L.trace()
        atoms = first_atoms(target, min(self.n_atoms, len(given)), rng)
        self.components_, self.codes_, _ = code_on_graph(
            self._X, unit_atoms(self._X[atoms]), self._graph.L, lam=self.lam, beta=self._beta
        )
        search = GridSearchCV(LinearSVC(random_state=0, max_iter=5000), {"C": [0.1, 1, 10]}, cv=5)
        self._svm = search.fit(self.codes_, y[given])
        self.transduction_ = self._predict(noisy)
        self.transduction_[given] = y[given]
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Predict from the codes of new points, to which noise is added first."""
        return self._predict(self._with_noise(X))

    def _predict(self, X: np.ndarray) -> np.ndarray:
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
