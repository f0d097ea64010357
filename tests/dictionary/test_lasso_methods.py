"""What the methods with a lasso promise, the classifiers by residuals among them."""

import warnings
from typing import Any

import numpy as np
import pytest
from dictionary.problems import noise
from scipy.special import softmax

from sslviz import FDDL, PSSDL, S2D2, SRC, SSDLP, SSPDL, SSRD, Metaface
from sslviz.abilities import ClassAtoms, ClassReconstructions
from sslviz.params import params_of

BLOCKS = (Metaface, FDDL, S2D2, SSDLP)  # atoms belong to a class from the start
BY_RESIDUAL = (SRC, *BLOCKS, SSRD, SSPDL)
ALL = (*BY_RESIDUAL, PSSDL)
WITHOUT_P = (Metaface, FDDL, SSRD, SSPDL, PSSDL)


def small(Method: type, **options: Any) -> Any:
    known = {p.name for p in params_of(Method)}
    wanted = {"n_atoms": 12, "max_iter": 4} | options
    return Method(**{name: value for name, value in wanted.items() if name in known})


@pytest.mark.parametrize("Method", ALL)
def test_fitted_attributes_are_as_promised(Method: Any, problem: tuple) -> None:
    X, y = problem
    model, given = small(Method).fit(X, y), y != -1
    assert np.linalg.norm(model.components_, axis=1).max() <= 1 + 1e-12
    np.testing.assert_array_equal(model.codes_[~given], model.transform(X[~given]))
    np.testing.assert_array_equal(model.transduction_[~given], model.predict(X[~given]))
    np.testing.assert_array_equal(model.transduction_[given], y[given])
    np.testing.assert_allclose(model.label_distributions_.sum(axis=1), 1)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert model.n_iter_ == len(model.objective_) == getattr(model, "max_iter", 1)
    if hasattr(model, "pseudo_labels_"):
        np.testing.assert_allclose(model.pseudo_labels_.sum(axis=1), 1)
        assert (model.pseudo_labels_ >= 0).all()
        known = y[given][:, None] == model.classes_
        np.testing.assert_array_equal(model.pseudo_labels_[given], known)


@pytest.mark.parametrize("Method", ALL)
def test_the_terms_add_up_and_the_objective_falls(Method: Any, problem: tuple) -> None:
    rounds = list(small(Method, max_iter=6).steps(*problem))
    objective = np.array([r.objective for r in rounds])
    np.testing.assert_allclose([sum(r.terms) for r in rounds], objective)
    if Method in WITHOUT_P:
        assert (np.diff(objective) <= 1e-9 * objective[:-1]).all()


@pytest.mark.parametrize("Method", BY_RESIDUAL)
def test_a_point_goes_to_the_class_that_reconstructs_it_best(Method: Any, problem: tuple) -> None:
    X, y = problem
    model = small(Method).fit(X, y)
    assert isinstance(model, ClassReconstructions) and isinstance(model, ClassAtoms)
    for sample in (7, X[7] + 0.1):
        code = model.codes_[7] if np.ndim(sample) == 0 else model.transform(sample[None])[0]
        made, residual = model.class_reconstructions(sample)
        for c, name in enumerate(model.classes_):
            mine = model.atom_classes_ == name
            np.testing.assert_allclose(made[c], code[mine] @ model.components_[mine], atol=1e-12)
    assert model.classes_[residual.argmin()] == model.predict(sample[None])[0]
    if not hasattr(model, "class_means_"):
        np.testing.assert_allclose(residual, np.square(sample - made).sum(axis=1))
    W = model.atom_weights()
    used = model.codes_.any(axis=0)
    np.testing.assert_array_equal(model.classes_[W.argmax(0)][used], model.atom_classes_[used])


@pytest.mark.parametrize("Method", (SRC, Metaface))
def test_probabilities_do_not_depend_on_the_unit_of_the_points(Method: Any, digits: tuple) -> None:
    X, y, _ = digits  # of length 5
    P = small(Method).fit(X, y).predict_proba(X)
    in_other_unit = small(Method, lam=0.06).fit(X / 5, y).predict_proba(X / 5)
    np.testing.assert_allclose(in_other_unit, P, atol=1e-6)
    _, residual = small(Method).fit(X, y).class_reconstructions(7)
    np.testing.assert_allclose(P[7], softmax(-residual))


@pytest.mark.parametrize("Method", BLOCKS)
@pytest.mark.parametrize(("n_atoms", "wanted"), [(12, (4, 4, 4)), (8, (3, 3, 2)), (3, (1, 1, 1))])
def test_atoms_are_shared_out_evenly_and_stand_class_by_class(
    Method: Any, n_atoms: int, wanted: tuple
) -> None:
    model = small(Method, n_atoms=n_atoms).fit(*noise())
    assert model.atom_classes_.tolist() == np.repeat([0, 1, 2], wanted).tolist()
    assert [round(n) for n in np.linalg.norm(model.components_, axis=1)] == [1] * n_atoms


@pytest.mark.parametrize("Method", BLOCKS)
def test_too_many_atoms_are_cut_and_too_few_refused(Method: Any) -> None:
    X, y = noise()
    with pytest.warns(UserWarning, match="n_atoms=50 but there are 12 labelled points"):
        assert small(Method, n_atoms=50).fit(X, y).components_.shape[0] == 12
    with pytest.raises(ValueError, match="n_atoms=2 is less than one for each of the 3 classes"):
        small(Method, n_atoms=2).fit(X, y)


def damaged(kind: str) -> tuple[np.ndarray, np.ndarray]:
    X, y = noise()
    if kind == "zero rows":
        X[:9] = 0
    elif kind == "tiny":
        X *= 1e-130
    elif kind == "large":
        X *= 1e130
    elif kind == "one label each":
        y[3:] = -1
        y[:3] = 0, 1, 2
    return X, y


@pytest.mark.parametrize("Method", ALL)
@pytest.mark.parametrize(
    "kind",
    [
        "zero rows",
        "tiny",
        "large",
        "one label each",
    ],
)
def test_poor_points_give_finite_results(Method: Any, kind: str) -> None:
    X, y = damaged(kind)
    before = X.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = small(Method, max_iter=2).fit(X, y)
    np.testing.assert_array_equal(X, before)
    for name in ("components_", "codes_", "objective_", "label_distributions_"):
        assert np.isfinite(getattr(model, name)).all(), name
    assert np.isfinite(model.predict_proba(X)).all()


def test_codes_that_are_all_zero_are_pointed_out() -> None:
    X, y = noise()
    with pytest.warns(UserWarning, match="SRC: all codes are zero; scale X up"):
        SRC().fit(X / 1000, y)


@pytest.mark.parametrize("Method", ALL)
def test_digits_are_told_apart(Method: Any, digits: tuple) -> None:
    X, y, truth = digits
    model = small(Method, n_atoms=24).fit(X, y)
    assert (model.transduction_ == truth)[y == -1].mean() > 0.8


@pytest.mark.parametrize("Method", ALL)
def test_the_start_is_a_fitted_model_that_rounds_improve(Method: Any, digits: tuple) -> None:
    X, y, _ = digits
    learning = small(Method).learning(X, y)
    first = learning.fitted()
    assert first.n_iter_ == 0 and first.predict(X[:3]).shape == (3,)
    assert first.reconstructions().shape == X.shape
    rounds = list(learning)
    last = learning.fitted(rounds[-1].learnt(), [r.objective for r in rounds])
    np.testing.assert_array_equal(last.codes_, small(Method).fit(X, y).codes_)
