"""SEDC: the three terms by hand, the two divergences, and the promises of its attributes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from scipy.special import log_softmax, rel_entr, softmax

from sslviz import clustering_accuracy, data
from sslviz.clustering.sedc import SEDC, HubObjective, batch_sizes
from sslviz.memo import Memo
from sslviz.training.batches import EPOCH_ITERATIONS
from sslviz.training.loop import TrainingRun
from sslviz.training.vat import divergence, knn_radius

SMALL: dict[str, Any] = {"n_hubs": 40, "hidden": (32, 32), "random_state": 0}


@pytest.fixture(scope="module")
def blobs() -> data.Dataset:
    return data.load("four_clusters", n_samples=300, outliers=0, random_state=1)


def objective(model: SEDC, X: np.ndarray, iterations: int = 60) -> HubObjective:
    run = model.training(X)
    run.advance(iterations)
    assert isinstance(run.objective, HubObjective)
    return run.objective


@pytest.mark.parametrize("kl", ["pq", "qp"])
def test_hub_and_entropy_terms_by_hand(kl: str, blobs: data.Dataset) -> None:
    found = objective(SEDC(4, kl=kl, **SMALL), blobs.X)
    hubs, others = found._sampler.batch(found.seed, 60)
    rest = np.setdiff1d(np.arange(300), found.hubs)
    points = np.concatenate([found.hubs[hubs.numpy()], rest[others.numpy()]])
    net = found.predictor()
    logits = net.logits(torch.as_tensor(blobs.X[points])).numpy()  # by the batch, in float64
    p = softmax(logits, axis=1)
    q = found.Q[hubs.numpy()]
    own = p[: len(q)]
    expected = rel_entr(own, q) if kl == "pq" else rel_entr(q, own)
    _, agreement, entropy = (term.item() for term in found.terms(60))
    np.testing.assert_allclose(agreement, expected.sum(axis=1).mean(), rtol=1e-4)
    by_hand = -(p * log_softmax(logits, axis=1)).sum(axis=1).mean()
    np.testing.assert_allclose(entropy, by_hand, rtol=1e-4, atol=1e-7)
    assert (len(hubs), len(others)) == (4, 3)


def test_the_first_term_is_vat_at_perturbations_of_the_radius(blobs: data.Dataset) -> None:
    models = (SEDC(4, alpha=alpha, **SMALL) for alpha in (0.1, 1))
    small, large = (objective(model, blobs.X, 1).terms(1)[0].item() for model in models)
    assert 0 <= small < large
    radii = objective(SEDC(4, **SMALL), blobs.X, 0)._eps[:, 0].numpy()
    np.testing.assert_allclose(radii, 0.4 * knn_radius(blobs.X), rtol=1e-6)


def test_a_confident_mistake_has_no_gradient_under_the_printed_divergence_only() -> None:
    """At one-hot p the gradient of KL[p ‖ q] by the logits vanishes; that of KL[q ‖ p] is p − q."""
    q = torch.as_tensor([[0.05, 0.9, 0.05]], dtype=torch.float64)
    logits = torch.as_tensor([[60.0, 0, 0]], dtype=torch.float64).requires_grad_()
    log_p = torch.log_softmax(logits, dim=1)
    (printed,) = torch.autograd.grad(divergence(log_p, q.log()).sum(), logits, retain_graph=True)
    (flipped,) = torch.autograd.grad(divergence(q.log(), log_p).sum(), logits)
    assert printed.abs().max() < 1e-20
    torch.testing.assert_close(flipped, log_p.exp().detach() - q, rtol=0, atol=1e-12)


def test_batches_are_a_tenth_of_the_hubs_and_a_hundredth_of_the_others() -> None:
    assert batch_sizes(500, 9500) == (50, 95) and batch_sizes(500, 1500) == (50, 15)
    assert batch_sizes(2, 0) == (2, 0)  # no other points: two hubs, to normalise by
    assert batch_sizes(1, 5) == batch_sizes(3, 1) == (1, 1)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("n", [2, 3, 11])
def test_a_few_points_suffice(n: int) -> None:
    X = np.random.default_rng(n).normal(size=(n, 3))
    model = SEDC(2, epochs=1, hidden=(8,), random_state=0).fit(X)
    assert np.isfinite(model.losses_).all() and np.isfinite(model.predict_proba(X)).all()


def test_equal_points_and_certain_hubs_give_finite_losses() -> None:
    X = np.repeat(np.eye(3), 20, axis=0)
    hubs, Q = np.arange(0, 60, 2), np.repeat(np.eye(3), 10, axis=0)
    options: dict[str, Any] = {"lam1": 1.0, "lam2": 1.0, "xi": 0.1, "kl": "pq", "seed": 0}
    found = HubObjective(X, hubs, Q, 0.4 * knn_radius(X), sizes=(3, 8, 3), device="cpu", **options)
    run = TrainingRun(found, X)
    run.advance(100)
    assert np.isfinite(run.losses).all()  # of impossible clusters too
    assert (run.losses[:, 0] == 0).all()  # all radii are 0


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_it_finds_moons_and_predicts_new_points() -> None:
    d = data.load("two_moons", n_samples=600, outliers=0, random_state=3)
    model = SEDC(2, n_hubs=150, hidden=(64, 64), epochs=6, random_state=0).fit(d.X)
    assert clustering_accuracy(d.y, model.labels_) > 0.98
    np.testing.assert_array_equal(model.predict(d.X), model.labels_)
    new = data.load("two_moons", n_samples=200, outliers=0, random_state=4)
    assert clustering_accuracy(new.y, model.predict(new.X)) > 0.97
    assert model.losses_.shape == (6, 3) and model.losses_[-1, 2] < model.losses_[0, 2]
    assert model.hub_distributions_.shape == (150, 2) and len(set(model.hubs_)) == 150


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_digits_are_learnt_from_their_hubs(real: Callable[..., data.Dataset]) -> None:
    d = real("usps", n_samples=600, random_state=0)
    X = d.X / np.abs(d.X).max()
    model = SEDC(10, n_hubs=200, hidden=(64, 64), epochs=3, random_state=0).fit(X)
    assert clustering_accuracy(d.y, model.labels_) > 0.45  # .1 is chance, .55 usual at this size


def test_another_weight_keeps_the_stages_before_training(blobs: data.Dataset) -> None:
    memo = Memo()
    for lam1 in (1.0, 0.5):
        with memo.watch() as stages:
            SEDC(4, lam1=lam1, epochs=1, memory=memo, **SMALL).fit(blobs.X)
    trained = [stage.reused for stage in stages if stage.name == "train_sedc"]
    assert trained == [False] and len(stages) > 3
    assert all(stage.reused for stage in stages if stage.name != "train_sedc")
    with memo.watch() as stages:
        SEDC(4, lam1=1.0, epochs=1, memory=memo, **SMALL).fit(blobs.X)
    assert all(stage.reused for stage in stages)


WRONG = [
    *({"hidden": value} for value in ((), (8, 0), (8, 2.5), "large", [8, 8], (True,))),
    *({"epochs": value} for value in (0, 2.0)),
    *({"xi": 0}, {"alpha": -1}, {"kl": "jensen"}, {"lam1": -1}),
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_impossible_parameters_are_refused_by_name(wrong: dict, blobs: data.Dataset) -> None:
    (name,) = wrong
    with pytest.raises(ValueError, match=f"SEDC: {name}=.* is not (a whole number )?in "):
        SEDC(**{"n_clusters": 4, **SMALL, **wrong}).fit(blobs.X)


def test_the_network_is_small_in_the_plane_and_as_printed_for_images() -> None:
    rng = np.random.default_rng(0)
    for D, hidden in ((2, (128, 128)), (64, (1200, 1200))):
        run = SEDC(2, n_hubs=20, random_state=0).training(rng.normal(size=(40, D)))
        assert run.objective.network.sizes == (D, *hidden, 2)  # type: ignore[attr-defined]
        assert run.iteration == 0 and EPOCH_ITERATIONS == 100
