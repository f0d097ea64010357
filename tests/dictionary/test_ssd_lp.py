"""SSD-LP: the objective written out, walks on error vectors, and the printed sign."""

import numpy as np
import pytest
from dictionary.problems import noise

from sslviz import SSDLP
from sslviz.dictionary.stages.error_propagation import (
    error_directions,
    error_graph,
    propagate_errors,
    relative_errors,
)
from sslviz.dictionary.stages.separate_coding import (
    labelled_codes,
    least_curvature,
    spread_terms,
    weighted_codes,
)


def test_the_objective_is_written_out(problem: tuple) -> None:
    X, y = problem
    model = SSDLP(n_atoms=12, max_iter=3).fit(X, y)
    A, total = model.learnt_codes_, 0.0
    for c, name in enumerate(model.classes_):
        mine = model.atom_classes_ == name
        D = model.components_[mine]
        codes = A[np.ix_(y == name, mine)]
        total += np.square(X[y == name] - codes @ D).sum() + 0.3 * np.abs(codes).sum()
        total += 0.1 * np.square(codes - codes.mean(axis=0)).sum()
        np.testing.assert_allclose(model.class_means_[c, mine], codes.mean(axis=0))
        codes, P = A[np.ix_(y == -1, mine)], model.pseudo_labels_[y == -1, c]
        total += P @ np.square(X[y == -1] - codes @ D).sum(axis=1) + 0.3 * np.abs(codes).sum()
    np.testing.assert_allclose(model.objective_[-1], total)


def test_codes_of_uncertain_points_are_stationary() -> None:
    rng = np.random.default_rng(0)
    X, D, P = rng.normal(size=(30, 6)), rng.normal(size=(5, 6)), rng.uniform(0, 1, 30)
    P[0] = 0.0
    A = weighted_codes(X, D, P, 0.3)
    slope = -2 * P[:, None] * ((X - A @ D) @ D.T)
    np.testing.assert_allclose(slope[A != 0], -0.3 * np.sign(A[A != 0]), atol=1e-7)
    assert np.abs(slope[A == 0]).max() <= 0.3 + 1e-9 and not A[0].any()


def test_the_pull_to_the_mean_lowers_the_objective_and_the_spread() -> None:
    rng = np.random.default_rng(1)
    X, D = rng.normal(size=(9, 6)), rng.normal(size=(4, 6))
    plain = labelled_codes(X, D, np.zeros(4), 0.3, 0.0)
    close = labelled_codes(X, D, plain.mean(axis=0), 0.3, 0.5)

    def spread(A: np.ndarray) -> float:
        return float(np.square(A - A.mean(axis=0)).sum())

    def value(A: np.ndarray) -> float:
        return float(np.square(X - A @ D).sum() + 0.3 * np.abs(A).sum() + 0.5 * spread(A))

    assert value(close) < value(plain) and spread(close) < spread(plain)


def test_p_is_where_walks_on_the_error_graph_end(problem: tuple) -> None:
    X, y = problem
    model = SSDLP(n_atoms=12, max_iter=2, n_links=6).fit(X, y)
    U, P, free = model.error_vectors_, model.pseudo_labels_, y == -1
    np.testing.assert_allclose(U.sum(axis=1), 1)
    W = error_graph(U, 6)[1].toarray()
    np.testing.assert_array_equal(W, W.T)
    step = W / W.sum(axis=1, keepdims=True)
    np.testing.assert_allclose((step @ P)[free], P[free], atol=1e-8)
    at, weights = model.links(5)
    np.testing.assert_array_equal(W[5, at], weights)
    assert 5 not in at and len(at) == (W[5] > 0).sum()


def test_a_walk_follows_the_direction_of_the_errors_and_not_their_length() -> None:
    rng, own = np.random.default_rng(0), np.repeat(np.arange(20), 6)
    E = rng.uniform(0.9, 1, (120, 20))
    E[np.arange(120), own] -= 0.15  # unlabelled points: their own class errs a little less
    E[::6] = 1 - (own[::6, None] == np.arange(20))  # labelled ones are atoms: no error at all
    target = np.where(np.arange(120) % 6 == 0, own, -1)
    P = propagate_errors(relative_errors(E), target, 4)
    assert (P.argmax(axis=1) == own).mean() > 0.95
    directions = error_directions(relative_errors(E))
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1)
    assert not error_directions(np.full((2, 3), 1 / 3)).any()


def test_points_that_reach_no_label_take_the_class_of_least_error() -> None:
    E = np.vstack([np.tile([1.0, 9.0], (6, 1)), np.tile([9.0, 1.0], (6, 1))])
    E += np.random.default_rng(0).uniform(0, 0.01, E.shape)
    target = np.full(12, -1)
    target[:2] = 0, 1
    P = propagate_errors(relative_errors(E), target, 2)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    assert (P[6:].argmax(axis=1) == 1).all() and (P[6:, 1] > 0.8).all()
    zero = relative_errors(np.zeros((3, 4)))
    np.testing.assert_array_equal(zero, np.full((3, 4), 0.25))


def test_the_printed_sign_has_no_minimum_beyond_the_least_eigenvalue() -> None:
    X, y = noise()
    model = SSDLP(n_atoms=12, max_iter=1).fit(X, y)
    D, A, P = model.components_, model.learnt_codes_, model.pseudo_labels_
    least = least_curvature(D, y, model.atom_classes_)
    for gamma, falls in ((1.2 * least, True), (0.8 * least, False)):
        values = []
        for t in (1e4, 1e6, 1e8):  # codes of two points of class c move apart by t
            moved = A.copy()
            for c in range(3):
                mine = model.atom_classes_ == c
                eigenvalues, vectors = np.linalg.eigh(D[mine] @ D[mine].T)
                if np.isclose(eigenvalues[0], least):
                    one, two = np.flatnonzero(y == c)[:2]
                    moved[one, mine] += t * vectors[:, 0]
                    moved[two, mine] -= t * vectors[:, 0]
            values.append(sum(spread_terms(X, y, D, moved, P, model.atom_classes_, 0.3, -gamma)))
        assert (np.diff(values) < 0).all() is np.bool_(falls)
        assert (values[-1] < -1e10) == falls


def test_the_printed_sign_is_stopped_with_a_sentence_where_it_has_no_minimum() -> None:
    X, y = noise()
    with pytest.warns(UserWarning, match="SSDLP stopped: the printed objective has no minimum"):
        model = SSDLP(n_atoms=12, gamma=5.0, as_printed=True).fit(X, y)
    assert model.n_iter_ == 1 and "γ = 5 is larger than" in model.stopped_because_
    assert np.isfinite(model.objective_).all() and np.isfinite(model.codes_).all()
    model = SSDLP(n_atoms=3, gamma=0.2, as_printed=True, max_iter=4)
    rounds = list(model.steps(X, y))
    assert model.stopped_because_ == "" and model.n_iter_ == 4
    assert all(record.terms.spread < 0 for record in rounds)
