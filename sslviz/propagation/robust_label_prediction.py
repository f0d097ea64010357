r"""Label the popular points first, then let everybody else ask them.

    N(x) = |{i : x is one of the k_1 nearest of x_i}|,   H = the h unlabelled points of largest N
    F_H = L_HH⁻¹ W_HL Y_L,   w_ij = exp(−d_G(i, j)²/σ²)   over the k_2 nearest of L ∪ H

Three steps. *Hubs*: points that many others count among their nearest lie where data are dense, and
outliers, which nobody counts, are left out. *Propagation*: labels spread over a graph that holds
the labelled points and the hubs only, measured by the length d_G of the shortest way along the
neighbour graph of all points. *Votes*: everybody else takes the majority of the kᵥ labelled points
and hubs nearest along the graph. Without hubs it is geodesic kNN; with all points as hubs it is
label propagation on geodesic distances.

**What to look for:** outliers cannot spread a label, since they are no hubs; a vote harms nobody
but the point itself. Few hubs leave gaps that the walk must jump; many bring the outliers back. In
high dimensions popular and dense are not the same: a few points near the middle of everything are
counted by all (hubness), and one of those, wrongly labelled, is asked by many. With many labels
plain undirected propagation is as good; with few labels, or twenty thousand digits, hubs win.
*Automatic* hides labels to choose: with few of them many choices tie, and the fewest hubs, often
none at all, are then taken. Hold its map of scores against the true one.

Wada. Study of Prediction on Manifolds with Almost No or No Labeled Data. 2019, Part I, Algorithm 1.
"""

import warnings
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_memory

from sslviz.graph.hubness import hubs, in_degree
from sslviz.graph.neighbours import knn
from sslviz.graph.parameters import Width
from sslviz.graph.shortest_paths import geodesic
from sslviz.graph.weights import undirected, width
from sslviz.params import Choice, Number, split_rule
from sslviz.propagation.geodesic_knn import Voters
from sslviz.propagation.stages import hub_tuning
from sslviz.propagation.stages.geodesic_voting import GeodesicVoter, nearest_voters, tally
from sslviz.propagation.stages.hub_graph import propagate_on_hubs
from sslviz.validation import check_labelled, clip_to_available, decode_argmax

HubLinks = Annotated[
    int,
    Number(
        "Links of each hub to other hubs and labelled points. Tuned as well when the "
        "number of hubs is automatic.",
        valid=(1, 10**6),
        shown=(2, 20),
        label="links of a hub",
        symbol="k₂",
    ),
]

LIST = max(hub_tuning.K_HUB)  # the lists of one search serve every k_hub up to this


class Points(NamedTuple):
    """What does not depend on hubs: the data, its classes and the neighbour graph."""

    X: np.ndarray
    target: np.ndarray  # (n,) class index, -1 without label
    classes: np.ndarray
    k: int
    D: sparse.csr_array  # directed, lengths
    sigma: float | str  # a number, or "mean" with a factor, which each graph of hubs answers


