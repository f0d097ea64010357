"""L-BFGS: it goes down, and as far as asked."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from scipy.optimize import rosen, rosen_der

from sslviz.solve.lbfgs import ValueAndGradient, descend


def rosenbrock(x: torch.Tensor) -> ValueAndGradient:
    flat = x.numpy().ravel()
    return torch.as_tensor(rosen(flat)), torch.as_tensor(rosen_der(flat)).reshape(x.shape)


def test_a_quadratic_is_solved_in_the_shape_it_came() -> None:
    rng = np.random.default_rng(0)
    M = rng.normal(size=(12, 12))
    Q, b = torch.as_tensor(M @ M.T + np.eye(12)), torch.as_tensor(rng.normal(size=12))
    start = torch.zeros(3, 4, dtype=torch.float64)

    def quadratic(x: torch.Tensor) -> ValueAndGradient:
        v = x.reshape(-1)
        return v @ Q @ v / 2 - b @ v, (Q @ v - b).reshape(x.shape)

    found = descend(quadratic, start, max_iter=200)
    assert found.shape == start.shape and (start == 0).all()
    assert_allclose(found.reshape(-1), torch.linalg.solve(Q, b), rtol=0, atol=1e-6)


def test_more_steps_never_end_higher() -> None:
    start = torch.as_tensor([[-1.2, 1.0], [0.3, -0.7]], dtype=torch.float64)
    values = [float(rosenbrock(start)[0])]
    for steps in (1, 2, 3, 5, 10, 30, 100):
        values.append(float(rosenbrock(descend(rosenbrock, start, max_iter=steps))[0]))
    assert all(b < a for a, b in pairwise(values))
    assert values[-1] < 1e-12


@pytest.mark.parametrize("slope", [0.0, -1.0, np.nan])
def test_where_nothing_is_gained_the_start_is_kept(slope: float) -> None:
    start = torch.ones(3, dtype=torch.float64)

    def uphill(x: torch.Tensor) -> ValueAndGradient:  # the gradient points the wrong way
        return (x - 1).square().sum(), torch.full_like(x, slope)

    assert descend(uphill, start, max_iter=5) is start
