"""The Ladder network: its costs by hand, its schedule, its prediction, and what it learns."""

from typing import Any

import numpy as np
import pytest
import torch
from scipy.special import expit, softmax

from sslviz import LadderNetwork, data, labels
from sslviz.network.ladder_network import LadderObjective
from sslviz.network.stages.ladder import EPS, Ladder, ladder_weights, layer_costs

SIZES = (5, 7, 4, 3)


def ladder(seed: int = 0, sizes: tuple[int, ...] = SIZES, spread: float = 0.5) -> Ladder:
    """In float64, every parameter away from its first value."""
    rng = np.random.default_rng(seed)
    arrays = [a + spread * rng.normal(size=a.shape) for a in ladder_weights(sizes, rng)]
    return Ladder(sizes, [torch.as_tensor(a).requires_grad_() for a in arrays])


def noise(seed: int, rows: int, scale: float = 0.3) -> list[torch.Tensor]:
    rng = np.random.default_rng(seed)
    return [torch.as_tensor(scale * rng.normal(size=(rows, size))) for size in SIZES]


def points(seed: int, rows: int) -> torch.Tensor:
    return torch.as_tensor(np.random.default_rng(seed).normal(size=(rows, SIZES[0])))


def costs(net: Ladder, X: torch.Tensor, added: list[torch.Tensor]) -> list[torch.Tensor]:
    noisy, logits = net.encode(X, added)
    return layer_costs(net.encode(X)[0], net.decode(noisy, logits))