class RobustLabelPrediction(GeodesicVoter):
    """Label propagation among hubs, geodesic votes for the rest (Algorithm 1).

    Hubs are chosen by in-degree of the directed graph, ties by lower index, among unlabelled points
    only. σ = "mean" is the mean over the directed edges of the graph of labelled points and hubs,
    on which the propagation runs, so that an outlier that is no hub does not touch it; "median" and
    "mst" are over all points. Hubs that no label reaches are voted on like all others and do not
    vote. n_hubs = "auto" tunes the number of hubs together with k_hub by cross-validation.

    New points are linked to their `k_graph` nearest training points and ask the voters nearest
    along these links; a point equal to a training point takes its answer.

    Attributes: `classes_`, `transduction_` (-1: nobody to ask), `label_distributions_` (n, C):
    one-hot for labelled points, absorption probabilities for hubs, shares of the votes for the rest
    (where tied, the winner's is one rounding step larger; the largest entry is always the answer).
    `hubs_` best first, `hub_scores_` (n,) in-degrees, `n_hubs_`, `k_hub_`, `sigma_` the values
    used, `hub_distributions_` (h, C) in the order of `hubs_`, `hub_graph_` (n, n) CSR of the
    geodesic lengths a walker may follow, empty rows for all but labelled points and hubs,
    `voters_` (n, n_votes) and `voter_distances_`, nearest first, padded with -1 and inf,
    `tuning_` the scores of cross-validation, or None.
    """

    title, family = "Robust label prediction", "propagation"
    paper = "Wada 2019, Study of Prediction on Manifolds, Part I"

    def __init__(
        self,
        k_graph: Annotated[
            int,
            Number(
                "Each point is linked to its k nearest: this graph names the hubs and measures "
                "distances. Few: outliers stay outside, islands appear.",
                valid=(1, 10**6),
                shown=(2, 20),
                label="neighbours",
                symbol="k₁",
            ),
        ] = 4,
        k_hub: HubLinks = 5,
        n_hubs: Annotated[
            int | str,
            Number(
                "How many of the most popular unlabelled points receive their label by "
                "propagation. None: geodesic kNN. Automatic: tuned by hiding labels.",
                valid=(0, 10**6),
                shown=(0, 500),
                rules=("auto",),
                label="hubs",
                symbol="h",
            ),
        ] = "auto",
        n_votes: Voters = 3,
        sigma: Width = "mean",
        graph: Annotated[
            str,
            Choice(
                "Whether a link between hubs can be walked both ways.",
                ("undirected", "directed"),
                ("a link if either hub lists the other", "as printed: only to one's own list"),
                label="links",
            ),
        ] = "undirected",
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.k_graph = k_graph
        self.k_hub = k_hub
        self.n_hubs = n_hubs
        self.n_votes = n_votes
        self.sigma = sigma
        self.graph = graph
        self.device = device
        self.memory = memory

    def fit(self, X: Any, y: Any) -> "RobustLabelPrediction":
        """Choose hubs, label them, let them vote; y holds -1 for unlabelled points."""
        points = self._prepare(X, y)
        self.tuning_ = None
        if self.n_hubs == "auto":
            *_, last = self._search(points, hub_tuning.folds(points.target))
            self.tuning_ = last.tuning
            self.k_hub_, self.n_hubs_ = last.tuning.best
        else:
            self.k_hub_, self.n_hubs_ = self.k_hub, self._clipped_hubs(points.target)
        return self._finish(points)

    def tune(self, X: Any, y: Any) -> Iterator[hub_tuning.Tried]:
        """Cross-validation as `fit` does it for n_hubs="auto", with a report after every search.

        With a memory, a `fit` that follows finds everything done.
        """
        points = self._prepare(X, y)
        yield from self._search(points, hub_tuning.folds(points.target))

    def try_out(self, X: Any, y: Any, truth: Any) -> Iterator[hub_tuning.Tried]:
        """The true accuracy on the unlabelled points over the same grid, to hold against `tune`."""
        points = self._prepare(X, y)
        free = np.flatnonzero(points.target < 0)
        at = np.searchsorted(points.classes, np.asarray(truth)[free]) % len(points.classes)
        known = points.classes[at] == np.asarray(truth)[free]
        trial = hub_tuning.Trial(points.target, free, np.where(known, at, -2))  # -2: never answered
        yield from self._search(points, [trial])

    def _prepare(self, X: Any, y: Any) -> Points:
        X, target, classes = check_labelled(self, X, y)
        k = clip_to_available(self, "k_graph", len(X) - 1)
        D = knn(X, k, self.memory, device=self.device)
        sigma = self.sigma
        if isinstance(sigma, str) and split_rule(sigma)[1] != "mean":
            sigma = width(sigma, graph=D, X=X, y=target)
        return Points(X, target, classes, k, D, sigma)

    def _settings(self, points: Points) -> dict[str, Any]:
        return {
            "sigma": points.sigma,
            "graph": self.graph,
            "n_classes": len(points.classes),
            "device": self.device,
        }

    def _search(self, points: Points, trials: list[hub_tuning.Trial]) -> Iterator[hub_tuning.Tried]:
        n, features = points.X.shape
        u = int(np.sum(points.target < 0))
        tried = hub_tuning.sizes(n, u, features, k_graph=points.k, n_votes=self.n_votes)
        return hub_tuning.search(
            points.D, trials, tried,
            n_votes=self.n_votes, memory=self.memory, **self._settings(points),
        )  # fmt: skip

    def _clipped_hubs(self, target: np.ndarray) -> int:
        asked, most = int(self.n_hubs), int(np.sum(target < 0))
        if asked > most:
            warnings.warn(
                f"RobustLabelPrediction: n_hubs={asked} but there are {most} unlabelled points; "
                f"taking {most}",
                UserWarning,
                stacklevel=3,
            )
        return min(asked, most)

    def _finish(self, points: Points) -> "RobustLabelPrediction":
        X, target, classes, k, D, _ = points
        cached = check_memory(self.memory).cache
        G = cached(undirected)(D)
        given = target >= 0
        self.hubs_ = hubs(D, self.n_hubs_, among=~given)
        seeds = np.union1d(np.flatnonzero(given), self.hubs_)
        length = max(LIST, self.k_hub_, self.n_votes) + 1
        lists = cached(geodesic)(G, seeds, length)
        links, sigma, F_seeds = cached(propagate_on_hubs)(
            *lists, seeds, target, k_hub=self.k_hub_, **self._settings(points)
        )
        F = np.zeros((len(X), len(classes)))
        F[seeds] = F_seeds
        own = F.max(axis=1) > 0
        ballot = np.where(own, F.argmax(axis=1), -1)
        voters, distances = nearest_voters(G, lists, own, self.n_votes, np.arange(len(X)))
        voted = tally(np.where(voters >= 0, ballot[voters], -1), len(classes))
        self._X, self._G, self._links = X, G, k
        self._ballot, self._own = ballot, own
        self.classes_, self.sigma_ = classes, sigma
        self.hub_scores_ = in_degree(D)
        self.hub_distributions_ = F[self.hubs_]
        self.hub_graph_ = _among_all(links, seeds, len(X))
        self.voters_, self.voter_distances_ = voters, distances
        self.label_distributions_ = np.where(own[:, None], F, voted)
        self.transduction_ = decode_argmax(self.label_distributions_, classes)
        return self


def _among_all(links: sparse.csr_array, seeds: np.ndarray, n: int) -> sparse.csr_array:
    """The same graph over all n points, with empty rows for those that are no seeds."""
    per_row = np.zeros(n, np.int64)
    per_row[seeds] = np.diff(links.indptr)
    indptr = np.concatenate([[0], np.cumsum(per_row)])
    return sparse.csr_array((links.data, seeds[links.indices], indptr), shape=(n, n))
