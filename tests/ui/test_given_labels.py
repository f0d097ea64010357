"""What is said about known and given labels."""

import numpy as np

from sslviz.data import Dataset
from sslviz.ui.data.given_labels import known_text


def text(truth: list[int], y: list[int]) -> str:
    X = np.arange(len(truth))[:, None]
    return known_text(Dataset(X, np.array(truth), "d", "", ("a", "b")), np.array(y))


def test_what_accuracy_is_measured_on():
    assert text([0, 1, 0], [0, -1, -1]) == ""
    assert text([0, 1, 0, 1, -1], [0, 1, -1, -1, -1]) == (
        "The class of 4 of 5 points is known; 2 labels are given, and accuracy is measured on the "
        "other 2 known ones."
    )
    assert "none is left to measure the accuracy" in text([0, 1, -1], [0, 1, -1])
    assert "accuracy is measured on these" in text([0, 1, -1], [-1, -1, -1])
    assert "No true class is known" in text([-1, -1], [0, 1])
