"""VaDE: the bound by hand, its closed form for one component, resuming, decoding."""

from typing import Any

import numpy as np
import pytest
import torch
from clustering.oracles import three_blobs
from scipy.special import rel_entr
from sklearn.mixture import GaussianMixture
from torch.distributions import Normal, kl_divergence

from sslviz import VaDE, clustering_accuracy, data
from sslviz.clustering import vade
from sslviz.clustering.stages.mixture_elbo import (
    AutoencoderObjective,
    BoundObjective,
    Components,
    bound_terms,
)

SMALL: dict[str, Any] = {"hidden": (16,), "n_codes": 2, "pretraining_epochs": 8, "epochs": 4}


def drawn_components(C: int, d: int, seed: int = 0) -> Components:
    rng = np.random.default_rng(seed)
    return Components(*(torch.tensor(rng.normal(size=s)) for s in ((C,), (C, d), (C, d))))


def drawn_codes(n: int, d: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    M, log_s2, noise = torch.tensor(np.random.default_rng(1).normal(size=(3, n, d)))
    return M, log_s2, M + (log_s2 / 2).exp() * noise


def test_with_one_component_the_bound_is_the_divergence_of_two_gaussians() -> None:
    components = drawn_components(1, 3)
    M, log_s2, Z = drawn_codes(20, 3)
    codes, clusters = bound_terms(components, M, log_s2, Z)
    prior = Normal(components.means[0], (components.log_variances[0] / 2).exp())
    expected = kl_divergence(Normal(M, (log_s2 / 2).exp()), prior).sum(dim=1)
    torch.testing.assert_close(codes, expected)
    torch.testing.assert_close(clusters, torch.zeros(20, dtype=torch.float64))


def test_the_terms_are_those_of_the_printed_formula() -> None:
    components = drawn_components(4, 3)
    M, log_s2, Z = drawn_codes(20, 3)
    pi, mu, var = (
        np.exp(components.log_weights.numpy()),
        components.means.numpy(),
        np.exp(components.log_variances.numpy()),
    )
    pi /= pi.sum()
    m, s2, z = M.numpy(), np.exp(log_s2.numpy()), Z.numpy()
    density = pi * np.exp(-((z[:, None] - mu) ** 2 / var + np.log(var)).sum(axis=2) / 2)
    gamma = density / density.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(gamma.sum(axis=1), 1)
    inner = (np.log(var) + (s2[:, None] + (m[:, None] - mu) ** 2) / var).sum(axis=2)
    printed = (gamma * inner).sum(axis=1) / 2 - (1 + np.log(s2)).sum(axis=1) / 2
    codes, clusters = (t.numpy() for t in bound_terms(components, M, log_s2, Z))
    np.testing.assert_allclose(codes, printed, rtol=1e-10)
    np.testing.assert_allclose(clusters, rel_entr(gamma, pi).sum(axis=1), rtol=1e-10)
    assert (codes >= 0).all() and (clusters >= 0).all()


def test_the_reconstruction_is_the_likelihood_that_was_asked_for() -> None:
    rng = np.random.default_rng(2)
    X = rng.random((40, 6))
    shared: dict[str, Any] = {
        "sizes": (6, 8, 2), "n_codes": 2, "precision": 10.0, "seed": 0, "device": "cpu",
    }  # fmt: skip
    for likelihood in ("bernoulli", "squares"):
        objective = AutoencoderObjective(X, likelihood=likelihood, **shared)
        found = objective.predictor()
        inside = np.asarray(found.scaling(torch.tensor(X)))
        output = found.decoder.logits(found.codes(torch.tensor(X))).numpy()
        if likelihood == "bernoulli":
            p = 1 / (1 + np.exp(-output))
            errors = -(inside * np.log(p) + (1 - inside) * np.log(1 - p))
            np.testing.assert_allclose(inside, X / X.max())
        else:
            errors = 10 * (inside - output) ** 2
            np.testing.assert_allclose(inside.std(axis=0), 1)
        (term,) = objective.terms(0)  # 40 points are one batch
        assert term.item() == pytest.approx(errors.sum(axis=1).mean(), rel=1e-4)


def test_codes_start_nearly_without_noise_and_the_rate_falls() -> None:
    run = VaDE(3, **SMALL, random_state=0).training(three_blobs()[0])
    objective = run.objective
    assert isinstance(objective, BoundObjective)
    with torch.no_grad():
        start = objective.encoder.logits(objective._X)[:, 2:]
    torch.testing.assert_close(start, torch.full_like(start, -4.0), atol=1e-6, rtol=0)
    assert objective.per_epoch == 10
    assert [objective.rate(i) for i in (0, 99, 100)] == [0.002, 0.002, 0.9 * 0.002]


@pytest.mark.parametrize("compared", [5000, 300])
def test_the_first_mixture_is_as_likely_as_that_of_the_true_clusters(
    compared: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vade, "POINTS_COMPARED", compared)
    d = data.load("four_clusters", n_samples=600, random_state=3)
    log_weights, means, log_variances = vade.initial_components(d.X, n_clusters=4, seed=0)
    assert (np.diff(log_weights) <= 0).all() and np.exp(log_weights).sum() == pytest.approx(1)
    found = Components(*map(torch.tensor, (log_weights, means, log_variances)))
    likelihood = found.log_joint(torch.tensor(d.X)).logsumexp(dim=1).mean().item() - np.log(
        2 * np.pi
    )
    true = [d.X[d.y == c] for c in range(4)]
    mixture = GaussianMixture(
        4,
        covariance_type="diag",
        weights_init=[len(part) / 600 for part in true],
        means_init=[part.mean(axis=0) for part in true],
        precisions_init=[1 / part.var(axis=0) for part in true],
    ).fit(d.X)
    assert likelihood >= mixture.score(d.X) - 1e-3
    for same in vade.initial_components(np.ones((20, 3)), n_clusters=2, seed=0):
        assert np.isfinite(same).all()


def test_blobs_are_found_and_the_bound_rises() -> None:
    X, y = three_blobs()
    model = VaDE(3, **SMALL | {"epochs": 20}, random_state=0).fit(X)
    assert clustering_accuracy(y, model.labels_) > 0.99
    assert model.losses_.shape == (20, 3) and (model.losses_ >= 0).all()
    assert model.losses_[-5:].sum() < model.losses_[:5].sum()
    P = model.predict_proba(X)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    np.testing.assert_array_equal(P.argmax(axis=1), model.labels_)
    assert model.codes_.shape == (300, 2) and model.centres_.shape == (3, 2)
    assert model.weights_.sum() == pytest.approx(1) and (model.variances_ > 0).all()
    same = VaDE(3, **SMALL | {"epochs": 20}, random_state=0).fit(X)
    np.testing.assert_array_equal(model.labels_, same.labels_)


def test_centres_decode_to_points_of_their_clusters() -> None:
    X, _ = three_blobs()
    model = VaDE(3, **SMALL | {"epochs": 20}, random_state=0).fit(X)
    means = np.stack([X[model.labels_ == c].mean(axis=0) for c in range(3)])
    decoded = model.decode(model.centres_)
    D = np.linalg.norm(decoded[:, None] - means, axis=2)
    np.testing.assert_array_equal(D.argmin(axis=1), np.arange(3))
    pixels = data.load("digits", n_samples=200).X
    images = VaDE(10, **SMALL, random_state=0).fit(pixels)
    found = images.decode(images.codes_[:5])
    assert found.shape == (5, 64) and found.min() >= 0 and found.max() <= 16


def test_negative_values_are_no_pixels() -> None:
    with pytest.raises(ValueError, match="bernoulli' needs values that are not negative"):
        VaDE(3, likelihood="bernoulli").fit(three_blobs()[0] - 100)
