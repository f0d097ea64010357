"""Votes are counted as said, ties go to the nearest, new points ask along their links."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from propagation.oracles import path_lengths, vote
from propagation.problems import SETS, archipelago
from scipy import sparse

from sslviz import GeodesicKNN, RobustLabelPrediction
from sslviz.graph import geodesic, knn, undirected
from sslviz.propagation.stages.geodesic_voting import nearest_voters, tally

MODELS = (GeodesicKNN(n_votes=4), RobustLabelPrediction(n_hubs=25, n_votes=4))


@pytest.mark.parametrize("n_votes", [1, 2, 3, 4, 7])
def test_the_largest_share_is_the_winner_and_shares_are_counts(n_votes: int) -> None:
    rng = np.random.default_rng(n_votes)
    ballots = rng.integers(3, size=(500, n_votes))
    padded = rng.integers(n_votes + 1, size=500)
    ballots[np.arange(n_votes) >= padded[:, None]] = -1
    F = tally(ballots, 3)
    for row, votes in zip(F, ballots, strict=True):
        cast = [int(v) for v in votes if v >= 0]
        counts = Counter(cast)
        shares = np.array([counts[c] / max(len(cast), 1) for c in range(3)])
        np.testing.assert_allclose(row, shares, rtol=0, atol=3e-16)
        winner, _ = vote(list(range(len(cast))), dict(enumerate(cast)))
        assert (int(row.argmax()) if row.any() else -1) == winner


def test_the_nearest_of_the_tied_decides_not_the_nearest_of_all() -> None:
    ballots = np.array([[2, 1, 0, 0, 1], [2, 0, 1, -1, -1], [1, 0, 0, 1, -1], [0, 1, 1, -1, -1]])
    assert tally(ballots, 3).argmax(axis=1).tolist() == [1, 2, 1, 1]


def test_seeds_without_a_vote_are_passed_over() -> None:
    X, _ = archipelago(0)
    G, rng = undirected(knn(X, 4)), np.random.default_rng(0)
    seeds = np.sort(rng.choice(150, 60, replace=False))
    points = np.arange(0, 150, 2)
    for share in (1.0, 0.9, 0.3, 0.05):  # at the last the lists are too short and made anew
        votes = np.zeros(150, bool)
        votes[seeds] = rng.random(60) < share
        voters, distances = nearest_voters(G, geodesic(G, seeds, 8), votes, 3, points)
        expected = geodesic(G, np.flatnonzero(votes), 3)
        np.testing.assert_array_equal(voters, expected[0][points])
        np.testing.assert_array_equal(distances, expected[1][points])


@pytest.mark.parametrize("points", SETS)
@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_a_vote_is_explained_by_ways_of_the_told_length(model, points) -> None:
    X, y = points(4)
    model.fit(X, y)
    own = {*np.flatnonzero(y != -1), *np.flatnonzero(model._own)}
    for point in range(0, len(X), 7):
        votes = model.explain(point)
        answer = model.classes_[votes.winner] if votes.winner >= 0 else -1
        assert answer == model.transduction_[point]
        if point in own:
            assert votes.voters.tolist() == [point] and votes.paths == [[point]]
            continue
        assert votes.voters.tolist() == [v for v in model.voters_[point] if v >= 0]
        assert np.isclose(votes.weights.sum(), 1) or len(votes.voters) == 0
        ballots = dict(zip(votes.voters, votes.classes, strict=True))
        assert vote(votes.voters.tolist(), ballots) == (votes.winner, votes.tied)
        for voter, distance, path in zip(votes.voters, votes.distances, votes.paths, strict=True):
            assert path[0] == point and path[-1] == voter
            assert np.isclose(length(model._G, path), distance, rtol=1e-12, atol=1e-300)


def length(G: sparse.csr_array, path: list[int]) -> float:
    """The sum of the path's edges, each of which must be there."""
    total = 0.0
    for i, j in pairwise(path):
        row = slice(*G.indptr[i : i + 2])
        total += G.data[row][G.indices[row].tolist().index(j)]
    return total


def test_a_point_that_is_not_there_cannot_be_explained(moons: tuple) -> None:
    model = GeodesicKNN().fit(*moons[:2])
    with pytest.raises(ValueError, match="point=300 is not a training point 0 to 299"):
        model.explain(300)


@pytest.mark.parametrize("points", SETS)
def test_new_points_ask_the_voters_nearest_along_their_links(points) -> None:
    X, y = points(8)
    rng = np.random.default_rng(0)
    model = GeodesicKNN(n_neighbors=4).fit(X, y)
    given = np.flatnonzero(y != -1).tolist()
    d = path_lengths(X, 4, given)
    Q = X[rng.integers(len(X), size=60)] + rng.normal(scale=0.3, size=(60, X.shape[1]))
    for q, answer in zip(Q, model.predict(Q), strict=True):
        length = np.sqrt(((q - X) ** 2).sum(axis=1))
        near = np.argsort(length, kind="stable")[:4]
        through = (d[:, near] + length[near]).min(axis=1)
        reached = sorted((w, s) for w, s in zip(through, given, strict=True) if np.isfinite(w))
        winner, _ = vote([s for _, s in reached[:3]], dict(enumerate(y)))
        assert answer == winner
    np.testing.assert_allclose(model.predict_proba(Q).sum(axis=1)[model.predict(Q) != -1], 1)
