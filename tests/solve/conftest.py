"""Fixtures of the solvers."""

from typing import Any

import numpy as np
import pytest

from sslviz.solve.dictionary_learning import unit_atoms


@pytest.fixture(params=["noise", "digits"])
def problem(request: Any, real: Any) -> tuple[np.ndarray, np.ndarray, float]:
    """Points, unit atoms and λ."""
    rng = np.random.default_rng(0)
    if request.param == "noise":
        return rng.normal(size=(40, 12)), unit_atoms(rng.normal(size=(30, 12))), 0.4
    X = real("usps").X[rng.choice(9298, 160, replace=False)]
    return 5 * unit_atoms(X[:60]), unit_atoms(X[60:]), 0.3
