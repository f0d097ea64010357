"""The smallest F ≥ 0 with F = P F + B, against dense solves and arithmetic without rounding."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse
from second_device import SecondDevice
from solve.oracles import absorbed

from sslviz.solve import absorbing_chain
from sslviz.solve.absorbing_chain import COMPLETE_CAPS, CORE_CAPS, absorb

Chain = tuple[sparse.csr_array, np.ndarray, np.ndarray]


def chain(n: int, seed: int, density: float = 0.05, leave: float = 0.1) -> Chain:
    """A random directed chain with self-loops, from which every state can leave; two classes."""
    rng = np.random.default_rng(seed)
    W = sparse.random_array((n, n), density=density, rng=rng, format="csr") + sparse.eye_array(n)
    onto = rng.random((n, 2)) * (rng.random((n, 1)) < leave)
    onto[rng.integers(n)] = [0.3, 0.7]
    total = np.asarray(W.sum(axis=1)).ravel() + onto.sum(axis=1)
    P = sparse.csr_array(sparse.diags_array(1 / total) @ W)
    return P, onto.sum(axis=1) / total, onto / total[:, None]


def smallest(P: sparse.csr_array, B: np.ndarray) -> np.ndarray:
    """The dense solution where an exit can be reached, zero elsewhere."""
    A, n = P.toarray(), len(B)
    reach = B.sum(axis=1) > 0
    for _ in range(n):
        reach = reach | (A @ reach > 0)
    F = np.zeros_like(B)
    F[reach] = np.linalg.solve((np.eye(n) - A)[np.ix_(reach, reach)], B[reach])
    return F


@pytest.mark.parametrize("n", [1, 2, 7, 60, 400])
def test_random_chains_agree_with_a_dense_solve(n: int) -> None:
    P, exits, B = chain(n, seed=n)
    np.testing.assert_allclose(absorb(P, exits, B), smallest(P, B), rtol=1e-11, atol=1e-13)


def test_duplicate_and_unsorted_entries_add_up() -> None:
    P, exits, B = chain(40, 0)
    rows = [np.tile(np.arange(*ends)[::-1], 2) for ends in pairwise(P.indptr)]
    order = np.concatenate(rows)
    twice = sparse.csr_array((P.data[order] / 2, P.indices[order], 2 * P.indptr), shape=P.shape)
    assert not twice.has_canonical_format
    np.testing.assert_allclose(absorb(twice, exits, B), smallest(P, B), rtol=1e-12)


@pytest.mark.parametrize("caps", [CORE_CAPS[:1], CORE_CAPS, COMPLETE_CAPS], ids=len)
def test_elimination_may_stop_anywhere(caps: np.ndarray) -> None:
    P, exits, B = chain(300, 3, density=0.06)
    np.testing.assert_allclose(absorb(P, exits, B, caps=caps), smallest(P, B), rtol=1e-11)


@pytest.mark.parametrize("escape", [1e-9, 1e-60])
def test_almost_disconnected_groups_of_a_large_core_are_solved_again_alone(escape: float) -> None:
    """Two groups too dense to be eliminated at once, one almost disconnected."""
    rng = np.random.default_rng(0)
    n, group = 120, 40
    W = rng.random((n, n))
    W[:group, group:] = W[group:, :group] = 0
    W[3, 90] = W[90, 3] = escape
    B = np.zeros((n, 2))
    B[[60, 70], [0, 1]] = 20 * rng.random(2)
    total = W.sum(axis=1) + B.sum(axis=1)
    P, B = sparse.csr_array(W / total[:, None]), B / total[:, None]
    F = absorb(P, B.sum(axis=1), B)
    np.testing.assert_allclose(F.sum(axis=1), 1, rtol=1e-9)
    # The group is left by one edge only: all of it has the solution of its far end.
    np.testing.assert_allclose(F[:group], np.tile(F[90], (group, 1)), rtol=1e-7)
    small = sparse.csr_array(W[group:, group:] / total[group:, None])
    np.testing.assert_allclose(F[group:], smallest(small, B[group:]), rtol=1e-6)


def test_states_that_reach_no_exit_are_zero_and_a_step_to_them_is_an_exit() -> None:
    P, exits, B = chain(80, 2)
    trap = sparse.csr_array(np.roll(np.eye(20), 1, axis=1))  # a cycle that nothing leaves
    both = sparse.block_diag([P / 2, trap]).tolil()
    both[:80, 80] = 0.5  # half of all steps lead into it
    F = absorb(
        sparse.csr_array(both), np.append(exits / 2, np.zeros(20)), np.vstack([B / 2, 0 * B[:20]])
    )
    assert (F[80:] == 0).all()
    lost = absorb(P / 2, exits / 2 + 0.5, B / 2)
    np.testing.assert_allclose(F[:80], lost, rtol=1e-12)
    np.testing.assert_allclose(lost, smallest(P / 2, B / 2), rtol=1e-11)


@pytest.mark.parametrize("escape", [1e-8, 1e-30, 1e-250])
def test_groups_that_are_almost_disconnected_come_out_right(escape: float) -> None:
    rng = np.random.default_rng(0)
    n, groups = 12, 4
    group = np.repeat(np.arange(groups), n // groups)
    # Powers of two: a row of P is exact, and rational arithmetic sees the very same chain.
    tiny = 2.0 ** np.round(np.log2(escape))
    P = 2.0 ** -rng.integers(4, 7, size=(n, n)).astype(float)
    P[group[:, None] != group] = 0
    for i in range(n):
        P[i, rng.choice(np.flatnonzero(group != group[i]))] = tiny * 2.0 ** -rng.integers(4)
    B = np.zeros((n, 2))
    B[0, 0], B[-1, 1], B[5] = 0.25, tiny, (tiny, tiny / 4)
    exits = B.sum(axis=1)
    # Whatever is left over stays put, which only delays: rows may be divided by what leaves.
    leaves = [sum(map(Fraction, np.delete(P[i], i))) + Fraction(exits[i]) for i in range(n)]
    step = [[(i != j) * Fraction(P[i, j]) / leaves[i] for j in range(n)] for i in range(n)]
    onto = [[Fraction(b) / leaves[i] for b in B[i]] for i in range(n)]
    expected = [value for row in absorbed(step, onto) for value in row]
    found = absorb(sparse.csr_array(P), exits, B).ravel()
    error = [abs(Fraction(f) / e - 1) for f, e in zip(found, expected, strict=True)]
    assert float(max(error)) < 1e-12


def test_flows_that_underflow_are_zero_and_no_error() -> None:
    rng = np.random.default_rng(0)
    for _ in range(500):
        n = int(rng.integers(3, 9))
        P = rng.choice([0, 0, 0, 1, 1e-160, 1e-200, 1e-300], size=(n, n))
        np.fill_diagonal(P, 0)
        B = np.zeros((n, 2))
        B[np.arange(n), rng.integers(2, size=n)] = rng.choice([0, 0, 0, 1, 1e-200], size=n)
        total = np.maximum(P.sum(axis=1) + B.sum(axis=1), 1)[:, None]
        P, B = P / total, B / total
        F = absorb(sparse.csr_array(P), B.sum(axis=1), B)
        assert np.isfinite(F).all() and (F >= 0).all() and F.sum(axis=1).max() < 1 + 1e-9


def expander(n: int, degree: int, leave: float, seed: int = 0) -> Chain:
    """A random graph with short paths everywhere: nothing can be eliminated cheaply."""
    rng = np.random.default_rng(seed)
    cols = rng.integers(n, size=(n, degree))
    W = sparse.csr_array((np.ones(n * degree), (np.repeat(np.arange(n), degree), cols.ravel())))
    P = W * ((1 - leave) / degree)
    B = np.zeros((n, 3))
    B[np.arange(n), rng.integers(3, size=n)] = leave
    return sparse.csr_array(P), B.sum(axis=1), B


@pytest.mark.parametrize("leave", [0.5, 1e-6])
def test_a_large_core_is_solved_by_iteration(leave: float, monkeypatch: pytest.MonkeyPatch) -> None:
    P, exits, B = expander(2000, 24, leave)
    monkeypatch.setattr(absorbing_chain, "splu", None)  # an LU decomposition would fail
    F = absorb(P, exits, B)
    np.testing.assert_allclose(F.sum(axis=1), 1, rtol=1e-9)
    np.testing.assert_allclose(F, P @ F + B, rtol=1e-9)


def test_degrees_allow_conjugate_gradients_and_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(0)
    n = 1500
    pairs = rng.integers(n, size=(2, 20 * n))
    W = sparse.csr_array((rng.random(20 * n), pairs), shape=(n, n))
    W = sparse.csr_array(W + W.T)
    B = np.zeros((n, 3))
    B[np.arange(30), np.arange(30) % 3] = 5 * rng.random(30)
    degrees = np.asarray(W.sum(axis=1)).ravel() + B.sum(axis=1)
    P, B = sparse.csr_array(sparse.diags_array(1 / degrees) @ W), B / degrees[:, None]
    plain = absorb(P, B.sum(axis=1), B)
    monkeypatch.setattr(absorbing_chain, "bicgstab", None)  # only the symmetric iteration is left
    monkeypatch.setattr(absorbing_chain, "splu", None)
    quick = absorb(P, B.sum(axis=1), B, weights=degrees / degrees.max())
    np.testing.assert_allclose(quick, plain, rtol=1e-8)


def test_distant_rows_of_a_large_core_are_as_accurate_as_near_ones() -> None:
    rng = np.random.default_rng(0)
    n, width = 2000, 60  # a long tube: one end is labelled, the walk leaks on its way to the other
    cols = np.clip(np.arange(n)[:, None] + rng.integers(-width, width + 1, size=(n, 24)), 0, n - 1)
    rows = np.repeat(np.arange(n), 24)
    P = sparse.csr_array((np.full(n * 24, 0.5 / 24), (rows, cols.ravel())), shape=(n, n))
    B = np.zeros((n, 2))
    B[:40, 0], B[20:60, 1] = 0.5, 0.25
    F = absorb(P, np.full(n, 0.5), B)
    expected = B.copy()
    for _ in range(400):  # sums of positive numbers: every digit of every row is right
        expected = P @ expected + B
    assert expected.sum(axis=1).min() < 1e-20
    np.testing.assert_allclose(F, expected, rtol=1e-9)


def test_a_core_with_almost_no_exit_is_eliminated_further() -> None:
    P, exits, B = expander(660, 24, 1e-30)
    P.data *= 1 / (1 - 1e-30)
    F = absorb(P, exits, B)
    np.testing.assert_allclose(F.sum(axis=1), 1, rtol=1e-7)
    np.testing.assert_allclose(F, P @ F, rtol=1e-7)


def test_the_order_of_the_states_does_not_matter() -> None:
    P, exits, B = chain(200, 4, density=0.03)
    order = np.random.default_rng(0).permutation(200)
    shuffled = absorb(sparse.csr_array(P[order][:, order]), exits[order], B[order])
    np.testing.assert_allclose(shuffled, absorb(P, exits, B)[order], rtol=1e-12)


def test_inputs_are_left_alone() -> None:
    P, exits, B = chain(50, 5)
    inputs = (P.data, P.indices, P.indptr, exits, B)
    before = [a.copy() for a in inputs]
    for a in inputs:
        a.flags.writeable = False
    absorb(P, exits, B)
    assert all(map(np.array_equal, inputs, before))


def test_a_second_device_gives_the_same_numbers() -> None:
    P, exits, B = expander(1000, 24, 0.05)
    here = absorb(P, exits, B, device="cpu")
    with SecondDevice():
        there = absorb(P, exits, B, device="meta")
    np.testing.assert_array_equal(here, there)
