"""The merged sum equals the printed one; P and W are minimisers."""

import numpy as np
import pytest
import torch

from sslviz.device import to_numpy
from sslviz.dictionary.stages.active_points import (
    ActiveSquares,
    active_loss,
    active_squares,
    class_losses,
    class_probabilities,
    fit_classifier,
)

EXPONENTS = [1.0, 1.7, 3.0]


@pytest.fixture(params=[2, 5])
def scores(request: pytest.FixtureRequest) -> torch.Tensor:
    s = torch.as_tensor(1.5 * np.random.default_rng(0).normal(size=(60, request.param)))
    s[0], s[0, 0] = -1.2, 1.1  # beyond every margin: no loss as class 0
    s[1] = -3.0
    return s


def signs(C: int) -> np.ndarray:
    """y(k): one row per class."""
    return 2 * np.eye(C) - 1


def literal(s: np.ndarray, P: np.ndarray, r: float, at: np.ndarray) -> float:
    """Σ_j Σ_k P^r Σ_c Q (at − y(k))² as printed, Q from s."""
    total = 0.0
    for j in range(len(s)):
        for k, y in enumerate(signs(s.shape[1])):
            Q = y * s[j] < 1
            total += P[j, k] ** r * np.sum(Q * (at[j] - y) ** 2)
    return total


@pytest.mark.parametrize("r", EXPONENTS)
def test_merging_the_classes_changes_nothing(scores: torch.Tensor, r: float) -> None:
    rng = np.random.default_rng(1)
    P = rng.dirichlet(np.ones(scores.shape[1]), len(scores))
    P[:10] = np.eye(scores.shape[1])[rng.integers(scores.shape[1], size=10)]  # labelled ones
    active = active_squares(scores, torch.as_tensor(P), r)
    s = to_numpy(scores)
    for at in (s, rng.normal(size=s.shape)):
        wanted = literal(s, P, r, at)
        np.testing.assert_allclose(active_loss(active, torch.as_tensor(at)), wanted, rtol=1e-12)


def test_class_losses_are_the_printed_ones(scores: torch.Tensor) -> None:
    s, C = to_numpy(scores), scores.shape[1]
    wanted = np.array([[np.sum((y * row < 1) * (row - y) ** 2) for y in signs(C)] for row in s])
    np.testing.assert_allclose(to_numpy(class_losses(scores)), wanted, rtol=1e-10, atol=1e-13)
    np.testing.assert_array_equal(to_numpy(class_losses(scores)).argmin(axis=1), s.argmax(axis=1))


@pytest.mark.parametrize("r", EXPONENTS[1:])
def test_class_probabilities_are_minimisers(scores: torch.Tensor, r: float) -> None:
    P, e = to_numpy(class_probabilities(scores, r)), to_numpy(class_losses(scores))
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_array_equal(P[0], np.eye(P.shape[1])[0])  # the class of zero loss
    slope = r * P[2:] ** (r - 1) * e[2:]
    np.testing.assert_allclose(slope, np.tile(slope[:, :1], P.shape[1]), rtol=1e-9)
    rng = np.random.default_rng(0)
    for _ in range(20):
        other = rng.dirichlet(np.ones(P.shape[1]), len(P))
        assert ((other**r * e).sum(axis=1) >= (P**r * e).sum(axis=1) - 1e-12).all()


def test_at_r_one_the_class_of_least_loss_is_certain_and_ties_share(scores: torch.Tensor) -> None:
    s = torch.as_tensor([[0.5, -0.2, 0.1], [0.3, 0.3, -2.0], [-3.0, -3.0, -3.0]]).double()
    wanted = np.array([[1, 0, 0], [0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3]])
    np.testing.assert_allclose(to_numpy(class_probabilities(s, 1.0)), wanted, atol=1e-15)
    close = to_numpy(class_probabilities(scores, 1.0001))[2:]
    np.testing.assert_allclose(close.max(axis=1), 1, atol=0.01)


def test_the_classifier_is_stationary(scores: torch.Tensor) -> None:
    rng = np.random.default_rng(0)
    A = torch.as_tensor(rng.normal(size=(len(scores), 7)))
    active = active_squares(scores, class_probabilities(scores, 1.7), 1.7)
    W, b = fit_classifier(A, active, 0.5, 0.8)
    W.requires_grad_(), b.requires_grad_()
    loss = 0.5 * (active.weight * (A @ W.T + b - active.target) ** 2).sum()
    (loss + 0.8 * ((W**2).sum() + (b**2).sum())).backward()
    assert W.grad is not None and b.grad is not None
    assert float(W.grad.abs().max()) < 1e-11 and float(b.grad.abs().max()) < 1e-11


def test_the_first_classifier_is_the_closed_form_of_the_paper() -> None:
    rng = np.random.default_rng(0)
    A, Y = rng.normal(size=(30, 4)), np.sign(rng.normal(size=(30, 3)))
    T = torch.as_tensor(Y)
    W, b = fit_classifier(torch.as_tensor(A), ActiveSquares(torch.ones_like(T), T, 0.0), 0.5, 1.0)
    E = np.column_stack([A, np.ones(30)])
    wanted = Y.T @ E @ np.linalg.inv(E.T @ E + 2 * np.eye(5))
    np.testing.assert_allclose(np.column_stack([to_numpy(W), to_numpy(b)]), wanted, atol=1e-12)
