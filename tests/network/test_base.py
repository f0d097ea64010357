"""What the network classifiers share: labels in, labels and probabilities out."""

from typing import Any

import numpy as np
import pytest

from sslviz import ConvNet, LadderNetwork, VATClassifier, abilities

MODELS = [
    LadderNetwork(hidden=(16,), epochs=2, random_state=0),
    VATClassifier(hidden=(16,), epochs=2, random_state=0),
    ConvNet(layout="usps", epochs=1, random_state=0),
]
every_model = pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)


def points(n: int = 60, d: int = 9) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, d)), np.where(np.arange(n) % 4, -1, np.arange(n) // 4 % 3 * 7 + 2)


@every_model
def test_given_labels_are_kept_and_the_others_are_predicted(model: Any) -> None:
    X, y = points()
    model.fit(X, y)
    given = y >= 0
    assert model.classes_.tolist() == [2, 9, 16]
    np.testing.assert_array_equal(model.transduction_[given], y[given])
    np.testing.assert_array_equal(model.transduction_[~given], model.predict(X)[~given])
    np.testing.assert_array_equal(
        model.label_distributions_[given], (y[given, None] == model.classes_).astype(float)
    )
    np.testing.assert_array_equal(
        model.label_distributions_[~given], model.predict_proba(X)[~given]
    )
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1, rtol=1e-12)
    assert isinstance(model, abilities.Trains) and isinstance(model, abilities.Steps)
    assert isinstance(model, abilities.Perturbs) == isinstance(model, VATClassifier)


@every_model
@pytest.mark.parametrize(
    "problem",
    ["two points", "equal points", "constant feature", "one feature", "one label per class",
     "all labelled", "float32", "far away", "tiny"],
)  # fmt: skip
def test_unusual_input_gives_probabilities(model: Any, problem: str) -> None:
    X, y = points()
    if problem == "two points":
        X, y = X[:2], np.array([0, 1])
    elif problem == "equal points":
        X = np.ones_like(X)
    elif problem == "constant feature":
        X[:, 0] = 5.0
    elif problem == "one feature":
        X = X[:, :1]
    elif problem == "one label per class":
        y = np.where(np.arange(len(y)) < 12, y, -1)
    elif problem == "all labelled":
        y = np.arange(len(y)) % 3
    elif problem == "float32":
        X = X.astype(np.float32)
    elif problem == "far away":
        X = X + 1e6
    elif problem == "tiny":
        X = X * 1e-60
    P = model.fit(X, y).predict_proba(X)
    assert np.isfinite(P).all() and np.isfinite(model.losses_).all()
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-9)


@every_model
def test_values_too_large_for_single_precision_are_refused(model: Any) -> None:
    X, y = points()
    with pytest.raises(ValueError, match=r"X holds values up to 1e\+20"):
        model.fit(np.where(X > 1, 1e20, X), y)
