r"""GTH elimination: remove states of a Markov chain one at a time, without subtraction.

Wanted is the smallest F ≥ 0 with F = P F + B, where row i of P lists the transition probabilities
from i and e_i = 1 − Σ_j P_ij is the probability of leaving the chain. Removing state s redirects
every step to s to where s leads:

    P_ij += P_is P_sj / q_s,  B_i += P_is B_s / q_s,  e_i += P_is e_s / q_s,
    q_s = e_s + Σ_{j≠s} P_sj

Since q_s is a sum and not 1 − P_ss, every number stays positive and keeps its digits: groups tied
to the rest by weights of 1e-40 come out right, where an LU decomposition finds a singular matrix.
A state that leads nowhere keeps F = 0. Written by hand, as no library eliminates in this way.

Grassmann, Taksar, Heyman. Regenerative analysis and steady state distributions for Markov chains.
Operations Research 1985.
"""

from typing import NamedTuple

import numpy as np
from numba import njit


class Chain(NamedTuple):
    """The states: heads of their lists, numbers of links in and out, whether removed."""

    first_in_row: np.ndarray
    first_in_col: np.ndarray
    links_out: np.ndarray
    links_in: np.ndarray
    gone: np.ndarray
    seat: np.ndarray  # record of column j in the row being updated, -1 elsewhere


class ChainLinks(NamedTuple):
    """Every link is a record in two linked lists, one along its row and one along its column."""

    row: np.ndarray
    col: np.ndarray
    value: np.ndarray
    next_in_row: np.ndarray
    next_in_col: np.ndarray


class Rows(NamedTuple):
    """The rows of the removed states, one after the other."""

    col: np.ndarray
    value: np.ndarray


@njit(cache=True)
def eliminate(
    indptr: np.ndarray,
    indices: np.ndarray,
    data: np.ndarray,
    exits: np.ndarray,
    B: np.ndarray,
    caps: np.ndarray,
) -> tuple:
    """Remove states with few links, in rounds of growing cost; what remains.

    A state costs (links in) × (links out); round r removes those up to caps[r]. `exits` and `B` are
    updated in place. Returns the order of elimination, the rows of the removed states (CSR-like, in
    that order, scaled by 1/q) and the links among the others (row, column, value).
    """
    n = len(indptr) - 1
    chain, links, count = _linked_lists(indptr, indices, data)
    rows = Rows(np.empty(indptr[-1] + 16, np.int32), np.empty(indptr[-1] + 16, np.float64))
    ptr, order, taken = np.zeros(n + 1, np.int64), np.empty(n, np.int64), 0
    for cap in caps:
        progress = True
        while progress:
            progress = False
            for s in range(n):
                if chain.gone[s] or np.int64(chain.links_in[s]) * chain.links_out[s] > cap:
                    continue
                progress = True
                chain.gone[s] = True
                start = ptr[taken]
                q = _outflow(s, chain, links, exits)
                rows, end = _keep_row(s, q, chain, links, rows, start)
                leave = exits[s] / q if q > 0 else 1.0  # a dead end is an exit
                if q > 0:
                    for c in range(B.shape[1]):
                        B[s, c] /= q
                into = chain.first_in_col[s]
                while into != -1:
                    i = links.row[into]
                    if not chain.gone[i]:
                        p = links.value[into]
                        exits[i] += p * leave
                        if q > 0:
                            for c in range(B.shape[1]):
                                B[i, c] += p * B[s, c]
                        links, count = _redirect(i, p, chain, links, count, rows, start, end)
                    into = links.next_in_col[into]
                order[taken] = s
                taken += 1
                ptr[taken] = end
    left = _remaining_links(chain, links, count)
    return order[:taken], ptr[: taken + 1], rows.col[: ptr[taken]], rows.value[: ptr[taken]], *left


@njit(cache=True)
def _linked_lists(indptr: np.ndarray, indices: np.ndarray, data: np.ndarray) -> tuple:
    """The lists of a CSR matrix without its diagonal: staying put only delays the walk."""
    n, room = len(indptr) - 1, 2 * indptr[-1] + 16
    chain = Chain(
        np.full(n, -1, np.int32),
        np.full(n, -1, np.int32),
        np.zeros(n, np.int32),
        np.zeros(n, np.int32),
        np.zeros(n, np.bool_),
        np.full(n, -1, np.int32),
    )
    links = ChainLinks(
        np.empty(room, np.int32),
        np.empty(room, np.int32),
        np.empty(room, np.float64),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
    )
    count = 0
    for i in range(n):
        for at in range(indptr[i], indptr[i + 1]):
            if data[at] > 0 and indices[at] != i:
                _add_link(i, indices[at], data[at], chain, links, count)
                count += 1
    return chain, links, count


