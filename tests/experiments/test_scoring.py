"""Scores of classifiers, embeddings and clusterings."""

from itertools import permutations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin

from sslviz.experiments.sampling import Sample
from sslviz.experiments.scoring import evaluate
from sslviz.experiments.table import Cell, Row, TableMethod
from sslviz.labels import UNLABELLED, hide
from sslviz.metrics import clustering_accuracy
from sslviz.nearest_label import NearestLabel


class Blocks(ClusterMixin, BaseEstimator):
    """A clustering by the sign of the first coordinate."""

    def __init__(self, n_clusters):
        self.n_clusters = n_clusters

    def fit(self, X, y=None):
        self.labels_ = (X[:, 0] > 0).astype(int) + 5
        return self


class Upright(BaseEstimator):
    """An embedding that keeps the first coordinate only."""

    def fit(self, X, y):
        self.embedding_ = X[:, :1]
        return self


def test_clusters_are_matched_to_classes_by_the_best_permutation():
    rng = np.random.default_rng(0)
    for _ in range(20):
        y, labels = rng.integers(0, 4, 30), rng.integers(10, 14, 30)
        best = max(
            np.mean([p[c - 10] == t for c, t in zip(labels, y, strict=True)])
            for p in permutations(range(4))
        )
        assert clustering_accuracy(y, labels) == pytest.approx(best, abs=1e-15)
    assert clustering_accuracy([3, 3, 7, 7], [1, 1, 0, 0]) == 1
    assert clustering_accuracy([0, 0, 0, 0], [0, 1, 2, 3]) == 0.25


def test_clusterings_and_embeddings_are_scored():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 80)
    X = np.column_stack([np.where(y == 1, 1.0, -1.0), 100 * rng.standard_normal(80)])
    sample = Sample(X, y, hide(y, per_class=2, random_state=0))
    row = Row("stripes", "none", per_class=2)
    for name in ("Blocks", "Upright"):
        result = evaluate(Cell(row, TableMethod(name, f"{__name__}:{name}"), 0), sample, None)
        assert result.accuracy == 1 and result.undetermined == 0


def test_the_baseline_takes_the_label_of_the_nearest_labelled_point():
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((60, 3)), rng.integers(0, 3, 60)
    given = hide(y, per_class=4, random_state=0)
    shown = np.flatnonzero(given != UNLABELLED)
    model = NearestLabel().fit(X, given)
    D = np.linalg.norm(X[:, None] - X[shown], axis=2)
    assert (model.transduction_ == given[shown][D.argmin(axis=1)]).all()
    assert (model.predict(X) == model.transduction_).all()
