"""Label propagation gives the absorption probabilities of the paper, whatever the data are."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from propagation.written_out import harmonic, one_hot, weights
from scipy import sparse
from sklearn.semi_supervised import LabelPropagation as TheirPropagation

from sslviz import LabelPropagation, data
from sslviz.labels import hide


def cloud(seed: int, n: int = 120, d: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Random points of three classes, a third of them labelled."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.where(rng.random(n) < 0.35, rng.integers(3, size=n), -1)


def reaching(W: np.ndarray, y: np.ndarray) -> np.ndarray:
    reach = y != -1
    for _ in range(len(y)):
        reach = reach | ((W > 0) @ reach)
    return reach


def assert_as_written(
    X: np.ndarray, y: np.ndarray, k: int, graph: str, atol: float = 1e-12
) -> None:
    """Equal to the dense inverse where a label can be reached, zero and -1 elsewhere."""
    model = LabelPropagation(n_neighbors=k, graph=graph).fit(X, y)
    W = weights(X, k, undirected=graph == "undirected")
    reach = reaching(W, y)
    P = W / W.sum(axis=1, keepdims=True)
    expected, free = one_hot(y), reach & (y == -1)
    Q = P[np.ix_(free, free)]
    onto = P[np.ix_(free, y != -1)] @ expected[y != -1]
    expected[free] = np.linalg.inv(np.eye(free.sum()) - Q) @ onto
    np.testing.assert_allclose(model.label_distributions_, expected, rtol=0, atol=atol)
    assert ((model.transduction_ == -1) == ~reach).all()


@pytest.mark.parametrize("graph", ["undirected", "directed"])
@pytest.mark.parametrize("seed", range(4))
def test_random_points_agree_with_the_inverse(seed: int, graph: str) -> None:
    assert_as_written(*cloud(seed), k=4, graph=graph)


@pytest.mark.parametrize("graph", ["undirected", "directed"])
@pytest.mark.parametrize("name", ["iris", "digits"])
def test_real_points_agree_with_the_inverse(name: str, graph: str) -> None:
    d = data.load(name)
    X, truth = d.X[:900], d.y[:900]
    assert_as_written(X, hide(truth, per_class=4, random_state=0), k=5, graph=graph)


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


def test_a_good_answer_on_two_moons(moons: tuple) -> None:
    X, y, truth = moons
    assert (LabelPropagation().fit(X, y).transduction_ == truth).mean() > 0.97


def test_given_labels_are_kept_and_certain(moons: tuple) -> None:
    X, y, _ = moons
    model = LabelPropagation().fit(X, y)
    given = y != -1
    assert (model.transduction_[given] == y[given]).all()
    assert (model.label_distributions_[given] == one_hot(y)[given]).all()


def test_it_agrees_with_scikit_learn_on_the_same_graph(moons: tuple) -> None:
    X, y, _ = moons
    W = weights(X, 5)
    ours = LabelPropagation().fit(X, y)
    theirs = TheirPropagation(kernel=lambda *_: W, max_iter=200_000, tol=1e-13).fit(X, y)
    np.testing.assert_allclose(
        ours.label_distributions_, theirs.label_distributions_, rtol=0, atol=1e-8
    )
    assert (ours.transduction_ == theirs.transduction_).all()


@pytest.mark.parametrize("factor", [1e-150, 1e-3, 7.0, 1e150])
def test_scaling_the_data_changes_nothing(factor: float, moons: tuple) -> None:
    X, y, _ = moons
    ours, scaled = (LabelPropagation().fit(A, y).label_distributions_ for A in (X, X * factor))
    np.testing.assert_allclose(scaled, ours, rtol=0, atol=1e-10)


def test_permuting_points_permutes_the_answer(moons: tuple) -> None:
    X, y, _ = moons
    order = np.random.default_rng(0).permutation(len(X))
    F = LabelPropagation().fit(X, y).label_distributions_
    shuffled = LabelPropagation().fit(X[order], y[order]).label_distributions_
    np.testing.assert_allclose(shuffled, F[order], rtol=0, atol=1e-12)


@pytest.mark.parametrize("names", [(-7, 3), (10**12, -2), (5, 0)])
def test_classes_may_have_any_whole_names(names: tuple[int, int], moons: tuple) -> None:
    X, y, _ = moons
    renamed = np.select([y == 0, y == 1], names, -1)
    plain, model = LabelPropagation().fit(X, y), LabelPropagation().fit(X, renamed)
    assert model.classes_.tolist() == sorted(names)
    assert (model.transduction_ == np.array(names)[plain.transduction_]).all()
    columns = np.argsort(names)
    np.testing.assert_allclose(
        model.label_distributions_, plain.label_distributions_[:, columns], rtol=0, atol=1e-14
    )


def test_an_island_without_label_is_undetermined_and_changes_nothing(moons: tuple) -> None:
    X, y, _ = moons
    rng = np.random.default_rng(0)
    island = X.mean(axis=0) + [500, 0] + 0.1 * rng.normal(size=(20, 2))
    alone = LabelPropagation(sigma=0.1).fit(X, y)
    both = LabelPropagation(sigma=0.1).fit(np.vstack([X, island]), np.append(y, [-1] * 20))
    assert (both.transduction_[300:] == -1).all()
    assert (both.label_distributions_[300:] == 0).all()
    np.testing.assert_allclose(
        both.label_distributions_[:300], alone.label_distributions_, rtol=0, atol=1e-12
    )
    assert (both.predict(island + 0.01) == -1).all()


@pytest.mark.parametrize("label", [-1, 0])
def test_one_far_outlier_changes_nothing_for_the_others(label: int, moons: tuple) -> None:
    X, y, _ = moons
    alone = LabelPropagation(sigma=0.1).fit(X, y)
    far = LabelPropagation(sigma=0.1).fit(np.vstack([X, [[1e6, 0]]]), np.append(y, label))
    np.testing.assert_allclose(
        far.label_distributions_[:-1], alone.label_distributions_, rtol=0, atol=1e-10
    )
    assert np.isclose(far.label_distributions_[-1].sum(), 1)


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


def test_training_points_predict_their_own_answer(moons: tuple) -> None:
    X, y, _ = moons
    model = LabelPropagation().fit(X, y)
    assert (model.predict(X) == model.transduction_).all()
    np.testing.assert_allclose(model.predict_proba(X), model.label_distributions_, atol=1e-10)


def test_new_points_take_the_weighted_mean_of_their_neighbours(moons: tuple) -> None:
    X, y, _ = moons
    model = LabelPropagation().fit(X, y)
    Q = np.random.default_rng(0).uniform(-1, 2, size=(50, 2))
    for q, row in zip(Q, model.predict_proba(Q), strict=True):
        d = np.sqrt(((q - X) ** 2).sum(axis=1))
        near = np.argsort(d)[:5]
        w = np.exp(-(d[near] ** 2 - d[near].min() ** 2) / model.sigma_**2)
        np.testing.assert_allclose(row, w @ model.label_distributions_[near] / w.sum(), atol=1e-12)
    far = model.predict_proba([[1e9, 1e9], [-1e12, 0]])
    np.testing.assert_allclose(far.sum(axis=1), 1)


def test_links_are_the_walkers_steps(moons: tuple) -> None:
    X, y, _ = moons
    W = weights(X, 5)
    model = LabelPropagation().fit(X, y)
    for point in (0, 17, 299):
        others, chances = model.links(point)
        row = W[point] / W[point].sum()
        assert others.tolist() == np.flatnonzero(row).tolist()
        np.testing.assert_allclose(chances, row[others], rtol=1e-12)


def test_rows_of_the_weights_may_be_scaled() -> None:
    from sslviz.propagation.stages.absorption import absorption

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