def normal(v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    m, s = v.mean(axis=0), np.sqrt(v.var(axis=0) + EPS)
    return (v - m) / s, m, s


def by_hand(parts: list[np.ndarray], X: np.ndarray, added: list[np.ndarray]) -> list[float]:
    """The costs of the module's docstring, step by step in NumPy."""
    L = len(SIZES) - 1
    W, beta, gain = parts[0 : 2 * L : 2], parts[1 : 2 * L : 2], parts[2 * L]
    rest = parts[2 * L + 1 :]
    V, a = rest[0 : 2 * L : 2], [*rest[1 : 2 * L : 2], rest[-1]]
    clean, means, stds, h = [X], [np.zeros(1)], [np.ones(1)], X
    for at in range(L):
        z, m, s = normal(h @ W[at].T)
        clean, means, stds = [*clean, z], [*means, m], [*stds, s]
        h = np.maximum(z + beta[at], 0)
    noisy, h = [X + added[0]], X + added[0]
    for at in range(L):
        noisy.append(normal(h @ W[at].T)[0] + added[at + 1])
        h = np.maximum(noisy[-1] + beta[at], 0)
    u, found = softmax(gain * (noisy[-1] + beta[-1]), axis=1), []
    for at in reversed(range(L + 1)):
        u = normal(u)[0]
        mu = a[at][0] * expit(a[at][1] * u + a[at][2]) + a[at][3] * u + a[at][4]
        v = a[at][5] * expit(a[at][6] * u + a[at][7]) + a[at][8] * u + a[at][9]
        z_hat = (noisy[at] - mu) * v + mu
        found.append(np.square((z_hat - means[at]) / stds[at] - clean[at]).mean())
        if at:
            u = z_hat @ V[at - 1].T
    return found[::-1]


def test_the_costs_are_those_of_the_formula() -> None:
    net, X, added = ladder(), points(1, 40), noise(2, 40)
    parts = [part.detach().numpy() for part in net.parts]
    expected = by_hand(parts, X.numpy(), [n.numpy() for n in added])
    found = [float(cost.detach()) for cost in costs(net, X, added)]
    np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_without_noise_a_decoder_that_copies_has_no_cost_at_the_input() -> None:
    net, X = ladder(), points(3, 30)
    with torch.no_grad():
        for a in net.links:
            a.zero_()
            a[9] = 1.0  # v = 1, μ = 0
    found = [float(c.detach()) for c in costs(net, X, noise(0, 30, scale=0.0))]
    assert found[0] == 0 and found[1] > 0, "layers inside are divided by s once more"


def test_gradients_are_those_of_finite_differences() -> None:
    net, X, added = ladder(4), points(5, 20), noise(6, 20)

    def loss() -> torch.Tensor:
        weighted = zip((10.0, 1.0, 0.1, 0.1), costs(net, X, added), strict=True)
        return torch.stack([w * c for w, c in weighted]).sum()

    gradients = torch.autograd.grad(loss(), net.parts)
    rng = np.random.default_rng(0)
    for part, gradient in zip(net.parts, gradients, strict=True):
        d = torch.as_tensor(rng.normal(size=tuple(part.shape)))
        step, values = 1e-6, []
        for sign in (1, -1):
            with torch.no_grad():
                part += sign * step * d
                values.append(float(loss()))
                part -= sign * step * d
        slope = (values[0] - values[1]) / (2 * step)
        np.testing.assert_allclose(slope, float((gradient * d).sum()), rtol=1e-4, atol=1e-5)


def objective(X: np.ndarray, target: np.ndarray, **changes: Any) -> LadderObjective:
    usual: dict[str, Any] = dict(
        sizes=(X.shape[1], 12, 8, 3), noise=0.3, weights=(1000.0, 10.0, 0.1), batch_size=20,
        epochs_planned=6, seed=1, device="cpu",
    )  # fmt: skip
    return LadderObjective(X, target, **usual | changes)


@pytest.fixture(scope="module")
def problem() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X, target = rng.normal(size=(90, 6)), np.arange(90) % 3
    return X, np.where(np.arange(90) < 12, target, -1)


def test_labelled_rows_are_normalised_apart_from_unlabelled_ones(problem: tuple) -> None:
    whole, alone = objective(*problem), objective(*problem, weights=(0.0, 0.0, 0.0))
    assert alone.names == ("cross-entropy",) and len(alone.parts) == 2 * 3 + 1, "no decoder"
    for iteration in (0, 7):
        pair = (float(o.terms(iteration)[0].detach()) for o in (whole, alone))
        assert len(set(pair)) == 1, "the same rows, weights and noise"


def test_there_is_an_output_layer_and_only_it_has_a_scale(problem: tuple) -> None:
    net = objective(*problem).ladder
    shapes = [(tuple(W.shape), tuple(shift.shape)) for W, shift in net.encoder]
    assert shapes == [((12, 6), (12,)), ((8, 12), (8,)), ((3, 8), (3,))]
    assert tuple(net.gain.shape) == (3,)
    assert [tuple(a.shape) for a in net.links] == [(10, 6), (10, 12), (10, 8), (10, 3)]
    assert [tuple(V.shape) for V in net.down] == [(6, 12), (12, 8), (8, 3)]


def test_the_rate_falls_to_zero_over_the_last_third(problem: tuple) -> None:
    found = objective(*problem)
    total = 6 * found.per_epoch
    assert found.per_epoch == 5 and total == 30
    np.testing.assert_allclose(
        [found.rate(i) for i in (0, 20, 25, 29, 30)], [0.002, 0.002, 0.001, 0.0002, 0], atol=1e-12
    )


def test_it_predicts_with_the_statistics_of_the_training_points(problem: tuple) -> None:
    found, X = objective(*problem), problem[0]
    h = (X - X.mean(axis=0)) * 0.4 / np.sqrt(X.var(axis=0).mean())
    for at, (W, shift) in enumerate(found.ladder.encoder):
        z = normal(h @ W.detach().double().numpy().T)[0] + shift.detach().numpy()
        h = np.maximum(z, 0) if at < 2 else z * found.ladder.gain.detach().numpy()
    P = found.predictor().probabilities(torch.as_tensor(X)).numpy()
    np.testing.assert_allclose(P, softmax(h, axis=1), atol=1e-5)
    alone = found.predictor().probabilities(torch.as_tensor(X[:1])).numpy()
    np.testing.assert_allclose(alone, P[:1], atol=1e-13)


def test_the_unit_of_the_points_does_not_matter(problem: tuple) -> None:
    X, y = problem
    here, there = (
        LadderNetwork(hidden=(8,), epochs=3, random_state=0).fit(Z, y).label_distributions_
        for Z in (X, 255 * X + 100)
    )
    np.testing.assert_allclose(here, there, atol=1e-2)


def test_pictures_show_points_with_noise_and_rebuilt(problem: tuple) -> None:
    found, X = objective(*problem, noise=0.0), problem[0]
    picture = found.picture()
    np.testing.assert_allclose(picture["clean"], X[picture["points"]], atol=1e-5)
    np.testing.assert_allclose(picture["noisy"], picture["clean"], atol=1e-6)
    middle = np.tile(X.mean(axis=0), (len(picture["points"]), 1))
    np.testing.assert_allclose(picture["rebuilt"], middle, atol=1e-5)  # ẑ = 0 at first
    assert objective(*problem, weights=(0.0, 0.0, 0.0)).picture() == {}


def test_unlabelled_digits_help() -> None:
    d = data.load("digits", n_samples=700)
    y = labels.hide(d.y, per_class=4, random_state=0)
    hidden = y < 0
    shared: dict[str, Any] = dict(hidden=(120, 60), epochs=25, random_state=0)
    whole, alone = (
        LadderNetwork(weights=w, **shared).fit(d.X, y).transduction_
        for w in ((1000, 10, 0.1), (0, 0, 0))
    )
    right = [(found[hidden] == d.y[hidden]).mean() for found in (whole, alone)]
    assert right[0] > 0.85 and right[0] > right[1] + 0.03


@pytest.mark.parametrize("weights", [(1, 2), (1, 2, -1), (1, 2, np.nan), 5, ("a", 1, 1)])
def test_wrong_weights_are_refused(weights: Any, problem: tuple) -> None:
    with pytest.raises(ValueError, match=r"LadderNetwork: weights=.* three numbers"):
        LadderNetwork(weights=weights).fit(*problem)
