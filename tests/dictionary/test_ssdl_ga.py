"""SSDL-GA minimises Eq. 4 as written, update by update, and says how each point is written."""

from typing import Any

import numpy as np
import pytest
import torch
from sklearn.decomposition import sparse_encode

from sslviz import SSDLGA, USSDL
from sslviz.device import to_numpy
from sslviz.dictionary.stages.active_points import active_squares, classify, opinions, squares
from sslviz.dictionary.stages.alternation import better_atoms, first_atoms, initial
from sslviz.dictionary.stages.graph_sparse_coding import code_on_graph
from sslviz.dictionary.stages.laplacians import KINDS, build
from sslviz.dictionary.stages.sparse_coding import Classifier, Fixed, batches, code, smooth
from sslviz.labels import hide
from sslviz.solve.dictionary_learning import unit_atoms

SMALL = {"n_atoms": 25, "max_iter": 4}


@pytest.fixture(scope="module")
def digits(real: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """120 digits of three classes, 10 labels each; points, labels and truth."""
    d = real("usps")
    rng = np.random.default_rng(0)
    chosen = np.concatenate([rng.choice(np.flatnonzero(d.y == c), 40, False) for c in (2, 3, 5)])
    y = d.y[chosen] * 7  # names are not 0, 1, 2
    return 5 * unit_atoms(d.X[chosen]), hide(y, per_class=10, random_state=0), y


@pytest.fixture(params=["noise", "digits"])
def problem(request: Any) -> tuple[np.ndarray, np.ndarray]:
    if request.param == "digits":
        return request.getfixturevalue("digits")[:2]
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    return rng.normal(size=(60, 8)) + 2 * np.eye(3, 8)[y], hide(y, per_class=4, random_state=0)


def eq4(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """The objective, sums written out."""
    A, P, b = model.codes_, model.pseudo_labels_, model.intercept_
    total = np.square(X - A @ model.components_).sum() + model.lam * np.abs(A).sum()
    if model.weights_ is not None:
        total += model.beta * np.square(A - model.weights_ @ A).sum()
    s = A @ model.coef_.T + b
    for j in range(len(X)):
        for k in range(len(b)):
            sign = np.where(np.arange(len(b)) == k, 1, -1)
            Q = sign * s[j] < 1
            total += model.gamma * P[j, k] ** model.r * np.sum(Q * (s[j] - sign) ** 2)
    return float(total + model.mu * (np.square(model.coef_).sum() + np.square(b).sum()))


@pytest.mark.parametrize("options", [{}, {"r": 1.0}, {"beta": 0.0}, {"batch_size": 30}])
def test_the_reported_objective_is_eq_4(problem: tuple, options: dict) -> None:
    X, y = problem
    watched = SSDLGA(**SMALL, **options)
    seen = list(watched.steps(X, y))
    np.testing.assert_allclose(watched.objective_[-1], eq4(watched, X, y), rtol=1e-9)
    assert [round_.objective for round_ in seen] == watched.objective_.tolist()
    np.testing.assert_allclose([sum(round_.terms) for round_ in seen], watched.objective_)


def test_what_a_fit_leaves_is_what_it_promises(problem: tuple) -> None:
    X, y = problem
    model = SSDLGA(**SMALL).fit(X, y)
    given = y != -1
    assert np.linalg.norm(model.components_, axis=1).max() <= 1 + 1e-12
    np.testing.assert_allclose(model.pseudo_labels_.sum(axis=1), 1)
    np.testing.assert_array_equal(model.pseudo_labels_[given], y[given][:, None] == model.classes_)
    np.testing.assert_array_equal(model.transduction_[given], y[given])
    s = model.codes_ @ model.coef_.T + model.intercept_
    answer = model.classes_[s.argmax(axis=1)]
    np.testing.assert_array_equal(model.transduction_[~given], answer[~given])
    best = model.label_distributions_[~given].argmax(axis=1)
    np.testing.assert_array_equal(model.classes_[best], answer[~given])
    new = model.transform(X[:7] + 0.1) @ model.coef_.T + model.intercept_
    np.testing.assert_array_equal(model.predict(X[:7] + 0.1), model.classes_[new.argmax(axis=1)])


def test_without_graph_and_discrimination_it_is_a_lasso(problem: tuple) -> None:
    X, y = problem
    model = SSDLGA(**SMALL, beta=0.0, gamma=0.0).fit(X, y)
    assert not model.coef_.any() and not model.intercept_.any()
    assert (np.diff(model.objective_) <= 0).all()
    D, codes = model.components_, model.transform(X)
    theirs = sparse_encode(X, D, algorithm="lasso_cd", alpha=model.lam / 2, max_iter=100_000)
    values = [np.square(X - A @ D).sum() + model.lam * np.abs(A).sum() for A in (codes, theirs)]
    np.testing.assert_allclose(values[0], values[1], rtol=1e-6)


@pytest.mark.parametrize("laplacian", KINDS)
def test_single_precision_points_give_double_precision_results(laplacian: str) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 8)).astype(np.float32), np.where(np.arange(60) < 12, 0, -1)
    y[:6] = 1
    single, double = (
        SSDLGA(**SMALL, laplacian=laplacian).fit(Z, y) for Z in (X, X.astype(np.float64))
    )
    np.testing.assert_allclose(single.objective_, double.objective_, rtol=1e-12)
    np.testing.assert_allclose(single.transform(X), double.transform(X), atol=1e-12)