@njit(cache=True, inline="always")
def _add_link(i: int, j: int, value: float, chain: Chain, links: ChainLinks, at: int) -> None:
    links.row[at], links.col[at], links.value[at] = i, j, value
    links.next_in_row[at] = chain.first_in_row[i]
    links.next_in_col[at] = chain.first_in_col[j]
    chain.first_in_row[i] = chain.first_in_col[j] = at
    chain.links_out[i] += 1
    chain.links_in[j] += 1


@njit(cache=True, inline="always")
def _outflow(s: int, chain: Chain, links: ChainLinks, exits: np.ndarray) -> float:
    """q_s: the sum of all that leaves s."""
    q, at = exits[s], chain.first_in_row[s]
    while at != -1:
        if not chain.gone[links.col[at]]:
            q += links.value[at]
        at = links.next_in_row[at]
    return q


@njit(cache=True, inline="always")
def _keep_row(s: int, q: float, chain: Chain, links: ChainLinks, rows: Rows, end: int) -> tuple:
    """Append the row of s, scaled, for the substitution."""
    at = chain.first_in_row[s]
    while at != -1:
        j = links.col[at]
        if not chain.gone[j]:
            if end == len(rows.col):
                rows = Rows(_double_capacity(rows.col), _double_capacity(rows.value))
            rows.col[end], rows.value[end] = j, links.value[at] / q
            end += 1
            chain.links_in[j] -= 1
        at = links.next_in_row[at]
    return rows, end


@njit(cache=True, inline="always")
def _redirect(
    i: int, p: float, chain: Chain, links: ChainLinks, count: int, rows: Rows, start: int, end: int
) -> tuple:
    """Let i, which led to s with probability p, lead to where s leads: rows[start:end]."""
    chain.links_out[i] -= 1
    at, before = chain.first_in_row[i], -1
    while at != -1:  # note the records of the row, unlink removed states
        if not chain.gone[links.col[at]]:
            chain.seat[links.col[at]] = at
            before = at
        elif before == -1:
            chain.first_in_row[i] = links.next_in_row[at]
        else:
            links.next_in_row[before] = links.next_in_row[at]
        at = links.next_in_row[at]
    for m in range(start, end):
        j, flow = rows.col[m], p * rows.value[m]
        if j == i or flow == 0:  # back to i only delays; 0 has underflowed
            continue
        if chain.seat[j] >= 0:
            links.value[chain.seat[j]] += flow
            continue
        if count == len(links.row):
            links = ChainLinks(
                _double_capacity(links.row),
                _double_capacity(links.col),
                _double_capacity(links.value),
                _double_capacity(links.next_in_row),
                _double_capacity(links.next_in_col),
            )
        _add_link(i, j, flow, chain, links, count)
        count += 1
    at = chain.first_in_row[i]
    while at != -1:
        chain.seat[links.col[at]] = -1
        at = links.next_in_row[at]
    return links, count


@njit(cache=True)
def _double_capacity(a: np.ndarray) -> np.ndarray:
    return np.concatenate((a, np.empty_like(a)))


@njit(cache=True)
def _remaining_links(chain: Chain, links: ChainLinks, count: int) -> tuple:
    """Rows, columns and values of the links among the states not removed."""
    row, col = np.empty(count, np.int32), np.empty(count, np.int32)
    value, found = np.empty(count, np.float64), 0
    for i in range(len(chain.gone)):
        at = -1 if chain.gone[i] else chain.first_in_row[i]
        while at != -1:
            if not chain.gone[links.col[at]]:
                row[found], col[found], value[found] = i, links.col[at], links.value[at]
                found += 1
            at = links.next_in_row[at]
    return row[:found], col[:found], value[:found]


@njit(cache=True)
def substitute(
    order: np.ndarray, ptr: np.ndarray, col: np.ndarray, value: np.ndarray, F: np.ndarray
) -> None:
    """Fill in F for the removed states, last one first; F holds B / q there on entry."""
    for at in range(len(order) - 1, -1, -1):
        s = order[at]
        for m in range(ptr[at], ptr[at + 1]):
            for c in range(F.shape[1]):
                F[s, c] += value[m] * F[col[m], c]
