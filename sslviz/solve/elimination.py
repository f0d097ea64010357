r"""Take states out of a Markov chain one at a time, without ever subtracting.

Wanted is the smallest F ≥ 0 with F = P F + B, where row i of P lists the chances of moving from i
and e_i = 1 − Σ_j P_ij is the chance of leaving for good. Taking out state s sends everyone who
would have stepped on s directly to where s leads:

    P_ij += P_is P_sj / q_s,  B_i += P_is B_s / q_s,  e_i += P_is e_s / q_s,
    q_s = e_s + Σ_{j≠s} P_sj

Since q_s is a sum and not 1 − P_ss, every number stays positive and keeps its digits: groups tied
to the rest by weights of 1e-40 come out right, where an LU decomposition finds a singular matrix.
A state that leads nowhere keeps F = 0.

Grassmann, Taksar, Heyman. Regenerative analysis and steady state distributions for Markov chains.
Operations Research 1985.
"""

import numpy as np
from numba import njit


@njit(cache=True)
def eliminate(indptr, indices, data, exits, B, caps):
    """Take out states of few links, in rounds of growing cost, and say what is left.

    A state costs (ways in) × (ways out); round r takes those up to caps[r]. `exits` and `B` are
    updated in place. Returns the order of elimination, the rows of the states taken out (CSR-like,
    in that order, scaled by 1/q) and the links among the others (row, column, value).
    """
    n = len(indptr) - 1
    # Every link is a record in two linked lists, one along its row and one along its column.
    size = indptr[-1]
    room = 2 * size + 16
    row, col = np.empty(room, np.int32), np.empty(room, np.int32)
    value = np.empty(room, np.float64)
    next_in_row, next_in_col = np.empty(room, np.int32), np.empty(room, np.int32)
    first_in_row, first_in_col = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    ways_out, ways_in = np.zeros(n, np.int32), np.zeros(n, np.int32)
    count = 0
    for i in range(n):
        for at in range(indptr[i], indptr[i + 1]):
            j = indices[at]
            if data[at] > 0 and j != i:  # staying put only delays: q leaves P_ss out
                row[count], col[count], value[count] = i, j, data[at]
                next_in_row[count], next_in_col[count] = first_in_row[i], first_in_col[j]
                first_in_row[i], first_in_col[j] = count, count
                ways_out[i] += 1
                ways_in[j] += 1
                count += 1

    gone = np.zeros(n, np.bool_)
    order = np.empty(n, np.int64)
    taken = 0
    kept_ptr = np.zeros(n + 1, np.int64)
    kept_col, kept_value = np.empty(size + 16, np.int32), np.empty(size + 16, np.float64)
    kept = 0
    seat = np.full(n, -1, np.int32)  # where column j stands in the row being updated

    for cap in caps:
        progress = True
        while progress:
            progress = False
            for s in range(n):
                if gone[s] or np.int64(ways_in[s]) * ways_out[s] > cap:
                    continue
                progress = True
                gone[s] = True
                q = exits[s]
                at = first_in_row[s]
                while at != -1:
                    if not gone[col[at]]:
                        q += value[at]
                    at = next_in_row[at]
                # Keep the row of s, scaled, for the way back.
                start = kept
                at = first_in_row[s]
                while at != -1:
                    j = col[at]
                    if not gone[j]:
                        if kept == len(kept_col):
                            kept_col = np.concatenate((kept_col, np.empty_like(kept_col)))
                            kept_value = np.concatenate((kept_value, np.empty_like(kept_value)))
                        kept_col[kept], kept_value[kept] = j, value[at] / q
                        kept += 1
                        ways_in[j] -= 1
                    at = next_in_row[at]
                if q > 0:
                    B[s] /= q
                leave = exits[s] / q if q > 0 else 1.0  # a dead end is a way out of the chain
                # Send everyone who leads to s on to where s leads.
                into = first_in_col[s]
                while into != -1:
                    i = row[into]
                    if not gone[i]:
                        p = value[into]
                        exits[i] += p * leave
                        ways_out[i] -= 1
                        if q > 0:
                            B[i] += p * B[s]
                        at, before = first_in_row[i], -1
                        while at != -1:  # find the seats, unlink what is gone
                            j = col[at]
                            if gone[j]:
                                if before == -1:
                                    first_in_row[i] = next_in_row[at]
                                else:
                                    next_in_row[before] = next_in_row[at]
                            else:
                                seat[j] = at
                                before = at
                            at = next_in_row[at]
                        for m in range(start, kept):
                            j = kept_col[m]
                            if j == i:
                                # Back to i: only a delay; q of i will leave it out as well.
                                continue
                            flow = p * kept_value[m]
                            if flow == 0:  # below the smallest number there is
                                continue
                            if seat[j] >= 0:
                                value[seat[j]] += flow
                                continue
                            if count == room:
                                row = np.concatenate((row, np.empty_like(row)))
                                col = np.concatenate((col, np.empty_like(col)))
                                value = np.concatenate((value, np.empty_like(value)))
                                next_in_row = np.concatenate(
                                    (next_in_row, np.empty_like(next_in_row))
                                )
                                next_in_col = np.concatenate(
                                    (next_in_col, np.empty_like(next_in_col))
                                )
                                room *= 2
                            row[count], col[count], value[count] = i, j, flow
                            next_in_row[count] = first_in_row[i]
                            next_in_col[count] = first_in_col[j]
                            first_in_row[i], first_in_col[j] = count, count
                            ways_out[i] += 1
                            ways_in[j] += 1
                            count += 1
                        at = first_in_row[i]
                        while at != -1:
                            seat[col[at]] = -1
                            at = next_in_row[at]
                    into = next_in_col[into]
                order[taken] = s
                taken += 1
                kept_ptr[taken] = kept

    rows, cols = np.empty(count, np.int32), np.empty(count, np.int32)
    values = np.empty(count, np.float64)
    links = 0
    for i in range(n):
        if gone[i]:
            continue
        at = first_in_row[i]
        while at != -1:
            if not gone[col[at]]:
                rows[links], cols[links], values[links] = i, col[at], value[at]
                links += 1
            at = next_in_row[at]
    return (
        order[:taken],
        kept_ptr[: taken + 1],
        kept_col[:kept],
        kept_value[:kept],
        rows[:links],
        cols[:links],
        values[:links],
    )


@njit(cache=True)
def substitute(order, ptr, col, value, F):
    """Fill in F for the states taken out, last one first; F holds B / q there on entry."""
    for at in range(len(order) - 1, -1, -1):
        s = order[at]
        for m in range(ptr[at], ptr[at + 1]):
            F[s] += value[m] * F[col[m]]
