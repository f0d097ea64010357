r"""Robust label prediction: propagate labels among hubs, then let all other points ask the hubs.

    N(x) = |{i : x is one of the k_1 nearest of x_i}|,   H = the h unlabelled points of largest N
    F_H = L_HH⁻¹ W_HL Y_L,   w_ij = exp(−d_G(i, j)²/σ²)   over the k_2 nearest of L ∪ H

Three steps. *Hubs* are points that many others have among their nearest neighbours (large in-degree
N). They lie where data are dense; outliers, which are nobody's neighbour, are left out.
*Propagation*: labels spread over a graph of the labelled points and the hubs only, in which
distances are the lengths d_G of shortest paths along the neighbour graph of all points. *Votes*:
every other point takes the majority of the kᵥ labelled points and hubs nearest along the graph.
Without hubs it is geodesic kNN; with all points as hubs it is label propagation on geodesic
distances.

**What to look for:** outliers cannot spread a label, since they are not hubs; a vote on an outlier
affects no other point. Few hubs leave gaps that the walk must jump; many include the outliers
again. In high dimensions a large in-degree does not mean dense: a few points near the centre of the
data are neighbours of all others (hubness), and one of those, wrongly labelled, misleads many
points. With many labels plain undirected propagation is as good; with few labels, or twenty
thousand digits, hubs win. *Automatic* chooses by cross-validation on the given labels: with few of
them many choices tie, and the fewest hubs among them are taken. Compare its map of scores with that
of the true accuracy. A power p of the edges above 1 keeps paths in dense regions.

Wada. Study of Prediction on Manifolds with Almost No or No Labeled Data. 2019, Part I, Algorithm 1.
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_memory

from sslviz.graph.hubness import hubs, in_degree
from sslviz.graph.neighbours import knn
from sslviz.graph.parameters import EdgePower, Width
from sslviz.graph.power_lengths import PowerLengths, power_lengths
from sslviz.graph.shortest_paths import geodesic
from sslviz.graph.weights import undirected, width
from sslviz.labels import UNLABELLED
from sslviz.params import Choice, split_rule
from sslviz.propagation.base import GeodesicVoter
from sslviz.propagation.parameters import HubParameters
from sslviz.propagation.stages import hub_tuning
from sslviz.propagation.stages.geodesic_voting import nearest_voters, tally
from sslviz.propagation.stages.hub_graph import propagate_on_hubs
from sslviz.validation import check_labelled, clip_to_available, decode_argmax

LIST_LENGTH = max(hub_tuning.K_HUB_GRID)  # lists of one search serve every k_hub up to this


class NeighbourGraph(NamedTuple):
    """Checked data, classes and neighbour graph: all that does not depend on the hubs."""

    X: np.ndarray
    target: np.ndarray  # (n,) class index, -1 without label
    classes: np.ndarray
    k: int
    D: sparse.csr_array  # directed, lengths raised to the power of edges
    lengths: PowerLengths
    sigma: float | str  # a number, or "mean" with a factor, which depends on the graph of hubs


@dataclass(repr=False, eq=False)
class RobustLabelPrediction(HubParameters, GeodesicVoter):
    """Label propagation among hubs, geodesic votes for the rest (Algorithm 1).

    Hubs are chosen by in-degree of the directed graph, ties by lower index, among unlabelled points
    only. σ = "mean" is the mean over the directed edges of the graph of labelled points and hubs,
    on which the propagation runs: an outlier that is not a hub has no effect on it. "median" and
    "mst" are over all points. Hubs that no label reaches are voted on like all others and do not
    vote. n_hubs = "auto" tunes the number of hubs together with k_hub by cross-validation.

    New points are linked to their `k_graph` nearest training points and ask the voters nearest
    along these links; a point equal to a training point takes its answer.

    Attributes: `classes_`, `transduction_` (-1: no voter is reached), `label_distributions_` (n,
    C): one-hot for labelled points, absorption probabilities for hubs, shares of the votes for the
    rest (where tied, the winner's is one rounding step larger; the largest entry is always the
    answer). `hubs_` largest in-degree first, `hub_scores_` (n,) in-degrees, `n_hubs_`, `k_hub_`,
    `sigma_` the values used, `hub_distributions_` (h, C) in the order of `hubs_`, `hub_graph_` (n,
    n) CSR of the geodesic lengths a walk may follow, empty rows for all but labelled points and
    hubs, `voters_` (n, n_votes) and `voter_distances_`, nearest first, padded with -1 and inf,
    `tuning_` the scores of cross-validation, or None.
    """

    title = "Robust label prediction"
    page = "hubs"
    paper = "Wada 2019, Study of Prediction on Manifolds, Part I"
    formula = (
        r"N(x)=\#\{i:x\in\mathcal N_{k_1}(x_i)\}",
        r"\textcolor{hub}{H}=\text{the }h\text{ points of largest }N",
        r"F_H=L_{HH}^{-1}W_{HL}\,\textcolor{labelled}{Y_L}",
        r"w_{ij}=e^{-d_G(i,j)^2/\sigma^2},\;j\in\mathcal N_{k_2}(i)",
        r"F(x)=\text{vote of the }k_v\text{ nearest of }\textcolor{labelled}{L}\cup"
        r"\textcolor{hub}{H}",
    )

    sigma: Width = "mean"
    graph: Annotated[
        str,
        Choice(
            "Whether a link between hubs can be walked in both directions.",
            ("undirected", "directed"),
            (
                "a link if either hub lists the other as a neighbour",
                "as printed: only from a hub to its own neighbours",
            ),
            label="links",
        ),
    ] = "undirected"
    power: EdgePower = 1.0

    @property
    def undetermined_because(self) -> str:
        if self.graph == "directed":
            return "links are directed, and no path along them leads from these points to a label"
        return "no label reaches the hubs that they ask. Raise the links of a hub"

    @classmethod
    def seconds(cls, n: int, n_features: int, n_classes: int) -> float:
        return super().seconds(n, n_features, n_classes) + 1.5e-4 * n  # tuning; little without

    def fit(self, X: Any, y: Any) -> "RobustLabelPrediction":
        """Choose hubs, label them, count votes; y holds -1 for unlabelled points."""
        points = self._prepare(X, y)
        self.tuning_ = None
        if self.n_hubs == "auto":
            *_, last = self._search(points, hub_tuning.folds(points.target))
            self.tuning_ = last.tuning
            self.k_hub_, self.n_hubs_ = last.tuning.best
        else:
            self.k_hub_, self.n_hubs_ = self.k_hub, self._clipped_hubs(points.target)
        return self._finish(points)

    def tune(self, X: Any, y: Any) -> Iterator[hub_tuning.TuningProgress]:
        """Cross-validation as `fit` does it for n_hubs="auto", with a report after every search.

        With a memory, a `fit` that follows computes nothing again.
        """
        points = self._prepare(X, y)
        yield from self._search(points, hub_tuning.folds(points.target))

    def try_out(self, X: Any, y: Any, truth: Any) -> Iterator[hub_tuning.TuningProgress]:
        """The true accuracy on the unlabelled points over the grid of `tune`, to compare.

        Points whose truth is -1 are of unknown class and do not count.
        """
        points = self._prepare(X, y)
        free = np.flatnonzero((points.target < 0) & (np.asarray(truth) != UNLABELLED))
        at = np.searchsorted(points.classes, np.asarray(truth)[free]) % len(points.classes)
        known = points.classes[at] == np.asarray(truth)[free]
        classes = np.where(known, at, -2)  # -2: equals no answer
        yield from self._search(points, [hub_tuning.HeldOut(points.target, free, classes)])

    def _prepare(self, X: Any, y: Any) -> NeighbourGraph:
        X, target, classes = check_labelled(self, X, y)
        k = clip_to_available(self, "k_graph", len(X) - 1)
        D = knn(X, k, self.memory, device=self.device)
        sigma = self.sigma
        if isinstance(sigma, str) and split_rule(sigma)[1] != "mean":
            sigma = width(sigma, graph=D, X=X, y=target)
        lengths = power_lengths(D, self.power)
        return NeighbourGraph(X, target, classes, k, lengths.raised_graph(D), lengths, sigma)

    def _settings(self, points: NeighbourGraph) -> dict[str, Any]:
        return {
            "sigma": points.sigma,
            "graph": self.graph,
            "lengths": points.lengths,
            "n_classes": len(points.classes),
            "device": self.device,
        }

    def _search(
        self, points: NeighbourGraph, trials: list[hub_tuning.HeldOut]
    ) -> Iterator[hub_tuning.TuningProgress]:
        n, features = points.X.shape
        u = int(np.sum(points.target < 0))
        counts = hub_tuning.hub_counts(n, u, features, k_graph=points.k, n_votes=self.n_votes)
        return hub_tuning.grid_search(
            points.D, trials, counts,
            n_votes=self.n_votes, memory=self.memory, **self._settings(points),
        )  # fmt: skip

    def _clipped_hubs(self, target: np.ndarray) -> int:
        wanted, available = int(self.n_hubs), int(np.sum(target < 0))
        if wanted > available:
            warnings.warn(
                f"RobustLabelPrediction: n_hubs={wanted} but there are {available} unlabelled "
                f"points; taking {available}",
                UserWarning,
                stacklevel=3,
            )
        return min(wanted, available)

    def _finish(self, points: NeighbourGraph) -> "RobustLabelPrediction":
        X, target, classes, k, D, lengths, _ = points
        cached = check_memory(self.memory).cache
        G = cached(undirected)(D)
        given = target >= 0
        self.hubs_ = hubs(D, self.n_hubs_, among=~given)
        seeds = np.union1d(np.flatnonzero(given), self.hubs_)
        length = max(LIST_LENGTH, self.k_hub_, self.n_votes) + 1
        lists = cached(geodesic)(G, seeds, length)
        links, sigma, F_seeds = cached(propagate_on_hubs)(
            *lists, seeds, target, k_hub=self.k_hub_, **self._settings(points)
        )
        F = np.zeros((len(X), len(classes)))
        F[seeds] = F_seeds
        own = F.max(axis=1) > 0
        ballot = np.where(own, F.argmax(axis=1), -1)
        voters, sums = nearest_voters(G, lists, own, self.n_votes, np.arange(len(X)))
        voted = tally(np.where(voters >= 0, ballot[voters], -1), len(classes))
        self._X, self._G, self._links, self._lengths = X, G, k, lengths
        self._ballot, self._own = ballot, own
        self.classes_, self.sigma_ = classes, sigma
        self.hub_scores_ = in_degree(D)
        self.hub_distributions_ = F[self.hubs_]
        self.hub_graph_ = _among_all(links, seeds, len(X))
        self.voters_, self.voter_distances_ = voters, lengths.restored(sums)
        self.label_distributions_ = np.where(own[:, None], F, voted)
        self.transduction_ = decode_argmax(self.label_distributions_, classes)
        return self


def _among_all(links: sparse.csr_array, seeds: np.ndarray, n: int) -> sparse.csr_array:
    """The graph of the seeds written over all n points, with empty rows for the others."""
    per_row = np.zeros(n, np.int64)
    per_row[seeds] = np.diff(links.indptr)
    indptr = np.concatenate([[0], np.cumsum(per_row)])
    return sparse.csr_array((links.data, seeds[links.indices], indptr), shape=(n, n))
