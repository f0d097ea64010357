"""The training loop: every way through a run gives the same bits, and nothing else is touched."""

import io
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import torch
from clustering.oracles import three_blobs
from sklearn.base import is_classifier

from sslviz import (
    DEC,
    IMSAT,
    SEDC,
    CatGAN,
    ConvNet,
    LadderNetwork,
    SpectralNet,
    VaDE,
    VATClassifier,
    abilities,
    clustering_accuracy,
    data,
)
from sslviz.training.batches import EPOCH_ITERATIONS, BatchSampler
from sslviz.training.loop import TrainingRun
from sslviz.training.objective import Objective

MODELS = [
    SEDC(3, n_hubs=30, hidden=(16, 8), epochs=2, random_state=5),
    IMSAT(3, hidden=(16, 16), epochs=2, random_state=5),
    DEC(3, n_codes=2, hidden=(16,), epochs=2, tol=0, random_state=5),
    SpectralNet(3, batch_size=80, hidden=(16,), epochs=2, random_state=5),
    VaDE(3, n_codes=2, hidden=(16,), pretraining_epochs=1, epochs=2, random_state=5),
    CatGAN(4, n_noise=2, hidden=(16,), epochs=2, random_state=5),
    LadderNetwork(hidden=(16, 8), batch_size=8, epochs=2, random_state=5),
    LadderNetwork(hidden=(9,), weights=(0, 0, 0), batch_size=8, epochs=2, random_state=5),
    VATClassifier(hidden=(16, 8), batch_size=8, epochs=2, random_state=5),
    VATClassifier(hidden=(9,), perturbation="random", batch_size=8, epochs=2, random_state=5),
    ConvNet(layout="usps", epochs=2, random_state=5),
]
every_model = pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
SHORT = 20  # iterations of an epoch here, so that a run has several
Y = np.where(np.arange(150) % 3 < 2, np.arange(150) % 4, -1)  # four classes, whatever the points
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def X() -> np.ndarray:
    return data.load("three_rings", n_samples=150, random_state=0).X


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sslviz.training.batches.EPOCH_ITERATIONS", SHORT)


def begin(model: Any, X: np.ndarray) -> TrainingRun:
    return model.training(X, *([Y] if is_classifier(model) or isinstance(model, CatGAN) else []))


def found(model: Any) -> np.ndarray:
    return model.transduction_ if is_classifier(model) else model.labels_


def same(a: Mapping[str, Any], b: Mapping[str, Any], *but: str) -> bool:
    assert a.keys() == b.keys()
    return all(np.array_equal(a[name], b[name]) for name in a if name not in but)


@every_model
@pytest.mark.usefixtures("short")
def test_a_restored_run_continues_as_if_it_had_never_stopped(model: Any, X: np.ndarray) -> None:
    whole, left = begin(model, X), begin(model, X)
    whole.advance(26)
    left.advance(26)
    file = io.BytesIO()
    np.savez(file, **left.state())
    file.seek(0)
    seed = 5 if isinstance(model, SpectralNet) else 6  # its batches are drawn before the run
    again = begin(model.set_params(random_state=seed), X)
    model.set_params(random_state=5)
    again.restore(dict(np.load(file, allow_pickle=False)))
    assert same(whole.advance(18), again.advance(18))
    assert same(whole.state(), again.state())
    np.testing.assert_array_equal(whole.probabilities(X), again.probabilities(X))


