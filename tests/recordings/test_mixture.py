"""A recording of EM ends where the method ends, and shows each step on the way."""

import numpy as np
import pytest

from sslviz import SemiSupervisedGMM, data, labels
from sslviz.data.plane_grid import plane_of
from sslviz.recordings.mixture import FRAMES_KEPT, MixtureRecording, MixtureRun


def problem(name: str, **options: int) -> tuple:
    dataset = data.load(name, **options)
    return dataset.X, labels.hide(dataset.y, per_class=3, random_state=0)


def recorded(model: SemiSupervisedGMM, X, y, points, places=None) -> MixtureRecording:
    """The whole recording, taken a step at a time."""
    run = MixtureRun(model, X, y, points, places)
    while not run.done:
        run.go_on(1e-9).result()
        run.recording()  # as a page that watches it does
    return run.recording()


@pytest.mark.parametrize("weight", [0.0, 1.0])
def test_the_last_frame_is_the_fit(weight: float) -> None:
    X, y = problem("two_moons", n_samples=200)
    plane = plane_of(X, 2)
    assert plane is not None
    model = SemiSupervisedGMM(weight=weight).fit(X, y)
    found = recorded(SemiSupervisedGMM(weight=weight), X, y, X, plane.places)
    assert found.iterations[-1] == model.n_iter_ == len(found.objective)
    assert found.objective[-1] == model.objective_
    assert len(found.iterations) <= FRAMES_KEPT[1] + 1 and (np.diff(found.iterations) > 0).all()
    np.testing.assert_allclose(found.means[-1], model.means_)
    np.testing.assert_allclose(found.F[-1], model.label_distributions_, atol=1e-6)
    odds = found.scores[-1, :, 1] - found.scores[-1, :, 0]
    np.testing.assert_allclose(odds, model.decision_function(plane.places), rtol=1e-4, atol=1e-3)


def test_on_the_way_the_recording_ends_with_the_last_step() -> None:
    X, y = problem("two_moons", n_samples=200)
    run, steps = MixtureRun(SemiSupervisedGMM(), X, y, X, None), SemiSupervisedGMM().steps(X, y)
    for number in range(1, 30):
        found, step = run.recording(), next(steps)
        assert found.iterations[-1] == len(found.objective) == run.taken == number
        assert found.objective[-1] == step.objective and not run.done
        np.testing.assert_allclose(found.F[-1], step.F.numpy(), atol=1e-6)
        assert f"{number} step" in run.status() and "Running" in run.status()
        run.go_on(1e-9).result()  # however busy the machine is


def test_many_points_have_few_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sslviz.recordings.mixture.NUMBERS_KEPT", 1)
    X, y = problem("two_moons", n_samples=200)
    found = recorded(SemiSupervisedGMM(), X, y, X)
    assert len(found.iterations) <= FRAMES_KEPT[0] + 1 < len(found.objective)
    assert found.iterations[-1] == len(found.objective)


def test_with_many_features_components_are_those_of_the_points_on_the_map() -> None:
    X, y = problem("iris")
    points = X[:, [0, 2]]
    found = recorded(SemiSupervisedGMM(), X, y, points)
    held = found.F[-1, :, 1].astype(float)
    np.testing.assert_allclose(found.means[-1, 1], held @ points / held.sum(), rtol=1e-5)
    S = np.cov(points.T, aweights=held, ddof=0)
    np.testing.assert_allclose(found.covariances[-1, 1], S, rtol=1e-4)
    assert found.scores.shape[1] == 0
