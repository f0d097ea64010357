"""The kernel map of SSRL-PL, and both maps on training and new points."""

import numpy as np
import pytest
from embedding.problems import blobs, centring, digits, gaussian, up_to_sign
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import eigh

from sslviz import SSRLPL
from sslviz.embedding.stages import maps


@pytest.mark.parametrize("width", ["0.5 median", "median"])
def test_coefficients_solve_the_printed_pencil(problem: tuple, width: str) -> None:
    X, y, _ = problem
    model = SSRLPL(3, kernel="rbf", sigma=width).fit(X, y)
    K, H = gaussian(X, X, model.sigma_), centring(len(X))
    beta, Y = model.dual_coef_, model.label_distributions_
    assert_allclose(beta.T @ K @ beta, np.eye(3), atol=1e-11)
    Q = K @ H @ Y @ Y.T @ H @ K / (len(X) - 1) ** 2
    residual = Q @ beta - K @ beta * model.eigenvalues_[:3]
    assert np.abs(residual).max() < 1e-12 * np.abs(Q @ beta).max()
    f = np.trace(beta.T @ Q @ beta)
    assert_allclose(model.eigenvalues_[:3].sum(), f, rtol=1e-11)
    assert_allclose(model.embedding_, K @ beta, atol=1e-11)


def test_it_is_what_a_dense_solver_finds() -> None:
    X, y, _ = blobs()
    model = SSRLPL(3, kernel="rbf", sigma="0.3 median").fit(X, y)
    K, H, Y = gaussian(X, X, model.sigma_), centring(len(X)), model.label_distributions_
    values, vectors = eigh(K @ H @ Y @ Y.T @ H @ K, K)
    assert_allclose(model.eigenvalues_[:3] * (len(X) - 1) ** 2, values[::-1][:3], rtol=1e-9)
    assert up_to_sign(model.embedding_, K @ vectors[:, ::-1][:, :3]) < 1e-7


def test_no_random_coefficients_do_better(problem: tuple) -> None:
    X, y, _ = problem
    model = SSRLPL(2, kernel="rbf").fit(X, y)
    K = gaussian(X, X, model.sigma_)
    pulled = model.label_distributions_.T @ centring(len(X)) @ K
    rng = np.random.default_rng(0)
    best = np.square(pulled @ model.dual_coef_).sum()
    for _ in range(300):
        B = rng.normal(size=(len(X), 2))
        for A in (B, model.dual_coef_ + 1e-4 * B):
            root = np.linalg.cholesky(A.T @ K @ A)
            assert np.square(pulled @ np.linalg.solve(root, A.T).T).sum() < best


def test_labelled_only_uses_labelled_points_only() -> None:
    X, y, _ = blobs()
    known = y != -1
    model = SSRLPL(2, kernel="rbf", sigma=2.0, labels="labelled").fit(X, y)
    alone = SSRLPL(2, kernel="rbf", sigma=2.0, labels="all").fit(X[known], y[known])
    assert not model.dual_coef_[~known].any()
    assert_allclose(model.dual_coef_[known], alone.dual_coef_, atol=1e-12)
    assert_allclose(model.transform(X), alone.transform(X), atol=1e-12)
    assert_allclose(model.eigenvalues_, alone.eigenvalues_, rtol=1e-12, atol=1e-18)


@pytest.mark.parametrize("complete", [None, "pca"])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_training_points_are_mapped_like_new_ones(
    problem: tuple, complete: str | None, kernel: str
) -> None:
    X, y, _ = problem
    model = SSRLPL(3 if complete is None else 12, kernel=kernel, complete=complete)
    if kernel == "linear" and complete and X.shape[1] < 12:
        model.set_params(n_components=X.shape[1])
    Z = model.fit(X, y).embedding_
    assert_allclose(model.transform(X), Z, atol=1e-12 * np.abs(Z).max())
    assert_allclose(model.transform(X[5:9]), Z[5:9], atol=1e-12 * np.abs(Z).max())
    assert_array_equal(model.fit_transform(X, y), model.transform(X))


