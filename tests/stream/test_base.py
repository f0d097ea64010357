"""Online methods: on a short stream they equal the offline ones, and no point is lost."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier
from stream import oracles
from stream.oracles import assert_same

from sslviz import (
    DoublingCover,
    LabelPropagation,
    OnlineQLP,
    OnlineQRLP,
    RobustLabelPrediction,
    data,
)
from sslviz.data.drift import as_stream, turning_moons
from sslviz.labels import hide

VARIANTS = [
    OnlineQLP(10),
    OnlineQLP(10, own_node=False),
    OnlineQRLP(10, n_hubs=4),
    OnlineQRLP(10, n_hubs=4, merge="lazy"),
    OnlineQRLP(10, own_node=False),
]
every_variant = pytest.mark.parametrize("model", VARIANTS, ids=str)


def problem(n: int = 120, name: str = "two_moons") -> tuple[np.ndarray, np.ndarray]:
    d = data.load(name, n_samples=n, random_state=0)
    y = hide(d.y, per_class=3, random_state=0)
    first = np.argsort(y == -1, kind="stable")  # labelled ones first
    return d.X[first].astype(float), y[first]


def started(model: Any, X: np.ndarray, y: np.ndarray, n: int) -> Any:
    return clone(model).partial_fit(X[:n], y[:n])


@pytest.mark.parametrize("Method", [OnlineQLP, OnlineQRLP])
def test_undetermined_points_are_minus_one_also_among_names(Method: type) -> None:
    rng = np.random.default_rng(0)
    model = Method(k_graph=2).partial_fit(rng.normal(size=(6, 2)), np.array(list("bababa")))
    model.partial_fit(rng.normal(size=(8, 2)) + 1000)
    assert model.observe([1000.0, 1000.0]) == -1 and model.observe([0.0, 0.0]) in ("a", "b")


def closest_first(X: np.ndarray, start: int) -> np.ndarray:
    """The two closest points from `start` on come first: then nothing is within R_0 later."""
    D = np.linalg.norm(X[start:, None] - X[start:], axis=2)
    np.fill_diagonal(D, np.inf)
    pair = start + np.array(np.unravel_index(D.argmin(), D.shape))
    rest = np.setdiff1d(np.arange(len(X)), pair)
    return np.concatenate([rest[:start], pair, rest[start:]])


@pytest.mark.filterwarnings("ignore:.*there are .* unlabelled points")
@pytest.mark.parametrize("own_node", [True, False])
@pytest.mark.parametrize("name", ["two_moons", "three_rings", "digits"])
def test_with_room_for_all_the_last_answer_is_the_offline_one(name: str, own_node: bool) -> None:
    X, y = problem(150, name)
    known = int(np.sum(y != -1))
    order = closest_first(X, known)
    X, y = X[order], y[order]
    offline = (
        (OnlineQLP(200, own_node=own_node), LabelPropagation(5)),
        (OnlineQRLP(200, n_hubs=30, own_node=own_node), RobustLabelPrediction(4, 5, 30, 3)),
    )
    for model, other in offline:
        model.partial_fit(X[: known + 5], y[: known + 5])
        for n in range(known + 5, len(X)):
            said = model.observe(X[n])
            if n % 20 == 0 or n == len(X) - 1:
                other.fit(X[: n + 1], y[: n + 1])
                assert said == other.transduction_[-1]
                np.testing.assert_allclose(
                    model.last_distribution_, other.label_distributions_[-1], atol=1e-9
                )
        assert (model.multiplicities_ == 1).all() and len(model.centroids_) == len(X) - known


def test_as_printed_it_is_algorithm_2() -> None:
    X, y = problem(200)
    model = OnlineQRLP(12, n_hubs=5, own_node=False).partial_fit(X[:18], y[:18])
    for n in range(18, len(X)):
        said = model.observe(X[n])
        if n % 4:
            continue
        cover = oracles.Cover(X[6 : n + 1], 12, 12, "doubling")
        numbers = [6 + ball.number for ball in cover.balls]
        weights = [ball.weight for ball in cover.balls]
        labels = oracles.quantised_rlp(
            np.vstack([X[:6], X[numbers]]), np.append(y[:6], np.full(len(numbers), -1)),
            np.array([1] * 6 + weights), k_graph=4, k_hub=5, n_hubs=5, n_votes=3,
        )  # fmt: skip
        np.testing.assert_array_equal(model.centroid_labels(), labels[6:])
        assert said == labels[6 + model.cover_.labels_[0]]


@every_variant
def test_predict_and_observe_agree_and_predict_learns_nothing(model: Any) -> None:
    X, y = problem()
    model = started(model, X, y, 20)
    for n in range(20, 60):
        before = model.state()
        expected, shares = model.predict(X[n : n + 1])[0], model.predict_proba(X[n : n + 1])[0]
        assert_same(model.state(), before)
        assert model.observe(X[n]) == expected
        np.testing.assert_array_equal(model.last_distribution_, shares)


@every_variant
def test_fit_is_a_stream_after_the_first_unlabelled_points(model: Any) -> None:
    X, y = problem()
    whole, first = clone(model).fit(X, y), 6 + 10
    pieces = started(model, X, y, first)
    assert (whole.transduction_[:6] == y[:6]).all()
    np.testing.assert_array_equal(whole.transduction_[6:first], pieces.centroid_labels())
    said = [pieces.observe(x) for x in X[first:]]
    np.testing.assert_array_equal(whole.transduction_[first:], said)
    assert_same(whole.state(), pieces.state())


@every_variant
def test_a_restored_one_goes_on_as_if_nothing_had_happened(model: Any, tmp_path: Path) -> None:
    X, y = problem()
    there = started(model, X, y, 30)
    for x in X[30:60]:
        there.observe(x)
    np.savez(tmp_path / "stream.npz", **there.state())
    with np.load(tmp_path / "stream.npz", allow_pickle=False) as stored:
        here = clone(model).restore(stored)
    assert [there.observe(x) for x in X[60:]] == [here.observe(x) for x in X[60:]]
    assert_same(there.state(), here.state())


@every_variant
def test_labelled_arrivals_join_the_labels_and_leave_the_cover_alone(model: Any) -> None:
    X, y = problem()
    model = started(model, X, y, 40)
    cover, seen = model.cover_.state(), len(model.labelled_points_)
    model.partial_fit(X[40:43], [5, 0, 5])  # five is new
    assert model.classes_.tolist() == [0, 1, 5]
    np.testing.assert_array_equal(model.labelled_points_[seen:], X[40:43])
    assert model.labelled_classes_.tolist() == [*y[:6], 5, 0, 5]
    assert_same(model.cover_.state(), cover)
    assert_same(model.state(), clone(model).restore(model.state()).state())
    model.observe(X[50])
    assert len(model.last_distribution_) == 3
    assert model.last_distribution_.sum() == pytest.approx(1)


def test_labels_that_arrive_late_are_as_good_as_early_ones() -> None:
    X, y = problem()
    for model in (OnlineQLP(200), OnlineQRLP(200, n_hubs=20)):
        early = clone(model).partial_fit(X, y)
        late = clone(model).partial_fit(np.vstack([X[:4], X[6:]]), np.append(y[:4], y[6:]))
        late.partial_fit(X[4:6], y[4:6])
        np.testing.assert_array_equal(early.predict_proba(X), late.predict_proba(X))


@every_variant
def test_points_learnt_without_an_answer_are_learnt_alike(model: Any) -> None:
    X, y = problem()
    told, asked = started(model, X, y, 25), started(model, X, y, 25)
    told.partial_fit(X[25:70]).partial_fit(X[70:90], y[70:90])
    for x in X[25:90]:
        asked.observe(x)
    assert_same(told.state(), asked.state())
    np.testing.assert_allclose(told._D_across, asked._D_across, rtol=0, atol=0)


@pytest.mark.parametrize("Method", [OnlineQLP, OnlineQRLP])
def test_memory_does_not_grow_with_the_stream(Method: Any) -> None:
    X = np.random.default_rng(0).normal(size=(100_000, 2))
    y = np.full(len(X), -1)
    y[:4] = 0, 1, 0, 1
    model = Method(50).partial_fit(X[:500], y[:500])
    most = 0
    for start in range(500, len(X), 995):
        model.partial_fit(X[start : start + 994]).observe(X[start + 994])
        held = {**vars(model), **vars(model.cover_)}
        most = max(most, sum(v.nbytes for v in held.values() if isinstance(v, np.ndarray)))
    assert model.multiplicities_.sum() == len(X) - 4
    assert most < 2**17


@pytest.mark.parametrize("every", [0, 20], ids=["no labels come", "every 20th has a label"])
def test_it_follows_classes_that_turn_where_the_first_labels_cannot(every: int) -> None:
    d = turning_moons(n_samples=1200, random_state=0)
    first = np.isin(np.arange(100), [np.flatnonzero(d.y == c)[:4] for c in (0, 1)])
    for model in (OnlineQLP(100), OnlineQRLP(100, n_hubs=30)):
        model.partial_fit(d.X[:100], np.where(first, d.y[:100], -1))
        right = []
        for i in range(100, 1200):
            if every and i % every == 0:
                model.partial_fit(d.X[i : i + 1], d.y[i : i + 1])
            else:
                right.append(model.observe(d.X[i]) == d.y[i])
        nearest = KNeighborsClassifier(1).fit(d.X[:100][first], d.y[:100][first])
        assert np.mean(right) > nearest.score(d.X[100:], d.y[100:]) + (0.15 if every else 0.05)


def test_the_own_node_answers_better_than_a_collapsed_cover_on_images(real: Callable) -> None:
    d = as_stream(real("usps_11000", n_samples=500), "shuffled", 0)
    y = hide(d.y, per_class=10, random_state=0)
    late = np.flatnonzero(y == -1)[-200:]  # the cover has collapsed by then
    right = {
        own: np.mean(OnlineQRLP(own_node=own).fit(d.X, y).transduction_[late] == d.y[late])
        for own in (True, False)
    }
    assert right[True] > right[False] + 0.1  # in three draws: 0.20, 0.08 and 0.38 more


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m, X, y: m.observe(np.ones(3)), r"2 finite numbers, x has shape \(3,\)"),
        (lambda m, X, y: m.observe(np.ones((1, 2))), r"2 finite numbers, x has shape \(1, 2\)"),
        (lambda m, X, y: m.observe([1, np.nan]), "one vector of 2 finite numbers, x holds NaN"),
        (lambda m, X, y: m.partial_fit(X[:2], [0.5, 1.0]), "Unknown label type"),
        (lambda m, X, y: m.partial_fit(X[:2], ["a", "b"]), "names and numbers do not mix"),
        (lambda m, X, y: m.partial_fit(np.ones((2, 5))), "features"),
        (lambda m, X, y: OnlineQLP().partial_fit(X, np.full(len(X), -1)), "holds no label"),
        (lambda m, X, y: OnlineQRLP().partial_fit(X, np.minimum(y, 0)), "one class only"),
        (lambda m, X, y: OnlineQLP().restore(m.cover_.state()), "the state lacks points"),
        (lambda m, X, y: OnlineQRLP().restore(m.state()), "the state lacks pretuned"),
        (lambda m, X, y: DoublingCover().restore({}), "the state lacks centroids"),
    ],
)
def test_wrong_input_is_refused_and_named(call: Callable, message: str) -> None:
    X, y = problem()
    with pytest.raises(ValueError, match=message):
        call(OnlineQLP().partial_fit(X, y), X, y)