@pytest.mark.parametrize("Method", [SSDLGA, USSDL])
def test_values_whose_squares_overflow_are_refused(Method: type) -> None:
    X, y = np.random.default_rng(0).normal(size=(60, 8)), np.where(np.arange(60) < 12, 0, -1)
    y[:6] = 1
    with pytest.raises(ValueError, match=rf"{Method.__name__}: X holds .*e\+160.*; scale X"):
        Method(**SMALL).fit(1e160 * X, y)
    assert np.isfinite(Method(**SMALL).fit(1e130 * X, y).objective_).all()


class Frozen:
    """A state with Q and P held fixed, and Eq. 4 of it."""

    def __init__(self, X: np.ndarray, y: np.ndarray):
        target = np.where(y == -1, -1, np.unique(y, return_inverse=True)[1] - 1)
        options: dict[str, Any] = {"k": 5, "sigma": 1.0, "share": 0.1, "spread": 1.0}
        start = initial(X, target, np.arange(20), lam=0.3, gamma=0.5, mu=1.0)
        self.fixed = Fixed(torch.as_tensor(X), build(X, "lle", **options).L, 0.3, 0.5, 0.5)
        self.D, self.A, self.W, self.b = map(torch.as_tensor, start)
        s = self.A @ self.W.T + self.b
        self.active = active_squares(s, opinions(s, 1.7), 1.7)

    def classifier(self) -> Classifier:
        return Classifier(self.W, self.b, self.active)

    def objective(self) -> float:
        L = torch.as_tensor(self.fixed.L.toarray())  # type: ignore[union-attr]
        s = self.A @ self.W.T + self.b
        value = ((self.fixed.X - self.A @ self.D) ** 2).sum() + 0.3 * self.A.abs().sum()
        value += 0.5 * (self.A * (L @ self.A)).sum() + (self.W**2).sum() + (self.b**2).sum()
        return float(value) + 0.5 * squares(self.active, s)


def test_with_active_points_held_fixed_no_update_raises_the_objective(problem: tuple) -> None:
    state = Frozen(*problem)
    values = [state.objective()]
    for _ in range(4):
        state.A, _ = code(state.fixed, state.A, state.D, state.classifier(), max_iter=20)
        values.append(state.objective())
        parts = next(batches(len(state.A), 25, 1, 0))
        state.A, _ = code(state.fixed, state.A, state.D, state.classifier(), parts, max_iter=5)
        values.append(state.objective())
        state.D = better_atoms(state.fixed.X, state.A, state.D, 20)
        values.append(state.objective())
        state.W, state.b = classify(state.A, state.active, 0.5, 1.0)
        values.append(state.objective())
    assert (np.diff(values) <= 1e-9 * values[0]).all() and values[-1] < values[0]


def test_codes_meet_the_conditions_of_eq_5(problem: tuple) -> None:
    state = Frozen(*problem)
    A, _ = code(state.fixed, state.A, state.D, state.classifier(), max_iter=5000, tol=1e-9)
    state.A = A.clone().requires_grad_()
    L = torch.as_tensor(state.fixed.L.toarray())  # type: ignore[union-attr]
    s = state.A @ state.W.T + state.b
    value = ((state.fixed.X - state.A @ state.D) ** 2).sum()
    value = value + 0.5 * (state.A * (L @ state.A)).sum()
    value = value + 0.5 * (state.active.weight * (s - state.active.target) ** 2).sum()
    value.backward()
    assert state.A.grad is not None
    g, Z = to_numpy(state.A.grad), to_numpy(A)
    np.testing.assert_allclose(g[Z != 0], -0.3 * np.sign(Z[Z != 0]), rtol=0, atol=1e-4)
    assert np.abs(g[Z == 0]).max() <= 0.3 + 1e-4 and (Z == 0).mean() > 0.1
    quadratic = smooth(state.fixed, A, state.D, state.classifier())
    np.testing.assert_allclose(to_numpy(quadratic.gradient(A)), g, rtol=0, atol=1e-9)


def test_batches_seek_the_same_codes(problem: tuple) -> None:
    state = Frozen(*problem)
    whole, _ = code(state.fixed, state.A, state.D, state.classifier(), max_iter=3000, tol=1e-10)
    n, A = len(state.A), state.A
    one = [np.arange(n)]  # one part that holds everything is the whole problem
    same, _ = code(state.fixed, A, state.D, state.classifier(), one, max_iter=3000, tol=1e-10)
    np.testing.assert_allclose(to_numpy(same), to_numpy(whole), rtol=0, atol=1e-6)
    for parts in batches(n, 20, 40, 0):
        A, _ = code(state.fixed, A, state.D, state.classifier(), parts, max_iter=100, tol=1e-10)
    state.A = A
    found = state.objective()
    state.A = whole
    np.testing.assert_allclose(found, state.objective(), rtol=1e-6)


