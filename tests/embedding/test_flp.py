"""Learning by propagability: what every half-step keeps, and what the three modes lead to."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from scipy.spatial.distance import cdist, pdist
from scipy.special import softmax
from sklearn.decomposition import PCA

from sslviz import FLP, data
from sslviz.embedding.stages.flp_objective import sphere_gradient
from sslviz.labels import hide

MODES = ["recipe", "printed", "fixed"]
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


def hears(Y: np.ndarray) -> np.ndarray:
    """Eq. 3: how much every point hears of every other."""
    D = cdist(Y, Y, "sqeuclidean")
    np.fill_diagonal(D, np.inf)
    return softmax(-D, axis=1)


@pytest.mark.parametrize("mode", MODES)
def test_harmony_never_rises_and_ends_where_the_result_says(mode: str, problem: tuple) -> None:
    X, y = problem
    model = FLP(mode=mode, random_state=0).fit(X, y)
    assert all(after <= before * (1 + 1e-12) for before, after in pairwise(model.harmony_))
    assert model.harmony_[-1] < 0.9 * model.harmony_[0]
    P = hears(model.embedding_)[y >= 0]
    F = model.label_distributions_
    H = 0.5 * np.sum((F[y >= 0] - P @ F) ** 2)
    np.testing.assert_allclose(model.harmony_[-1], H, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(model.influence_, P.sum(axis=0), rtol=1e-8, atol=1e-14)
    assert len(model.harmony_) == {"recipe": 21, "fixed": 11}.get(mode, len(model.harmony_))


@pytest.mark.parametrize("mode", MODES)
def test_given_labels_never_change_and_rows_are_distributions(mode: str, problem: tuple) -> None:
    X, y = problem
    model = FLP(mode=mode, random_state=0)
    given = y >= 0
    for step in model.steps(X, y):
        F = step.F.numpy()
        np.testing.assert_array_equal(F[given], y[given][:, None] == np.unique(y[given]))
        assert (F >= 0).all() and np.abs(F.sum(axis=1) - 1).max() < 1e-14
    assert (model.transduction_[given] == y[given]).all()


def test_half_steps_take_turns_and_move_only_their_own_half(problem: tuple) -> None:
    X, y = problem
    model = FLP(outer=3)
    frames = list(model.steps(X, y))
    assert [f.iteration for f in frames] == [1, 2, 3, 4, 5, 6]
    assert [f.half for f in frames] == ["labels", "projection"] * 3
    for a, b in pairwise(frames):
        assert torch.equal(a.F, b.F) is (b.half == "projection")
        assert torch.equal(a.A, b.A) is (b.half == "labels")
    np.testing.assert_array_equal(model.harmony_[1:], [f.objective for f in frames])
    np.testing.assert_array_equal(model.components_.T, frames[-1].A)


@pytest.mark.parametrize("width", [0.3, 3.0, 30.0])
def test_the_map_starts_from_pca_and_its_size_is_held(width: float, problem: tuple) -> None:
    X, y = problem
    fixed = FLP(n_components=2, width=width, mode="fixed").fit(X, y)
    learnt = FLP(n_components=2, width=width).fit(X, y)
    np.testing.assert_allclose(np.median(pdist(fixed.embedding_, "sqeuclidean")), width, rtol=1e-12)
    directions = fixed.components_ / np.linalg.norm(fixed.components_, axis=1, keepdims=True)
    np.testing.assert_allclose(
        np.abs(directions @ PCA(2, svd_solver="full").fit(X).components_.T), np.eye(2), atol=1e-9
    )
    norms = [np.linalg.norm(m.components_) for m in (fixed, learnt)]
    assert abs(norms[1] / norms[0] - 1) < 1e-12


def test_width_is_the_median_of_squares_not_the_square_of_the_median() -> None:
    X = np.random.default_rng(0).normal(size=(5, 4))  # ten pairs: two stand in the middle
    model = FLP(n_components=2, mode="fixed").fit(X, [0, 1, 0, 1, -1])
    np.testing.assert_allclose(np.median(pdist(model.embedding_) ** 2), 3, rtol=1e-12)


def test_labels_of_a_fixed_map_come_near_the_optimum(problem: tuple) -> None:
    X, y = problem
    model = FLP(mode="fixed", outer=60, inner=20).fit(X, y)
    given, F = y >= 0, model.label_distributions_
    P = hears(model.embedding_)[given]
    slope = -P.T @ (F[given] - P @ F)
    # H is convex: no labels at all can be lower by more than this (the gap of Frank and Wolfe).
    gap = np.sum(F * slope - slope.min(axis=1, keepdims=True) * F, where=~given[:, None])
    assert 0 <= gap < 0.02 * model.harmony_[-1]


def test_with_all_points_labelled_only_the_projection_moves_until_it_rests(wine: tuple) -> None:
    X, _, y = wine
    model = FLP(outer=40, inner=20).fit(X, y)
    np.testing.assert_array_equal(model.label_distributions_, np.eye(3)[y])
    assert len(model.harmony_) == 41 and model.harmony_[-1] < 0.7 * model.harmony_[0]
    A, F = torch.as_tensor(model.components_.T.copy()), torch.as_tensor(np.eye(3)[y])
    Z = A.norm() * torch.as_tensor(X - X.mean(axis=0))
    assert sphere_gradient(A / A.norm(), Z, F, len(X))[1].abs().max() < 1e-4
    heard = hears(model.embedding_) @ model.label_distributions_
    assert np.mean(heard.argmax(axis=1) == y) > 0.97  # no point hears itself
    assert {s.half for s in FLP().steps(X, y)} == {"projection"}
    assert len(FLP(mode="fixed").fit(X, y).harmony_) == 1


def test_as_printed_harmony_vanishes_and_so_does_what_is_learnt(wine: tuple) -> None:
    X, y, truth = wine
    hidden = y < 0
    recipe, printed = (FLP(mode=mode, random_state=0).fit(X, y) for mode in ("recipe", "printed"))
    assert printed.harmony_[-1] < 1e-7 < 1e-3 < recipe.harmony_[-1]
    assert np.mean(printed.influence_[hidden] < 1e-6) > 0.85
    assert np.mean(recipe.influence_[hidden] < 1e-6) == 0
    right = [np.mean(m.transduction_[hidden] == truth[hidden]) for m in (printed, recipe)]
    assert right[0] < 0.5 and right[1] > 0.85
    assert np.linalg.norm(printed.components_) > 3 * np.linalg.norm(recipe.components_)


def test_as_printed_chance_decides_and_a_seed_repeats_it(wine: tuple) -> None:
    X, y, _ = wine
    one, same, other = (FLP(mode="printed", random_state=s).fit(X, y) for s in (1, 1, 2))
    np.testing.assert_array_equal(one.components_, same.components_)
    assert not np.array_equal(one.transduction_, other.transduction_)


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
