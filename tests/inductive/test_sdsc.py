"""SDSC: stationary in both parts, the more pairings the cheaper, class names do not matter."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from inductive.oracles import about_mean, cloud, rbf
from numpy.testing import assert_allclose, assert_array_equal

from sslviz import SDSC
from sslviz.inductive.sdsc import semiparametric
from sslviz.labels import hide

pairings = pytest.mark.parametrize("pairing", ["full", "diagonal"])


def blocks(seed: int, centre: bool = True) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """K, Ψ and Y of the labelled points."""
    X, y = cloud(seed)
    K = rbf(X, X, 1.5, True)
    K = about_mean(K) if centre else K
    V = np.linalg.eigh(K)[1][:, ::-1][:, :3]
    known = y != -1
    return K[np.ix_(known, known)], V[known], (y[known, None] == [2, 5, 8]).astype(float)


def cost(
    K: np.ndarray, Psi: np.ndarray, Y: np.ndarray, Gamma: np.ndarray, M: np.ndarray, delta: float
) -> float:
    """Eq. 27."""
    return float(np.square(Y - K @ Gamma - Psi @ M).sum() + delta * np.trace(Gamma.T @ K @ Gamma))


@pairings
@pytest.mark.parametrize("delta", [1e-3, 0.25, 64])
def test_both_gradients_vanish(pairing: str, delta: float) -> None:
    K, Psi, Y = blocks(0)
    Gamma, M = semiparametric(K, Psi, Y, delta=delta, pairing=pairing)
    inside = K @ Gamma + Psi @ M - Y
    assert_allclose(K @ inside + delta * K @ Gamma, 0, atol=1e-10)  # Eq. 28
    slope = Psi.T @ inside  # Eq. 29 with its trace, one for every free entry of M
    slope = slope if pairing == "full" else np.diag(slope)
    assert_allclose(slope, 0, atol=1e-10)
    if pairing == "diagonal":
        assert_array_equal(M, np.diag(np.diag(M)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("delta", [0.01, 1, 30])
def test_freer_pairings_have_a_smaller_objective(seed: int, delta: float) -> None:
    K, Psi, Y = blocks(seed)
    A = K + delta * np.eye(len(K))
    a, b = np.linalg.solve(A, Y), np.linalg.solve(A, Psi)
    single = np.trace(Psi.T @ a) / np.trace(Psi.T @ b) * np.eye(3)
    pairs = [semiparametric(K, Psi, Y, delta=delta, pairing=p) for p in ("full", "diagonal")]
    pairs += [(a - b @ M, M) for M in (single, np.zeros((3, 3)))]
    costs = [cost(K, Psi, Y, Gamma, M, delta) for Gamma, M in pairs]
    assert all(x <= y + 1e-12 for x, y in pairwise(costs)), costs
    gammas = (Psi * a).sum(axis=0) / (Psi * b).sum(axis=0)  # the notes' simpler form of Eq. 30
    assert_allclose(np.diag(pairs[1][1]), gammas, rtol=1e-9)
    assert_allclose(pairs[1][0], a - b * gammas, rtol=0, atol=1e-10)


def test_a_component_unseen_by_the_labels_gets_no_weight() -> None:
    K, Psi, Y = blocks(0)
    Psi[:, 1] = 0
    for pairing in ("full", "diagonal"):
        Gamma, M = semiparametric(K, Psi, Y, delta=0.25, pairing=pairing)
        assert_array_equal(M[1], 0)
        assert np.isfinite(Gamma).all()


@pairings
@pytest.mark.parametrize("centre", [True, False])
def test_scores_are_eq_26_at_training_and_new_points(pairing: str, centre: bool) -> None:
    X, y = cloud(1)
    Q = cloud(9, n=12)[0]
    model = SDSC(1.5, 0.25, centre=centre, pairing=pairing).fit(X, y)
    K, k = rbf(X, X, 1.5, True), rbf(Q, X, 1.5, True)
    if centre:
        k = k - k.mean(axis=1, keepdims=True) - K.mean(axis=0) + K.mean()
        K = about_mean(K)
    mu, V = model.eigenvalues_, model.eigenfunctions_
    assert_allclose(K @ V, V * mu, rtol=0, atol=1e-12)
    known = y != -1
    Y = (y[known, None] == [2, 5, 8]).astype(float)
    mean = Y.mean(axis=0) if centre else np.zeros(3)
    Gamma, M = semiparametric(
        K[np.ix_(known, known)], V[known], Y - mean, delta=0.25, pairing=pairing
    )
    kernel, eigen = model.parts(Q)
    assert_allclose(kernel, k[:, known] @ Gamma + mean, rtol=0, atol=1e-11)
    assert_allclose(eigen, k @ V / mu @ M, rtol=0, atol=1e-11)
    assert_allclose(model.decision_function(Q), kernel + eigen, rtol=0, atol=1e-11)
    plain = rbf(Q, X, 1.5, True) @ model.dual_coef_ + model.intercept_
    assert_allclose(plain, kernel + eigen, rtol=0, atol=1e-11)
    assert_allclose(V.T @ V, np.eye(3), rtol=0, atol=1e-12)
    assert_allclose(model.eigenfunctions_at(X), V, atol=1e-9)
    assert_allclose(model.eigenfunctions_at(Q), k @ V / mu, rtol=0, atol=1e-11)


def test_renaming_classes_changes_only_the_printed_pairing() -> None:
    X, y = cloud(2)
    names = {-1: -1, 2: 8, 5: 2, 8: 5}
    other = np.array([names[label] for label in y])
    for pairing in ("full", "diagonal"):
        a, b = (SDSC(pairing=pairing).fit(X, t).decision_function(X) for t in (y, other))
        change = np.abs(b[:, [2, 0, 1]] - a).max()
        assert change < 1e-10 if pairing == "full" else change > 1e-3


def test_equal_points_are_no_division_by_zero() -> None:
    model = SDSC().fit(np.ones((6, 2)), [0, 1, -1, -1, -1, -1])
    assert np.isfinite(model.decision_function(np.ones((2, 2)))).all()


@pytest.mark.parametrize(
    ("name", "width", "found"), [("ionosphere", "0.5 median", 0.876), ("diabetes", "median", 0.728)]
)
def test_it_is_as_good_as_the_notes_say(
    name: str, width: str, found: float, real: Callable
) -> None:
    d = real(name)
    right: dict[bool, list[float]] = {True: [], False: []}
    for seed in range(15):
        y = hide(d.y, fraction=0.1, random_state=seed)
        for centre in right:
            model = SDSC(width, centre=centre).fit(d.X, y)
            right[centre].append((model.transduction_ == d.y)[y == -1].mean())
    assert abs(np.mean(right[True]) - found) < np.std(right[True])
    if name == "ionosphere":
        assert np.mean(right[True]) > np.mean(right[False]) + 0.03
