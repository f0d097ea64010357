"""SSRL-PL: directions are orthonormal, optimal, and no more than the labels determine."""

import numpy as np
import pytest
from embedding.problems import blobs, centring, digits, objective, up_to_sign
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import eigh
from sklearn.decomposition import PCA
from sklearn.metrics.pairwise import linear_kernel

from sslviz import SSRLPL
from sslviz.embedding.stages.hsic import (
    centred_labels,
    class_cross_covariance,
    kernel_directions,
    linear_directions,
)
from sslviz.labels import one_hot
from sslviz.memo import Memo

both_kernels = pytest.mark.parametrize("kernel", ["linear", "rbf"])


@pytest.mark.parametrize("labels", ["soft", "wta"])
def test_directions_are_top_eigenvectors_of_the_printed_matrix(problem: tuple, labels: str) -> None:
    X, y, _ = problem
    model = SSRLPL(3, labels=labels).fit(X, y)
    V, Y, H = model.components_.T, model.label_distributions_, centring(len(X))
    matrix = X.T @ H @ Y @ Y.T @ H @ X / (len(X) - 1) ** 2
    values, vectors = eigh(matrix)
    assert_allclose(V.T @ V, np.eye(3), atol=1e-12)
    assert_allclose(matrix @ V, V * model.eigenvalues_[:3], atol=1e-12 * values[-1])
    assert up_to_sign(V, vectors[:, ::-1][:, :3]) < 1e-8
    C = Y.shape[1]
    expected = np.sort(np.concatenate([values, np.zeros(C)]))[::-1][:C]
    assert_allclose(model.eigenvalues_, expected, atol=1e-12 * values[-1])


def test_eigenvalues_add_up_to_the_objective_to_lemma_2_and_to_hsic(problem: tuple) -> None:
    X, y, _ = problem
    C = len(np.unique(y)) - 1
    model = SSRLPL(C - 1).fit(X, y)
    Y, n, H = model.label_distributions_, len(X), centring(len(X))
    f = objective(model.components_.T, X, Y)
    assert_allclose(model.eigenvalues_.sum(), f, rtol=1e-11)
    lemma = model.components_ @ (X.T @ Y / n - np.outer(X.mean(axis=0), Y.mean(axis=0)))
    assert_allclose(np.square(lemma).sum() * n**2 / (n - 1) ** 2, f, rtol=1e-11)
    Z = model.embedding_
    hsic = np.trace(Z @ Z.T @ H @ (Y @ Y.T) @ H) / (n - 1) ** 2
    assert_allclose(hsic, f, rtol=1e-11)


def test_no_random_directions_do_better(problem: tuple) -> None:
    X, y, _ = problem
    model = SSRLPL(2).fit(X, y)
    G = X.T @ centring(len(X)) @ model.label_distributions_ / (len(X) - 1)
    best, rng = np.square(model.components_ @ G).sum(), np.random.default_rng(0)
    for _ in range(200):
        step = rng.normal(size=(X.shape[1], 2))
        for V in (step, model.components_.T + 1e-3 * step):
            assert np.square(np.linalg.qr(V)[0].T @ G).sum() < best


def test_classes_determine_one_direction_fewer_than_they_are() -> None:
    X, y, _ = blobs(classes=4)
    with pytest.warns(UserWarning, match="n_components=5 but 4 classes determine 3"):
        model = SSRLPL(5).fit(X, y)
    assert model.embedding_.shape == (len(X), 3)
    assert model.eigenvalues_.shape == (4,) and model.eigenvalues_[3] == 0
    assert model.eigenvalues_[2] > 0
    flat, y, _ = blobs(d=2, classes=4)
    with pytest.warns(UserWarning, match="4 classes determine 2"):
        model = SSRLPL(3).fit(flat, y)
    assert model.eigenvalues_[2:].tolist() == [0, 0]


def test_two_classes_give_the_difference_of_their_soft_means() -> None:
    X, y, _ = blobs(classes=2)
    model = SSRLPL(1).fit(X, y)
    Y = model.label_distributions_
    means = Y.T @ X / Y.sum(axis=0)[:, None]
    direction = (means[0] - means[1]) / np.linalg.norm(means[0] - means[1])
    assert_allclose(model.components_[0], direction, atol=1e-12)  # the sign too


def test_a_linear_kernel_gives_the_linear_version(problem: tuple) -> None:
    X, y, _ = problem
    model = SSRLPL(3).fit(X, y)
    HY = centred_labels(model.label_distributions_, np.ones(len(X), bool))
    C = X - X.mean(axis=0)
    found = kernel_directions(HY, linear_kernel(C) @ HY)
    assert_allclose(C.T @ found.V[:, :3], model.components_.T, atol=1e-9)
    assert_allclose(np.square(found.S / (len(X) - 1)), model.eigenvalues_, rtol=1e-9, atol=1e-14)


def test_labelled_only_is_equation_5() -> None:
    X, y, _ = blobs()
    known = y != -1
    model = SSRLPL(2, labels="labelled").fit(X, y)
    Y, L = one_hot(y[known], np.unique(y[known])), X[known]
    H = centring(len(L))
    values, vectors = eigh(L.T @ H @ Y @ Y.T @ H @ L / (len(L) - 1) ** 2)
    assert_allclose(model.eigenvalues_[:3], values[::-1][:3], rtol=1e-10)
    assert up_to_sign(model.components_.T, vectors[:, ::-1][:, :2]) < 1e-9
    assert not model.label_distributions_[~known].any()
    alone = SSRLPL(2, labels="all").fit(L, y[known])
    assert_allclose(alone.components_, model.components_, atol=1e-12)


