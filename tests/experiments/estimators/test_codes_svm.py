"""The experiment that compares graphs for sparse codes."""

from typing import Any

import numpy as np
import pytest

from sslviz.experiments.estimators.codes_svm import CodesSVM
from sslviz.labels import hide
from sslviz.solve.dictionary_learning import unit_atoms


@pytest.fixture(scope="module")
def digits(real: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    d = real("usps")
    rng = np.random.default_rng(0)
    chosen = np.concatenate([rng.choice(np.flatnonzero(d.y == c), 40, False) for c in (1, 4, 7)])
    return 5 * unit_atoms(d.X[chosen]), hide(d.y[chosen], per_class=15, random_state=0), d.y[chosen]


@pytest.mark.parametrize("kind", ["lle", "knn", "threshold", "learnt"])
def test_an_svm_classifies_the_codes_of_every_graph(digits: tuple, kind: str) -> None:
    X, y, truth = digits
    hidden = y == -1
    model = CodesSVM(n_atoms=20, laplacian=kind, random_state=0).fit(X, y)
    assert len(model.codes_) == 45  # unlabelled points are not used
    assert (model.transduction_ == truth)[hidden].mean() > 0.85
    np.testing.assert_array_equal(model.transduction_[~hidden], truth[~hidden])
    np.testing.assert_array_equal(model.predict(X[hidden]), model.transduction_[hidden])


def test_the_same_noise_is_added_to_training_and_new_points(digits: tuple) -> None:
    X, y, _ = digits
    model = CodesSVM(n_atoms=20, noise=2.0, random_state=0).fit(X, y)
    off = model._X - X[y != -1]
    np.testing.assert_allclose(off.std(), 2.0 * np.mean(X**2), rtol=0.05)
    again = CodesSVM(n_atoms=20, noise=2.0, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), again.predict(X))
