"""H of learning by propagability and its gradients, against sums written out."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from sslviz import data
from sslviz.embedding.stages.flp_objective import (
    harmony,
    label_gradient,
    neighbour_weights,
    projection_gradient,
    sphere_gradient,
    squared_distances,
)

Function = Callable[[np.ndarray], float]


class Case(NamedTuple):
    """Points with the labelled ones first, a projection, and softmax's input for the others."""

    X: np.ndarray
    A: np.ndarray
    F_l: np.ndarray
    c: np.ndarray

    @property
    def n(self) -> int:
        return len(self.F_l)

    @property
    def F(self) -> np.ndarray:
        e = np.exp(self.c - self.c.max(axis=1, keepdims=True))
        return np.vstack([self.F_l, e / e.sum(axis=1, keepdims=True)])


def case(name: str) -> Case:
    rng = np.random.default_rng(3)
    if name == "random":
        X, classes = rng.normal(size=(17, 5)), np.array([0, 1, 2, 0, 1, 2])
    else:
        d = data.load(name)
        rows = np.argsort(rng.random(d.n_samples))[:60]
        X, classes = d.X[rows] - d.X.mean(axis=0), d.y[rows][:12]
        X = X / np.where(X.std(axis=0) > 0.5, X.std(axis=0), 1)  # some pixels hardly vary
    C = classes.max() + 1
    A = rng.normal(size=(X.shape[1], 2)) / X.shape[1]
    return Case(X, A, np.eye(C)[classes], rng.normal(size=(len(X) - len(classes), C)))


@pytest.fixture(params=["random", "wine", "digits"])
def problem(request: pytest.FixtureRequest) -> Case:
    return case(request.param)


def tensors(*arrays: np.ndarray) -> tuple[torch.Tensor, ...]:
    return tuple(torch.as_tensor(np.ascontiguousarray(a)) for a in arrays)


def literal_p(Y: np.ndarray, i: int) -> np.ndarray:
    """Row i of p, Eq. 3."""
    others = [j for j in range(len(Y)) if j != i]
    w = np.array([np.exp(-np.sum((Y[i] - Y[j]) ** 2)) for j in others])
    return np.insert(w / w.sum(), i, 0)


def literal_harmony(X: np.ndarray, A: np.ndarray, F: np.ndarray, n: int) -> float:
    """Eq. 4 and 5 with loops."""
    total = 0.0
    for i in range(n):
        p = literal_p(X @ A, i)
        heard = sum(p[j] * F[j] for j in range(len(X)))
        total += 0.5 * np.sum((F[i] - heard) ** 2)
    return float(total)


def slopes(function: Function, x: np.ndarray, h: float = 1e-5) -> np.ndarray:
    """Central differences of the fourth order."""
    found = np.empty_like(x)
    for at in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[at] = h
        near = function(x + step) - function(x - step)
        far = function(x + 2 * step) - function(x - 2 * step)
        found[at] = (8 * near - far) / (12 * h)
    return found


def test_rows_of_p_are_those_of_the_paper(problem: Case) -> None:
    Y = problem.X @ problem.A
    P = neighbour_weights(*tensors(Y), problem.n).numpy()
    expected = np.array([literal_p(Y, i) for i in range(problem.n)])
    assert_allclose(P, expected, rtol=1e-11, atol=1e-15)
    assert_allclose(P.sum(axis=1), 1, rtol=1e-14)
    assert (np.diag(P) == 0).all()


def test_harmony_is_the_double_sum(problem: Case) -> None:
    X, A, F = problem.X, problem.A, problem.F
    expected = literal_harmony(X, A, F, problem.n)
    P = neighbour_weights(*tensors(X @ A), problem.n)
    found = [
        harmony(P, *tensors(F)),
        label_gradient(*tensors(problem.c), P, *tensors(problem.F_l))[0],
        projection_gradient(*tensors(A, X, F), problem.n)[0],
        sphere_gradient(*tensors(7 * A, np.linalg.norm(A) * X, F), problem.n)[0],
    ]
    assert_allclose([float(H) for H in found], expected, rtol=1e-12)


