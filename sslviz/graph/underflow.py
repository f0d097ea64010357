r"""Underflow: transition probabilities too small for a float, where a walk needs them.

A step of 27σ has a probability below 1e-308 beside a short one, which is stored as 0. For most
points that is accurate. But a group of points whose edges to other points all underflow would never
be left, though the graph connects it and every walk must end. How long a walk stays inside has no
effect on where it leaves: the probabilities of all edges out of the group may be multiplied by one
factor, and are, until the largest can be stored. It stays far below every step inside, so that the
walk mixes inside the group before it leaves. Groups that only lead to each other then form one
group, and the argument is repeated, about ten times, until the range of floats is used up.
"""

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from sslviz.graph.weights import entry_rows, log_transitions

UNDERFLOW_RISK = 1e-150  # probabilities above can be multiplied with each other
NEGLIGIBLE_SHARE = 1e-17  # smaller shares of the largest probability have no effect
# The largest exit probability of a group: so much below the smallest step inside, but at least
# MIN_EXIT.
EXIT_RATIO, MIN_EXIT = 1e-20, 1e-290


def rescale_underflowing(
    P: sparse.csr_array, G: sparse.csr_array, sigma: float, ends: np.ndarray
) -> sparse.csr_array:
    """The steps P = transitions(G, σ), with an exit from every group that G connects to others.

    `ends` marks the points where walks end: edges from there do not count.
    """
    if P.data.min(initial=1.0) > UNDERFLOW_RISK:
        return P
    data, rows, cols = P.data.copy(), entry_rows(P), P.indices
    on = ~ends[rows]
    used = on & (data > NEGLIGIBLE_SHARE)
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
        goal = np.log(np.maximum(inside * EXIT_RATIO, MIN_EXIT))
        data[out], used[out] = np.exp(level + goal[mine[out]]), level > np.log(NEGLIGIBLE_SHARE)
        raised += np.where(top > -np.inf, goal - top, 0.0)[group]