@every_model
@pytest.mark.usefixtures("short")
def test_slices_add_up_to_the_whole(model: Any, X: np.ndarray) -> None:
    whole, sliced = begin(model, X), begin(model, X)
    mean = whole.advance(44)
    parts = [(n, sliced.advance(n)) for n in (1, 14, 29)]
    assert same(whole.state(), sliced.state(), "sums")
    np.testing.assert_allclose(whole.losses, sliced.losses, rtol=1e-12)
    epochs = -(-44 // whole.per_epoch)  # the last is incomplete
    assert whole.losses.shape == (epochs, len(whole.objective.names))
    for name in mean:
        np.testing.assert_allclose(
            mean[name], sum(n * part[name] for n, part in parts) / 44, rtol=1e-9
        )


@every_model
@pytest.mark.usefixtures("short")
def test_the_same_seed_gives_the_same_bits_and_global_generators_are_left_alone(
    model: Any, X: np.ndarray
) -> None:
    before = np.random.get_state(legacy=False), torch.get_rng_state()  # noqa: NPY002
    first = model.fit(X, Y)
    losses, labels = first.losses_, found(first)
    np.testing.assert_equal(np.random.get_state(legacy=False), before[0])  # noqa: NPY002
    assert torch.equal(torch.get_rng_state(), before[1])
    np.random.seed(1)  # noqa: NPY002
    torch.manual_seed(1)
    again = model.fit(X, Y)
    assert np.array_equal(again.losses_, losses) and np.array_equal(found(again), labels)
    other = begin(model, X)
    other.objective.seed = 77
    other.advance(SHORT)
    run = begin(model, X)
    run.advance(SHORT)
    assert not np.array_equal(other.losses, run.losses)


@every_model
@pytest.mark.usefixtures("short")
def test_a_run_left_at_any_iteration_can_be_settled(model: Any, X: np.ndarray) -> None:
    run = begin(model, X)
    run.advance(7)
    model.settle(run)
    assert model.losses_.shape == (-(-7 // run.per_epoch), len(run.objective.names))
    free = Y < 0 if is_classifier(model) else slice(None)  # given labels are kept
    np.testing.assert_array_equal(model.predict(X)[free], found(model)[free])
    np.testing.assert_array_equal(model.predict_proba(X), run.probabilities(X))
    kept = model.predict_proba(X)
    run.advance(10)  # the fitted estimator does not follow
    np.testing.assert_array_equal(model.predict_proba(X), kept)
    np.testing.assert_allclose(kept.sum(axis=1), 1, rtol=1e-12)


@every_model
@pytest.mark.usefixtures("short")
def test_steps_since_a_state_are_the_remaining_epochs(model: Any, X: np.ndarray) -> None:
    records = list(model.steps(X, Y))
    losses = model.losses_
    assert [record.iteration for record in records] == [1, 2]
    assert [list(record.terms.values()) for record in records] == losses.tolist()
    weights = records[0].run.objective.weights
    np.testing.assert_allclose([r.objective for r in records], losses @ weights, rtol=1e-12)
    run = begin(model, X)
    run.advance(run.per_epoch)
    rest = list(model.steps(X, Y, since=run.state()))
    assert [record.iteration for record in rest] == [2]
    assert np.array_equal(model.losses_, losses)
    assert np.array_equal(model.fit(X, Y).losses_, losses)


def test_a_state_of_another_run_is_refused(X: np.ndarray) -> None:
    state = MODELS[0].training(X).state()
    with pytest.raises(ValueError, match="is not one of this training"):
        MODELS[1].training(X).restore(state)


@pytest.mark.parametrize("model", MODELS[:3], ids=lambda m: type(m).__name__)
def test_the_place_of_the_origin_does_not_matter(model: Any) -> None:
    X, y = three_blobs()
    far = np.column_stack([X + 1e3, np.full(len(X), 2020.0)])
    options = {"epochs": 4, "hidden": (16,)} | ({"n_hubs": 60} if hasattr(model, "n_hubs") else {})
    found = type(model)(3, random_state=0, **options).fit(far)
    assert clustering_accuracy(y, found.labels_) > 0.95
    np.testing.assert_array_equal(found.predict(far), found.labels_)


def test_methods_state_what_their_training_offers(X: np.ndarray) -> None:
    for model in MODELS:
        assert isinstance(model, abilities.Trains)
        assert isinstance(model, abilities.Pretrains) == isinstance(model, (DEC, VaDE))
        assert isinstance(model, abilities.Perturbs) == isinstance(
            model, (SEDC, IMSAT, VATClassifier)
        )
        assert isinstance(model, abilities.HubBased) == isinstance(model, SEDC)
        if isinstance(model, abilities.Perturbs):
            assert model.perturbation_radii(X).shape == (150,)


class Bowl(Objective):
    """A deterministic objective: ½ Σ a_i x_i², minimised at 0."""

    names: tuple[str, ...] = ("height",)
    weights: tuple[float, ...] = (1.0,)
    seed, converged = 0, False

    def __init__(self) -> None:
        self.theta = torch.linspace(-1, 1, 6)
        self.parts = [part.detach().requires_grad_() for part in self.theta.split([2, 4])]
        self.a = torch.linspace(0.1, 10, 6)

    def rate(self, iteration: int) -> float:
        return 0.01

    def terms(self, iteration: int) -> tuple[torch.Tensor, ...]:
        return (0.5 * (self.a * torch.cat(self.parts).square()).sum(),)

    def predictor(self) -> Any:
        raise NotImplementedError


def test_the_optimiser_is_torchs_adam() -> None:
    bowl = Bowl()
    peer = torch.linspace(-1, 1, 6).requires_grad_()
    adam = torch.optim.Adam([peer], lr=0.01)
    TrainingRun(bowl, np.zeros((1, 1))).advance(150)
    for _ in range(150):
        adam.zero_grad()
        (0.5 * (bowl.a * peer.square()).sum()).backward()
        adam.step()
    torch.testing.assert_close(bowl.theta, peer.detach(), rtol=0, atol=1e-7)


def test_batches_go_through_a_pool_before_they_repeat_in_any_order_of_calls() -> None:
    sampler = BatchSampler((40, 300), (10, 3), CPU)
    batches = [sampler.batch(3, i) for i in range(EPOCH_ITERATIONS)]
    for i in range(0, EPOCH_ITERATIONS, 4):
        seen = torch.cat([batches[j][0] for j in range(i, i + 4)])
        assert sorted(seen.tolist()) == list(range(40))
    assert sorted(torch.cat([b[1] for b in batches]).tolist()) == list(range(300))
    assert not torch.equal(sampler.batch(3, EPOCH_ITERATIONS)[1], batches[0][1])  # a new order
    assert not torch.equal(sampler.batch(4, 0)[1], batches[0][1])
    assert torch.equal(sampler.batch(3, 57)[0], batches[57][0])


def test_uniform_numbers_fill_the_interval_and_differ_between_iterations() -> None:
    sampler = BatchSampler((1,), (1,), CPU)
    u = sampler.uniforms(0, 3, (4000,))
    np.testing.assert_allclose(
        np.quantile(u.numpy(), [0, 0.25, 0.5, 1]), [0, 0.25, 0.5, 1], atol=0.03
    )
    assert float(u.max()) < 1 and torch.equal(u, sampler.uniforms(0, 3, (4000,)))
    assert not torch.equal(u, sampler.uniforms(0, 4, (4000,)))


def test_directions_are_normal_and_differ_between_iterations() -> None:
    sampler = BatchSampler((1,), (1,), CPU)
    d = torch.stack([sampler.directions(0, i, (500, 4)) for i in range(10)])
    assert abs(float(d.mean())) < 0.03 and abs(float(d.std()) - 1) < 0.03
    across = np.corrcoef(d.reshape(10, -1).numpy())
    assert np.abs(across - np.eye(10)).max() < 0.1
    assert torch.equal(d[3], sampler.directions(0, 3, (500, 4)))
