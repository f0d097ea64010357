"""An S3VM as a run: it ends where `fit` ends, is shown on the way, and starts from neighbours."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest

from sslviz import S3VM, data, labels
from sslviz.recordings.s3vm import S3VMRun, s3vm_keys

ONE_STEP = 1e-9  # seconds: a slice takes at least one


def digits(n: int = 300) -> tuple[np.ndarray, np.ndarray]:
    d = data.load("digits")
    return d.X[:n], labels.hide(d.y[:n], per_class=3, random_state=0)


def take_one(run: S3VMRun) -> None:
    run.go_on(ONE_STEP).result()  # however busy the machine is


def test_in_slices_it_ends_where_fit_ends():
    X, y = digits()
    run, whole = S3VMRun(S3VM(), X, y), S3VM().fit(X, y)
    steps = [run.step]
    while not run.done:
        take_one(run)
        steps.append(run.step)
    assert [s.weight for s in steps] == sorted(s.weight for s in steps)
    np.testing.assert_array_equal(run.model().dual_coef_, whole.dual_coef_)
    run.advance(1.0)
    assert run.step is steps[-1] and "has reached λ₂" in run.status()


class SlowModel:
    """A model whose second step takes as long as `go` says, and whose third fails."""

    lam1, lam2 = 0.01, 1.0

    def __init__(self):
        self.go = threading.Event()

    def steps(self, X, y):
        yield SimpleNamespace(iteration=1, weight=0.0)
        self.go.wait(60)
        yield SimpleNamespace(iteration=2, weight=0.5)
        raise ValueError("no third step")


def test_a_long_step_is_not_waited_for():
    model = SlowModel()
    run = S3VMRun(model, np.zeros((2, 1)), np.zeros(2))
    for _ in range(3):
        run.advance(ONE_STEP)  # as every redraw does
        assert run.step.iteration == 1 and not run.done
    model.go.set()
    take_one(run)
    assert run.step.iteration == 2, "the step under way, begun once, was not lost"
    with pytest.raises(ValueError, match="no third step"):
        take_one(run)


def test_on_the_way_the_model_is_that_of_the_last_step():
    X, y = digits()
    run = S3VMRun(S3VM(), X, y)
    for _ in range(5):
        take_one(run)
    model, F = run.model(), run.step.F.numpy()
    np.testing.assert_allclose(model.decision_function(X), F, atol=1e-10)
    np.testing.assert_array_equal(model.transduction_[y < 0], F.argmax(axis=1)[y < 0])
    assert "has reached λ₂/" in run.status()


def test_a_solution_is_a_start_for_neighbours_only():
    X, y = digits(100)
    run = S3VMRun(S3VM(lam1=0.01, lam2=1.0), X, y)
    assert not run.can_lead(0.02, 1.0), "not before it is solved"
    run.finish()
    leads = {(0.02, 1.0): True, (0.005, 1.0): True, (0.01, 0.5): False, (1e-3, 1.0): False}
    assert {at: run.can_lead(*at) for at in leads} == leads
    assert not S3VMRun(S3VM(lam2=0.0), X, y).can_lead(0.02, 1.0)


def test_where_it_starts_from_does_not_matter_in_the_end():
    X, y = digits(100)
    before = S3VMRun(S3VM(lam1=0.01), X, y)
    before.finish()
    run = S3VMRun(S3VM(lam1=0.005), X, y, before)
    assert run.ready and run.step.weight == run.lam2 and "nearby minimum" in run.status()
    run.finish()
    fresh = S3VM(lam1=0.005).fit(X, y)
    np.testing.assert_array_equal(run.model().dual_coef_, fresh.dual_coef_)


@pytest.mark.parametrize("lam2, all_given", [(0.0, False), (1.0, True)])
def test_a_run_of_one_step_ends_with_it(lam2, all_given):
    X, y = digits(100)
    run = S3VMRun(S3VM(lam2=lam2), X, data.load("digits").y[:100] if all_given else y)
    first = run.step
    run.finish()
    assert run.done and run.step is first and run.model().predict(X).shape == (100,)


def test_equal_problems_share_a_run_and_penalties_alone_share_the_problem():
    X, y = digits(100)
    names = [s3vm_keys(S3VM(lam1=lam1), X, y) for lam1 in (0.01, 0.01, 0.02)]
    assert names[0] == names[1] and names[0][0] == names[2][0] and names[0][1] != names[2][1]
    assert s3vm_keys(S3VM(sigma="median"), X, y)[0] != names[0][0]
