"""Label switching at one weight."""

from typing import Any

import numpy as np
import pytest
from inductive.test_s3vm import kernel

from sslviz import S3VM
from sslviz.inductive.stages.s3vm_continuation import dual_bounds
from sslviz.inductive.stages.s3vm_label_switching import (
    EXACT_GAP,
    MEDIUM_GAP,
    ROUGH_GAP,
    Bounds,
    sides,
    switch_until_stable,
)
from sslviz.kernels.centring import centred_on_unlabelled


@pytest.mark.parametrize("tol", [ROUGH_GAP, EXACT_GAP])
def test_at_one_weight_the_objective_never_rises(moons: Any, tol: float) -> None:
    X, y, _ = moons
    signs = np.where(y < 0, 0.0, 2.0 * y - 1)
    C, mean = centred_on_unlabelled(kernel(S3VM().fit(X, y), X, X), y < 0), signs[y >= 0].mean()
    limit, start = dual_bounds(signs[:, None], 1e-2, 0.5), np.zeros(len(X))
    bounds = Bounds(limit, np.zeros(len(X)), 1.0)
    rounds = list(switch_until_stable(C, signs, mean, bounds, (start, start + mean), tol))
    assert len(rounds) > 3 and rounds[-1].flips == 0
    values: list[float] = []
    for r in rounds:
        losses = limit @ np.maximum(1 - sides(r.f, signs) * r.f, 0)
        values.append(0.5 * r.beta @ C @ r.beta + losses)
        assert r.gap <= max(tol, MEDIUM_GAP) * (values[-1] + r.gap) * 1.1
    for before, after, r in zip(values, values[1:], rounds[1:], strict=False):
        assert after <= before * (1 + 1e-12) + r.gap  # a solution is off by its gap at most
    assert rounds[-1].gap <= tol * values[-1]
