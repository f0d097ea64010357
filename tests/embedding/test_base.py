"""Projections fitted to labelled points: LDA, NCA and PCA are scikit-learn's, on all points."""

import numpy as np
import pytest
from embedding.problems import blobs, digits, up_to_sign
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import NeighborhoodComponentsAnalysis

from sslviz import SDA, LabelledLDA, LabelledNCA, LabelledPCA
from sslviz.labels import hide

every_method = pytest.mark.parametrize("Method", [LabelledLDA, LabelledNCA, LabelledPCA])
few_and_many_features = pytest.mark.parametrize("d", [6, 80])


class RidgeCovariance(BaseEstimator):
    """A covariance with a ridge, for scikit-learn to use."""

    def __init__(self, ridge: float = 0.1):
        self.ridge = ridge

    def fit(self, X: np.ndarray) -> "RidgeCovariance":
        C = X - X.mean(axis=0)
        self.covariance_ = C.T @ C / len(C) + self.ridge * np.eye(X.shape[1])
        return self


def test_lda_is_scikit_learns() -> None:
    X, y, _ = digits(per_class=8)
    known = y != -1
    peer = LinearDiscriminantAnalysis().fit(X[known], y[known])
    model = LabelledLDA().fit(X, y)
    assert_allclose(model.embedding_, peer.transform(X), atol=1e-10)
    assert_allclose(model.transform(X[:7]), peer.transform(X[:7]), atol=1e-10)
    assert_allclose(LabelledLDA(2).fit(X, y).embedding_, model.embedding_[:, :2], atol=1e-12)


@few_and_many_features
def test_the_ridge_is_added_to_the_covariance_within_classes(d: int) -> None:
    X, y, _ = blobs(d=d)
    known = y != -1
    peer = LinearDiscriminantAnalysis(solver="eigen", covariance_estimator=RidgeCovariance(0.1))
    Z = peer.fit(X[known], y[known]).transform(X)
    model = LabelledLDA(ridge=0.1).fit(X, y)
    assert up_to_sign(model.embedding_ - model.embedding_[0], Z - Z[0]) < 1e-7


def test_with_one_label_per_class_a_ridge_is_needed() -> None:
    X, _, truth = blobs()
    y = hide(truth, per_class=1, random_state=0)
    with pytest.raises(ValueError, match=r"one labelled point in each class.*ridge > 0"):
        LabelledLDA().fit(X, y)
    model = LabelledLDA(ridge=1.0).fit(X, y)  # no scatter within: the plane of the four points
    C = X[y != -1] - X[y != -1].mean(axis=0)
    assert_allclose(model.components_ @ model.components_.T, np.eye(3), atol=1e-10)
    inside = np.linalg.lstsq(C.T, model.components_.T, rcond=None)[0]
    assert_allclose(C.T @ inside, model.components_.T, atol=1e-10)
    assert LabelledNCA().fit(X, y).embedding_.shape == LabelledPCA().fit(X, y).embedding_.shape
    y = hide(truth, per_class=3, random_state=0)
    for c in np.unique(truth):
        X[y == c] = 0.1 + X[y == c][0]  # three equal points are one: three times .1 is not .3
    with pytest.raises(ValueError, match=r"many equal ones.*ridge > 0"):
        LabelledLDA().fit(X, y)
    assert np.isfinite(LabelledNCA().fit(X, y).embedding_).all()


def test_nca_is_scikit_learns() -> None:
    X, y, _ = blobs()
    known = y != -1
    names = np.unique(y[known], return_inverse=True)[1]
    for p, asked, init in ((None, 3, "auto"), (2, 2, "pca"), (5, 5, "auto")):
        peer = NeighborhoodComponentsAnalysis(asked, init=init, random_state=0, max_iter=50)
        model = LabelledNCA(p, init=init).fit(X, y)
        expected = peer.fit(X[known], names)
        assert_allclose(model.embedding_, expected.transform(X), atol=1e-10)
        assert model.n_iter_ == expected.n_iter_
    assert model.n_iter_ > 1


def test_nca_raises_the_probability_of_picking_the_own_class() -> None:
    X, y, _ = blobs()
    known = np.flatnonzero(y != -1)

    def right(Z: np.ndarray) -> float:
        D = np.square(Z[known][:, None] - Z[known]).sum(axis=2)
        np.fill_diagonal(D, np.inf)
        P = np.exp(-(D - D.min(axis=1, keepdims=True)))
        return float((P * (y[known][:, None] == y[known])).sum() / P.sum(axis=1).mean())

    start, end = (M.fit(X, y).embedding_ for M in (LabelledPCA(2), LabelledNCA(2, init="pca")))
    assert right(end) > right(start)


@few_and_many_features
def test_pca_is_scikit_learns(d: int) -> None:
    X, y, _ = blobs(d=d)
    known = y != -1
    for p, asked in ((None, 3), (5, 5)):
        Z = PCA(asked, svd_solver="full").fit(X[known]).transform(X)
        assert up_to_sign(LabelledPCA(p).fit(X, y).embedding_, Z) < 1e-9


def test_pca_ends_where_the_labelled_points_end() -> None:
    X, y, _ = blobs(d=80)
    with pytest.warns(UserWarning, match="n_components=40 but the labelled points determine no"):
        model = LabelledPCA(40).fit(X, y)
    assert model.components_.shape == (11, 80)


@every_method
def test_unlabelled_points_change_nothing_and_features_limit_dimensions(Method: type) -> None:
    X, y, _ = blobs()
    known = y != -1
    model, alone = Method().fit(X, y), Method().fit(X[known], y[known])
    assert_array_equal(model.components_, alone.components_)
    assert_allclose(alone.transform(X), model.embedding_, atol=1e-12)
    assert model.classes_.tolist() == [3, 10, 17, 24]
    names = [f"{Method.__name__.lower()}{i}" for i in range(3)]
    assert list(model.get_feature_names_out()) == names
    X, y, _ = blobs(d=2)  # no more dimensions than features
    assert Method().fit(X, y).embedding_.shape == (120, 2)
    with pytest.warns(UserWarning, match="n_components=9"):
        assert Method(9).fit(X, y).embedding_.shape == (120, 2)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("Method", [LabelledLDA, LabelledNCA, LabelledPCA, SDA])
def test_equal_points_are_refused(Method: type, value: float) -> None:
    with pytest.raises(ValueError, match=f"{Method.__name__}: the labelled points are all equal"):
        Method().fit(np.full((12, 3), value), np.arange(12) % 3 - 1)
