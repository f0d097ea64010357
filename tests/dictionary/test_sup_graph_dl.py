"""SupGraphDL: its objective with two graphs, exact atoms, and codes beside their neighbours."""

from typing import Any

import numpy as np
import pytest
from dictionary.problems import noise

from sslviz import SupGraphDL
from sslviz.dictionary.stages.l0_atoms import sweep_smooth, sweep_sphere
from sslviz.dictionary.stages.l0_rounds import unit_rows
from sslviz.graph.laplacian import laplacian

OPTIONS = {"n_atoms": 12, "n_nonzero": 3}
RNG = np.random.default_rng(0)


def test_the_objective_is_that_of_the_docstring_and_never_rises(problem: tuple) -> None:
    X, y = problem
    given, X = y != -1, unit_rows(X)
    model = SupGraphDL(**OPTIONS, alpha=0.3, beta=0.2, gamma=0.4, mu=0.2, max_iter=8)
    seen = list(model.steps(X, y))
    L, F = laplacian(model.weights_).toarray(), laplacian(model.feature_graph_).toarray()
    for last in seen:
        D, A, W = last.learnt()
        Y = y[given][:, None] == np.unique(y[given])
        wanted = np.square(X - A @ D).sum() + 0.3 * np.trace(D @ F @ D.T)
        wanted += 0.2 * np.trace(A.T @ L @ A)
        wanted += 0.4 * (np.square(Y - A[given] @ W.T).sum() + 0.2 * np.square(W).sum())
        np.testing.assert_allclose(last.objective, wanted, rtol=1e-9)
        assert np.linalg.norm(D, axis=1).max() <= 1 + 1e-12
        assert (A != 0).sum(axis=1).max() <= 3
    assert (np.diff(model.objective_) <= 1e-12 * model.objective_[0]).all()


def test_graphs_have_mean_degree_one_and_laplacians_vanish_on_constants(problem: tuple) -> None:
    X, y = problem
    model = SupGraphDL(**OPTIONS, max_iter=1).fit(X, y)
    for W, size in ((model.weights_, len(X)), (model.feature_graph_, X.shape[1])):
        assert W.shape == (size, size) and W.min() >= 0
        np.testing.assert_allclose(W.sum(), size)
        assert (abs(W - W.T)).max() < 1e-15 and not W.diagonal().any()
        np.testing.assert_allclose(laplacian(W) @ np.ones(size), 0, atol=1e-12)
    assert len(model.reconstruct(0).neighbours) >= 5


def test_many_features_are_refused_unless_atoms_may_be_rough(monkeypatch: Any) -> None:
    monkeypatch.setattr("sslviz.dictionary.sup_graph_dl.MAX_FEATURES", 7)
    X, y = noise()
    with pytest.raises(ValueError, match=r"alpha=0.1 needs .* 8 features, more than 7; reduce"):
        SupGraphDL(**OPTIONS).fit(X, y)
    assert np.isfinite(SupGraphDL(**OPTIONS, alpha=0.0).fit(X, y).objective_).all()


def smooth_problem() -> tuple[np.ndarray, ...]:
    A, X = RNG.normal(size=(20, 4)), RNG.normal(size=(20, 6))
    M = 0.1 * RNG.normal(size=(6, 6))
    values, vectors = np.linalg.eigh(M @ M.T)
    return A, X, values, vectors


@pytest.mark.parametrize("length", [0.1, 5.0])
def test_swept_atoms_are_stationary_in_the_ball(length: float) -> None:
    """Long codes leave atoms inside the ball, short ones press them to its surface."""
    A, X, values, vectors = smooth_problem()
    A = A * length
    D = unit_rows(RNG.normal(size=(4, 6)))
    turned = D @ vectors
    sweep_smooth(A.T @ A, A.T @ X @ vectors, turned, values, 500)
    D = turned @ vectors.T
    slope = -2 * A.T @ (X - A @ D) + 2 * D @ (vectors * values @ vectors.T)
    inside = np.linalg.norm(D, axis=1) < 1 - 1e-9
    assert inside.all() == (length == 5) and inside.any() == (length == 5)
    np.testing.assert_allclose(slope[inside], 0, atol=1e-8)
    for g, d in zip(slope[~inside], D[~inside], strict=True):  # towards the outside, only
        np.testing.assert_allclose(g - (g @ d) * d, 0, atol=1e-6)
        assert g @ d < 0


def test_swept_unit_atoms_are_stationary_on_the_sphere() -> None:
    A, X, _, _ = smooth_problem()
    D = unit_rows(RNG.normal(size=(4, 6)))
    before = np.square(X - A @ D).sum()
    sweep_sphere(A.T @ A, A.T @ X, D, 2000)
    slope = A.T @ (X - A @ D)
    np.testing.assert_allclose(np.linalg.norm(D, axis=1), 1)
    np.testing.assert_allclose(slope - (slope * D).sum(axis=1)[:, None] * D, 0, atol=1e-6)
    assert np.square(X - A @ D).sum() < before


def test_alpha_smooths_atoms_and_beta_codes(digits: tuple) -> None:
    X, y, _ = digits
    rough, smooth = (SupGraphDL(**OPTIONS, alpha=a).fit(X, y) for a in (0.0, 10.0))
    F = laplacian(rough.feature_graph_)

    def roughness(D: np.ndarray) -> float:
        return float((D * (F @ D.T).T).sum() / np.square(D).sum())

    assert roughness(smooth.components_) < 0.7 * roughness(rough.components_)
    far, near = (list(SupGraphDL(**OPTIONS, beta=b).steps(X, y))[-1].A for b in (0.0, 1.0))
    L = laplacian(rough.weights_)
    apart = [(A * (L @ A)).sum() / np.square(A).sum() for A in (far, near)]
    assert apart[1] < apart[0]