def test_all_scenarios_agree_when_every_point_is_labelled() -> None:
    X, y, truth = blobs()
    with pytest.raises(ValueError, match="labels='all' needs the label of every point, 108 of y"):
        SSRLPL(labels="all").fit(X, y)
    first, *others = [
        SSRLPL(2, labels=labels).fit(X, truth) for labels in ("all", "soft", "wta", "labelled")
    ]
    for other in others:
        assert_array_equal(first.embedding_, other.embedding_)
        assert_array_equal(first.eigenvalues_, other.eigenvalues_)


@both_kernels
def test_shift_and_scale_of_the_data_change_nothing_but_the_scale(kernel: str) -> None:
    X, y, _ = blobs()
    model = SSRLPL(2, kernel=kernel).fit(X, y)
    moved = SSRLPL(2, kernel=kernel).fit(X + 1000, y)
    scaled = SSRLPL(2, kernel=kernel).fit(8 * X, y)
    factor = 8 if kernel == "linear" else 1
    assert_allclose(moved.embedding_, model.embedding_, atol=1e-9)
    assert_allclose(scaled.embedding_, factor * model.embedding_, atol=1e-12)
    assert_allclose(scaled.eigenvalues_, factor**2 * model.eigenvalues_, rtol=1e-12)


@pytest.mark.parametrize("shape", [(120, 6), (40, 60)], ids=["tall", "wide"])
def test_completion_adds_the_principal_components_of_what_is_left(shape: tuple) -> None:
    X, y, _ = blobs(*shape)
    model = SSRLPL(5, complete="pca").fit(X, y)
    V = model.components_.T
    assert_allclose(V.T @ V, np.eye(5), atol=1e-12)
    plain = SSRLPL(3).fit(X, y)
    assert_allclose(model.components_[:3], plain.components_, atol=0)
    f = objective(V, X, model.label_distributions_)
    assert_allclose(f, model.eigenvalues_.sum(), rtol=1e-11)
    C = X - X.mean(axis=0)
    rest = PCA(2, svd_solver="full").fit(C - C @ V[:, :3] @ V[:, :3].T)
    assert up_to_sign(V[:, 3:], rest.components_.T) < 1e-7
    X, y, _ = blobs(d=3, classes=2)  # no more directions than the data have
    with pytest.warns(UserWarning, match="n_components=4 but the data have no further direction"):
        assert SSRLPL(4, complete="pca").fit(X, y).components_.shape == (3, 3)


def test_classes_with_one_mean_are_refused() -> None:
    X = np.array([[0.0, 0], [2, 2], [0, 2], [2, 0]])
    with pytest.raises(ValueError, match="the means of all classes are equal"):
        SSRLPL(1).fit(X, [0, 0, 1, 1])


def test_the_rank_is_right_despite_rounding() -> None:
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(5000, 30)) + 1e4, rng.random((5000, 3))
    Y /= Y.sum(axis=1, keepdims=True)
    twins = np.hstack([Y[:, :1], Y[:, 1:] / 2, Y[:, 1:] / 2])  # 5 columns of rank 3
    G, _, noise = class_cross_covariance(X, centred_labels(twins, np.ones(5000, bool)))
    assert np.count_nonzero(linear_directions(G, noise).S) == 2


@both_kernels
def test_moving_a_slider_repeats_neither_search_nor_median_nor_kernel(kernel: str) -> None:
    X, y, _ = digits()
    memo = Memo()
    for settings in ({}, {"n_components": 4}, {"n_neighbors": 9}, {"sigma_labels": "0.2 median"}):
        SSRLPL(**settings, kernel=kernel, memory=memo).fit(X, y)
    for stage in ("neighbours", "median_distance") + (("gram",) if kernel == "rbf" else ()):
        calls = [call.reused for call in memo.log if call.name == stage]
        assert calls[0] is False and all(calls[1:]) and len(calls) >= 4, stage


@pytest.mark.filterwarnings("ignore:SSRLPL. n_components=19")
@pytest.mark.parametrize("offset", [0, 1e3, 1e5, 1e6])
def test_few_points_far_from_the_origin_have_no_more_directions(offset: float) -> None:
    X = np.random.default_rng(0).normal(size=(11, 19)) + offset
    y = np.r_[0, 1, 2, 0, 1, 2, [-1] * 5]
    model = SSRLPL(19, complete="pca").fit(X, y)
    assert model.embedding_.shape == (11, 10)
    assert_allclose(model.components_ @ model.components_.T, np.eye(10), atol=1e-12)


@pytest.mark.filterwarnings("error")  # enough classes and labels: no warning
def test_a_change_of_kernel_leaves_nothing_of_the_old_map() -> None:
    X, y, _ = blobs()
    model = SSRLPL(kernel="rbf").fit(X, y)
    assert hasattr(model, "dual_coef_") and not hasattr(model, "components_")
    model.set_params(kernel="linear").fit(X, y)
    assert hasattr(model, "components_") and not hasattr(model, "dual_coef_")
    assert model.sigma_ is None
