"""FDDL: the objective written out, Fisher's term by its definition, gradients by differences."""

from typing import Any

import numpy as np
import torch

from sslviz import FDDL
from sslviz.dictionary.stages.class_blocks import one_hot_rows
from sslviz.dictionary.stages.fisher_coding import (
    FisherTerms,
    atom_sums,
    fisher_quadratic,
    fisher_terms,
    fisher_value,
)
from sslviz.dictionary.stages.fisher_rounds import class_weights

LABELS = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 1])
ATOM_CLASS = np.array([0, 0, 1, 1, 1, 2])


def scatters(A: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    """S_w and S_b by their definitions."""
    m = A.mean(axis=0)
    within = between = 0.0
    for c in np.unique(labels):
        mean = A[labels == c].mean(axis=0)
        within += sum(float((a - mean) @ (a - mean)) for a in A[labels == c])
        between += np.count_nonzero(labels == c) * float((mean - m) @ (mean - m))
    return within, between


def written_out(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """The objective, sums written out."""
    total, D, given = 0.0, model.components_, np.flatnonzero(y != -1)
    for i in given:
        a = model.codes_[i]
        total += np.square(X[i] - a @ D).sum() + 2 * model.lam * np.abs(a).sum()
        for c in model.classes_:
            mine = model.atom_classes_ == c
            made = a[mine] @ D[mine]
            total += np.square(X[i] - made if c == y[i] else made).sum()
    A = model.codes_[given]
    within, between = scatters(A, y[given])
    return total + model.fisher * (within - between + np.square(A).sum())


def parts(P: np.ndarray, target: np.ndarray, **options: Any) -> tuple:
    """Random points, codes and atoms, and functions of them: terms and the quadratic."""
    rng = np.random.default_rng(0)
    X, A = rng.normal(size=(len(P), 5)), rng.normal(size=(len(P), 6))
    D = rng.normal(size=(6, 5))
    weights = class_weights(P, target, options.pop("as_printed", False))
    settings = {"row_weight": np.ones(len(P)), "lam": 0.0, "fisher": 0.3} | options

    def terms(A: np.ndarray, D: np.ndarray) -> FisherTerms:
        return fisher_terms(X, target, A, D, ATOM_CLASS, weights, **settings)

    f = fisher_quadratic(torch.as_tensor(X), target, torch.as_tensor(D), ATOM_CLASS, weights, 0.3)
    return X, A, D, weights, settings, terms, f


def slopes(value: Any, Z: np.ndarray, step: float = 1e-5) -> np.ndarray:
    """The gradient of a function of an array by central differences."""
    result = np.empty_like(Z)
    for at in np.ndindex(Z.shape):
        move = np.zeros_like(Z)
        move[at] = step
        result[at] = (value(Z + move) - value(Z - move)) / (2 * step)
    return result


def test_the_reported_objective_is_its_definition(problem: tuple) -> None:
    X, y = problem
    model = FDDL(n_atoms=12, max_iter=4).fit(X, y)
    np.testing.assert_allclose(model.objective_[-1], written_out(model, X, y))
    for c, name in enumerate(model.classes_):
        np.testing.assert_allclose(model.class_means_[c], model.codes_[y == name].mean(axis=0))


def test_fishers_term_is_its_definition_and_convex() -> None:
    A = np.random.default_rng(1).normal(size=(10, 4))
    within, between = scatters(A, LABELS)
    wanted = within - between + np.square(A).sum()
    np.testing.assert_allclose(fisher_value(A, LABELS), wanted)
    apart = np.eye(3)[LABELS] * 5  # a class has one code: S_w − S_b alone is negative
    within, between = scatters(apart, LABELS)
    assert fisher_value(apart, LABELS) >= 0 > within - between


def test_gradients_of_codes_and_atoms_are_those_of_differences() -> None:
    P = one_hot_rows(LABELS, 3)
    X, A, D, weights, settings, terms, f = parts(P, LABELS)
    found = f.gradient(torch.as_tensor(A)).numpy()
    np.testing.assert_allclose(found, slopes(lambda Z: sum(terms(Z, D)), A), atol=1e-7)
    S, B = atom_sums(
        torch.as_tensor(X), torch.as_tensor(A), ATOM_CLASS, weights, settings["row_weight"]
    )
    np.testing.assert_allclose(2 * (S @ D - B), slopes(lambda Z: sum(terms(A, Z)), D), atol=1e-7)


def test_the_term_of_other_classes_empties_their_blocks(digits: tuple) -> None:
    X, y, _ = digits
    model = FDDL(n_atoms=24, max_iter=6).fit(X, y)
    for c in model.classes_:
        mine, rows = model.atom_classes_ == c, y == c
        use = np.square(model.codes_[rows])
        assert use[:, mine].sum() > 20 * use[:, ~mine].sum()
