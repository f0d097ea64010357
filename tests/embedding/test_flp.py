"""Learning by propagability: what half-steps preserve, the three modes, new points, odd input."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist, pdist
from scipy.special import softmax
from sklearn.decomposition import PCA

from sslviz import FLP, data
from sslviz.embedding import flp
from sslviz.embedding.stages.flp_objective import sphere_gradient
from sslviz.labels import hide
from sslviz.memo import Memo

modes = pytest.mark.parametrize("mode", ["recipe", "printed", "fixed"])
TRAIN, REST = slice(0, 22), slice(22, None)  # of every class, as in Table 1


def standardised(name: str) -> tuple[np.ndarray, np.ndarray]:
    d = data.load(name)
    spread = d.X.std(axis=0)
    return (d.X - d.X.mean(axis=0)) / np.where(spread > 0, spread, 1), d.y


@pytest.fixture(scope="module", params=["wine", "digits"])
def problem(request: pytest.FixtureRequest) -> tuple[np.ndarray, np.ndarray]:
    X, y = standardised(request.param)
    return X[:400], hide(y[:400], per_class=2, random_state=1)


@pytest.fixture(scope="module")
def wine() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    X, y = standardised("wine")
    return X, hide(y, per_class=2, random_state=1), y


@pytest.fixture(scope="module")
def iris() -> tuple[np.ndarray, np.ndarray]:
    d = data.load("iris")
    return d.X, hide(d.y, per_class=3, random_state=0)


def all_weights(Y: np.ndarray) -> np.ndarray:
    """Eq. 3 for every pair of points."""
    D = cdist(Y, Y, "sqeuclidean")
    np.fill_diagonal(D, np.inf)
    return softmax(-D, axis=1)


@modes
def test_harmony_never_rises_and_is_that_of_the_result(mode: str, problem: tuple) -> None:
    X, y = problem
    model = FLP(mode=mode, random_state=0).fit(X, y)
    assert all(after <= before * (1 + 1e-12) for before, after in pairwise(model.harmony_))
    assert model.harmony_[-1] < 0.9 * model.harmony_[0]
    P, F = all_weights(model.embedding_)[y >= 0], model.label_distributions_
    H = 0.5 * np.sum((F[y >= 0] - P @ F) ** 2)
    assert_allclose(model.harmony_[-1], H, rtol=1e-9, atol=1e-15)
    assert_allclose(model.influence_, P.sum(axis=0), rtol=1e-8, atol=1e-14)
    assert len(model.harmony_) == {"recipe": 21, "fixed": 11}.get(mode, len(model.harmony_))


@modes
def test_given_labels_never_change_and_rows_are_distributions(mode: str, problem: tuple) -> None:
    X, y = problem
    model, given = FLP(mode=mode, random_state=0), y >= 0
    for step in model.steps(X, y):
        F = step.F.numpy()
        assert_array_equal(F[given], y[given][:, None] == np.unique(y[given]))
        assert (F >= 0).all() and np.abs(F.sum(axis=1) - 1).max() < 1e-14
    assert (model.transduction_[given] == y[given]).all()


def test_half_steps_alternate_and_change_only_their_own_half(problem: tuple) -> None:
    model = FLP(outer=3)
    frames = list(model.steps(*problem))
    assert [f.iteration for f in frames] == [1, 2, 3, 4, 5, 6]
    assert [f.half for f in frames] == ["labels", "projection"] * 3
    for a, b in pairwise(frames):
        assert torch.equal(a.F, b.F) is (b.half == "projection")
        assert torch.equal(a.A, b.A) is (b.half == "labels")
    assert_array_equal(model.harmony_[1:], [f.objective for f in frames])
    assert_array_equal(model.components_.T, frames[-1].A)


@pytest.mark.parametrize("width", [0.3, 3.0, 30.0])
def test_the_projection_starts_from_pca_and_its_norm_is_fixed(width: float, problem: tuple) -> None:
    X, y = problem
    fixed = FLP(n_components=2, width=width, mode="fixed").fit(X, y)
    learnt = FLP(n_components=2, width=width).fit(X, y)
    assert_allclose(np.median(pdist(fixed.embedding_, "sqeuclidean")), width, rtol=1e-12)
    directions = fixed.components_ / np.linalg.norm(fixed.components_, axis=1, keepdims=True)
    peer = PCA(2, svd_solver="full").fit(X).components_
    assert_allclose(np.abs(directions @ peer.T), np.eye(2), atol=1e-9)
    norms = [np.linalg.norm(m.components_) for m in (fixed, learnt)]
    assert abs(norms[1] / norms[0] - 1) < 1e-12


def test_width_is_the_median_of_squares_not_the_square_of_the_median() -> None:
    X = np.random.default_rng(0).normal(size=(5, 4))  # ten pairs: two stand in the middle
    model = FLP(n_components=2, mode="fixed").fit(X, [0, 1, 0, 1, -1])
    assert_allclose(np.median(pdist(model.embedding_) ** 2), 3, rtol=1e-12)


def test_labels_of_a_fixed_projection_come_near_the_optimum(problem: tuple) -> None:
    X, y = problem
    model = FLP(mode="fixed", outer=60, inner=20).fit(X, y)
    given, F = y >= 0, model.label_distributions_
    P = all_weights(model.embedding_)[given]
    slope = -P.T @ (F[given] - P @ F)
    # H is convex: no labels at all can be lower by more than this (the gap of Frank and Wolfe).
    gap = np.sum(F * slope - slope.min(axis=1, keepdims=True) * F, where=~given[:, None])
    assert 0 <= gap < 0.02 * model.harmony_[-1]


def test_with_all_points_labelled_only_the_projection_changes_until_stationary(wine: tuple) -> None:
    X, _, y = wine
    model = FLP(outer=40, inner=20).fit(X, y)
    assert_array_equal(model.label_distributions_, np.eye(3)[y])
    assert len(model.harmony_) == 41 and model.harmony_[-1] < 0.7 * model.harmony_[0]
    A, F = torch.as_tensor(model.components_.T.copy()), torch.as_tensor(np.eye(3)[y])
    Z = A.norm() * torch.as_tensor(X - X.mean(axis=0))
    assert sphere_gradient(A / A.norm(), Z, F, len(X))[1].abs().max() < 1e-4
    predicted = all_weights(model.embedding_) @ model.label_distributions_
    assert np.mean(predicted.argmax(axis=1) == y) > 0.97  # no point predicts itself
    assert {s.half for s in FLP().steps(X, y)} == {"projection"}
    assert len(FLP(mode="fixed").fit(X, y).harmony_) == 1


def test_as_printed_harmony_vanishes_and_nothing_is_learnt(wine: tuple) -> None:
    X, y, truth = wine
    hidden = y < 0
    recipe, printed, same, other = (
        FLP(mode=mode, random_state=seed).fit(X, y)
        for mode, seed in (("recipe", 0), ("printed", 0), ("printed", 0), ("printed", 2))
    )
    assert printed.harmony_[-1] < 1e-7 < 1e-3 < recipe.harmony_[-1]
    assert np.mean(printed.influence_[hidden] < 1e-6) > 0.85
    assert np.mean(recipe.influence_[hidden] < 1e-6) == 0
    right = [np.mean(m.transduction_[hidden] == truth[hidden]) for m in (printed, recipe)]
    assert right[0] < 0.5 and right[1] > 0.85
    assert np.linalg.norm(printed.components_) > 3 * np.linalg.norm(recipe.components_)
    assert_array_equal(printed.components_, same.components_)  # a seed repeats it
    assert not np.array_equal(printed.transduction_, other.transduction_)


@pytest.mark.parametrize(("name", "semi", "test"), [("iris", 0.915, 0.907), ("wine", 0.944, 0.931)])
def test_accuracy_is_within_a_standard_deviation_of_the_reference(
    name: str, semi: float, test: float
) -> None:
    X, y = standardised(name) if name == "wine" else (data.load(name).X, data.load(name).y)
    found = []
    for seed in range(10):  # 2 labelled and 20 unlabelled points per class, the rest for the test
        rng = np.random.default_rng(seed)
        groups = [rng.permutation(np.flatnonzero(y == c)) for c in range(3)]
        train, rest = (np.concatenate([g[part] for g in groups]) for part in (TRAIN, REST))
        shown = np.where(np.tile(np.arange(22) < 2, 3), y[train], -1)
        model = FLP().fit(X[train], shown)
        right = (model.transduction_ == y[train])[shown < 0].mean()
        found.append((right, model.score(X[rest], y[rest])))
    assert (np.mean(found, axis=0) + np.std(found, axis=0) >= (semi, test)).all()
    assert (np.median(found, axis=0) >= (0.9, 0.9)).all()


def test_new_points_are_predicted_by_all_training_points(
    iris: tuple, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = iris
    model = FLP().fit(X[::2], y[::2])
    W = np.exp(-cdist(model.transform(X), model.embedding_, "sqeuclidean"))
    expected = W @ model.label_distributions_ / W.sum(axis=1, keepdims=True)
    for block in (flp.DISTANCE_BLOCK, 100):
        monkeypatch.setattr(flp, "DISTANCE_BLOCK", block)
        assert_allclose(model.predict_proba(X), expected, rtol=0, atol=1e-11)
    assert_array_equal(model.predict(X), expected.argmax(axis=1))
    far = model.predict_proba(np.full((1, 4), 1e5))
    assert np.isfinite(far).all() and abs(far.sum() - 1) < 1e-12


def test_the_projection_is_linear(iris: tuple) -> None:
    X, y = iris
    model = FLP().fit(X, y)
    assert model.components_.shape == (2, 4) and model.embedding_.shape == (150, 2)
    assert_allclose(model.embedding_, X @ model.components_.T, rtol=1e-13)
    assert_array_equal(model.transform(X), model.embedding_)
    assert_array_equal(FLP().fit_transform(X, y), model.embedding_)
    assert model.get_feature_names_out().tolist() == ["flp0", "flp1"]


def test_links_are_the_weights_of_other_points_largest_first(iris: tuple) -> None:
    model = FLP().fit(*iris)
    for point in (0, 77):
        w = np.exp(-cdist(model.embedding_[[point]], model.embedding_, "sqeuclidean")[0])
        w[point] = 0
        others, weights = model.links(point)
        assert_allclose(weights, (w / w.sum())[others], rtol=1e-10)
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
    assert_allclose(other.label_distributions_, F, atol=1e-5)
    assert_allclose(other.harmony_, model.harmony_, rtol=1e-6)
    assert_allclose(other.influence_, model.influence_[order], rtol=1e-4)


def test_points_without_influence_are_undetermined(iris: tuple) -> None:
    model = FLP(width=3e5, mode="fixed").fit(*iris)
    uniform = model.transduction_ == -1
    assert 0.5 < uniform.mean() < 1 and (model.influence_[uniform] < 1e-12).all()
    assert_array_equal(model.label_distributions_[uniform], 1 / 3)
    assert (FLP().fit(*iris).transduction_ >= 0).all()


@modes
def test_equal_points_and_empty_features_do_no_harm(mode: str) -> None:
    X, y = np.zeros((12, 3)), np.array([0, 1] + [-1] * 10)
    model = FLP(mode=mode, random_state=0).fit(X, y)
    assert np.isfinite(model.harmony_).all() and np.isfinite(model.label_distributions_).all()
    X[:, 1] = np.arange(12) // 7  # most pairs coincide, or nearly so
    assert np.isfinite(FLP(mode=mode, random_state=0).fit(X, y).embedding_).all()


def test_dimensions_are_as_many_as_wanted_or_possible(iris: tuple) -> None:
    X, y = iris
    for p in (1, 2, 3, 4):
        assert FLP(p).fit(X, y).embedding_.shape == (150, p)
    message = "n_components=9 but X of shape .* no more than 4; taking 4"
    with pytest.warns(UserWarning, match=message):
        assert FLP(9).fit(X, y).components_.shape == (4, 4)
    d = data.load("digits", n_samples=200)
    y = hide(d.y, per_class=2, random_state=0)
    assert len(FLP().fit(d.X, y).components_) == 9
    assert len(FLP().fit(d.X[:, 20:22], y).components_) == 2
    model = FLP(30).fit(d.X[:40], hide(d.y[:40], per_class=1, random_state=0))
    assert model.components_.shape == (30, 64) and np.isfinite(model.embedding_).all()


def test_sliders_keep_the_principal_directions(iris: tuple) -> None:
    memo = Memo()
    for settings in ({}, {"width": 1.0}, {"n_components": 1}, {"mode": "fixed"}, {"outer": 2}):
        FLP(**settings, memory=memo).fit(*iris)
    reused = [stage.reused for stage in memo.log if stage.name == "principal_directions"]
    assert reused == [False] + [True] * 4
    with memo.watch() as stages:
        FLP(random_state=3, memory=memo).fit(*iris)  # the recipe uses no random numbers
    assert stages and all(stage.reused for stage in stages)


@pytest.mark.parametrize(
    "wrong", [{"n_components": 0}, {"width": 0}, {"outer": 0}, {"inner": 1.5}, {"mode": "nca"}]
)
def test_values_outside_their_domain_are_named(wrong: dict, iris: tuple) -> None:
    ((name, value),) = wrong.items()
    with pytest.raises(ValueError, match=rf"FLP: {name}={value!r} is not (a whole number )?in"):
        FLP(**wrong).fit(*iris)
