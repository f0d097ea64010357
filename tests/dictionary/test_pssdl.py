"""PSSDL: the objective written out, its gradients, the matrix M, and the printed scales."""

import numpy as np
import pytest
import torch
from dictionary.problems import noise
from dictionary.test_fddl import scatters, slopes
from scipy import sparse
from scipy.special import logsumexp, softmax

from sslviz import PSSDL
from sslviz.dictionary.stages.probabilistic_rounds import (
    PRINTED_START,
    SoftmaxState,
    learnt_scales,
    probabilistic_terms,
)
from sslviz.dictionary.stages.softmax_coding import (
    CURVATURE,
    GraphForm,
    improved_classifier,
    softmax_loss,
    softmax_quadratic,
)


def graph_matrix(target: np.ndarray, L: np.ndarray, mix: float) -> np.ndarray:
    """M without its shift: βL + (1 − β)(L_w − L_b)."""
    given, n = target >= 0, len(target)
    same = (target[:, None] == target) & given
    within = np.where(same, 1 / np.maximum(same.sum(axis=1), 1), 0.0)
    mean = np.outer(given, given) / given.sum()
    L_w, L_b = np.diag(given * 1.0) - within, within - mean
    np.testing.assert_allclose((L_w - L_b) @ np.ones(n), 0, atol=1e-12)
    return mix * L + (1 - mix) * (L_w - L_b)


def test_the_objective_is_written_out(problem: tuple) -> None:
    X, y = problem
    model = PSSDL(n_atoms=12, max_iter=3).fit(X, y)
    A, W, given = model.learnt_codes_, model.coef_, y != -1
    total = np.square(X - A @ model.components_).sum() + model.lam * np.abs(A).sum()
    s = A[given] @ W.T
    own = s[y[given][:, None] == model.classes_]
    total += (logsumexp(s, axis=1) - own).sum() + model.mu * np.square(W).sum()
    within, between = scatters(A[given], y[given])
    apart = within - between + np.square(A[given]).sum()
    smooth = (A * (model.laplacian_ @ A)).sum()
    total += model.kappa * (model.mix * smooth + (1 - model.mix) * apart)
    np.testing.assert_allclose(model.objective_[-1], total)
    np.testing.assert_array_equal(
        model.predict(X), model.classes_[(model.transform(X) @ W.T).argmax(axis=1)]
    )


def test_m_is_indefinite_as_printed_and_not_after_its_shift(problem: tuple) -> None:
    X, y = problem
    model = PSSDL(n_atoms=9, max_iter=1).fit(X, y)
    target = np.where(y == -1, -1, np.searchsorted(model.classes_, y))
    L = model.laplacian_.toarray()
    np.testing.assert_allclose(L @ np.ones(len(L)), 0, atol=1e-10)
    M = graph_matrix(target, L, 0.1)
    assert np.linalg.eigvalsh(M)[0] < -0.05
    shifted = M + 0.9 * np.diag(target >= 0)
    assert np.linalg.eigvalsh(shifted)[0] > -1e-9
    A = np.random.default_rng(0).normal(size=(len(X), 4))
    value = GraphForm(sparse.csr_array(L), 0.7, 0.1).value(A, target)
    np.testing.assert_allclose(value, 0.7 * np.trace(A.T @ shifted @ A))


def test_the_square_touches_the_loss_from_above_with_the_same_slope() -> None:
    rng = np.random.default_rng(0)
    target = np.array([0, 1, 2, 1, -1, -1])
    X, A, D, W = (rng.normal(size=s) for s in ((6, 4), (6, 3), (3, 4), (3, 3)))
    w, L = rng.uniform(0.5, 2, 6), sparse.csr_array(np.eye(6) * 6 - 1)
    graph, given = GraphForm(L, 0.4, 0.3), target >= 0

    def value(Z: np.ndarray) -> float:
        error = float(w @ np.square(X - Z @ D).sum(axis=1))
        return error + softmax_loss(Z[given], target[given], W) + graph.value(Z, target)

    f = softmax_quadratic(torch.as_tensor(X), target, A, D, W, w, graph)

    def bound(Z: np.ndarray) -> float:
        Z = torch.as_tensor(Z)
        return 0.5 * float(((f.gradient(Z) + f.linear) * Z).sum())

    slope = f.gradient(torch.as_tensor(A)).numpy()
    np.testing.assert_allclose(slope, slopes(value, A), atol=1e-6)
    for _ in range(50):
        other = A + 3 * rng.normal(size=A.shape)
        assert value(other) - value(A) <= bound(other) - bound(A) + 1e-9
    assert CURVATURE == 0.25


def test_the_classifier_is_stationary() -> None:
    rng = np.random.default_rng(0)
    A, labels, W = rng.normal(size=(40, 5)), np.arange(40) % 3, np.zeros((3, 5))
    for _ in range(5):
        W = improved_classifier(A, labels, W, 0.1)
    slope = (softmax(A @ W.T, axis=1) - np.eye(3)[labels]).T @ A + 0.2 * W
    np.testing.assert_allclose(slope, 0, atol=1e-8)


def test_learnt_scales_minimise_the_printed_objective() -> None:
    rng = np.random.default_rng(0)
    X, y = noise()
    state = SoftmaxState(*(rng.normal(size=s) for s in ((5, 8), (60, 5), (3, 5))))
    graph, scales = GraphForm(sparse.csr_array((60, 60)), 0.1, 0.5), learnt_scales(X, state)
    best = sum(probabilistic_terms(X, y, state, scales, graph, True))
    for name in scales._fields:
        for factor in (0.9, 1.1):
            moved = scales._replace(**{name: factor * getattr(scales, name)})
            assert sum(probabilistic_terms(X, y, state, moved, graph, True)) > best, name


def test_as_printed_the_objective_falls_while_codes_vanish_until_it_is_stopped(
    problem: tuple,
) -> None:
    X, y = problem
    model = PSSDL(n_atoms=12, max_iter=30, as_printed=True)
    with pytest.warns(UserWarning, match="PSSDL stopped: the printed objective has no minimum"):
        rounds = list(model.steps(X, y))
    objective = np.array([r.objective for r in rounds])
    size = np.array([np.abs(r.parts[1]).sum() for r in rounds])
    assert 2 < len(rounds) < 30 and np.isfinite(objective).all()
    assert (np.diff(objective) < 0).all() and (np.diff(size) < 0).all()
    usual = np.abs(PSSDL(n_atoms=12).learning(X, y).fitted().learnt_codes_).sum()
    assert size[-1] <= 1e-8 * usual < size[0] <= PRINTED_START * usual
    assert np.diff(objective)[-1] < 0.5 * np.diff(objective).mean()  # no floor in sight
    assert "fall without bound" in model.stopped_because_
    assert np.isfinite(model.predict_proba(X)).all()
