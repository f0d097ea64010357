"""SSDL-GA: the objective is Eq. 4 written out, and the promises of its attributes."""

from typing import Any

import numpy as np
import pytest
from dictionary.problems import SMALL, noise
from sklearn.decomposition import sparse_encode

from sslviz import SSDLGA, USSDL
from sslviz.dictionary.stages.laplacians import LAPLACIANS, build
from sslviz.solve.dictionary_learning import sparse_codes


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


def test_fitted_attributes_are_as_promised(problem: tuple) -> None:
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


@pytest.mark.parametrize("laplacian", LAPLACIANS)
def test_single_precision_points_give_double_precision_results(laplacian: str) -> None:
    X, y = noise()
    model, X = SSDLGA(**SMALL, laplacian=laplacian), X.astype(np.float32)
    single = model.fit(X, y).objective_, model.transform(X)
    double = model.fit(X.astype(np.float64), y).objective_, model.transform(X)
    for a, b in zip(single, double, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


def test_a_warm_start_continues_where_the_last_fit_ended(problem: tuple) -> None:
    X, y = problem
    model = SSDLGA(**SMALL, warm_start=True).fit(X, y)
    first = model.objective_
    np.testing.assert_allclose(first, SSDLGA(**SMALL).fit(X, y).objective_)
    there = SSDLGA(**(SMALL | {"max_iter": 8})).fit(X, y).objective_[4:]
    np.testing.assert_allclose(model.fit(X, y).objective_, there, rtol=2e-3)
    moved = model.set_params(lam=0.4).fit(X, y).objective_
    cold = SSDLGA(**SMALL, lam=0.4).fit(X, y).objective_
    assert moved[0] < cold[0]
    assert model.fit(X[:-1], y[:-1]).codes_.shape[0] == len(X) - 1  # other shapes: a cold start


@pytest.mark.parametrize("kind", LAPLACIANS)
def test_every_regulariser_classifies_digits(digits: tuple, kind: str) -> None:
    X, y, truth = digits
    hidden = y == -1
    model = SSDLGA(n_atoms=40, max_iter=3, laplacian=kind).fit(X, y)
    assert (model.transduction_ == truth)[hidden].mean() > 0.85
    assert (model.predict(X[hidden]) == truth[hidden]).mean() > 0.85


def test_rounds_without_graph_are_those_of_ussdl_and_the_graph_is_one_of_reconstructions(
    problem: tuple,
) -> None:
    X, y = problem
    watched = SSDLGA(**SMALL, plain_rounds=2)
    seen, plain = list(watched.steps(X, y)), list(USSDL(**SMALL).steps(X, y))
    for a, b in zip(seen[:2], plain[:2], strict=True):
        assert a.objective == b.objective and a.terms.graph == 0 and a.Z is None
        np.testing.assert_array_equal(a.A.cpu(), b.A.cpu())
    Z = (seen[1].A @ seen[1].D).cpu().numpy()
    assert seen[2].terms.graph > 0
    for later in seen[2:]:
        np.testing.assert_array_equal(later.Z.cpu(), Z)
    graph = build(Z, "lle", k=8, sigma=1.0, share=0.05, spread=1.0)
    np.testing.assert_array_equal(watched.weights_.toarray(), graph.weights.toarray())
    np.testing.assert_allclose(watched.objective_[-1], eq4(watched, X, y), rtol=1e-9)
    fitted = SSDLGA(**SMALL, plain_rounds=2).fit(X, y)
    np.testing.assert_array_equal(fitted.codes_, watched.codes_)


@pytest.mark.parametrize("kind", LAPLACIANS)
def test_with_rounds_without_graph_new_points_are_reconstructed_before_they_find_neighbours(
    kind: str,
) -> None:
    X, y = noise()
    model = SSDLGA(**SMALL, plain_rounds=1, laplacian=kind).fit(X, y)
    Q = X[:5] + 0.05
    made = sparse_codes(Q, model.components_, model.lam) @ model.components_
    points, weights = model._graph_points, model._weights_to(Q)
    assert weights.shape == (5, len(X)) and not np.allclose(points, X)
    if kind == "lle":
        away = np.linalg.norm(made[:, None] - points, axis=2)
        nearest = np.argsort(away, axis=1)[:, :8]
        assert all(set(weights[[i]].indices) == set(nearest[i]) for i in range(5))
    assert np.isfinite(model.transform(Q)).all()


def test_as_many_rounds_without_graph_as_rounds_is_ussdl() -> None:
    X, y = noise()
    ours, other = SSDLGA(**SMALL, plain_rounds=9).fit(X, y), USSDL(**SMALL).fit(X, y)
    np.testing.assert_array_equal(ours.codes_, other.codes_)
    np.testing.assert_array_equal(ours.transform(X[:5]), other.transform(X[:5]))
    assert ours.laplacian_ is None