def test_batches_are_a_partition_drawn_anew() -> None:
    first, second = batches(10, 4, 2, 0)
    for parts in (first, second):
        assert parts is not None and len(parts) == 3 and max(map(len, parts)) <= 4
        assert np.sort(np.concatenate(parts)).tolist() == list(range(10))
    assert [p.tolist() for p in first or []] != [p.tolist() for p in second or []]
    assert list(batches(10, 10, 2, 0)) == list(batches(10, None, 2, 0)) == [None, None]


def test_a_batch_of_everything_is_the_plain_method(problem: tuple) -> None:
    X, y = problem
    plain, batch = SSDLGA(**SMALL).fit(X, y), SSDLGA(**SMALL, batch_size=10**6).fit(X, y)
    np.testing.assert_array_equal(plain.codes_, batch.codes_)


def test_ussdl_is_beta_zero(problem: tuple) -> None:
    X, y = problem
    ours, other = SSDLGA(**SMALL, beta=0.0).fit(X, y), USSDL(**SMALL).fit(X, y)
    for name in ("components_", "codes_", "coef_", "intercept_", "pseudo_labels_", "objective_"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(other, name), err_msg=name)
    np.testing.assert_array_equal(ours.transform(X[:5]), other.transform(X[:5]))


def test_a_warm_start_goes_on_where_the_last_fit_ended(problem: tuple) -> None:
    X, y = problem
    model = SSDLGA(**SMALL, warm_start=True).fit(X, y)
    first = model.objective_
    np.testing.assert_allclose(first, SSDLGA(**SMALL).fit(X, y).objective_)
    there = SSDLGA(**(SMALL | {"max_iter": 8})).fit(X, y).objective_[4:]
    np.testing.assert_allclose(model.fit(X, y).objective_, there, rtol=2e-3)
    moved = model.set_params(lam=0.4).fit(X, y).objective_
    cold = SSDLGA(**SMALL, lam=0.4).fit(X, y).objective_
    assert moved[0] < cold[0]
    assert model.fit(X[:-1], y[:-1]).codes_.shape[0] == len(X) - 1  # does not fit: begins anew


def test_atoms_begin_as_points() -> None:
    target = np.array([-1, 0, -1, 1, 0, 0, 2, -1])
    rng = np.random.RandomState(0)
    many = first_atoms(target, 7, rng)
    assert many[:5].tolist() == [1, 3, 4, 5, 6] and set(many[5:]) < {0, 2, 7}
    few = first_atoms(target, 4, rng)
    assert sorted(target[few[:3]]) == [0, 1, 2] and target[few[3]] == 0 and len(set(few)) == 4


def test_more_atoms_than_points_are_cut_with_a_warning(problem: tuple) -> None:
    X, y = problem
    with pytest.warns(UserWarning, match=f"n_atoms=500 but there are {len(X)} points"):
        model = SSDLGA(n_atoms=500, max_iter=1).fit(X, y)
    assert model.components_.shape[0] == len(X)


@pytest.mark.parametrize("kind", ["lle", "knn", "threshold", "learnt"])
def test_every_regulariser_classifies_digits(digits: tuple, kind: str) -> None:
    X, y, truth = digits
    hidden = y == -1
    model = SSDLGA(n_atoms=40, max_iter=3, laplacian=kind).fit(X, y)
    assert (model.transduction_ == truth)[hidden].mean() > 0.85
    assert (model.predict(X[hidden]) == truth[hidden]).mean() > 0.85


def test_a_model_says_who_uses_an_atom_and_how_a_point_is_written(digits: tuple) -> None:
    X, y, _ = digits
    model = SSDLGA(**SMALL).fit(X, y)
    use = np.abs(model.codes_[:, 3])
    users = model.atom_users(3, 5)
    assert len(users) <= 5 and use[users].min() > 0 and (np.diff(use[users]) <= 0).all()
    assert use[users[0]] == use.max()
    for point in (11, X[11] + 0.05):
        x = X[11] if np.ndim(point) == 0 else point
        said = model.explain(point)
        np.testing.assert_allclose(said.reconstruction, said.code @ model.components_)
        np.testing.assert_allclose(said.error, np.square(x - said.reconstruction).sum())
        np.testing.assert_allclose(said.weights.sum(), 1)
        assert len(said.neighbours) == 8 and (np.diff(np.abs(said.weights)) <= 0).all()
    assert len(USSDL(**SMALL).fit(X, y).explain(0).neighbours) == 0


def test_codes_without_a_classifier_minimise_eq_7(problem: tuple) -> None:
    X, _ = problem
    L = build(X, "knn", k=5, sigma=2.0, share=0.1, spread=1.0).L
    coded = code_on_graph(X, unit_atoms(X[:20]), L, lam=0.3, beta=0.5, max_iter=5)
    A, D = coded.A, coded.D
    value = np.square(X - A @ D).sum() + 0.3 * np.abs(A).sum() + 0.5 * np.sum(A * (L @ A))
    np.testing.assert_allclose(coded.objective[-1], value, rtol=1e-12)
    assert (np.diff(coded.objective) <= 1e-9 * value).all()
