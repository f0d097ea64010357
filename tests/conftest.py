"""What all tests share: one thread, small data with known answers, real data where it is."""

# ruff: noqa: E402 (the environment must be set before numpy is imported)

import gc
import os

# Before numpy or torch is imported: threads that wait for each other cost more than they bring.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(name, "1")
os.environ.setdefault("SSLVIZ_ERRORS", "raise")  # a page that fails is to fail its test
os.environ.setdefault("SSLVIZ_WORKERS", "0")  # stages in the thread of the test, unless it says so
# Collecting after every 700 objects took a twentieth of all time, and a seventh of the imports.
gc.set_threshold(50_000, 20, 100)

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from sslviz import data
from sslviz.labels import hide


class Problem(NamedTuple):
    """Points, labels with -1 for the hidden ones, and all labels."""

    X: np.ndarray
    y: np.ndarray
    truth: np.ndarray


@pytest.fixture(scope="session")
def moons() -> Problem:
    """300 points in two half circles, 3 labels each. Read-only: a test that writes fails."""
    d = data.load("two_moons", n_samples=300, noise=0.08, random_state=0)
    return Problem(d.X, hide(d.y, per_class=3, random_state=0), d.y)


@pytest.fixture(scope="session")
def real() -> Callable[..., data.Dataset]:
    """`real(name, **options)`: a set out of $SSLVIZ_DATA, or a skip that says what is missing."""

    def load(name: str, **options: Any) -> data.Dataset:
        if not os.environ.get("SSLVIZ_DATA"):
            pytest.skip(f"SSLVIZ_DATA is not set, {name} is not here")
        if name not in data.names():
            pytest.skip(f"{name} is not in $SSLVIZ_DATA")
        return data.load(name, **options)

    return load