def test_gradients_are_those_of_differences(problem: Case) -> None:
    X, F, F_l = tensors(problem.X, problem.F, problem.F_l)
    P = neighbour_weights(*tensors(problem.X @ problem.A), problem.n)
    functions: list[tuple[Callable, np.ndarray, float]] = [
        (lambda A: projection_gradient(A, X, F, problem.n), problem.A, 1e-5),
        (lambda B: sphere_gradient(B, X, F, problem.n), 1.7 * problem.A, 1e-5),
        (lambda c: label_gradient(c, P, F_l), problem.c, 1e-3),
    ]
    found = []
    for function, at, h in functions:
        expected = slopes(lambda x, f=function: float(f(*tensors(x))[0]), at, h)  # type: ignore
        found.append(function(*tensors(at))[1].numpy())
        assert np.abs(found[-1] - expected).max() <= 1e-8 * np.abs(expected).max()
    assert abs((found[1] * problem.A).sum()) < 1e-14  # tangent to the sphere
    assert_allclose(found[2].sum(axis=1), 0, atol=1e-16)


def test_gradient_of_the_projection_is_the_corrected_sum_over_pairs() -> None:
    X, A, F_l, _ = problem = case("random")
    F, Y = problem.F, X @ A
    total = np.zeros((5, 5))
    for i in range(len(F_l)):
        p = literal_p(Y, i)
        heard = p @ F
        G = p * ((F - heard) @ (F[i] - heard))
        assert abs(G.sum()) < 1e-15
        total += sum(G[j] * np.outer(X[i] - X[j], X[i] - X[j]) for j in range(len(X)))
    found = projection_gradient(*tensors(A, X, F), problem.n)[1].numpy()
    assert_allclose(found, 2 * total @ A, rtol=0, atol=1e-13)


def test_harmony_is_convex_in_the_labels(problem: Case) -> None:
    rng = np.random.default_rng(0)
    P = neighbour_weights(*tensors(problem.X @ problem.A), problem.n)
    C = problem.F_l.shape[1]
    for _ in range(20):
        a, b = (rng.dirichlet(np.ones(C), len(problem.c)) for _ in range(2))
        ends = [float(harmony(P, *tensors(np.vstack([problem.F_l, u])))) for u in (a, b)]
        middle = float(harmony(P, *tensors(np.vstack([problem.F_l, (a + b) / 2]))))
        assert middle <= np.mean(ends) + 1e-15


def test_rotating_moving_and_permuting_change_nothing(problem: Case) -> None:
    X, A, F, n = problem.X, problem.A, problem.F, problem.n
    rng = np.random.default_rng(0)
    turn = np.linalg.qr(rng.normal(size=(2, 2)))[0]
    order = np.append(np.arange(n), n + rng.permutation(len(X) - n))
    H = float(projection_gradient(*tensors(A, X, F), n)[0])
    for other in (
        (A @ turn, X, F),
        (A, X + rng.normal(size=X.shape[1]), F),
        (A, X[order], F[order]),
    ):
        assert abs(float(projection_gradient(*tensors(*other), n)[0]) - H) <= 1e-12 * H


@pytest.mark.parametrize("scale", [1e-4, 1e4])
def test_everything_is_finite_at_any_scale(scale: float, problem: Case) -> None:
    X, F, c, F_l = tensors(problem.X, problem.F, problem.c, problem.F_l)
    A = torch.as_tensor(scale * problem.A)
    P = neighbour_weights(X @ A, problem.n)
    assert_allclose(P.sum(1).numpy(), 1, rtol=1e-12)
    for value, gradient in (projection_gradient(A, X, F, problem.n), label_gradient(c, P, F_l)):
        assert torch.isfinite(value) and torch.isfinite(gradient).all()
        assert 0 <= value <= problem.n  # |π − p|² ≤ 2 for distributions
    assert (squared_distances(1e3 * scale * X, 1e3 * scale * X) >= 0).all()  # of equal points too
