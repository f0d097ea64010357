"""What every dictionary method promises: checks of the input, users of atoms, reconstructions."""

from typing import Any

import numpy as np
import pytest
from dictionary.problems import SMALL, noise

from sslviz import METHODS, PSSDL, SSDLGA, USSDL
from sslviz.params import params_of

FAMILY = [Method for Method in METHODS if Method.family == "dictionary"]


def poor_problems() -> dict[str, tuple[np.ndarray, np.ndarray, dict[str, Any]]]:
    """Points, labels and parameters that a user may well try."""
    X, y = noise()
    twice, full = np.concatenate([X[:30], X[:30]]), y.copy()
    full[np.arange(60) % 3 == 2] = 2
    return {
        "atoms not divisible among the classes": (X, y, {"n_atoms": 10}),
        "more atoms than points": (X, y, {"n_atoms": 500}),
        "more nonzeros than atoms": (X, y, {"n_atoms": 5, "n_nonzero": 50}),
        "a class without unlabelled points": (X, full, {}),
        "constant rows": (np.ones_like(X), y, {}),
        "duplicate rows": (twice, y, {}),
    }


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("Method", FAMILY)
def test_poor_input_gives_finite_results(Method: Any) -> None:
    known = {p.name for p in params_of(Method)}
    for kind, (X, y, options) in poor_problems().items():
        wanted = {"n_atoms": 9, "max_iter": 2} | options
        model = Method(**{name: v for name, v in wanted.items() if name in known}).fit(X, y)
        for name in ("components_", "codes_", "objective_", "label_distributions_"):
            assert np.isfinite(getattr(model, name)).all(), (kind, name)
        assert np.isfinite(model.predict_proba(X + 0.1)).all(), kind


@pytest.mark.parametrize("Method", [SSDLGA, USSDL])
def test_values_whose_squares_overflow_are_refused(Method: type) -> None:
    X, y = noise()
    with pytest.raises(ValueError, match=rf"{Method.__name__}: X holds .*e\+160.*; scale X"):
        Method(**SMALL).fit(1e160 * X, y)
    assert np.isfinite(Method(**SMALL).fit(1e130 * X, y).objective_).all()


def test_values_beside_which_the_penalty_is_lost_are_refused_by_name() -> None:
    X, y = noise()
    model = PSSDL(n_atoms=20, max_iter=1)
    for attempt in (model.fit, lambda X, y: list(model.steps(X, y))):
        with pytest.raises(ValueError, match=r"PSSDL: the values of X are so large .* scale X"):
            attempt(1e14 * X, y)


def test_more_atoms_than_points_are_cut_with_a_warning() -> None:
    X, y = noise()
    with pytest.warns(UserWarning, match=f"n_atoms=500 but there are {len(X)} points"):
        model = SSDLGA(n_atoms=500, max_iter=1).fit(X, y)
    assert model.components_.shape[0] == len(X)


def test_a_model_tells_the_users_of_an_atom_and_the_reconstruction_of_a_point(
    digits: tuple,
) -> None:
    X, y, _ = digits
    model = SSDLGA(**SMALL).fit(X, y)
    use = np.abs(model.codes_[:, 3])
    users = model.atom_users(3, 5)
    assert len(users) <= 5 and use[users].min() > 0 and (np.diff(use[users]) <= 0).all()
    assert use[users[0]] == use.max()
    for point in (11, X[11] + 0.05):
        x = X[11] if np.ndim(point) == 0 else point
        found = model.reconstruct(point)
        np.testing.assert_allclose(found.reconstruction, found.code @ model.components_)
        np.testing.assert_allclose(found.error, np.square(x - found.reconstruction).sum())
        np.testing.assert_allclose(found.weights.sum(), 1)
        assert len(found.neighbours) == 8 and (np.diff(np.abs(found.weights)) <= 0).all()
    assert len(USSDL(**SMALL).fit(X, y).reconstruct(0).neighbours) == 0
