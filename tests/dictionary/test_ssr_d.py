"""SSR-D: the objective written out, outliers, and columns that switch off."""

import numpy as np
import pytest
from dictionary.problems import noise

from sslviz import SSRD
from sslviz.dictionary.stages.robust_rounds import least_residual


@pytest.mark.parametrize("q", [1.0, 0.5])
def test_the_objective_is_written_out(problem: tuple, q: float) -> None:
    X, y = problem
    model = SSRD(n_atoms=12, max_iter=3, q=q).fit(X, y)
    A, least = model.learnt_codes_, least_residual(X)
    r = np.linalg.norm(X - A @ model.components_, axis=1)
    total = np.where(r > least, r, (r**2 / least + least) / 2).sum()
    size = 1e-3 * np.linalg.norm(X, axis=1).mean()
    for name in (*model.classes_, -1):
        for norm in np.linalg.norm(A[y == name], axis=0):
            total += model.lam * (norm if q == 1 else (norm + size) ** q - size**q)
    np.testing.assert_allclose(model.objective_[-1], total)
    assert (np.diff(model.objective_) <= 1e-9).all()
    np.testing.assert_allclose(model.point_weights_, 1 / (2 * np.maximum(r, least)))


def test_an_outlier_weighs_least() -> None:
    X, y = noise()
    X[40] *= 30
    model = SSRD(n_atoms=4, max_iter=8).fit(X, y)
    assert model.point_weights_.argmin() == 40
    assert model.point_weights_[40] < 0.5 * np.median(model.point_weights_)


def test_larger_penalties_switch_columns_off_class_by_class(digits: tuple) -> None:
    X, y, _ = digits
    used = []
    for lam in (0.05, 0.5, 2.0):
        model = SSRD(n_atoms=24, lam=lam, max_iter=4).fit(X, y)
        norms = [np.linalg.norm(model.learnt_codes_[y == c], axis=0) for c in model.classes_]
        used.append(np.count_nonzero(norms))
        for c, norm in zip(model.classes_, norms, strict=True):  # a whole class or nobody
            rows = model.learnt_codes_[y == c]
            assert not rows[:, norm == 0].any() and (rows[:, norm > 0] != 0).all()
    assert used[0] > used[1] > used[2]


def test_atoms_belong_to_the_class_that_uses_them_most(digits: tuple) -> None:
    X, y, _ = digits
    model = SSRD(n_atoms=30, lam=2.0, max_iter=5).fit(X, y)
    use = np.stack([np.abs(model.codes_[y == c]).mean(axis=0) for c in model.classes_])
    unused = use.max(axis=0) == 0
    np.testing.assert_array_equal(model.atom_classes_ == -1, unused)
    wanted = model.classes_[use.argmax(axis=0)]
    np.testing.assert_array_equal(model.atom_classes_[~unused], wanted[~unused])
    assert not model.atom_weights()[:, unused].any()
