"""Films end where the methods end, and Kruskal's stops where the rule says."""

import numpy as np
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist
from sslviz.ui.inductive.spanning_tree_view import film, nearest_given, reach, weights_below

from sslviz import SemiSupervisedGMM, data, labels
from sslviz.data.plane_grid import plane_of
from sslviz.graph.spanning_tree import FRAMES as EDGES
from sslviz.graph.spanning_tree import kruskal_until_conflict
from sslviz.graph.spanning_tree_width import first_label_conflict
from sslviz.recordings.mixture import FRAMES, MixtureRecording, MixtureRun


def problem(name: str, seed: int = 0, **options: int) -> tuple:
    dataset = data.load(name, **options)
    return dataset.X, dataset.y, labels.hide(dataset.y, per_class=3, random_state=seed)


def recorded(model: SemiSupervisedGMM, X, y, points, places=None) -> MixtureRecording:
    """The whole film, taken a step at a time."""
    filming = MixtureRun(model, X, y, points, places)
    while not filming.done:
        filming.advance(1e-9)
        filming.film()  # as a page that looks on does
    return filming.film()


@pytest.mark.parametrize("weight", [0.0, 1.0])
def test_the_last_picture_of_a_mixture_is_its_answer(weight: float) -> None:
    X, _, y = problem("two_moons", n_samples=200)
    plane = plane_of(X, 2)
    assert plane is not None
    model = SemiSupervisedGMM(weight=weight).fit(X, y)
    found = recorded(SemiSupervisedGMM(weight=weight), X, y, X, plane.places)
    assert found.iterations[-1] == model.n_iter_ == len(found.objective)
    assert found.objective[-1] == model.objective_
    assert len(found.iterations) <= FRAMES + 1 and (np.diff(found.iterations) > 0).all()
    np.testing.assert_allclose(found.means[-1], model.means_)
    np.testing.assert_allclose(found.F[-1], model.label_distributions_, atol=1e-6)
    odds = found.scores[-1, :, 1] - found.scores[-1, :, 0]
    np.testing.assert_allclose(odds, model.decision_function(plane.places), rtol=1e-4, atol=1e-3)


def test_on_its_way_the_film_ends_with_the_step_that_is_there() -> None:
    X, _, y = problem("two_moons", n_samples=200)
    filming, steps = MixtureRun(SemiSupervisedGMM(), X, y, X, None), SemiSupervisedGMM().steps(X, y)
    for number in range(1, 30):
        film, step = filming.film(), next(steps)
        assert film.iterations[-1] == len(film.objective) == number and not filming.done
        assert film.objective[-1] == step.objective
        np.testing.assert_allclose(film.F[-1], step.F.numpy(), atol=1e-6)
        assert f"{number} step" in filming.said() and "On its way" in filming.said()
        filming.go_on(1e-9).result()  # however busy the machine is


def test_many_points_have_few_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sslviz.recordings.mixture.NUMBERS", 1)
    X, _, y = problem("two_moons", n_samples=200)
    found = recorded(SemiSupervisedGMM(), X, y, X)
    assert len(found.iterations) <= 7 < len(found.objective)
    assert found.iterations[-1] == len(found.objective)


def test_in_many_dimensions_clouds_are_those_of_the_points_on_the_map() -> None:
    X, _, y = problem("iris")
    points = X[:, [0, 2]]
    found = recorded(SemiSupervisedGMM(), X, y, points)
    held = found.F[-1, :, 1].astype(float)
    np.testing.assert_allclose(found.means[-1, 1], held @ points / held.sum(), rtol=1e-5)
    S = np.cov(points.T, aweights=held, ddof=0)
    np.testing.assert_allclose(found.covariances[-1, 1], S, rtol=1e-4)
    assert found.scores.shape[1] == 0


@pytest.mark.parametrize("name", ["two_moons", "three_rings", "iris"])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_film_of_edges_stops_at_d0(name: str, seed: int) -> None:
    X, _, y = problem(name, seed, **({} if name == "iris" else {"n_samples": 150}))
    found = kruskal_until_conflict(X, y)
    assert found.lengths[-1] == pytest.approx(first_label_conflict(X, y), rel=1e-12)
    assert (np.diff(found.lengths) >= 0).all()
    a, b = found.edges[:, -1]
    before = found.labels[-1]
    assert min(before[a], before[b]) >= 0 and before[a] != before[b], "it would join two classes"
    assert (before[y >= 0] == y[y >= 0]).all()


def test_the_edges_are_the_shortest_tree_of_all_points() -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = np.full(60, -1)
    y[0] = 0  # one class: no conflict, all points are joined
    found = kruskal_until_conflict(X, y)
    assert found.edges.shape == (2, 59)
    assert found.lengths.sum() == pytest.approx(minimum_spanning_tree(cdist(X, X)).sum())


def test_moments_of_the_film_grow_to_the_conflict() -> None:
    X, _, y = problem("two_moons", n_samples=150)
    found = kruskal_until_conflict(X, y)
    steps = film(found, 2)
    assert len(steps) <= EDGES and steps[0][1].shape == (2, 0)
    assert steps[-1][1].shape[1] == len(found.lengths) - 1 and "d₀" in steps[-1][0]
    assert all(F[y >= 0].sum() == (y >= 0).sum() for _, _, F in steps)


def test_points_out_of_reach_of_every_label_are_counted() -> None:
    X, _, y = problem("two_moons", n_samples=150)
    given, sigma = np.flatnonzero(y >= 0), 0.05
    d = cdist(X, X[given])
    near, distance = nearest_given(X, y)
    assert (near == y[given[d.argmin(axis=1)]]).all()
    np.testing.assert_allclose(distance, d.min(axis=1))
    felt = np.exp(-np.square(d) / (2 * sigma**2)).max(axis=1)
    assert weights_below(X, y, sigma, 2.0) == (felt < 1e-16)[y < 0].mean()
    assert np.exp(-(reach(sigma, 2.0) ** 2) / (2 * sigma**2)) == pytest.approx(1e-16)
