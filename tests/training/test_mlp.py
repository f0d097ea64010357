"""The network: initial weights, forward pass, running averages."""

import numpy as np
import pytest
import torch

from sslviz.training.mlp import EPS, MOMENTUM, Network, flat_parameters, initial_weights

CPU = torch.device("cpu")


def network(sizes: tuple[int, ...], seed: int = 0, **options: bool) -> Network:
    arrays = initial_weights(sizes, np.random.default_rng(seed), **options)
    return Network(sizes, flat_parameters(arrays, CPU)[1], **options)


def shaped(seed: int, *shape: int) -> torch.Tensor:
    return torch.as_tensor(np.random.default_rng(seed).normal(size=shape))


def by_hand(net: Network, X: np.ndarray, used: bool) -> np.ndarray:
    """The formula of the docstring, layer by layer in NumPy."""
    parts = iter([p.detach().double().numpy() for p in net.parts])
    for mean, variance in zip(net.means, net.variances, strict=True):
        X = X @ next(parts).T
        if used:
            m, v = mean.double().numpy(), variance.double().numpy()
        else:
            m, v = X.mean(axis=0), X.var(axis=0)
        X = np.maximum(next(parts) * (X - m) / np.sqrt(v + EPS) + next(parts), 0)
    return X @ next(parts).T + next(parts)


def test_initial_weights_are_as_printed() -> None:
    sizes = (784, 1200, 200, 150, 10)
    arrays = initial_weights(sizes, np.random.default_rng(1))
    weights = [a for a in arrays if a.ndim == 2]
    deltas = [0.1] * (len(sizes) - 2) + [1e-4]
    for W, delta in zip(weights, deltas, strict=True):
        std = delta * np.sqrt(2 / W.shape[1])
        np.testing.assert_allclose(W.std(), std, rtol=4 / np.sqrt(2 * W.size))
        assert abs(W.mean()) < 4 * std / np.sqrt(W.size)
    others = [a for a in arrays if a.ndim == 1]
    assert all((shift == 0).all() for shift in [*others[1::2], others[-1]])
    assert all((gain == 1).all() for gain in others[:-1:2])


def test_the_first_prediction_is_nearly_uniform() -> None:
    X = shaped(0, 200, 7).float()
    p = torch.softmax(network((7, 64, 64, 5)).logits(X), dim=1)
    assert (p - 0.2).abs().max() < 1e-3


def test_it_is_the_formula() -> None:
    net = network((3, 20, 30, 4)).frozen_copy()
    for at, size in enumerate((20, 30)):
        net.means[at], net.variances[at] = shaped(at, size), shaped(at + 9, size).square() + 0.1
    net.parts[2].copy_(shaped(3, 20))  # shifts other than the initial ones
    net.parts[4].copy_(shaped(4, 30))
    X = shaped(5, 17, 3)
    for averages, used in (("left", False), ("used", True)):
        found = net.logits(X, averages).numpy()  # type: ignore[arg-type]
        np.testing.assert_allclose(found, by_hand(net, X.numpy(), used), rtol=0, atol=1e-13)


def test_without_normalisation_it_is_linear_maps_and_relu() -> None:
    net = network((3, 6, 2), normalised=False).frozen_copy()
    net.parts[1].copy_(shaped(1, 6))
    W, b, V, c = (p.numpy() for p in net.parts)
    X = shaped(2, 5, 3)
    expected = np.maximum(X.numpy() @ W.T + b, 0) @ V.T + c
    np.testing.assert_allclose(net.logits(X).numpy(), expected, rtol=0, atol=1e-14)
    assert net.state() == {}


def test_averages_change_only_when_told() -> None:
    net, X = network((4, 10, 8, 3)), shaped(1, 30, 4).float()
    before = {name: tensor.clone() for name, tensor in net.state().items()}
    net.logits(X)
    net.logits(X, "used")
    assert all(torch.equal(before[name], tensor) for name, tensor in net.state().items())
    net.logits(X, "moved")
    H = X @ net.parts[0].detach().T
    for name, now in (("mean0", H.mean(dim=0)), ("variance0", H.var(dim=0))):
        expected = (1 - MOMENTUM) * before[name] + MOMENTUM * now
        torch.testing.assert_close(net.state()[name], expected, rtol=1e-5, atol=1e-7)


def test_a_prediction_depends_neither_on_other_points_nor_on_later_training() -> None:
    net, X = network((4, 50, 50, 3)), shaped(1, 300, 4)
    net.logits(X.float(), "moved")
    frozen = net.frozen_copy()
    whole = frozen.probabilities(X)
    one_by_one = torch.cat([frozen.probabilities(x) for x in X.split(1)])
    torch.testing.assert_close(whole, one_by_one, rtol=0, atol=1e-13)
    with torch.no_grad():
        for part in net.parts:
            part += 1
    net.logits(X.float(), "moved")
    assert torch.equal(frozen.probabilities(X), whole)


def test_all_parameters_lie_in_one_tensor() -> None:
    theta, parts = flat_parameters([np.ones((2, 3)), np.arange(4.0)], CPU)
    assert [tuple(p.shape) for p in parts] == [(2, 3), (4,)] and theta.dtype == torch.float32
    theta += 1
    assert (parts[0] == 2).all() and torch.equal(parts[1].detach(), torch.arange(4) + 1.0)
    assert all(p.is_leaf and p.requires_grad for p in parts)


@pytest.mark.parametrize("sizes", [(3, 20, 30, 4), (3, 4)])
@pytest.mark.parametrize("normalised", [True, False])
def test_a_frozen_copy_takes_points_that_are_not_centred(
    sizes: tuple[int, ...], normalised: bool
) -> None:
    net, X = network(sizes, normalised=normalised), shaped(3, 50, 3)
    net.logits(X.float(), "moved")
    centre = torch.tensor([1e4, -300.0, 0.0], dtype=torch.float64)
    here, there = net.frozen_copy(), net.frozen_copy(centre)
    expected = here.logits(X, "used")
    torch.testing.assert_close(there.logits(X + centre, "used"), expected, rtol=1e-9, atol=1e-9)
