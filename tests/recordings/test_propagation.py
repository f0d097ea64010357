"""The player gets few sweeps of many, the first ones densest."""

import numpy as np

from sslviz.recordings.propagation import LAST_SWEEP, record_sweeps


def test_sweeps_are_kept_evenly_in_log_time(moons) -> None:
    X, y, _ = moons
    sweeps, change, opinions = record_sweeps("LabelPropagation", {"n_neighbors": 4}, X, y)
    assert sweeps[0] == 1 and sweeps[-1] <= LAST_SWEEP and (np.diff(sweeps) > 0).all()
    assert 8 <= len(sweeps) <= 20
    assert opinions.shape == (len(sweeps), len(X), 2) and len(change) == len(sweeps)
    assert (np.diff(opinions.sum(axis=2), axis=0) >= -1e-6).all(), "opinions only gather mass"


def test_fewer_sweeps_are_kept_of_many_points(moons, monkeypatch) -> None:
    X, y, _ = moons
    monkeypatch.setattr("sslviz.recordings.propagation.NUMBERS_KEPT", 12 * len(X) * 2)
    sweeps, _, opinions = record_sweeps("LabelPropagation", {"n_neighbors": 4}, X, y)
    assert len(sweeps) <= 12 and opinions.size <= 12 * len(X) * 2


def test_what_is_kept_is_what_the_steps_yield(moons) -> None:
    import sslviz

    X, y, _ = moons
    sweeps, change, opinions = record_sweeps("LabelSpreading", {"alpha": 0.5}, X, y)
    for step in sslviz.LabelSpreading(alpha=0.5).steps(X, y):
        if step.iteration in sweeps:
            at = list(sweeps).index(step.iteration)
            assert change[at] == step.change
            np.testing.assert_allclose(opinions[at], step.F.numpy(), rtol=1e-6, atol=1e-37)
