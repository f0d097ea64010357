"""Hub tuning: cross-validation over the number of hubs and the links among them.

    h = i ⌊h_max / 5⌋,  i = 1 … 5,   h_max = min{(D n² + κ (k_1 + log n) n)^{1/3}, u}

Five folds over k_hub and the number of hubs h. A labelled point that is held out is unlabelled in
that fold in every respect: it may be a hub. Folds take every fifth label in the order of the data.
The score is the accuracy on the labels held out; an undetermined point counts as wrong.

All folds share one graph, since it does not depend on labels (the thesis builds it once per fold).
The search from hubs common to all folds is done once per h and extends the search for fewer hubs; a
fold then adds its own labels and hubs. One such search serves every k_hub and the votes.

Wada. Study of Prediction on Manifolds with Almost No or No Labeled Data. 2019, section 4.3, Eq. 22.
"""

from collections.abc import Iterator
from functools import reduce
from math import log
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_memory

from sslviz.graph.hubness import hubs
from sslviz.graph.shortest_paths import geodesic
from sslviz.graph.weights import undirected
from sslviz.memo import stage
from sslviz.propagation.stages.geodesic_voting import nearest_voters, tally
from sslviz.propagation.stages.hub_graph import propagate_on_hubs

K_HUB_GRID = (5, 10, 20)
FOLDS = 5
HUB_COUNTS = 5  # numbers of hubs tried
SeedLists = tuple[np.ndarray, np.ndarray]


class Tuning(NamedTuple):
    """The grid that was tried, and the accuracy of each choice."""

    k_hub: tuple[int, ...]
    n_hubs: tuple[int, ...]
    scores: np.ndarray  # (len(k_hub), len(n_hubs))

    @property
    def best(self) -> tuple[int, int]:
        """k_hub and the number of hubs of the best score; ties: smallest k_hub, fewest hubs."""
        k, h = np.unravel_index(np.argmax(self.scores), self.scores.shape)
        return self.k_hub[k], self.n_hubs[h]


class TuningProgress(NamedTuple):
    """Progress: `done` of `total` searches, and the scores so far, nan where not known yet."""

    done: int
    total: int
    tuning: Tuning


class HeldOut(NamedTuple):
    """The labels that are given, and the points on which the answer is judged."""

    target: np.ndarray  # (n,) class index, -1 without label
    judged: np.ndarray  # indices of points
    truth: np.ndarray  # their class indices


def hub_counts(n: int, u: int, features: int, *, k_graph: int, n_votes: int) -> tuple[int, ...]:
    """The numbers of hubs to try, Eq. 22. Zero is not among them, as in the thesis:

    with few labels most choices find all of them, and zero would win every tie.
    """
    work = features * n**2 + max(*K_HUB_GRID, n_votes) * (k_graph + log(n)) * n
    step = max(int(min(work ** (1 / 3), u)) // HUB_COUNTS, 1)
    return tuple(sorted({min(i * step, u) for i in range(1, HUB_COUNTS + 1)}))


def folds(target: np.ndarray) -> list[HeldOut]:
    """Each labelled point is held out once; with fewer labels than folds, one at a time."""
    given = np.flatnonzero(target >= 0)
    count = min(FOLDS, len(given))
    trials = []
    for fold in range(count):
        held = given[fold::count]
        shown = target.copy()
        shown[held] = -1
        trials.append(HeldOut(shown, held, target[held]))
    return trials


def grid_search(
    D: sparse.csr_array,
    trials: list[HeldOut],
    n_hubs: tuple[int, ...],
    *,
    n_votes: int,
    memory: Any = None,
    **settings: Any,
) -> Iterator[TuningProgress]:
    """Scores over K_HUB_GRID × `n_hubs`, one report per search; the last holds all of them.

    D is the directed kNN graph, with raised lengths if edges have a power; `settings` are those of
    `propagate_on_hubs` but for k_hub. With a memory every search is a stage.
    """
    cached = check_memory(memory).cache
    G = cached(undirected)(D)
    ranked = [hubs(D, among=trial.target < 0) for trial in trials]
    tuning = Tuning(K_HUB_GRID, n_hubs, np.full((len(K_HUB_GRID), len(n_hubs)), np.nan))
    total, length = len(trials) * len(n_hubs), max(*K_HUB_GRID, n_votes) + 1
    common, base, done = np.empty(0, np.int64), None, 0
    for column, h in enumerate(n_hubs):
        before, common = common, reduce(np.intersect1d, [order[:h] for order in ranked])
        if len(common):
            base = cached(geodesic)(G, np.setdiff1d(common, before), length, base)
        right = np.zeros(len(K_HUB_GRID))
        for trial, order in zip(trials, ranked, strict=True):
            seeds = np.union1d(np.flatnonzero(trial.target >= 0), order[:h])
            right += cached(held_out_hits)(
                G, base, np.setdiff1d(seeds, common), seeds, *trial,
                n_votes=n_votes, length=length if h else n_votes, **settings,
            )  # fmt: skip
            done += 1
            if done % len(trials) == 0:
                tuning.scores[:, column] = right / sum(len(t.judged) for t in trials)
            yield TuningProgress(done, total, tuning._replace(scores=tuning.scores.copy()))


@stage("tuning")
def held_out_hits(
    G: sparse.csr_array,
    base: SeedLists | None,
    added: np.ndarray,
    seeds: np.ndarray,
    target: np.ndarray,
    judged: np.ndarray,
    truth: np.ndarray,
    *,
    n_votes: int,
    length: int,
    **settings: Any,
) -> np.ndarray:
    """For every k_hub, the number of judged points whose answer is the truth."""
    lists = geodesic(G, added, length, base)
    if (target[seeds] >= 0).all():  # no hubs, hence no links among them
        answer = _answers(G, lists, target, judged, n_votes, settings["n_classes"])
        return np.full(len(K_HUB_GRID), np.sum(answer == truth))
    right = []
    for k_hub in K_HUB_GRID:
        F = propagate_on_hubs(*lists, seeds, target, k_hub=k_hub, **settings).F
        ballot = np.full(len(target), -1)
        ballot[seeds] = np.where(F.any(axis=1), F.argmax(axis=1), -1)
        answer = _answers(G, lists, ballot, judged, n_votes, F.shape[1])
        right.append(np.sum(answer == truth))
    return np.array(right)


def _answers(
    G: sparse.csr_array,
    lists: SeedLists,
    ballot: np.ndarray,
    points: np.ndarray,
    n_votes: int,
    n_classes: int,
) -> np.ndarray:
    """The class index of each point: its own if it votes, else that of the vote; -1 for none."""
    voters, _ = nearest_voters(G, lists, ballot >= 0, n_votes, points)
    F = tally(np.where(voters >= 0, ballot[voters], -1), n_classes)
    voted = np.where(F.any(axis=1), F.argmax(axis=1), -1)
    return np.where(ballot[points] >= 0, ballot[points], voted)
