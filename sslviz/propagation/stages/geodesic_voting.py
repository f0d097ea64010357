"""Geodesic voting: a point takes the majority of the voters nearest along the graph.

    F_c(x) = (number of x's voters of class c) / (number of x's voters)

Voters are labelled points, or points whose label has been found before; the voters of a point are
those with the shortest paths to it. Where classes share the most votes, the one whose voter is
nearest wins.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from sslviz.graph.shortest_paths import geodesic


class Votes(NamedTuple):
    """Why a point has its class: the voters, their distances and the paths to them."""

    voters: np.ndarray  # points, nearest first
    distances: np.ndarray
    classes: np.ndarray  # the class index each votes for
    weights: np.ndarray  # the share of each vote
    paths: list[list[int]]  # from the point to each voter
    tied: bool  # the nearest voter had to decide
    winner: int  # class index, -1 where no voter can be reached


def tally(ballots: np.ndarray, n_classes: int) -> np.ndarray:
    """(m, C) shares of the votes; `ballots` (m, k) are class indices, nearest first, -1 for none.

    Where classes are tied, the share of the one whose voter is nearest is raised by one rounding
    step: the largest entry of a row is always the winner. A row without voters is zero.
    """
    m, rows = len(ballots), np.arange(len(ballots))
    cast = ballots >= 0
    cells = (rows[:, None] * n_classes + ballots)[cast]
    counts = np.bincount(cells, minlength=m * n_classes).reshape(m, n_classes)
    F = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    top = counts.max(axis=1)
    # Padding is last and the first voter of a leading class comes before it: argmax finds it.
    leads = counts[rows[:, None], ballots] == top[:, None]
    winner = ballots[rows, leads.argmax(axis=1)]
    tied = ((counts == top[:, None]).sum(axis=1) > 1) & (top > 0)
    F[tied, winner[tied]] = np.nextafter(F[tied, winner[tied]], 2)
    return F


def nearest_voters(
    G: sparse.csr_array,
    lists: tuple[np.ndarray, np.ndarray],
    votes: np.ndarray,
    n_votes: int,
    points: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """(m, n_votes) voters of `points` and their distances, padded with -1 and inf.

    `lists` are the nearest seeds of all points, longer than n_votes; the mask `votes` marks the
    seeds that vote. Where too many do not, the search is repeated from those that do.
    """
    found, distances = (part[points] for part in lists)
    seen = (found >= 0) & votes[found]
    first = np.argsort(~seen, axis=1, kind="stable")[:, :n_votes]
    seen = np.take_along_axis(seen, first, axis=1)
    voters = np.where(seen, np.take_along_axis(found, first, axis=1), -1)
    if ((voters[:, -1] < 0) & (found[:, -1] >= 0)).any():
        again = geodesic(G, np.flatnonzero(votes), n_votes)
        return again[0][points], again[1][points]
    return voters, np.where(seen, np.take_along_axis(distances, first, axis=1), np.inf)


def voters_of_new_points(
    near: np.ndarray, lengths: np.ndarray, voters: np.ndarray, distances: np.ndarray
) -> np.ndarray:
    """(m, n_votes) voters of new points, each linked to its `near` training points (m, k).

    A voter among the nearest of a new point is among those of the neighbour its path leads through.
    """
    m, n_votes = len(near), voters.shape[1]
    candidates = voters[near].reshape(m, -1)
    path_lengths = (lengths[:, :, None] + distances[near]).reshape(m, -1)
    order = np.lexsort((path_lengths, candidates), axis=1)
    candidates, path_lengths = (
        np.take_along_axis(a, order, axis=1) for a in (candidates, path_lengths)
    )
    longer = np.zeros(candidates.shape, bool)  # another path to the same voter is shorter
    longer[:, 1:] = candidates[:, 1:] == candidates[:, :-1]
    path_lengths[longer] = np.inf
    first = np.lexsort((candidates, path_lengths), axis=1)[:, :n_votes]
    reached = np.isfinite(np.take_along_axis(path_lengths, first, axis=1))
    return np.where(reached, np.take_along_axis(candidates, first, axis=1), -1)
