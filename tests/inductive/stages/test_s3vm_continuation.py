"""Continuation of S3VM: its weights, what a memory keeps, and following a changed λ."""

from typing import Any

import numpy as np
import pytest
from inductive.test_s3vm import against_rest, blobs, equation_5, kernel
from numpy.testing import assert_allclose, assert_array_equal

from sslviz import S3VM, data
from sslviz.inductive.stages.s3vm_continuation import weight_schedule
from sslviz.labels import hide
from sslviz.memo import Memo


def test_weights_double_until_lambda_2(moons: Any) -> None:
    weights = [step.weight for step in S3VM(lam2=0.3).steps(*moons[:2])]
    assert weights == [0.0, *weight_schedule(0.3), 0.3] and weights[1] == 2.0**-10
    assert_allclose(np.divide(weights[2:-2], weights[1:-3]), 2)
    assert weights[-3] < 0.3 <= 2 * weights[-3]


@pytest.mark.parametrize("lam2", [2.0**-12, 2.0**-10, 0.7, 8.0])
def test_solutions_below_lambda_2_do_not_depend_on_it(lam2: float) -> None:
    X, y, _ = blobs(8, 3)
    below = list(S3VM(lam2=lam2).steps(X, y))[:-2]  # the last two are λ₂ itself
    for mine, other in zip(below, S3VM(lam2=16.0).steps(X, y), strict=False):
        assert mine.weight == other.weight
        assert_array_equal(mine.F.numpy(), other.F.numpy())


def test_another_lambda_2_continues_from_the_weight_below_it() -> None:
    X, y, _ = blobs(9, 3)
    memo = Memo()
    S3VM(lam2=1.0, memory=memo).fit(X, y)
    with memo.watch() as stages:
        moved = S3VM(lam2=0.9, memory=memo).fit(X, y)
    computed = [stage.name for stage in stages if not stage.reused]
    assert computed == ["warm_start", "solve_exactly"]  # to λ₂ and there
    with memo.watch() as stages:
        S3VM(lam2=0.9, memory=memo).fit(X, y)
    assert all(stage.reused for stage in stages)
    assert_array_equal(moved.dual_coef_, S3VM(lam2=0.9).fit(X, y).dual_coef_)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("there", [{"lam1": 0.02}, {"lam2": 0.4}, {"lam1": 0.003, "lam2": 2.0}])
def test_following_ends_in_a_minimum_of_the_new_problem(classes: int, there: dict) -> None:
    X, y, _ = blobs(1, classes)
    last = list(S3VM(lam1=0.01, lam2=0.7).steps(X, y))[-1]
    model = S3VM(**{"lam1": 0.01, "lam2": 0.7} | there)
    turn = model.follow(X, y, last)
    model.settle(X, y, turn)
    assert turn.weight == model.lam2 and model.duality_gap_ < 1e-10 * model.objective_
    K, columns = kernel(model, X, X), 1 if classes == 2 else classes
    coef, b = model.dual_coef_.reshape(len(X), -1), np.atleast_1d(model.intercept_)
    targets = [y if classes == 2 else against_rest(y, c) for c in range(columns)]
    values = [equation_5(model, K, t, coef[:, c], b[c]) for c, t in enumerate(targets)]
    assert model.objective_ == pytest.approx(sum(values), rel=1e-10)
    again = model.follow(X, y, turn)  # from a minimum one stays there
    assert_allclose(again.F.numpy(), turn.F.numpy(), atol=1e-8)
    assert again.flipped == 0


def test_many_classes_on_many_threads_are_each_what_one_alone_is() -> None:
    digits = data.load("digits")
    X, y = digits.X[:500], hide(digits.y[:500], fraction=0.1, random_state=1)
    model = S3VM(lam1=1e-3, lam2=2.0).fit(X, y)  # most points on the margin
    assert model.duality_gap_ < 1e-10 * model.objective_
    for c in (0, 5):
        one = S3VM(lam1=1e-3, lam2=2.0, sigma=model.sigma_).fit(X, against_rest(y, c))
        scores = model.decision_function(X)[:, c]
        assert_allclose(scores, one.decision_function(X), atol=1e-6)
