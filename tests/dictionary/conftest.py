"""Fixtures of the dictionary methods."""

from typing import Any

import numpy as np
import pytest
from dictionary.problems import noise, three_digits


@pytest.fixture(scope="session")
def digits(real: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return three_digits(real)


@pytest.fixture(params=["noise", "digits"])
def problem(request: Any) -> tuple[np.ndarray, np.ndarray]:
    """Points and labels."""
    return noise() if request.param == "noise" else request.getfixturevalue("digits")[:2]
