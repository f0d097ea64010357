"""Temporal label propagation: label propagation on all points, of which the last ones are kept."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from stream.oracles import assert_same
from stream.test_base import problem

from sslviz import LabelPropagation, OnlineQLP, TemporalLabelPropagation
from sslviz.data.drift import turning_moons


def whole_graph(X: np.ndarray, known: int, first: int, k: int) -> np.ndarray:
    """Weights of all points in plain loops: the first graph, then k links of each newcomer.

    The first `known` points are labelled; a newcomer sees them and the `first` points before it.
    """
    D = np.linalg.norm(X[:, None] - X, axis=2)
    start = known + first
    near = np.array([sorted(set(range(start)) - {i}, key=lambda j, i=i: D[i, j])[:k]
                     for i in range(start)])  # fmt: skip
    sigma = np.mean([D[i, j] for i in range(start) for j in near[i]])
    W = np.zeros_like(D)
    for i in range(len(X)):
        present = [*range(known), *range(i - first, i)]
        for j in near[i] if i < start else sorted(present, key=lambda j, i=i: D[i, j])[:k]:
            W[i, j] = W[j, i] = np.exp(-((D[i, j] / sigma) ** 2))
    return W


@pytest.mark.parametrize("name", ["two_moons", "digits"])
def test_answers_are_those_of_the_graph_of_all_points_so_far(name: str) -> None:
    X, y = problem(140, name)
    known, kept, k = int(np.sum(y != -1)), 15, 4
    W = whole_graph(X, known, kept, k)
    model = TemporalLabelPropagation(kept, k).partial_fit(X[: known + kept], y[: known + kept])
    Y = (y[:known, None] == model.classes_).astype(float)
    laplacian = np.diag(W.sum(axis=1)) - W
    for n in range(known + kept, len(X)):
        model.observe(X[n])
        if n % 10 and n < len(X) - 1:
            continue
        L = laplacian[known : n + 1, known : n + 1].copy()
        np.fill_diagonal(L, W[known : n + 1, : n + 1].sum(axis=1))  # later ones are not there yet
        F = np.linalg.solve(L, W[known : n + 1, :known] @ Y)
        np.testing.assert_allclose(model.last_distribution_, F[-1], rtol=0, atol=1e-10)
        np.testing.assert_allclose(model.centroid_distributions(), F[-kept:], rtol=0, atol=1e-10)
    assert len(model.centroids_) == kept and model.n_seen_ == len(X) - known


@pytest.mark.parametrize("name", ["two_moons", "three_rings", "digits"])
def test_before_the_stream_it_is_label_propagation(name: str) -> None:
    X, y = problem(150, name)
    offline = LabelPropagation(5).fit(X, y)
    model = TemporalLabelPropagation(200).partial_fit(X, y)
    expected = offline.label_distributions_[y == -1]
    np.testing.assert_allclose(model.centroid_distributions(), expected, atol=1e-10)
    assert model.sigma_ == pytest.approx(offline.sigma_)


def test_departures_change_no_answer_also_between_labelled_arrivals() -> None:
    X, y = problem(200)
    truth = np.where(X[:, 1] > 0.25, 0, 1)
    model = TemporalLabelPropagation(12).partial_fit(X[:18], y[:18])
    changes = []
    for n in range(18, 200):
        if n % 9:
            model.observe(X[n])
            changes.append(model.network_summary().change)
        else:
            model.partial_fit(X[n : n + 1], truth[n : n + 1])
            assert model.departure_ is None and model.network_.labels == len(model.labelled_points_)
    assert 0 < max(changes) < 1e-13


def test_a_label_draws_the_points_linked_to_it() -> None:
    X, y = problem(60)
    model = TemporalLabelPropagation(30).partial_fit(X[:36], y[:36])
    before = model.centroid_distributions()
    middle = model.centroids_[10]
    model.partial_fit(middle[None] + 1e-6, [1])
    after = model.centroid_distributions()
    assert (after[:, 1] >= before[:, 1] - 1e-12).all() and after[10, 1] > before[10, 1]
    model.partial_fit(middle[None] + 1e-6, [7])
    assert model.classes_.tolist() == [0, 1, 7] and model.centroid_distributions()[10, 2] > 0.1


def test_kept_points_are_the_last_ones_in_their_order() -> None:
    X, y = problem()
    model = TemporalLabelPropagation(10).partial_fit(X[:40], y[:40])
    np.testing.assert_array_equal(model.centroids_, X[30:40])
    assert model.births_.tolist() == list(range(24, 34))
    assert model.owners_.tolist() == [-1] * 24 + list(range(10))
    model.observe(X[40])
    np.testing.assert_array_equal(model.centroids_, X[31:41])
    assert model.owners_.tolist() == [9] and (model.multiplicities_ == 1).all()


def test_a_restored_one_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    X, y = problem()
    there = TemporalLabelPropagation(10, sigma="0.7 mean").partial_fit(X[:30], y[:30])
    for x in X[30:60]:
        there.observe(x)
    np.savez(tmp_path / "stream.npz", **there.state())
    with np.load(tmp_path / "stream.npz", allow_pickle=False) as stored:
        here = TemporalLabelPropagation(10, sigma="0.7 mean").restore(stored)
    assert [there.observe(x) for x in X[60:]] == [here.observe(x) for x in X[60:]]
    assert_same(there.state(), here.state())
    with pytest.raises(ValueError, match="10 points does not fit capacity=5"):
        TemporalLabelPropagation(5).restore(there.state())
    with pytest.raises(ValueError, match="the state lacks kept"):
        TemporalLabelPropagation(10).restore(OnlineQLP(10).partial_fit(X, y).state())


def test_predict_learns_nothing_and_fit_replays_the_stream() -> None:
    X, y = problem()
    model = TemporalLabelPropagation(10).partial_fit(X[:16], y[:16])
    state, shares = model.state(), model.predict_proba(X[16:20])
    assert_same(model.state(), state)
    said = [model.observe(x) for x in X[16:]]
    np.testing.assert_array_equal(shares[0], TemporalLabelPropagation(10).fit(X, y)
                                  .label_distributions_[16])  # fmt: skip
    np.testing.assert_array_equal(TemporalLabelPropagation(10).fit(X, y).transduction_[16:], said)


def test_far_points_equal_points_and_no_unlabelled_ones() -> None:
    X, y = problem(40)
    model = TemporalLabelPropagation(5).partial_fit(X[:6], y[:6])
    assert len(model.centroids_) == 0 and model.observe(X[6]) in (0, 1)
    for x in ([1e6, 1e6], [-1e200, 0], X[0], X[0], X[1], X[2], [1e6, 1e6]):
        assert model.observe(np.array(x)) in (0, 1)
        assert model.last_distribution_.sum() == pytest.approx(1)
    # Beside a twin the walk does not come away within the range of floats; later it does.
    assert model.observe([1e6, 1e6 + 1e-3]) == -1 and (model.last_distribution_ == 0).all()
    for x in X[3:7]:
        model.observe(x)
    assert model.births_[0] == 8 and model.centroid_labels()[0] in (0, 1)
    same = TemporalLabelPropagation(3).partial_fit(np.zeros((6, 2)), [0, 1, 1, -1, -1, -1])
    assert same.observe([0, 0]) in (0, 1) and np.isfinite(same.centroid_distributions()).all()


def test_memory_does_not_grow_with_the_stream() -> None:
    X = np.random.default_rng(0).normal(size=(3000, 2))
    model = TemporalLabelPropagation(20).partial_fit(X[:30], np.r_[0, 1, np.full(28, -1)])
    sizes = []
    for start in range(30, 3000, 990):
        model.partial_fit(X[start : start + 990])
        sizes.append(sum(part.nbytes for part in model.state().values()))
    assert len(set(sizes)) == 1 and model.n_seen_ == 2998
    assert np.isfinite(model.centroid_distributions()).all()


def test_it_follows_turning_moons_where_centroids_and_first_labels_fail() -> None:
    d = turning_moons(n_samples=2400, turns=1.5)
    first = np.concatenate([np.flatnonzero(d.y == c)[:3] for c in (0, 1)])
    rest = np.setdiff1d(np.arange(2400), first)
    y = np.full(2400, -1)
    y[first] = d.y[first]
    known, later = np.concatenate([first, rest[:50]]), rest[50:450]
    right = {}
    for model in (OnlineQLP(), TemporalLabelPropagation()):
        model.partial_fit(d.X[known], y[known])
        right[model.abbreviation] = np.mean([model.observe(d.X[i]) == d.y[i] for i in later])
    nearest = KNeighborsClassifier(1).fit(d.X[first], d.y[first]).score(d.X[later], d.y[later])
    assert right["TLP"] > 0.98 > right["QLP"] + 0.1 and right["QLP"] > nearest
