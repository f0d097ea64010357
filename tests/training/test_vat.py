"""Virtual adversarial training: lengths, directions, and which prediction is trained."""

import numpy as np
import pytest
import torch
from scipy.special import log_softmax as log_softmax_
from scipy.special import rel_entr
from torch.nn.functional import log_softmax

from sslviz import data
from sslviz.clustering.sedc import SEDC
from sslviz.training.loop import TrainingRun
from sslviz.training.mlp import Network, flat_parameters, initial_weights
from sslviz.training.vat import (
    adversarial_direction,
    divergence,
    knn_radius,
    perturbation_report,
    unit_length,
    vat_loss,
)

CPU = torch.device("cpu")


def normal(seed: int, *shape: int) -> torch.Tensor:
    return torch.as_tensor(np.random.default_rng(seed).normal(size=shape))


def precise(sizes: tuple[int, ...], scale: float = 10.0) -> Network:
    """A network in float64 with gradients, far from uniform."""
    arrays = initial_weights(sizes, np.random.default_rng(3), last=scale)
    net = Network(sizes, flat_parameters(arrays, CPU)[1]).frozen_copy()
    for part in net.parts:
        part.requires_grad_()
    return net


@pytest.fixture(scope="module")
def run() -> TrainingRun:
    """Two moons, trained long enough to have borders."""
    X = data.load("two_moons", n_samples=400, random_state=0).X
    found = SEDC(2, n_hubs=100, hidden=(32, 32), random_state=0).training(X)
    found.advance(400)
    return found


def radii(X: np.ndarray) -> np.ndarray:
    return 0.4 * knn_radius(X)


def test_the_radius_is_the_distance_to_the_tenth_neighbour() -> None:
    X = normal(0, 60, 3).numpy()
    D = np.sort(np.linalg.norm(X[:, None] - X, axis=2), axis=1)
    np.testing.assert_allclose(knn_radius(X), D[:, 10], rtol=1e-12)
    np.testing.assert_allclose(
        knn_radius(X[:4]), np.linalg.norm(X[:4, None] - X[:4], axis=2).max(1)
    )


def test_divergence_is_that_of_scipy() -> None:
    a, b = normal(1, 50, 6).numpy(), normal(2, 50, 6).numpy()
    log_p, log_q = log_softmax_(3 * a, axis=1), log_softmax_(3 * b, axis=1)
    found = divergence(torch.as_tensor(log_p), torch.as_tensor(log_q)).numpy()
    np.testing.assert_allclose(found, rel_entr(np.exp(log_p), np.exp(log_q)).sum(1), rtol=1e-12)


def test_perturbations_have_the_length_of_the_radius(run: TrainingRun) -> None:
    eps = radii(run.X)
    for xi in (0.01, 0.1, 100.0):
        r = perturbation_report(run.objective.predictor(), run.X, eps, xi).r
        np.testing.assert_allclose(np.linalg.norm(r, axis=1), eps, rtol=1e-12)


def test_a_linear_model_of_two_classes_is_most_sensitive_across_its_border() -> None:
    """KL depends on (w_1 − w_0)·r alone: whatever d is, g is parallel to w_1 − w_0."""
    net = precise((5, 2), scale=1.0)  # where p is one-hot but for rounding, so is g
    x, eps = normal(0, 30, 5), normal(1, 30, 1).abs()
    log_p = log_softmax(net.logits(x), dim=1)
    r = adversarial_direction(net.logits, x, log_p, normal(2, 30, 5), eps, 0.1)
    w = (net.parts[0][1] - net.parts[0][0]).detach()
    np.testing.assert_allclose((unit_length(r) @ w).abs() / w.norm(), 1, rtol=1e-9)


def test_a_vanishing_gradient_gives_the_random_direction_and_tiny_ones_are_no_problem() -> None:
    x, d, eps = normal(0, 8, 3), normal(1, 8, 3), torch.linspace(0, 1, 8).double()[:, None]
    flat = lambda z: 0 * z[:, :2]  # noqa: E731
    r = adversarial_direction(flat, x, log_softmax(flat(x), dim=1), d, eps, 0.1)
    torch.testing.assert_close(r, eps * unit_length(d))
    v = torch.full((2, 3), 1e-30)
    torch.testing.assert_close(unit_length(v), torch.full((2, 3), 3**-0.5))
    assert (unit_length(torch.zeros(2, 3)) == 0).all()


def test_the_worst_direction_is_found_close_by_and_not_far_away(run: TrainingRun) -> None:
    network, X = run.objective.predictor(), run.X
    eps = radii(X)
    near = [perturbation_report(network, X, eps, 0.1, seed).ratio for seed in range(3)]
    far = [
        perturbation_report(network, X, eps, 10 / np.median(eps), seed).ratio for seed in range(3)
    ]
    assert min(near) > 1.5 and max(far) < min(near) and np.mean(far) < 1.25


def test_it_changes_no_running_average(run: TrainingRun) -> None:
    network = run.objective.network  # type: ignore[attr-defined]
    before = {name: tensor.clone() for name, tensor in network.state().items()}
    x = torch.tensor(run.X[:50]).float()
    log_p = log_softmax(network.logits(x), dim=1)
    eps = torch.full((50, 1), 0.1)
    r = adversarial_direction(network.logits, x, log_p, normal(0, 50, 2).float(), eps, 0.1)
    vat_loss(network.logits, x, log_p, r)
    perturbation_report(run.objective.predictor(), run.X, radii(run.X), 0.1)
    assert all(torch.equal(before[name], tensor) for name, tensor in network.state().items())


def test_only_the_second_prediction_is_trained() -> None:
    """The gradient is that of a loss whose first p is a constant."""
    net, x, r = precise((3, 8, 8, 4)), normal(0, 20, 3), 0.3 * normal(1, 20, 3)
    log_p = log_softmax(net.logits(x), dim=1)
    constant = torch.as_tensor(log_p.detach().numpy())
    moved = log_softmax(net.logits(x + r), dim=1)
    by_hand = (constant.exp() * (constant - moved)).sum(dim=1).mean()
    wanted = torch.autograd.grad(by_hand, net.parts, retain_graph=True)
    found = torch.autograd.grad(vat_loss(net.logits, x, log_p, r), net.parts)
    for a, b in zip(found, wanted, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-15)
