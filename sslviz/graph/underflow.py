r"""Ways too faint for a number: walkers that have no others take them all the same.

A step of 27σ has a chance below 1e-308 beside a short one, which is 0. For most points that is as
good as exact. But a group whose ways out are all so faint would never be left, though it is linked
and every walk must end. How long walkers wait inside changes nothing about where they leave: the
chances of all ways out of the group may be multiplied by one number, and are, until the largest can
be written. It stays far below every step inside, so that the group is still well mixed before
anybody leaves. Groups that only lead to each other are one group then, and the same holds again,
about ten times, until numbers end.
"""

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from sslviz.graph.weights import log_transitions, rows_of

FAINT = 1e-150  # a chance above can be multiplied by another
WEAK = 1e-17  # one below, as a share of the largest, does not count beside it
# The largest way out of a group: this far below the weakest step inside, but not below the least.
BELOW, LEAST = 1e-20, 1e-290


def rescale_underflowing(
    P: sparse.csr_array, G: sparse.csr_array, sigma: float, ends: np.ndarray
) -> sparse.csr_array:
    """The steps P = transitions(G, σ) with a way out of every group that G links to others.

    `ends` marks the points where walks end: what leads on from there does not count.
    """
    if P.data.min(initial=1.0) > FAINT:
        return P
    data, rows, cols = P.data.copy(), rows_of(P), P.indices
    on = ~ends[rows]
    used = on & (data > WEAK)
    logs, raised = log_transitions(G, sigma), np.zeros(len(ends))
    while True:
        steps = sparse.coo_array((used[used], (rows[used], cols[used])), shape=P.shape)
        count, group = connected_components(steps.tocsr(), connection="strong")
        mine, leaves = group[rows], group[rows] != group[cols]
        closed = np.ones(count, bool)
        closed[group[ends]] = closed[mine[used & leaves]] = False
        out = np.flatnonzero(on & leaves & closed[mine])
        if len(out) == 0:
            return sparse.csr_array((data, cols, P.indptr), shape=P.shape)
        inside, top = np.ones(count), np.full(count, -np.inf)
        np.minimum.at(inside, mine[used], data[used])
        level = logs[out] + raised[rows[out]]
        np.maximum.at(top, mine[out], level)
        level -= top[
            mine[out]
        ]  # first: logarithms may be too large for the goal to be seen in them
        goal = np.log(np.maximum(inside * BELOW, LEAST))
        data[out], used[out] = np.exp(level + goal[mine[out]]), level > np.log(WEAK)
        raised += np.where(top > -np.inf, goal - top, 0.0)[group]
