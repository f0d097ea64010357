"""S2D2: FDDL where all points are labelled, and weights P² and (1 − P)² where they are not."""

import numpy as np
import pytest
import torch
from dictionary.problems import noise
from dictionary.test_fddl import ATOM_CLASS, LABELS, parts, slopes

from sslviz import FDDL, S2D2
from sslviz.dictionary.stages.class_blocks import one_hot_rows
from sslviz.dictionary.stages.fisher_coding import atom_sums, fisher_quadratic, fisher_terms
from sslviz.dictionary.stages.fisher_rounds import class_weights, soft_labels
from sslviz.solve.dictionary_learning import update_atoms
from sslviz.solve.fista import lasso


def mixed() -> tuple[np.ndarray, np.ndarray]:
    """P with six labelled points, and their labels."""
    target = np.where(np.arange(10) < 6, LABELS, -1)
    P = np.random.default_rng(2).dirichlet(np.ones(3), 10)
    return np.where(target[:, None] >= 0, one_hot_rows(target, 3), P), target


def test_with_all_points_labelled_it_is_fddl(problem: tuple) -> None:
    X, y = problem
    y = np.where(y == -1, np.unique(y)[1], y)
    one, two = FDDL(n_atoms=12, max_iter=4).fit(X, y), S2D2(n_atoms=12, max_iter=4).fit(X, y)
    for name in ("components_", "codes_", "class_means_", "objective_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name), err_msg=name)
    np.testing.assert_array_equal(one.predict(X + 0.1), two.predict(X + 0.1))


def test_one_hot_probabilities_give_the_terms_of_fddl() -> None:
    P = one_hot_rows(LABELS, 3)
    hidden = np.where(np.arange(10) < 9, LABELS, -1)
    _, A, D, *_, labelled, _ = parts(P, LABELS, fisher=0.0)
    *_, unlabelled, _ = parts(P, hidden, fisher=0.0)
    assert labelled(A, D) == unlabelled(A, D)


@pytest.mark.parametrize("as_printed", [False, True])
def test_gradients_with_probabilities_are_those_of_differences(as_printed: bool) -> None:
    X, A, D, weights, settings, terms, f = parts(*mixed(), as_printed=as_printed)
    found = f.gradient(torch.as_tensor(A)).numpy()
    np.testing.assert_allclose(found, slopes(lambda Z: sum(terms(Z, D)), A), atol=1e-7)
    points, codes = torch.as_tensor(X), torch.as_tensor(A)
    S, B = atom_sums(points, codes, ATOM_CLASS, weights, settings["row_weight"])
    by_differences = slopes(lambda Z: sum(terms(A, Z)), D)
    np.testing.assert_allclose(2 * (S @ D - B), by_differences, atol=1e-7)


def test_the_objective_is_written_out_with_p(problem: tuple) -> None:
    X, y = problem
    model = S2D2(n_atoms=12, max_iter=3, fisher=0.0, unlabelled_weight=0.7).fit(X, y)
    A, D, P = model.learnt_codes_, model.components_, model.pseudo_labels_
    total = 0.0
    for i in range(len(X)):
        value = np.square(X[i] - A[i] @ D).sum() + 2 * model.lam * np.abs(A[i]).sum()
        for c, name in enumerate(model.classes_):
            mine = model.atom_classes_ == name
            made = A[i, mine] @ D[mine]
            value += P[i, c] ** 2 * np.square(X[i] - made).sum()
            value += (1 - P[i, c]) ** 2 * np.square(made).sum()
        total += value * (1 if y[i] != -1 else 0.7)
    np.testing.assert_allclose(model.objective_[-1], total)


def test_with_p_fixed_no_update_raises_the_objective(problem: tuple) -> None:
    X, y = problem
    model = S2D2(n_atoms=12, max_iter=1).fit(X, y)
    D, A, ones = model.components_, model.learnt_codes_, np.ones(len(X))
    atom_class = np.searchsorted(model.classes_, model.atom_classes_)
    target = np.where(y == -1, -1, np.searchsorted(model.classes_, y))
    weights = class_weights(model.pseudo_labels_, target, False)
    points, values = torch.as_tensor(X), []

    def note() -> None:
        settings = {"row_weight": ones, "lam": 0.15, "fisher": 0.05}
        values.append(sum(fisher_terms(X, target, A, D, atom_class, weights, **settings)))

    note()
    np.testing.assert_allclose(values, model.objective_)
    for _ in range(3):
        f = fisher_quadratic(points, target, torch.as_tensor(D), atom_class, weights, 0.05)
        A = lasso(f, torch.as_tensor(A), 0.3, max_iter=30).Z.numpy()
        note()
        D = update_atoms(*atom_sums(points, torch.as_tensor(A), atom_class, weights, ones), D)
        note()
    assert (np.diff(values) <= 0).all()


def test_p_is_the_softmax_of_the_residuals() -> None:
    X, y = noise()
    model = S2D2(n_atoms=9, max_iter=2).fit(X, y)
    P = soft_labels(X, y, model.learnt_codes_, model.components_, model.atom_classes_, 0.1)
    residual = np.empty((60, 3))
    for c in range(3):
        mine = model.atom_classes_ == c
        made = model.learnt_codes_[:, mine] @ model.components_[mine]
        mean = model.learnt_codes_[y == c].mean(axis=0)
        residual[:, c] = np.square(X - made).sum(axis=1)
        residual[:, c] += 0.1 * np.square(model.learnt_codes_ - mean).sum(axis=1)
    wanted = np.exp(-residual) / np.exp(-residual).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(P[y == -1], wanted[y == -1])


def test_as_printed_every_class_explains_every_labelled_point(digits: tuple) -> None:
    X, y, _ = digits
    ours = S2D2(n_atoms=24, max_iter=4).fit(X, y)
    printed = S2D2(n_atoms=24, max_iter=4, as_printed=True).fit(X, y)

    def foreign_share(model: S2D2) -> float:
        own = np.square(model.codes_[y != -1])
        other = y[y != -1][:, None] != model.atom_classes_
        return float((own * other).sum() / own.sum())

    assert foreign_share(ours) < 0.1 < 0.4 < foreign_share(printed)
