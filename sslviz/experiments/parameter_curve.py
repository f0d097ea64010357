"""Accuracy of a method over the values of one parameter."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import sslviz
from sslviz.memo import stage


@stage("curve")
def parameter_curve(
    method: str,
    settings: dict[str, Any],
    parameter: str,
    values: Sequence[Any],
    X: np.ndarray,
    y: np.ndarray,
    truth: np.ndarray,
) -> np.ndarray:
    """Accuracy on the points of known class without label (y = -1) for each value. A stage."""
    Method = getattr(sslviz, method)
    counted = (y < 0) & (truth >= 0)
    models = (Method(**settings, **{parameter: value}).fit(X, y) for value in values)
    return np.array([(model.transduction_ == truth)[counted].mean() for model in models])
