r"""Ask the nearest labelled points, but measure along the data instead of through empty space.

    d_G(x, s) = min over paths in the kNN graph of Σ ‖x_i − x_j‖,   F_c(x) = (votes for c) / (votes)

Two points on one winding ribbon may be close as the crow flies and far apart on foot. The length of
the shortest way along the edges of the neighbour graph is the distance on foot; the n_votes
labelled points nearest by it vote, and where classes are tied the nearest of their voters decides.
One search from all labelled points at once finds the voters of everybody.

**What to look for:** the borders follow the gaps between the classes, not the straight lines of
nearest neighbours. A single edge across a gap, a bridge, is a short cut for everybody behind it:
raise k and watch a whole side change its voters. Only the nearest labels count, so a lonely label
rules its surroundings, however odd; with one label per class, three votes are one of each and the
nearest decides.

Bijral, Ratliff, Srebro. Semi-supervised learning with density based distances. UAI 2011.
Moscovich, Jaffe, Nadler. Minimax-optimal semi-supervised regression on unknown manifolds. AISTATS
2017.
"""

from typing import Annotated, Any

import numpy as np
from sklearn.utils.validation import check_memory

from sslviz.graph.neighbours import knn
from sslviz.graph.parameters import Neighbours
from sslviz.graph.shortest_paths import geodesic
from sslviz.graph.weights import undirected
from sslviz.params import Number
from sslviz.propagation.stages.geodesic_voting import GeodesicVoter, tally
from sslviz.validation import check_labelled, clip_to_available, decode_argmax

Voters = Annotated[
    int,
    Number(
        "How many of the nearest labels along the graph have a vote. One: the nearest decides. "
        "Many: large classes outvote small ones.",
        valid=(1, 10**6),
        shown=(1, 15),
        label="votes",
        symbol="kᵥ",
    ),
]


class GeodesicKNN(GeodesicVoter):
    """A majority vote of the labelled points nearest along the undirected kNN graph.

    New points are linked to their `n_neighbors` nearest training points and ask the labelled points
    nearest along these links; a point equal to a training point takes its answer.

    Attributes: `classes_`, `transduction_` (-1: an island without label), `label_distributions_`
    (n, C) shares of the votes, one-hot for labelled points (where classes are tied, the winner's
    share is one rounding step larger, so that the largest entry is always the answer), `voters_`
    (n, n_votes) labelled points, nearest first, padded with -1, `voter_distances_` their distances,
    padded with inf, `n_neighbors_` the number used.
    """

    title, family = "Geodesic kNN", "propagation"
    paper = "Moscovich, Jaffe & Nadler, AISTATS 2017"

    def __init__(
        self,
        n_neighbors: Neighbours = 5,
        n_votes: Voters = 3,
        *,
        device: str = "auto",
        memory: Any = None,
    ):
        self.n_neighbors = n_neighbors
        self.n_votes = n_votes
        self.device = device
        self.memory = memory

    def fit(self, X: Any, y: Any) -> "GeodesicKNN":
        """Find everybody's nearest labels and let them vote; y holds -1 for unlabelled points."""
        X, target, classes = check_labelled(self, X, y)
        k = clip_to_available(self, "n_neighbors", len(X) - 1)
        cached = check_memory(self.memory).cache
        G = cached(undirected)(knn(X, k, self.memory, device=self.device))
        given = target >= 0
        voters, distances = cached(geodesic)(G, np.flatnonzero(given), self.n_votes)
        F = tally(np.where(voters >= 0, target[voters], -1), len(classes))
        F[given] = np.eye(len(classes))[target[given]]
        self._X, self._G, self._links = X, G, k
        self._ballot, self._own = target, given
        self.n_neighbors_, self.classes_ = k, classes
        self.voters_, self.voter_distances_ = voters, distances
        self.label_distributions_ = F
        self.transduction_ = decode_argmax(F, classes)
        return self
