"""The VAT classifier: its three terms, the shared normalisation, and the switch of directions."""

from typing import Any

import numpy as np
import pytest
import torch

from sslviz import VATClassifier, data, labels
from sslviz.network.vat_classifier import PerturbationObjective
from sslviz.training.mlp import MOMENTUM
from sslviz.training.vat import knn_radius


@pytest.fixture(scope="module")
def moons() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    d = data.load("two_moons", n_samples=300, random_state=0)
    return d.X, labels.hide(d.y, per_class=4, random_state=0), d.y


def objective(moons: tuple, **options: Any) -> PerturbationObjective:
    X, y, _ = moons
    model = VATClassifier(**{"hidden": (16,), "random_state": 0, "batch_size": 60} | options)
    found = model.training(X, y).objective
    assert isinstance(found, PerturbationObjective)
    return found


def test_at_first_nothing_is_known(moons: tuple) -> None:
    supervised, change, entropy = (float(t.detach()) for t in objective(moons).terms(0))
    np.testing.assert_allclose([supervised, entropy], np.log(2), rtol=1e-3)
    assert 0 <= change < 1e-3


@pytest.mark.parametrize(
    "options, weights",
    [({}, (1, 1, 1)), ({"entropy": 0.3, "perturbation": "none"}, (1, 0, 0.3)),
     ({"perturbation": "random"}, (1, 1, 1))],
)  # fmt: skip
def test_the_loss_is_the_weighted_sum(options: dict, weights: tuple, moons: tuple) -> None:
    found = objective(moons, **options)
    assert found.weights == weights
    if options.get("perturbation") == "none":
        assert float(found.terms(0)[1]) == 0


def test_labelled_and_unlabelled_rows_are_normalised_together(moons: tuple) -> None:
    found, (X, y, _) = objective(moons), moons
    rows, others = found._sampler.batch(found.seed, 0)
    chosen = [*np.flatnonzero(y >= 0)[rows.numpy()], *np.flatnonzero(y < 0)[others.numpy()]]
    assert len(rows) == 8 and len(others) == 60
    found.terms(0)
    values = (X[chosen] - X.mean(axis=0)) @ found.parts[0].detach().double().numpy().T
    np.testing.assert_allclose(
        found.network.means[0].numpy(), MOMENTUM * values.mean(axis=0), rtol=1e-4, atol=1e-7
    )


def test_points_are_moved_by_a_share_of_the_distance_to_the_tenth_neighbour(moons: tuple) -> None:
    model = VATClassifier(alpha=0.7)
    np.testing.assert_allclose(model.perturbation_radii(moons[0]), 0.7 * knn_radius(moons[0]))


def test_the_worst_direction_changes_more_than_a_random_one(moons: tuple) -> None:
    X, y, _ = moons
    run = VATClassifier(hidden=(32,), epochs=40, random_state=0, batch_size=60).training(X, y)
    run.advance(120)
    changes = {}
    for kind in ("adversarial", "random"):
        run.objective.perturbation = kind  # type: ignore[attr-defined]
        changes[kind] = np.mean([float(run.objective.terms(i)[1].detach()) for i in range(5)])
    assert changes["adversarial"] > 1.5 * changes["random"] > 0


def test_without_unlabelled_terms_only_given_labels_count(moons: tuple) -> None:
    found = objective(moons, **VATClassifier.unlabelled_off)
    gradient = found.gradient(found.terms(3))
    (supervised, *_), again = found.terms(3), torch.autograd.grad
    expected = torch.cat([g.reshape(-1) for g in again(supervised, found.parts)])
    torch.testing.assert_close(gradient, expected, rtol=1e-6, atol=1e-9)


def test_it_learns_well_separated_groups() -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(240) % 3
    X = 4 * np.eye(3)[truth][:, :2] + 0.5 * rng.normal(size=(240, 2))
    y = labels.hide(truth, per_class=2, random_state=0)
    model = VATClassifier(hidden=(32,), epochs=60, batch_size=60, random_state=0).fit(X, y)
    assert (model.transduction_ == truth).mean() > 0.97
    assert model.losses_.shape == (60, 3) and model.losses_[-1, 0] < 0.1


@pytest.mark.parametrize("options", [{"perturbation": "worst"}, {"alpha": 0}, {"batch_size": 1}])
def test_wrong_parameters_are_refused(options: dict, moons: tuple) -> None:
    with pytest.raises(ValueError, match="VATClassifier: "):
        VATClassifier(**options).fit(*moons[:2])
