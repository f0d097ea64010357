"""DEC: kernel, target and autoencoder by hand, and a set that it must solve."""

from typing import Any

import numpy as np
import torch
from clustering.oracles import three_blobs
from scipy.special import rel_entr

from sslviz import clustering_accuracy
from sslviz.clustering.dec import (
    DEC,
    ClusterObjective,
    CodeClusters,
    ReconstructionObjective,
    target_distribution,
    train_autoencoder,
)
from sslviz.training.batches import EPOCH_ITERATIONS


def test_the_kernel_and_the_target_by_hand() -> None:
    rng = np.random.default_rng(0)
    X, centres = rng.normal(size=(40, 3)), rng.normal(size=(5, 2))
    Z, *encoder = train_autoencoder(X, sizes=(3, 8, 2), epochs=0, seed=0, device="cpu")
    shared: dict[str, Any] = {"sizes": (3, 8, 2), "tol": 0.0, "seed": 0, "device": "cpu"}
    objective = ClusterObjective(X, tuple(encoder), centres, **shared)
    q = 1 / (1 + ((Z[:, None] - centres) ** 2).sum(axis=2))
    q /= q.sum(axis=1, keepdims=True)
    p = q**2 / q.sum(axis=0)
    p /= p.sum(axis=1, keepdims=True)
    found = objective.predictor().probabilities(torch.tensor(X)).numpy()
    np.testing.assert_allclose(found, q, rtol=1e-5)
    np.testing.assert_allclose(target_distribution(torch.tensor(q)).numpy(), p, rtol=1e-12)
    np.testing.assert_allclose(  # 40 points are one batch
        objective.terms(0)[0].item(), rel_entr(p, q).sum(axis=1).mean(), rtol=1e-4
    )
    assert (p.argmax(axis=1) == (q / np.sqrt(q.sum(axis=0))).argmax(axis=1)).all()


def test_the_gradients_are_those_the_paper_prints() -> None:
    rng = np.random.default_rng(2)
    X, centres = rng.normal(size=(30, 3)), rng.normal(size=(4, 2))
    Z, *encoder = train_autoencoder(X, sizes=(3, 8, 2), epochs=0, seed=0, device="cpu")
    objective = ClusterObjective(
        X, tuple(encoder), centres, sizes=(3, 8, 2), tol=0.0, seed=0, device="cpu"
    )
    found = objective.gradient(objective.terms(0)).numpy()
    away = Z[:, None] - centres  # (n, C, d)
    kernel = 1 / (1 + (away**2).sum(axis=2))
    q = kernel / kernel.sum(axis=1, keepdims=True)
    p = q**2 / q.sum(axis=0)
    p /= p.sum(axis=1, keepdims=True)
    pulls = 2 * (kernel * (p - q))[:, :, None] * away / len(X)  # Eq. 4 and 5, mean over points
    codes, means = pulls.sum(axis=1), -pulls.sum(axis=0)
    np.testing.assert_allclose(found[-8:], means.ravel(), atol=1e-6 * np.abs(means).max() + 1e-8)
    bias = found[-10:-8]  # of the codes
    np.testing.assert_allclose(bias, codes.sum(axis=0), atol=1e-7)


def test_uniform_and_one_hot_rows_are_their_own_targets() -> None:
    for Q in (torch.full((6, 3), 1 / 3), torch.eye(3).repeat(2, 1)):
        torch.testing.assert_close(target_distribution(Q), Q)


def test_the_autoencoder_learns_to_reconstruct() -> None:
    rng, errors = np.random.default_rng(1), []
    X = rng.normal(size=(200, 2)) @ rng.normal(size=(2, 8))  # a plane in 8 dimensions
    for epochs in (0, 5):
        Z, *encoder = train_autoencoder(X, sizes=(8, 32, 2), epochs=epochs, seed=1, device="cpu")
        assert Z.shape == (200, 2)
        assert [a.shape for a in encoder] == [(32, 8), (32,), (2, 32), (2,)]
        linear = np.c_[Z, np.ones(200)]
        fit = np.linalg.lstsq(linear, X, rcond=None)[0]
        errors.append(np.square(linear @ fit - X).sum() / np.square(X).sum())
    assert errors[1] < min(0.2, errors[0])
    one = ReconstructionObjective(X, sizes=(8, 32, 2), seed=0, device="cpu").predictor()
    assert isinstance(one, CodeClusters) and (one.probabilities(torch.tensor(X)) == 1).all()


def test_it_finds_blobs_and_stops_when_no_label_changes() -> None:
    X, y = three_blobs()
    model = DEC(3, hidden=(16,), n_codes=2, epochs=10, random_state=0).fit(X)
    assert clustering_accuracy(y, model.labels_) > 0.99
    assert 2 <= len(model.losses_) < 10
    assert model.codes_.shape == (300, 2) and model.centres_.shape == (3, 2)
    D = np.square(model.codes_[:, None] - model.centres_).sum(axis=2)
    np.testing.assert_array_equal(D.argmin(axis=1), model.labels_)
    steps = list(model.steps(X))
    assert len(steps) == len(model.losses_) and steps[-1].run.objective.converged


def test_the_target_is_computed_anew_every_epoch() -> None:
    run = DEC(3, hidden=(16,), n_codes=2, epochs=1, random_state=0).training(three_blobs()[0])
    seen = []
    for iterations in (1, EPOCH_ITERATIONS - 1, 1):
        run.advance(iterations)
        seen.append(run.state()["target"])
    assert np.array_equal(seen[0], seen[1]) and not np.array_equal(seen[1], seen[2])
