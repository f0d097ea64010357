"""FISTA solves the lasso of any quadratic."""

from dataclasses import dataclass

import numpy as np
import pytest
import torch
from second_device import SecondDevice
from solve.oracles import assert_lasso_kkt, lasso_objective

from sslviz.device import to_numpy
from sslviz.solve.dictionary_learning import sparse_codes
from sslviz.solve.fista import VALUE_EVERY, lasso, soft_threshold


@dataclass(frozen=True)
class Plain:
    """‖X − A D‖² in A."""

    X: torch.Tensor
    D: torch.Tensor

    @property
    def linear(self) -> torch.Tensor:
        return -2 * self.X @ self.D.T

    def gradient(self, Z: torch.Tensor) -> torch.Tensor:
        return 2 * (Z @ self.D - self.X) @ self.D.T


def test_soft_thresholding_is_the_proximal_map_with_exact_zeros() -> None:
    H = torch.linspace(-2, 2, 41, dtype=torch.float64)
    Z = soft_threshold(H, 0.7)
    assert (Z[H.abs() <= 0.7] == 0).all()
    grid = torch.linspace(-3, 3, 6001, dtype=torch.float64)
    cost = 0.5 * (grid[None] - H[:, None]) ** 2 + 0.7 * grid.abs()
    torch.testing.assert_close(Z, grid[cost.argmin(dim=1)], rtol=0, atol=6e-4)


def test_it_meets_the_conditions_of_the_lasso(problem: tuple) -> None:
    X, D, lam = problem
    f = Plain(torch.as_tensor(X), torch.as_tensor(D))
    found = lasso(f, torch.zeros(len(X), len(D), dtype=torch.float64), lam, max_iter=20000)
    assert found.converged
    A = to_numpy(found.Z)
    assert_lasso_kkt(to_numpy(f.gradient(found.Z)), A, lam, 1e-4)
    assert (A == 0).mean() > 0.3
    exact = sparse_codes(X, D, lam)
    assert lasso_objective(X, A, D, lam) <= lasso_objective(X, exact, D, lam) * (1 + 1e-9)


def test_it_never_returns_worse_than_its_start(problem: tuple) -> None:
    X, D, lam = problem
    f = Plain(torch.as_tensor(X), torch.as_tensor(D))
    start = torch.as_tensor(sparse_codes(X, D, lam))
    first = lasso_objective(X, to_numpy(start), D, lam)
    for steps in (1, 3, 10):
        found = lasso(f, start, lam, max_iter=steps, tol=0.0)
        assert lasso_objective(X, to_numpy(found.Z), D, lam) <= first


def test_values_that_overflow_are_refused() -> None:
    rng = np.random.default_rng(0)
    X, D = (
        torch.as_tensor(1e160 * rng.normal(size=(9, 5))),
        torch.as_tensor(rng.normal(size=(7, 5))),
    )
    with pytest.raises(ValueError, match="overflow; scale them"):
        lasso(Plain(X, D), torch.zeros(9, 7, dtype=torch.float64), 0.3)


def test_it_stops_when_the_last_steps_gain_too_small_a_share(problem: tuple) -> None:
    X, D, lam = problem
    f = Plain(torch.as_tensor(X), torch.as_tensor(D))
    start = torch.zeros(len(X), len(D), dtype=torch.float64)

    def value(steps: int) -> float:
        return lasso_objective(X, to_numpy(lasso(f, start, lam, max_iter=steps, tol=0.0).Z), D, lam)

    for share in (0.1, 0.01):
        found = lasso(f, start, lam, tol=0.0, min_gain=share)
        stop = found.iterations
        assert found.converged and stop % VALUE_EVERY == 0 and VALUE_EVERY < stop < 500
        first, before, now = value(0), value(stop - VALUE_EVERY), value(stop)
        assert before - now < share * (first - now)
        assert value(stop - 2 * VALUE_EVERY) - before >= share * (first - before)


def test_it_runs_on_another_device() -> None:
    rng = np.random.default_rng(0)
    X, D = torch.as_tensor(rng.normal(size=(9, 5))), torch.as_tensor(rng.normal(size=(7, 5)))
    start = torch.zeros(9, 7, dtype=torch.float64)
    here = lasso(Plain(X, D), start, 0.3, max_iter=20).Z
    with SecondDevice():
        there = lasso(Plain(X.to("meta"), D.to("meta")), start.to("meta"), 0.3, max_iter=20).Z
        np.testing.assert_array_equal(to_numpy(here), to_numpy(there))
