"""LC-KSVD: its two variants, ideal codes, and atoms in blocks."""

import numpy as np
import pytest

from sslviz import LCKSVD
from sslviz.dictionary.stages.l0_rounds import unit_rows

OPTIONS = {"n_atoms": 10, "n_nonzero": 3, "max_iter": 5}


@pytest.mark.parametrize("variant", [1, 2])
def test_the_objective_is_that_of_the_paper_after_rescaling(problem: tuple, variant: int) -> None:
    X, y = problem
    given = y != -1
    model = LCKSVD(**OPTIONS, variant=variant, psi=0.2, gamma=0.3).fit(X, y)
    A, Y, Q = model.codes_[given], y[given][:, None] == model.classes_, model.ideal_codes()[given]
    wanted = np.square(unit_rows(X)[given] - A @ model.components_).sum()
    wanted += 0.2 * np.square(Q - A @ model.label_map_).sum()
    if variant == 2:
        wanted += 0.3 * np.square(Y - A @ model.coef_.T).sum()
    np.testing.assert_allclose(model.objective_[-1], wanted, rtol=1e-10)
    assert (np.diff(model.objective_) <= 1e-12 * model.objective_[0]).all()


def test_variant_1_fits_the_classifier_to_the_rescaled_codes(problem: tuple) -> None:
    X, y = problem
    given = y != -1
    model = LCKSVD(**OPTIONS, variant=1).fit(X, y)
    A, Y = model.codes_[given], y[given][:, None] == model.classes_
    W = np.linalg.solve(A.T @ A + np.eye(A.shape[1]), A.T @ Y).T
    np.testing.assert_allclose(model.coef_, W, atol=1e-10)
    other = LCKSVD(**OPTIONS, variant=1, gamma=3.0).fit(X, y)
    np.testing.assert_array_equal(model.coef_, other.coef_)


def test_ideal_codes_are_block_diagonal_and_unknown_without_label(problem: tuple) -> None:
    X, y = problem
    model, given = LCKSVD(**OPTIONS).fit(X, y), y != -1
    Q = model.ideal_codes()
    assert np.isnan(Q[~given]).all()
    used = model.atom_classes_ != -1
    same = y[given][:, None] == model.atom_classes_
    np.testing.assert_array_equal(Q[given][:, used], same[:, used])
    assert sorted(np.isin(model.atom_classes_, model.classes_[c]).sum() for c in range(3)) >= [2, 3]
    block = Q[given].argmax(axis=1)  # atoms of a class stand together
    assert (np.diff(Q[given], axis=1) == 1).sum(axis=1).max() <= 1 and len(set(block)) == 3


def test_larger_psi_brings_mapped_codes_closer_to_the_ideal(digits: tuple) -> None:
    X, y, _ = digits
    given, left = y != -1, []
    for psi in (0.001, 0.1, 4.0):
        model = LCKSVD(**OPTIONS, psi=psi).fit(X, y)
        gap = model.ideal_codes()[given] - model.codes_[given] @ model.label_map_
        left.append(np.square(gap).mean())
    assert left[0] > left[1] > left[2]
