"""Elimination keeps the solution of the remaining states."""

import numpy as np
import pytest
from scipy import sparse

from sslviz.solve.gth_elimination import eliminate, substitute

EVERYTHING = np.array([2**62])


def chain(n: int, seed: int) -> tuple[sparse.csr_array, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    W = sparse.random_array((n, n), density=0.15, rng=rng, format="csr")
    onto = rng.random((n, 2)) + 0.01
    total = np.asarray(W.sum(axis=1)).ravel() + onto.sum(axis=1)
    P = sparse.csr_array(sparse.diags_array(1 / total) @ W)
    return P, onto.sum(axis=1) / total, onto / total[:, None]


def eliminated(P: sparse.csr_array, exits: np.ndarray, B: np.ndarray, caps: np.ndarray) -> tuple:
    exits, F = exits.copy(), B.copy()
    return *eliminate(P.indptr, P.indices, P.data, exits, F, caps), exits, F


def test_eliminating_and_substituting_everything_solves_the_chain() -> None:
    P, exits, B = chain(50, 1)
    order, ptr, col, value, rows, _, _, _, F = eliminated(P, exits, B, EVERYTHING)
    assert sorted(order) == list(range(50)) and len(rows) == 0
    substitute(order, ptr, col, value, F)
    np.testing.assert_allclose(F, np.linalg.solve(np.eye(50) - P.toarray(), B), rtol=1e-13)


@pytest.mark.parametrize("cap", [36, 144])
def test_the_remaining_states_are_a_chain_with_the_same_solution(cap: int) -> None:
    P, exits, B = chain(80, 0)
    order, _, _, _, rows, cols, links, left, F = eliminated(P, exits, B, np.arange(cap + 1))
    core = np.setdiff1d(np.arange(80), order)
    assert 0 < len(order) < 80
    Q = sparse.csr_array((links, (rows, cols)), shape=(80, 80)).toarray()[np.ix_(core, core)]
    outflow = left[core] + Q.sum(axis=1)  # staying put is left out of Q
    found = np.linalg.solve(np.diag(outflow) - Q, F[core])
    np.testing.assert_allclose(
        found, np.linalg.solve(np.eye(80) - P.toarray(), B)[core], rtol=1e-12
    )
    assert (links > 0).all() and (left >= exits).all()


def test_states_of_least_cost_go_first() -> None:
    n = 12  # a star: the leaves have one link in and one link out, the centre many
    P = np.zeros((n, n))
    P[0, 1:], P[1:, 0] = 1 / n, 0.9
    exits = 1 - P.sum(axis=1)
    order = eliminated(sparse.csr_array(P), exits, exits[:, None].copy(), np.arange(5))[0]
    assert len(order) == n and order[-1] in (0, n - 1)


def test_a_dead_end_keeps_zero_and_lets_nothing_through() -> None:
    P = sparse.csr_array([[0.0, 0.5, 0.25], [0, 0, 0], [0.5, 0.25, 0]])
    B = np.array([[0.25], [0], [0.25]])
    order, ptr, col, value, *_, F = eliminated(P, B[:, 0].copy(), B, EVERYTHING)
    substitute(order, ptr, col, value, F)
    assert F[1, 0] == 0
    np.testing.assert_allclose(F, np.linalg.solve(np.eye(3) - P.toarray(), B), rtol=1e-15)
