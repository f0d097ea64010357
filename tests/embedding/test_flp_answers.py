"""Learning by propagability at its border: new points, invariances, odd input."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from sslviz import FLP, data
from sslviz.embedding import flp
from sslviz.labels import hide
from sslviz.memo import Memo


@pytest.fixture(scope="module")
def iris() -> tuple[np.ndarray, np.ndarray]:
    d = data.load("iris")
    return d.X, hide(d.y, per_class=3, random_state=0)


def test_new_points_hear_all_training_points(iris: tuple, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = iris
    model = FLP().fit(X[::2], y[::2])
    W = np.exp(-cdist(model.transform(X), model.embedding_, "sqeuclidean"))
    expected = W @ model.label_distributions_ / W.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), expected, rtol=0, atol=1e-11)
    np.testing.assert_array_equal(model.predict(X), expected.argmax(axis=1))
    monkeypatch.setattr(flp, "DISTANCE_BLOCK", 100)  # in many pieces
    np.testing.assert_allclose(model.predict_proba(X), expected, rtol=0, atol=1e-11)


def test_a_point_far_from_all_still_hears_the_nearest(iris: tuple) -> None:
    model = FLP().fit(*iris)
    F = model.predict_proba(np.full((1, 4), 1e5))
    assert np.isfinite(F).all() and abs(F.sum() - 1) < 1e-12


def test_the_map_is_linear(iris: tuple) -> None:
    X, y = iris
    model = FLP().fit(X, y)
    assert model.components_.shape == (2, 4) and model.embedding_.shape == (150, 2)
    np.testing.assert_allclose(model.embedding_, X @ model.components_.T, rtol=1e-13)
    np.testing.assert_array_equal(model.transform(X), model.embedding_)
    np.testing.assert_array_equal(FLP().fit_transform(X, y), model.embedding_)
    assert model.get_feature_names_out().tolist() == ["flp0", "flp1"]


@pytest.mark.parametrize("point", [0, 77])
def test_links_are_what_a_point_hears_loudest_first(point: int, iris: tuple) -> None:
    model = FLP().fit(*iris)
    w = np.exp(-cdist(model.embedding_[[point]], model.embedding_, "sqeuclidean")[0])
    w[point] = 0
    others, weights = model.links(point)
    np.testing.assert_allclose(weights, (w / w.sum())[others], rtol=1e-10)
    assert (np.diff(weights) <= 0).all() and point not in others
    assert set(others) == set(np.flatnonzero(w >= 0.01 * w.max()))


def test_moving_scaling_permuting_and_renaming_change_nothing_but_names(iris: tuple) -> None:
    X, y = iris
    model = FLP().fit(X, y)
    order = np.random.default_rng(0).permutation(len(X))
    renamed = np.select([y == 0, y == 1, y == 2], [7, 3, 5], -1)
    other = FLP().fit(1e4 * X[order] + 1e5, renamed[order])
    assert other.classes_.tolist() == [3, 5, 7]
    F = model.label_distributions_[order][:, [1, 2, 0]]
    np.testing.assert_allclose(other.label_distributions_, F, atol=1e-5)
    np.testing.assert_allclose(other.harmony_, model.harmony_, rtol=1e-6)
    np.testing.assert_allclose(other.influence_, model.influence_[order], rtol=1e-4)


def test_points_nobody_hears_are_undetermined(iris: tuple) -> None:
    X, y = iris
    model = FLP(width=3e5, mode="fixed").fit(X, y)
    silent = model.transduction_ == -1
    assert 0.5 < silent.mean() < 1 and (model.influence_[silent] < 1e-12).all()
    np.testing.assert_array_equal(model.label_distributions_[silent], 1 / 3)
    assert (FLP().fit(X, y).transduction_ >= 0).all()


@pytest.mark.parametrize("mode", ["recipe", "printed", "fixed"])
def test_equal_points_and_empty_features_do_no_harm(mode: str) -> None:
    X, y = np.zeros((12, 3)), np.array([0, 1] + [-1] * 10)
    model = FLP(mode=mode, random_state=0).fit(X, y)
    assert np.isfinite(model.harmony_).all() and np.isfinite(model.label_distributions_).all()
    X[:, 1] = np.arange(12) // 7  # most pairs coincide, or nearly so
    assert np.isfinite(FLP(mode=mode, random_state=0).fit(X, y).embedding_).all()


def test_dimensions_are_as_many_as_asked_for_or_can_be(iris: tuple) -> None:
    X, y = iris
    for p in (1, 2, 3, 4):
        assert FLP(p).fit(X, y).embedding_.shape == (150, p)
    with pytest.warns(
        UserWarning, match="n_components=9 but X of shape .* no more than 4; taking 4"
    ):
        assert FLP(9).fit(X, y).components_.shape == (4, 4)
    d = data.load("digits", n_samples=200)
    assert len(FLP().fit(d.X, hide(d.y, per_class=2, random_state=0)).components_) == 9
    assert len(FLP().fit(d.X[:, 20:22], hide(d.y, per_class=2, random_state=0)).components_) == 2


def test_more_features_than_points_are_no_trouble() -> None:
    d = data.load("digits", n_samples=40)
    y = hide(d.y, per_class=1, random_state=0)
    model = FLP(30).fit(d.X, y)
    assert model.components_.shape == (30, 64) and np.isfinite(model.embedding_).all()


def test_sliders_keep_the_principal_directions(iris: tuple) -> None:
    memo = Memo()
    for settings in ({}, {"width": 1.0}, {"n_components": 1}, {"mode": "fixed"}, {"outer": 2}):
        FLP(**settings, memory=memo).fit(*iris)
    reused = [stage.reused for stage in memo.log if stage.name == "principal_directions"]
    assert reused == [False] + [True] * 4
    with memo.watch() as stages:
        FLP(random_state=3, memory=memo).fit(*iris)  # chance has no part in the recipe
    assert stages and all(stage.reused for stage in stages)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"n_components": 0}, "n_components=0"),
        ({"width": 0}, "width=0"),
        ({"outer": 0}, "outer=0"),
        ({"inner": 1.5}, "inner=1.5"),
        ({"mode": "nca"}, "mode='nca'"),
    ],
)
def test_what_it_cannot_take_is_named(settings: dict, said: str, iris: tuple) -> None:
    with pytest.raises(ValueError, match=rf"FLP: {said} is not (a whole number )?in"):
        FLP(**settings).fit(*iris)
