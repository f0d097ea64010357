"""What the methods with at most T atoms per code promise: unit points, OMP, and bad input."""

from typing import Any

import numpy as np
import pytest
from dictionary.problems import noise
from sklearn.linear_model import orthogonal_mp

from sslviz import DKSVD, JDL, LCKSVD, LCRLSDLA, OSSDL, SupGraphDL
from sslviz.dictionary.stages.l0_rounds import points_as_atoms, unit_rows

METHODS = (DKSVD, LCKSVD, JDL, SupGraphDL, OSSDL, LCRLSDLA)
SMALL: dict[str, Any] = {"n_atoms": 9, "n_nonzero": 3, "max_iter": 3}
every = pytest.mark.parametrize("Method", METHODS)


@every
def test_fitted_attributes_are_as_promised(Method: Any, problem: tuple) -> None:
    X, y = problem
    given = y != -1
    model = Method(**SMALL).fit(X, y)
    length = np.linalg.norm(model.components_, axis=1)
    if Method is SupGraphDL:
        assert length.max() <= 1 + 1e-12
    else:
        np.testing.assert_allclose(length, 1)
    assert ((model.codes_ != 0).sum(axis=1) <= 3).all() and model.codes_.shape == (len(X), 9)
    np.testing.assert_allclose(model.codes_[~given], model.transform(X[~given]), atol=1e-12)
    scores = model.codes_ @ model.coef_.T
    found = np.where(given, y, model.classes_[scores.argmax(axis=1)])
    np.testing.assert_array_equal(model.transduction_, found)
    np.testing.assert_allclose(model.label_distributions_.sum(axis=1), 1)
    one_hot = y[given][:, None] == model.classes_
    np.testing.assert_array_equal(model.label_distributions_[given], one_hot)
    assert len(model.objective_) == model.n_iter_ == 3


@every
def test_new_points_are_coded_by_scikit_learns_omp_whatever_their_length(
    Method: Any, digits: tuple
) -> None:
    X, y, truth = digits
    model = Method(**SMALL | {"n_atoms": 30, "n_nonzero": 5}).fit(X, y)
    codes = model.transform(7 * X[:50])
    unit = X[:50] / np.linalg.norm(X[:50], axis=1, keepdims=True)
    theirs = orthogonal_mp(model.components_.T, unit.T, n_nonzero_coefs=5).T
    np.testing.assert_allclose(codes, theirs, atol=1e-9)
    answer = model.classes_[(codes @ model.coef_.T).argmax(axis=1)]
    np.testing.assert_array_equal(model.predict(X[:50]), answer)
    hidden = y == -1
    assert (model.transduction_ == truth)[hidden].mean() > 0.8


@every
def test_records_sum_their_terms_and_the_last_is_the_fit(Method: Any, problem: tuple) -> None:
    X, y = problem
    watched = Method(**SMALL)
    seen = list(watched.steps(X, y))
    np.testing.assert_allclose([sum(one.terms) for one in seen], watched.objective_)
    np.testing.assert_array_equal(watched.objective_, Method(**SMALL).fit(X, y).objective_)
    assert all(np.isfinite(one.learnt()[0]).all() for one in seen)
    np.testing.assert_allclose(seen[-1].F.sum(axis=1), 1)


@every
def test_the_start_is_a_model_before_the_first_round(Method: Any, problem: tuple) -> None:
    X, y = problem
    start = Method(**SMALL).learning(X, y).fitted()
    assert start.n_iter_ == 0 and len(start.objective_) == 0
    if Method not in (DKSVD, LCKSVD):  # these begin with K-SVD of every class
        away = np.abs(unit_rows(X)[:, None] - start.components_).sum(axis=2)
        assert away.min(axis=0).max() < 1e-12
    assert set(start.predict(X)) <= set(start.classes_)


def bad_input() -> dict[str, tuple[np.ndarray, np.ndarray, dict]]:
    X, y = noise()
    zero, halves = X.copy(), X.copy()
    zero[::2] = 0
    halves[30:] = halves[:30]
    conflict = np.where(np.arange(60) < 30, 0, np.where(np.arange(60) < 40, 1, -1))
    return {
        "one atom": (X, y, {"n_atoms": 1}),
        "no unlabelled point": (X, np.arange(60) % 3, {}),
        "all zero": (np.zeros_like(X), y, {}),
        "zero rows": (zero, y, {}),
        "duplicates with other labels": (halves, conflict, {"n_atoms": 40}),
        "one feature": (X[:, :1], y, {}),
        "tiny values": (1e-200 * X, y, {}),
        "classes of one point": (X, np.where(np.arange(60) < 3, np.arange(60), -1), {}),
    }


BAD = bad_input()


@every
@pytest.mark.parametrize("kind", BAD)
@pytest.mark.filterwarnings("ignore")
def test_bad_input_leaves_finite_results(Method: Any, kind: str) -> None:
    X, y, options = BAD[kind]
    model = Method(**SMALL | options).fit(X, y)
    for name in ("components_", "codes_", "coef_", "objective_", "label_distributions_"):
        assert np.isfinite(getattr(model, name)).all(), name
    assert np.isfinite(model.predict_proba(X + 0.1)).all()
    assert np.abs(model.coef_).max() < 1e5
    if Method is not SupGraphDL:
        np.testing.assert_allclose(np.linalg.norm(model.components_, axis=1), 1)


@every
def test_too_many_atoms_and_nonzeros_are_cut_with_a_sentence(Method: Any) -> None:
    X, y = noise()
    said = f"{Method.__name__}: n_atoms=500 but there are 12 labelled points to start from"
    with pytest.warns(UserWarning, match=said):
        assert len(Method(n_atoms=500, max_iter=1).fit(X, y).components_) == 12
    with pytest.warns(UserWarning, match="n_nonzero=8 but there are 4 atoms; taking 4"):
        Method(n_atoms=4, n_nonzero=8, max_iter=1).fit(X, y)


def test_the_scale_of_a_point_is_of_no_importance_and_tiny_points_are_not_zero() -> None:
    X = np.array([[3.0, 4.0], [0, 0], [3e-200, 4e-200], [3e100, 4e100]])
    np.testing.assert_allclose(unit_rows(X), [[0.6, 0.8], [0, 0], [0.6, 0.8], [0.6, 0.8]])


def test_first_atoms_are_shared_out_among_classes_in_blocks() -> None:
    X, y = noise()
    for count, wanted in ((7, [2, 2, 3]), (12, [4, 4, 4]), (15, [4, 4, 4])):
        D, owner = points_as_atoms(unit_rows(X), y, count, np.random.RandomState(0))
        assert sorted(np.bincount(owner[owner >= 0], minlength=3)) == sorted(wanted)
        assert (np.diff(owner[owner >= 0]) >= 0).all() and (owner < 0).sum() == max(count - 12, 0)
        assert len(np.unique(D, axis=0)) == count
