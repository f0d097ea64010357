"""A request that cannot fit is refused with its estimate, before anything is computed."""

import numpy as np
import pytest

from sslviz import LapRLS, memory_bound
from sslviz.kernels.gram import gram


def test_a_matrix_of_all_pairs_is_refused_by_its_estimate(monkeypatch):
    monkeypatch.setattr(memory_bound, "free_bytes", lambda: 20 * memory_bound.GB)
    X = np.broadcast_to(np.zeros(1), (70_000, 2))  # takes no memory itself
    with pytest.raises(ValueError, match=r"70,000 points would take about 73\.0 GB .* 8\.0 GB for"):
        gram(X)


def test_the_bound_is_what_the_operator_says_and_never_more_than_is_free(monkeypatch, moons):
    monkeypatch.setenv("SSLVIZ_REQUEST_GB", "0.001")
    with pytest.raises(ValueError, match=r"300 points would take about .* allows 0\.0 GB"):
        LapRLS().fit(moons.X, moons.y)
    monkeypatch.setenv("SSLVIZ_REQUEST_GB", "nonsense")
    monkeypatch.setattr(memory_bound, "free_bytes", lambda: 10 * memory_bound.GB)
    assert memory_bound.request_bound() == 8 * memory_bound.GB
    monkeypatch.setattr(memory_bound, "free_bytes", lambda: 1 * memory_bound.GB)
    assert memory_bound.request_bound() == 0.8 * memory_bound.GB


def test_results_take_a_share_of_the_machine_or_what_the_operator_says(monkeypatch):
    for total, bound in ((1, 0.25), (48, 0.75), (500, 2)):
        found = total * memory_bound.GB
        monkeypatch.setattr(memory_bound, "_machine_bytes", lambda fact, unknown, n=found: n)
        assert memory_bound.results_bound() == bound * memory_bound.GB
    monkeypatch.setenv("SSLVIZ_RESULTS_GB", "0.5")
    assert memory_bound.results_bound() == 0.5 * memory_bound.GB
