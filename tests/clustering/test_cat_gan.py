"""CatGAN: the objectives of both players, their gradients, labels, and whose statistics predict."""

from typing import Any

import numpy as np
import pytest
import torch
from clustering.oracles import three_blobs
from torch.nn.functional import log_softmax

from sslviz import CatGAN, data
from sslviz.clustering.stages.categorical_game import (
    GameObjective,
    entropy_of_mean,
    mean_entropy,
)
from sslviz.labels import hide

GAME: dict[str, Any] = {
    "n_clusters": 3, "hidden": (8,), "n_noise": 4, "input_noise": 0.05, "seed": 0, "device": "cpu",
}  # fmt: skip


def game(labels: np.ndarray | None = None, **changes: Any) -> GameObjective:
    X, y = three_blobs()
    labels = np.full(len(y), -1) if labels is None else labels
    return GameObjective(X, labels, **GAME | changes)


def test_sure_balanced_and_undecided_about_fakes_is_worth_two_log_c() -> None:
    for C in (2, 5):
        sure = torch.log(torch.eye(C).repeat(4, 1) + 1e-30)
        flat = torch.full((7, C), -np.log(C))
        value = entropy_of_mean(sure) - mean_entropy(sure) + mean_entropy(flat)
        assert value.item() == pytest.approx(2 * np.log(C), rel=1e-5)
        assert (entropy_of_mean(flat) - mean_entropy(flat)).item() == pytest.approx(0, abs=1e-5)


def test_the_terms_are_entropies_of_the_batch() -> None:
    objective = game(input_noise=0.0)
    points, _ = objective._sampler.batch(0, 3)
    codes = objective._noise(3, len(points), len(points))[1]
    with torch.no_grad():
        fakes = objective.generator.logits(codes)
        pairs = [objective.classifier.logits(x) for x in (objective._X[points], fakes)]
    real, fake = (log_softmax(z, dim=1).exp().numpy().astype(float) for z in pairs)

    def H(p: np.ndarray) -> np.ndarray:
        return -(p * np.log(p)).sum(axis=-1)

    expected = [H(real.mean(axis=0)), H(real).mean(), H(fake).mean(), H(fake.mean(axis=0))]
    np.testing.assert_allclose([t.item() for t in objective.terms(3)], expected, rtol=1e-5)


@pytest.mark.parametrize("labelled", [False, True])
def test_each_player_follows_the_gradient_of_its_own_objective(labelled: bool) -> None:
    labels = hide(three_blobs()[1], per_class=2, random_state=0) if labelled else None
    objective = game(labels)
    objective.theta = objective.theta.double()  # for differences
    sizes = [p.numel() for p in objective.parts]
    shapes = [p.shape for p in objective.parts]

    def rebuild(theta: torch.Tensor) -> None:
        parts = [
            v.view(s).requires_grad_() for v, s in zip(theta.split(sizes), shapes, strict=True)
        ]
        cut = objective._cut
        objective.parts = parts
        objective.classifier.parts, objective.generator.parts = parts[:cut], parts[cut:]
        for network in (objective.classifier, objective.generator):
            network.means = [m.double() for m in network.means]
            network.variances = [v.double() for v in network.variances]

    objective._X = objective._X.double()
    sampler = objective._sampler
    drawn = sampler.directions(0, 0, (10**4,)).double()
    sampler.directions = lambda seed, at, shape: drawn[: shape[0]]  # type: ignore[method-assign]
    theta = objective.theta.clone()
    rebuild(theta.clone())
    gradient = objective.gradient(objective.terms(0))
    cut = sum(sizes[: objective._cut])
    rng = np.random.default_rng(0)
    chosen = [*rng.choice(cut, 12), *(cut + rng.choice(len(theta) - cut, 12))]
    for at in chosen:
        values = []
        for step in (1e-5, -1e-5):
            moved = theta.clone()
            moved[at] += step
            rebuild(moved)
            marginal, conditional, fake, fake_marginal, *cross = (
                t.item() for t in objective.terms(0)
            )
            classifier = -(marginal - conditional + fake) + sum(cross)
            values.append(classifier if at < cut else -(fake_marginal - fake))
        difference = (values[0] - values[1]) / 2e-5
        assert gradient[at].item() == pytest.approx(difference, rel=1e-4, abs=1e-7)


def test_predictions_use_the_statistics_of_real_points() -> None:
    objective = game()
    before = [m.clone() for m in objective.classifier.means]
    objective.terms(0)
    (points, _), (codes,) = objective._sampler.batch(0, 0), objective._noise(0, 100, 100)[:1]
    W = objective.classifier.parts[0].detach()
    real = ((objective._X[points] + codes) @ W.T).mean(dim=0)
    torch.testing.assert_close(objective.classifier.means[0], 0.9 * before[0] + 0.1 * real)


def test_with_labels_clusters_are_classes_in_their_order() -> None:
    X, y = three_blobs()
    names = np.array([7, 3, 12])
    given = hide(names[y], per_class=3, random_state=0)
    model = CatGAN(3, hidden=(16,), epochs=3, random_state=0).fit(X, given)
    assert model.classes_.tolist() == [3, 7, 12] and model.losses_.shape == (3, 5)
    assert (model.classes_[model.labels_] == names[y]).mean() > 0.95
    again = CatGAN(3, hidden=(16,), epochs=3, random_state=0).fit(X)
    assert not hasattr(again, "classes_") and again.losses_.shape == (3, 4)
    np.testing.assert_allclose(again.predict_proba(X).sum(axis=1), 1)
    assert not hasattr(model.fit(X), "classes_"), "a second fit forgets the first"


def test_labels_help_on_digits() -> None:
    d = data.load("digits", n_samples=600)
    y = hide(d.y, per_class=4, random_state=0)
    model = CatGAN(10, epochs=5, random_state=0).fit(d.X, y)
    assert (model.classes_[model.labels_] == d.y)[y < 0].mean() > 0.8


def test_what_is_no_label_is_said() -> None:
    X, y = three_blobs()
    with pytest.warns(UserWarning, match="real numbers, not labels"):
        CatGAN(3, epochs=1).training(X, X[:, 0])
    with pytest.warns(UserWarning, match="y has 3 classes, more than n_clusters=2"):
        run = CatGAN(2, epochs=1).training(X, y)
    assert run.probabilities(X).shape == (300, 3)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        CatGAN(3).fit(X, y[:-1])


def test_fakes_are_points_in_the_units_of_the_data() -> None:
    X, _ = three_blobs()
    run = CatGAN(3, hidden=(16,), epochs=1, random_state=0).training(1000 + X)
    run.advance(50)
    fakes = run.objective.picture()["fakes"]
    assert fakes.shape == (300, 2) and np.abs(fakes.mean(axis=0) - 1000).max() < 50
    np.testing.assert_array_equal(fakes, run.objective.picture()["fakes"])
