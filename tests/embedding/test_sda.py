"""SDA solves its printed eigenproblem, as a system of features or of points."""

from collections.abc import Callable

import numpy as np
import pytest
from embedding.problems import blobs, digits
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import eigh
from scipy.spatial.distance import cdist

from sslviz import SDA, LabelledLDA, data
from sslviz.labels import hide
from sslviz.memo import Memo


def eigenproblem(X: np.ndarray, y: np.ndarray, *, alpha: float, ridge: float, k: int) -> tuple:
    """XᵀWX and Xᵀ(Ĩ + αL)X + ρI as printed, dense."""
    known = y != -1
    D = cdist(X, X)
    np.fill_diagonal(D, np.inf)
    nearest = np.argsort(D, axis=1, kind="stable")[:, :k]  # ties by lower index
    X = X - X[known].mean(axis=0)
    same = (y[:, None] == y) & known[:, None]
    W = same / np.maximum(same.sum(axis=1), 1)[:, None]
    A = np.zeros((len(X), len(X)))
    np.put_along_axis(A, nearest, 1.0, axis=1)
    A = np.maximum(A, A.T)
    L = np.diag(A.sum(axis=1)) - A
    marked = np.diag(known.astype(float))
    return X.T @ W @ X, X.T @ (marked + alpha * L) @ X + ridge * np.eye(X.shape[1])


def check(X: np.ndarray, y: np.ndarray, tolerance: float = 1e-8, **settings: float) -> None:
    model = SDA(**settings).fit(X, y)
    full = {"alpha": 1.0, "ridge": 0.1, "k": settings.pop("n_neighbors", 5)} | settings
    S, B = eigenproblem(X, y, **full)
    values, vectors = eigh(S, B)
    p = len(model.components_)
    assert p == min(len(model.classes_) - 1, X.shape[1])
    A = model.components_.T
    assert_allclose(model.eigenvalues_, values[::-1][:p], rtol=tolerance)
    assert_allclose(A.T @ B @ A, np.eye(p), atol=tolerance)
    residual = S @ A - B @ A * model.eigenvalues_
    assert np.abs(residual).max() < tolerance * np.abs(S @ A).max()
    span = vectors[:, ::-1][:, :p]  # the same space, also where two eigenvalues are close
    assert_allclose(span @ (span.T @ B @ A), A, atol=tolerance * np.abs(A).max())


@pytest.mark.parametrize(
    "settings",
    [{}, {"alpha": 0.0}, {"alpha": 50.0, "ridge": 3.0}, {"n_neighbors": 9}],
    ids=["default", "no graph", "strong", "nine neighbours"],
)
def test_it_solves_the_printed_eigenproblem(problem: tuple, settings: dict) -> None:
    check(*problem[:2], **settings)


def test_it_solves_it_with_more_features_than_points(real: Callable[..., data.Dataset]) -> None:
    for d in (30, 80):
        check(*blobs(n=60, d=d)[:2])
    faces = real("yale")
    y = hide(faces.y, per_class=3, random_state=0)
    X = faces.X.astype(np.float64) / 255
    assert X.shape == (165, 1024)
    check(X, y, tolerance=1e-7)


def test_without_the_graph_it_is_ridged_discriminant_analysis() -> None:
    X, y, _ = digits()
    count = np.count_nonzero(y != -1)
    sda = SDA(alpha=0.0, ridge=0.5 * count).fit(X, y)
    lda = LabelledLDA(ridge=0.5).fit(X, y)
    one, other = (
        A / np.linalg.norm(A, axis=1, keepdims=True) for A in (sda.components_, lda.components_)
    )
    assert_allclose(one, other, atol=1e-9)


def test_it_has_at_most_one_direction_fewer_than_classes() -> None:
    X, y, _ = blobs()
    with pytest.warns(UserWarning, match="n_components=6 but 4 classes determine 3; taking 3"):
        assert SDA(6).fit(X, y).embedding_.shape == (120, 3)
    first = SDA(1).fit(X, y)
    assert_array_equal(first.components_, SDA().fit(X, y).components_[:1])


def test_moving_alpha_reuses_the_roughness() -> None:
    X, y, _ = digits()
    memo = Memo()
    for alpha in (0.1, 1.0, 10.0):
        SDA(alpha=alpha, memory=memo).fit(X, y)
    assert [s.reused for s in memo.log if s.name == "roughness"] == [False, True, True]


def test_a_regular_problem_needs_no_ridge() -> None:
    X, y, _ = blobs()
    check(X, y, ridge=0.0)
    mixed = X * [1, 1e-9, 1, 1e9, 1, 1e-5]  # units then matter to the neighbours alone
    plain, scaled = (SDA(alpha=0.0, ridge=0.0).fit(Z, y).embedding_ for Z in (X, mixed))
    assert_allclose(scaled, plain, atol=1e-9)


@pytest.mark.parametrize("kind", ["twins", "constant", "few labels", "wide", "far"])
def test_a_singular_problem_asks_for_a_ridge(kind: str) -> None:
    X, y, _ = blobs(n=60, d=80 if kind == "wide" else 20)
    if kind in ("twins", "far"):
        X = np.hstack([X, X @ np.ones((20, 1))]) + (1e3 if kind == "far" else 0)
    if kind == "constant":
        X[:, 3] = 0.1
    with pytest.raises(ValueError, match=r"SDA: ridge=0 .*; give a larger one"):
        SDA(ridge=0.0, alpha=0.0 if kind == "few labels" else 1.0).fit(X, y)


def test_a_ridge_below_rounding_is_named_and_large_ones_are_equivalent() -> None:
    X, y, _ = blobs(d=4)
    with pytest.raises(ValueError, match="SDA: ridge=1e-12 is below the rounding error"):
        SDA(ridge=1e-12).fit(np.hstack([X, X]) * 1e6, y)
    units = [A / np.linalg.norm(A) for A in (SDA(1, ridge=r).fit(X, y).components_
             for r in (1e12, 1e100))]  # fmt: skip
    assert_allclose(units[0], units[1], atol=1e-9)


def test_classes_with_one_mean_are_refused() -> None:
    X = np.array([[0.0, 0], [2, 2], [0, 2], [2, 0], [5, 5]])
    with pytest.raises(ValueError, match="SDA: the labelled means of all classes are equal"):
        SDA(n_neighbors=2).fit(X, [0, 0, 1, 1, -1])
