"""Label propagation gives the absorption probabilities of the paper, whatever the data are."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from propagation import oracles
from propagation.oracles import harmonic, one_hot, weights
from scipy import sparse
from sklearn.semi_supervised import LabelPropagation as TheirPropagation

from sslviz import LabelPropagation, data
from sslviz.graph.linear_neighbourhoods import convex
from sslviz.graph.neighbours import knn_lists
from sslviz.labels import hide
from sslviz.propagation.stages.absorption import absorption


def cloud(seed: int, n: int = 120, d: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Random points of three classes, a third of them labelled."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.where(rng.random(n) < 0.35, rng.integers(3, size=n), -1)


def assert_as_written(
    X: np.ndarray, y: np.ndarray, k: int, graph: str, atol: float = 1e-11
) -> None:
    """Equal to the dense solve where a label can be reached, zero and -1 elsewhere."""
    model = LabelPropagation(n_neighbors=k, graph=graph).fit(X, y)
    expected = oracles.absorption(
        weights(X, k, undirected=graph == "undirected"), one_hot(y), y == -1
    )
    np.testing.assert_allclose(model.label_distributions_, expected, rtol=0, atol=atol)
    assert ((model.transduction_ == -1) == ~expected.any(axis=1)).all()


@pytest.mark.parametrize("graph", ["undirected", "directed"])
def test_random_and_real_points_agree_with_the_inverse(graph: str) -> None:
    for seed in range(4):
        assert_as_written(*cloud(seed), k=4, graph=graph)
    for name in ("iris", "digits"):
        d = data.load(name)
        y = hide(d.y[:900], per_class=4, random_state=0)
        assert_as_written(d.X[:900], y, k=5, graph=graph)


@pytest.mark.parametrize("graph", ["undirected", "directed"])
def test_handwritten_digits_agree_with_the_inverse(graph: str, real: Callable) -> None:
    d = real("mnist", n_samples=700, random_state=1)
    assert_as_written(d.X, hide(d.y, per_class=4, random_state=1), k=5, graph=graph)


@pytest.mark.parametrize("graph", ["undirected", "directed"])
def test_the_answer_is_harmonic_and_a_probability(graph: str, moons: tuple) -> None:
    X, y, _ = moons
    F = LabelPropagation(graph=graph).fit(X, y).label_distributions_
    W = weights(X, 5, undirected=graph == "undirected")
    free = y == -1
    P = W / W.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(F[free], (P @ F)[free], rtol=0, atol=1e-10)
    assert F.min() >= 0 and F.max() <= 1 + 1e-12
    sums = F.sum(axis=1)
    assert (sums <= 1 + 1e-12).all()
    if graph == "undirected":
        np.testing.assert_allclose(sums, 1, rtol=0, atol=1e-10)


def test_it_agrees_with_scikit_learn_on_the_same_graph(moons: tuple) -> None:
    X, y, _ = moons
    W = weights(X, 5)
    ours = LabelPropagation().fit(X, y)
    theirs = TheirPropagation(kernel=lambda *_: W, max_iter=200_000, tol=1e-13).fit(X, y)
    np.testing.assert_allclose(
        ours.label_distributions_, theirs.label_distributions_, rtol=0, atol=1e-8
    )
    assert (ours.transduction_ == theirs.transduction_).all()


@pytest.mark.parametrize("graph", ["undirected", "directed"])
def test_equal_points_are_linked_at_full_weight(graph: str) -> None:
    X, y = cloud(0)
    free = y == -1
    X, y = np.vstack([X, X[free], X[free]]), np.append(y, np.full(2 * free.sum(), -1))
    assert_as_written(X, y, k=6, graph=graph, atol=1e-9)  # the inverse is no better


def test_constant_features_still_give_an_answer() -> None:
    y = np.array([0, 1, 1] + [-1] * 7)
    model = LabelPropagation(n_neighbors=4).fit(np.ones((10, 3)), y)
    np.testing.assert_allclose(model.label_distributions_.sum(axis=1), 1, atol=1e-12)


def test_everything_labelled_is_returned_as_given() -> None:
    X, _ = cloud(1)
    y = np.random.default_rng(1).integers(3, size=len(X))
    for class_mass in (False, True):
        model = LabelPropagation(class_mass=class_mass).fit(X, y)
        assert (model.transduction_ == y).all()


def test_class_mass_makes_columns_weigh_as_the_labels_do(moons: tuple) -> None:
    X, y, _ = moons
    y = y.copy()
    y[np.flatnonzero(y == 1)[1:]] = -1  # three labels against one
    plain, mass = (LabelPropagation(class_mass=m).fit(X, y) for m in (False, True))
    free = y == -1
    F = plain.label_distributions_
    np.testing.assert_array_equal(mass.label_distributions_, F)
    weighted = F[free] * np.array([0.75, 0.25]) / F[free].sum(axis=0)
    np.testing.assert_allclose(weighted.sum(axis=0), [0.75, 0.25])
    assert (mass.transduction_[free] == weighted.argmax(axis=1)).all()
    assert (mass.transduction_[~free] == y[~free]).all()
    np.testing.assert_allclose(
        mass.class_weights_, np.array([0.75, 0.25]) / F[free].sum(axis=0), rtol=1e-12
    )


@pytest.mark.parametrize("graph", ["undirected", "directed"])
def test_sweeps_rise_to_the_limit_and_end_in_fit(graph: str, moons: tuple) -> None:
    X, y, _ = moons
    fitted = LabelPropagation(graph=graph).fit(X, y)
    watched = LabelPropagation(graph=graph)
    sweeps = list(watched.steps(X, y))
    frames = [s.F.numpy() for s in sweeps]
    assert [s.iteration for s in sweeps] == list(range(1, len(sweeps) + 1))
    assert all((b >= a - 1e-15).all() for a, b in pairwise(frames))
    assert all((f <= fitted.label_distributions_ + 1e-12).all() for f in frames)
    for (before, after), sweep in zip(pairwise(frames), sweeps[1:], strict=True):
        assert sweep.change == np.abs(after - before).max()
    np.testing.assert_array_equal(watched.label_distributions_, fitted.label_distributions_)
    np.testing.assert_array_equal(watched.transduction_, fitted.transduction_)


def test_links_are_the_steps_of_the_walk(moons: tuple) -> None:
    X, y, _ = moons
    W = weights(X, 5)
    model = LabelPropagation().fit(X, y)
    for point in (0, 17, 299):
        others, probabilities = model.links(point)
        row = W[point] / W[point].sum()
        assert others.tolist() == np.flatnonzero(row).tolist()
        np.testing.assert_allclose(probabilities, row[others], rtol=1e-12)


def test_rows_of_the_weights_may_be_scaled() -> None:
    X, y = cloud(2)
    W = weights(X, 5, undirected=False)
    scaled = W * np.random.default_rng(0).uniform(0.01, 100, size=(len(W), 1))
    first, second = (
        absorption(sparse.csr_array(A / A.sum(axis=1, keepdims=True)), y, n_targets=3)
        for A in (W, scaled)
    )
    np.testing.assert_allclose(first, second, rtol=0, atol=1e-12)


def test_the_dense_formula_itself_is_the_laplacian_one() -> None:
    X, y = cloud(3)
    W = weights(X, 6)
    F = LabelPropagation(n_neighbors=6).fit(X, y).label_distributions_
    np.testing.assert_allclose(F, harmonic(W, y), rtol=0, atol=1e-9)


def linear_weights(X: np.ndarray, k: int, graph: str) -> np.ndarray:
    lists = knn_lists(X, k)[0]
    W = np.zeros((len(X), len(X)))
    np.put_along_axis(W, lists, convex(X, X, lists), axis=1)
    return W if graph == "directed" else W + W.T


@pytest.mark.parametrize("graph", ["undirected", "directed"])
def test_linear_weights_give_the_harmonic_solution_on_linear_neighbourhoods(graph: str) -> None:
    for seed in range(3):
        X, y = cloud(seed)
        model = LabelPropagation(4, graph=graph, weights="linear").fit(X, y)
        expected = oracles.absorption(linear_weights(X, 4, graph), one_hot(y), y == -1)
        np.testing.assert_allclose(model.label_distributions_, expected, rtol=0, atol=1e-11)
        _, shares = model.links(0)
        assert shares.min() > 0 and abs(shares.sum() - 1) < 1e-12
        *_, last = LabelPropagation(4, graph=graph, weights="linear").steps(X, y)
        np.testing.assert_allclose(last.F.cpu(), expected, atol=1e-3)


def test_with_linear_weights_training_points_keep_their_values_and_new_ones_are_mixed() -> None:
    X, y = cloud(1)
    model = LabelPropagation(4, weights="linear").fit(X, y)
    F = model.label_distributions_
    np.testing.assert_allclose(model.predict_proba(X), F / F.sum(axis=1, keepdims=True), atol=1e-12)
    Q = cloud(7, n=9)[0]
    near = np.argsort(np.linalg.norm(Q[:, None] - X, axis=2), axis=1)[:, :4]
    mixed = np.einsum("mk,mkc->mc", convex(Q, X, near), F[near])
    np.testing.assert_allclose(model.predict_proba(Q), mixed, atol=1e-12)


def test_the_width_has_no_effect_on_linear_weights() -> None:
    X, y = cloud(2)
    a, b = (LabelPropagation(4, s, weights="linear").fit(X, y) for s in ("mean", 0.1))
    np.testing.assert_array_equal(a.label_distributions_, b.label_distributions_)
