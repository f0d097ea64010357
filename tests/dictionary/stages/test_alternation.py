"""Updates with active points fixed: none raises Eq. 4, and codes solve Eq. 5."""

from typing import Any

import numpy as np
import torch

from sslviz.device import to_numpy
from sslviz.dictionary.stages.active_points import (
    active_loss,
    active_squares,
    class_probabilities,
    fit_classifier,
)
from sslviz.dictionary.stages.alternation import first_atoms, improve_atoms, initial_state
from sslviz.dictionary.stages.laplacians import build
from sslviz.dictionary.stages.sparse_coding import (
    Classifier,
    CodingProblem,
    batch_rows,
    code_quadratic,
    improve_codes,
)


class Frozen:
    """A state with Q and P fixed, and its value of Eq. 4."""

    def __init__(self, X: np.ndarray, y: np.ndarray):
        target = np.where(y == -1, -1, np.unique(y, return_inverse=True)[1] - 1)
        options: dict[str, Any] = {"k": 5, "sigma": 1.0, "share": 0.1, "spread": 1.0}
        start = initial_state(X, target, np.arange(20), lam=0.3, gamma=0.5, mu=1.0)
        L = build(X, "lle", **options).L
        self.problem = CodingProblem(torch.as_tensor(X), L, 0.3, 0.5, 0.5)
        self.D, self.A, self.W, self.b = map(torch.as_tensor, start)
        s = self.A @ self.W.T + self.b
        self.active = active_squares(s, class_probabilities(s, 1.7), 1.7)

    def classifier(self) -> Classifier:
        return Classifier(self.W, self.b, self.active)

    def improve(self, A: torch.Tensor, *parts: Any, **options: Any) -> tuple[torch.Tensor, float]:
        return improve_codes(self.problem, A, self.D, self.classifier(), *parts, **options)

    def objective(self) -> float:
        L = torch.as_tensor(self.problem.L.toarray())  # type: ignore[union-attr]
        s = self.A @ self.W.T + self.b
        value = ((self.problem.X - self.A @ self.D) ** 2).sum() + 0.3 * self.A.abs().sum()
        value += 0.5 * (self.A * (L @ self.A)).sum() + (self.W**2).sum() + (self.b**2).sum()
        return float(value) + 0.5 * active_loss(self.active, s)


def test_with_active_points_fixed_no_update_raises_the_objective(problem: tuple) -> None:
    state = Frozen(*problem)
    values = [state.objective()]
    for _ in range(4):
        state.A, _ = state.improve(state.A, max_iter=20)
        values.append(state.objective())
        parts = next(batch_rows(len(state.A), 25, 1, 0))
        state.A, _ = state.improve(state.A, parts, max_iter=5)
        values.append(state.objective())
        state.D = improve_atoms(state.problem.X, state.A, state.D, 20)
        values.append(state.objective())
        state.W, state.b = fit_classifier(state.A, state.active, 0.5, 1.0)
        values.append(state.objective())
    assert (np.diff(values) <= 1e-9 * values[0]).all() and values[-1] < values[0]


def test_codes_meet_the_conditions_of_eq_5(problem: tuple) -> None:
    state = Frozen(*problem)
    A, _ = state.improve(state.A, max_iter=5000, tol=1e-9)
    state.A = A.clone().requires_grad_()
    L = torch.as_tensor(state.problem.L.toarray())  # type: ignore[union-attr]
    s = state.A @ state.W.T + state.b
    value = ((state.problem.X - state.A @ state.D) ** 2).sum()
    value = value + 0.5 * (state.A * (L @ state.A)).sum()
    value = value + 0.5 * (state.active.weight * (s - state.active.target) ** 2).sum()
    value.backward()
    assert state.A.grad is not None
    g, Z = to_numpy(state.A.grad), to_numpy(A)
    np.testing.assert_allclose(g[Z != 0], -0.3 * np.sign(Z[Z != 0]), rtol=0, atol=1e-4)
    assert np.abs(g[Z == 0]).max() <= 0.3 + 1e-4 and (Z == 0).mean() > 0.1
    quadratic = code_quadratic(state.problem, A, state.D, state.classifier())
    np.testing.assert_allclose(to_numpy(quadratic.gradient(A)), g, rtol=0, atol=1e-9)


def test_batches_converge_to_the_same_codes(problem: tuple) -> None:
    state = Frozen(*problem)
    whole, _ = state.improve(state.A, max_iter=3000, tol=1e-10)
    n, A = len(state.A), state.A
    one = [np.arange(n)]  # one part that holds everything is the whole problem
    same, _ = state.improve(A, one, max_iter=3000, tol=1e-10)
    np.testing.assert_allclose(to_numpy(same), to_numpy(whole), rtol=0, atol=1e-6)
    for parts in batch_rows(n, 20, 40, 0):
        A, _ = state.improve(A, parts, max_iter=100, tol=1e-10)
    state.A = A
    found = state.objective()
    state.A = whole
    np.testing.assert_allclose(found, state.objective(), rtol=1e-6)


def test_batches_are_a_new_random_partition_every_epoch() -> None:
    first, second = batch_rows(10, 4, 2, 0)
    for parts in (first, second):
        assert parts is not None and len(parts) == 3 and max(map(len, parts)) <= 4
        assert np.sort(np.concatenate(parts)).tolist() == list(range(10))
    assert [p.tolist() for p in first or []] != [p.tolist() for p in second or []]
    assert list(batch_rows(10, 10, 2, 0)) == list(batch_rows(10, None, 2, 0)) == [None, None]


def test_the_first_atoms_are_points_of_every_class() -> None:
    target = np.array([-1, 0, -1, 1, 0, 0, 2, -1])
    rng = np.random.RandomState(0)
    many = first_atoms(target, 7, rng)
    assert many[:5].tolist() == [1, 3, 4, 5, 6] and set(many[5:]) < {0, 2, 7}
    few = first_atoms(target, 4, rng)
    assert sorted(target[few[:3]]) == [0, 1, 2] and target[few[3]] == 0 and len(set(few)) == 4
