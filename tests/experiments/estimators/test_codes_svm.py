"""The experiment that compares graphs, and the tables that declare it."""

from typing import Any

import numpy as np
import pytest

from sslviz.experiments.estimators.codes_svm import CodesSVM
from sslviz.experiments.papers import ssdl_graphs, ssdl_mnist, ssdl_usps
from sslviz.experiments.scoring import estimator
from sslviz.experiments.table import Cell
from sslviz.labels import hide
from sslviz.solve.dictionary_learning import unit_atoms


@pytest.fixture(scope="module")
def digits(real: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    d = real("usps")
    rng = np.random.default_rng(0)
    chosen = np.concatenate([rng.choice(np.flatnonzero(d.y == c), 40, False) for c in (1, 4, 7)])
    return 5 * unit_atoms(d.X[chosen]), hide(d.y[chosen], per_class=15, random_state=0), d.y[chosen]


@pytest.mark.parametrize("kind", ["lle", "knn", "threshold", "learnt"])
def test_codes_on_every_graph_can_be_read_by_an_svm(digits: tuple, kind: str) -> None:
    X, y, truth = digits
    hidden = y == -1
    model = CodesSVM(n_atoms=20, laplacian=kind, random_state=0).fit(X, y)
    assert len(model.codes_) == 45  # unlabelled points have no part in it
    assert (model.transduction_ == truth)[hidden].mean() > 0.85
    np.testing.assert_array_equal(model.transduction_[~hidden], truth[~hidden])
    np.testing.assert_array_equal(model.predict(X[hidden]), model.transduction_[hidden])


def test_noise_is_added_alike_to_trained_and_new_points(digits: tuple) -> None:
    X, y, _ = digits
    model = CodesSVM(n_atoms=20, noise=2.0, random_state=0).fit(X, y)
    off = model._X - X[y != -1]
    np.testing.assert_allclose(off.std(), 2.0 * np.mean(X**2), rtol=0.05)
    again = CodesSVM(n_atoms=20, noise=2.0, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), again.predict(X))


@pytest.mark.parametrize("module", [ssdl_usps, ssdl_mnist, ssdl_graphs])
def test_every_column_names_an_estimator_that_takes_its_parameters(module: Any) -> None:
    for method in module.TABLE.methods:
        model = estimator(Cell(module.TABLE.rows[0], method, 3), n_classes=10, memory=None)
        assert method.params.items() <= model.get_params().items()
