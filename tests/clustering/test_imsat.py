"""IMSAT: the terms of its loss by hand, and a set that it must solve."""

import numpy as np
import pytest
import torch
from clustering.oracles import three_blobs
from scipy.special import softmax

from sslviz import clustering_accuracy, data
from sslviz.clustering.imsat import IMSAT, InformationObjective


def test_entropies_by_hand() -> None:
    X = data.load("three_rings", n_samples=120, random_state=0).X
    run = IMSAT(3, hidden=(32, 32), random_state=0).training(X)
    run.advance(30)
    objective = run.objective
    assert isinstance(objective, InformationObjective)
    p = softmax(objective.predictor().logits(torch.tensor(X)).numpy(), axis=1)  # one batch
    _, conditional, marginal = (term.item() for term in objective.terms(30))
    shares = p.mean(axis=0)
    np.testing.assert_allclose(marginal, -(shares * np.log(shares)).sum(), rtol=1e-5)
    np.testing.assert_allclose(conditional, -(p * np.log(p)).sum(axis=1).mean(), rtol=1e-4)
    assert 0 <= marginal - conditional <= np.log(3)  # a mutual information
    assert objective.weights == (1.0, 0.1, -0.4)


def test_it_finds_clusters_of_equal_size() -> None:
    X, y = three_blobs()
    model = IMSAT(3, hidden=(32, 32), epochs=4, random_state=1).fit(X)
    assert clustering_accuracy(y, model.labels_) > 0.99
    np.testing.assert_allclose(model.losses_[-1, 2], np.log(3), atol=0.02)


def objective_of(**options: object) -> InformationObjective:
    X = data.load("three_rings", n_samples=120, random_state=0).X
    objective = IMSAT(3, hidden=(16, 8), random_state=0, **options).training(X).objective
    assert isinstance(objective, InformationObjective)
    return objective


def test_rim_has_no_perturbation_term_and_a_penalty_on_the_weights_of_all_layers() -> None:
    plain, rim = objective_of(), objective_of(perturbation="none", decay=0.01)
    assert rim.weights == (1.0, 0.1, -0.4, 0.01) and rim.names[-1] == "squared weights"
    vat, *entropies, squares = (term.item() for term in rim.terms(0))
    assert vat == 0 and plain.terms(0)[0].requires_grad
    np.testing.assert_allclose(entropies, [t.item() for t in plain.terms(0)[1:]], rtol=1e-6)
    layers = [part.detach().numpy() for part in rim.parts if part.ndim == 2]
    assert [W.shape for W in layers] == [(16, 2), (8, 16), (3, 8)]
    np.testing.assert_allclose(squares, sum(np.square(W).sum() for W in layers), rtol=1e-6)


def test_the_penalty_adds_its_gradient_to_the_weights_alone() -> None:
    with_it, without = (objective_of(perturbation="none", decay=d) for d in (0.25, 0.0))
    difference = with_it.gradient(with_it.terms(0)) - without.gradient(without.terms(0))
    wanted = [0.5 * p if p.ndim == 2 else torch.zeros_like(p) for p in with_it.parts]
    wanted = torch.cat([part.detach().reshape(-1) for part in wanted])
    np.testing.assert_allclose(difference, wanted, atol=1e-7)


def test_the_gradient_of_rim_is_that_of_finite_differences() -> None:
    objective = objective_of(perturbation="none", decay=0.05, lam=0.7, mu=1.0)
    with torch.no_grad():
        objective.theta += 0.3 * torch.sin(torch.arange(len(objective.theta)))
    found = objective.gradient(objective.terms(0)).numpy()
    X = data.load("three_rings", n_samples=120, random_state=0).X  # one batch
    theta = objective.theta.double().numpy()
    shapes = [tuple(part.shape) for part in objective.parts]
    cuts = np.cumsum([np.prod(shape) for shape in shapes])[:-1]

    def loss(theta: np.ndarray) -> float:
        parts = [a.reshape(s) for a, s in zip(np.split(theta, cuts), shapes, strict=True)]
        squares = sum((a**2).sum() for a in parts if a.ndim == 2)
        H = X - X.mean(axis=0)
        for W, gain, shift in (parts[:3], parts[3:6]):
            H = H @ W.T
            H = np.maximum(gain * (H - H.mean(axis=0)) / np.sqrt(H.var(axis=0) + 1e-5) + shift, 0)
        p = softmax(H @ parts[6].T + parts[7], axis=1)
        shares = p.mean(axis=0)
        information = (p * np.log(p)).sum(axis=1).mean() - (shares * np.log(shares)).sum()
        return 0.05 * squares - 0.7 * information

    for at in range(0, len(theta), 7):
        step = 1e-5 * (np.arange(len(theta)) == at)
        slope = (loss(theta + step) - loss(theta - step)) / 2e-5
        assert found[at] == pytest.approx(slope, abs=3e-5 * float(np.abs(found).max()))


@pytest.mark.parametrize("options", [{"perturbation": "none"}, {"decay": 1e-3}])
def test_rim_finds_clusters_of_equal_size_and_reports_its_terms(options: dict) -> None:
    X, y = three_blobs()
    model = IMSAT(3, hidden=(32, 32), epochs=4, random_state=1, **options).fit(X)
    assert clustering_accuracy(y, model.labels_) > 0.95
    assert model.losses_.shape == (4, 4 if "decay" in options else 3)
