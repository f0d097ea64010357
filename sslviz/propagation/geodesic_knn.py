r"""Geodesic kNN: a vote of the labelled points nearest along the graph, not through empty space.

    d_G(x, s) = min over paths (Σ ‖x_i − x_j‖ᵖ)^{1/p},   F_c(x) = (votes for c) / (votes),   p = 1

Two points on one winding curve may be close in a straight line and far apart along the curve. The
length of the shortest path along the edges of the neighbour graph (the geodesic distance) measures
the way along the curve. The n_votes labelled points nearest by it vote; where classes are tied, the
nearest of their voters decides. One search from all labelled points at once finds all voters.

**What to look for:** the borders follow the gaps between the classes, not the straight lines of
nearest neighbours. A single edge across a gap is a short cut for every point behind it: raise k and
watch a whole side change its voters. Only the nearest labels count, so a single label decides all
of its surroundings, even if it is wrong. With one label per class, three votes are one of each, and
the nearest decides. A power p above 1 makes long edges dear: paths keep to dense regions, and for a
large p only the longest edge of a path counts. Two moons, one label per class: accuracy 0.68 with
p = 1, 0.98 with 2; in the 256 dimensions of USPS, four labels per class, 0.79, 0.76 and 0.55 with
1, 2 and 16: there edges differ little, and the longest one says nothing about the class.

Bijral, Ratliff, Srebro. Semi-supervised learning with density based distances. UAI 2011.
Moscovich, Jaffe, Nadler. Minimax-optimal semi-supervised regression on unknown manifolds. AISTATS
2017.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.graph.neighbours import knn
from sslviz.graph.parameters import EdgePower, Neighbours
from sslviz.graph.power_lengths import power_lengths
from sslviz.graph.shortest_paths import geodesic
from sslviz.graph.weights import undirected
from sslviz.propagation.base import GeodesicVoter
from sslviz.propagation.parameters import VoteCount
from sslviz.propagation.stages.geodesic_voting import tally
from sslviz.validation import check_labelled, clip_to_available, decode_argmax


@dataclass(repr=False, eq=False)
class GeodesicKNN(GeodesicVoter):
    """A majority vote of the labelled points nearest along the undirected kNN graph.

    New points are linked to their `n_neighbors` nearest training points and ask the labelled points
    nearest along these links; a point equal to a training point takes its answer.

    Attributes: `classes_`, `transduction_` (-1: component of the graph without a label),
    `label_distributions_` (n, C) shares of the votes, one-hot for labelled points (where classes
    are tied, the winner's share is one rounding step larger, so that the largest entry is always
    the answer), `voters_` (n, n_votes) labelled points, nearest first, padded with -1,
    `voter_distances_` their distances d_G, padded with inf, `n_neighbors_` the number used.
    """

    title = "Geodesic kNN"
    paper = "Moscovich, Jaffe & Nadler, AISTATS 2017"
    formula = (
        r"d_G(x,s)=\min_{\text{paths}}\bigl(\textstyle\sum\|x_i-x_j\|^p\bigr)^{1/p}"
        r"\text{ in the }k\text{-NN graph}",
        r"F_c(x)=\text{share of }c\text{ in the votes of the }\textcolor{labelled}{k_v"
        r"\text{ nearest labels}}",
    )

    n_neighbors: Neighbours = 5
    n_votes: VoteCount = 3
    power: EdgePower = 1.0

    def fit(self, X: Any, y: Any) -> "GeodesicKNN":
        """Find the nearest labels of every point and count votes; y holds -1 for unlabelled."""
        X, target, classes = check_labelled(self, X, y)
        k = clip_to_available(self, "n_neighbors", len(X) - 1)
        cached = check_memory(self.memory).cache
        G = cached(undirected)(knn(X, k, self.memory, device=self.device))
        lengths = power_lengths(G, self.power)
        G = lengths.raised_graph(G)
        given = target >= 0
        voters, sums = cached(geodesic)(G, np.flatnonzero(given), self.n_votes)
        F = tally(np.where(voters >= 0, target[voters], -1), len(classes))
        F[given] = np.eye(len(classes))[target[given]]
        self._X, self._G, self._links = X, G, k
        self._ballot, self._own = target, given
        self.n_neighbors_, self.classes_ = k, classes
        self._lengths = lengths
        self.voters_, self.voter_distances_ = voters, lengths.restored(sums)
        self.label_distributions_ = F
        self.transduction_ = decode_argmax(F, classes)
        return self