def test_completion_adds_kernel_principal_components_of_what_is_left() -> None:
    for X, y, _ in (blobs(), blobs(n=260)):  # all eigenvectors, and by iteration
        model = SSRLPL(6, kernel="rbf", complete="pca").fit(X, y)
        beta, K, H = model.dual_coef_, gaussian(X, X, model.sigma_), centring(len(X))
        assert_allclose(beta.T @ K @ beta, np.eye(6), atol=1e-10)
        first = SSRLPL(3, kernel="rbf").fit(X, y)
        assert_array_equal(beta[:, :3], first.dual_coef_)
        Kb = K @ beta[:, :3]
        values, T = eigh(H @ (K - Kb @ Kb.T) @ H)
        variance = np.square(H @ model.embedding_[:, 3:]).sum(axis=0)
        assert_allclose(variance, values[::-1][:3], rtol=1e-9)
        assert up_to_sign(H @ model.embedding_[:, 3:], T[:, ::-1][:, :3] * np.sqrt(variance)) < 1e-6


def test_the_kernel_need_not_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, _ = digits()
    for labels in ("soft", "labelled"):
        kept = SSRLPL(3, kernel="rbf", labels=labels).fit(X, y)
        monkeypatch.setattr(maps, "MAX_KEPT", 100)
        monkeypatch.setattr("sslviz.kernels.gram.KERNEL_BLOCK", 10_000)
        blocks = SSRLPL(3, kernel="rbf", labels=labels).fit(X, y)
        monkeypatch.undo()
        assert_allclose(blocks.embedding_, kept.embedding_, atol=1e-12)
        assert_allclose(blocks.dual_coef_, kept.dual_coef_, atol=1e-11)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_witness_functions_determine_the_map(kernel: str) -> None:
    X, y, _ = blobs()
    model = SSRLPL(3, kernel=kernel).fit(X, y)
    Q = np.random.default_rng(1).normal(size=(9, X.shape[1]))
    HY = centring(len(X)) @ model.label_distributions_
    if model.sigma_ is not None:
        K = gaussian(Q, X, model.sigma_)
    else:
        K = (Q - X.mean(axis=0)) @ (X - X.mean(axis=0)).T
    values = model.witness(Q)
    assert_allclose(values, K @ HY, atol=1e-11)
    assert_allclose(values.sum(axis=1), 0, atol=1e-11)
    # all C − 1 coordinates are linear combinations of the witness functions
    mix = np.linalg.lstsq(model.witness(X), model.embedding_, rcond=None)[0]
    assert_allclose(values @ mix, model.transform(Q), atol=1e-9)


@pytest.mark.parametrize("sigma", [1e-150, 1e-9, 1e-3, 1e3])
def test_transform_agrees_with_the_embedding_at_any_width_but_one_too_large(sigma: float) -> None:
    X, y, _ = blobs()
    model = SSRLPL(3, kernel="rbf", sigma=sigma, sigma_labels="median").fit(X, y)
    Z = model.embedding_
    assert_allclose(model.transform(X), Z, atol=1e-5 * np.abs(Z).max())
    if sigma < 1e-2:  # K is the identity
        assert_allclose(Z.T @ Z, np.eye(3), atol=1e-12)
    with pytest.raises(ValueError, match=r"no direction separates them.*sigma may be too large"):
        SSRLPL(1, kernel="rbf", sigma=1e9).fit(X, y)  # all entries of K equal 1


@pytest.mark.parametrize("span", [1e3, 1e4, 9e5])
def test_points_far_apart_in_widths_lose_no_digits(span: float) -> None:
    rng = np.random.default_rng(0)
    X = np.repeat(rng.uniform(-span, span, size=(30, 3)), 4, axis=0)
    X += 0.5 * rng.normal(size=(120, 3))
    y = np.where(np.arange(120) < 12, np.arange(120) % 3, -1)
    beta = SSRLPL(kernel="rbf", sigma=1.0).fit(X, y).dual_coef_
    assert_allclose(beta.T @ gaussian(X, X, 1.0) @ beta, np.eye(2), atol=1e-11)


def test_single_precision_points_give_double_precision_results() -> None:
    X, y, _ = digits()
    for kernel in ("linear", "rbf"):
        double = SSRLPL(3, kernel=kernel).fit(X, y)
        single = SSRLPL(3, kernel=kernel).fit(X.astype(np.float32), y)  # pixels are whole numbers
        assert single.embedding_.dtype == np.float64
        assert_allclose(single.embedding_, double.embedding_, atol=1e-12)
