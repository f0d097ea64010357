"""A vote among the nearest voters along the graph, and everything that follows from it.

    F_c(x) = (number of x's voters of class c) / (number of x's voters)

Voters are labelled points, or points whose label has been found before; a point's voters are those
with the shortest ways to it. Where classes share the most votes, the one whose voter is nearest
wins.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from sslviz.graph.neighbours import nearest
from sslviz.graph.shortest_paths import geodesic, geodesic_path
from sslviz.validation import check_point, decode_argmax, rows_to_one


class Votes(NamedTuple):
    """Why a point has its class: who voted, from how far, along which way."""

    voters: np.ndarray  # points, nearest first
    distances: np.ndarray
    classes: np.ndarray  # the class index each votes for
    weights: np.ndarray  # the share of each vote
    paths: list[list[int]]  # from the point to each voter
    tied: bool  # the nearest voter had to decide
    winner: int  # class index, -1 where nobody can be reached


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
    # Padding is last and the first voter of a leading class comes before it: argmax finds him.
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

    `lists` are the nearest seeds of all points, longer than n_votes; the mask `votes` says which of
    the seeds take part. Where too many do not, the search is repeated from those that do.
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

    A voter among the nearest of a new point is among those of the neighbour the way leads through.
    """
    m, n_votes = len(near), voters.shape[1]
    candidates = voters[near].reshape(m, -1)
    ways = (lengths[:, :, None] + distances[near]).reshape(m, -1)
    order = np.lexsort((ways, candidates), axis=1)
    candidates, ways = (np.take_along_axis(a, order, axis=1) for a in (candidates, ways))
    longer = np.zeros(candidates.shape, bool)  # another way to the same voter is shorter
    longer[:, 1:] = candidates[:, 1:] == candidates[:, :-1]
    ways[longer] = np.inf
    first = np.lexsort((candidates, ways), axis=1)[:, :n_votes]
    reached = np.isfinite(np.take_along_axis(ways, first, axis=1))
    return np.where(reached, np.take_along_axis(candidates, first, axis=1), -1)


class GeodesicVoter(ClassifierMixin, BaseEstimator):
    """What the methods that end in a vote share: new points, and the account of a vote.

    A new point is linked to its nearest training points, as many as in the graph, and asks its own
    nearest voters along it. A point equal to a training point takes that one's answer.

    `fit` leaves `_X`, `_G` (undirected lengths), `_links` (neighbours per point), `_ballot` (n,)
    (the class index each point votes for, -1 if it does not vote), `_own` (n,) (whether a point's
    answer is its own rather than voted), `voters_`, `voter_distances_`, `label_distributions_`.
    """

    classes_: np.ndarray
    voters_: np.ndarray
    voter_distances_: np.ndarray
    label_distributions_: np.ndarray
    _X: np.ndarray
    _G: sparse.csr_array
    _links: int
    _ballot: np.ndarray
    _own: np.ndarray
    device: str

    def explain(self, point: int) -> Votes:
        """The vote on a training point. A labelled point, and a hub, is its own only voter."""
        check_is_fitted(self, "transduction_")
        check_point(point, len(self._ballot))
        F = self.label_distributions_[point]
        winner = int(F.argmax()) if F.any() else -1
        if self._own[point]:
            return Votes(
                np.array([point]), np.zeros(1), np.array([winner]), np.ones(1), [[point]], False,
                winner,
            )  # fmt: skip
        there = self.voters_[point] >= 0
        voters, distances = self.voters_[point][there], self.voter_distances_[point][there]
        classes = self._ballot[voters]
        weights = np.full(len(voters), 1 / max(len(voters), 1))
        paths = [geodesic_path(self._G, point, int(voter)) for voter in voters]
        counts = np.bincount(classes, minlength=1)
        tied = int((counts == counts.max()).sum()) > 1 and len(voters) > 0
        return Votes(voters, distances, classes, weights, paths, tied, winner)

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, C) shares of the votes on new points; rows sum to 1, or to 0 without any voter."""
        check_is_fitted(self, "transduction_")
        Q = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        near, lengths = nearest(Q, self._X, min(self._links, len(self._X)), device=self.device)
        voters = voters_of_new_points(near, lengths, self.voters_, self.voter_distances_)
        F = tally(np.where(voters >= 0, self._ballot[voters], -1), len(self.classes_))
        same = lengths[:, 0] == 0
        F[same] = self.label_distributions_[near[same, 0]]
        owned = same & self._own[near[:, 0]]
        F[owned] = rows_to_one(F[owned])
        return F

    def predict(self, X: Any) -> np.ndarray:
        """The class of each new point; -1 where no voter can be reached."""
        return decode_argmax(self.predict_proba(X), self.classes_)
