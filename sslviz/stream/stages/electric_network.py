r"""An electric network of a few nodes: nodes come with edges, and hand them on when they leave.

    w_uv ← w_uv + w_ui w_iv / d_i  for all neighbours u, v of the leaving node i,   d_i = Σ_v w_iv

That is the star-mesh transform of circuits, one step of Gaussian elimination (the Schur complement
of the Laplacian): voltages at the other nodes, whatever is connected to them, stay as they were.
There are sums of positive terms only, so that no digits are lost however many nodes have left.

Weights are stored as logarithms: exp(−d²/σ²) of an outlier is below the range of float64, and would
otherwise be lost with the edge. Edges between labelled points have no effect and are not stored.
"""

from typing import NamedTuple

import numpy as np

from sslviz.params import split_rule
from sslviz.stream.stages.weighted_propagation import eliminate

EDGE_SHARE, GAIN_SHARE = 0.2, 0.05  # of the weight of one end: edges that are drawn
LARGEST_RATIO = 1e150  # of a distance and σ: its square is a float64


class ElectricNetwork(NamedTuple):
    """Logarithms of weights, (c, l + c): to l labelled points, then among c nodes; -inf: no edge.

    `measured` holds the edges between points that are both present; the rest was handed on.
    """

    weights: np.ndarray
    measured: np.ndarray

    @property
    def labels(self) -> int:
        return self.weights.shape[1] - self.weights.shape[0]

    def degrees(self) -> np.ndarray:
        """(c,) logarithms of the sums of weights."""
        return log_sums(self.weights)

    def inherited_share(self) -> float:
        """The share of its weights that a node has from nodes that have left, on average."""
        total = self.degrees()
        linked = total > -np.inf
        if not linked.any():
            return 0.0
        own = np.exp(self.measured[linked] - total[linked, None]).sum(axis=1)
        return float(np.clip(1 - own, 0, 1).mean())


class Departure(NamedTuple):
    """The networks before and after a node has left, and what its neighbours have gained."""

    before: ElectricNetwork
    network: ElectricNetwork
    gained: np.ndarray  # (c - 1, l + c - 1) logarithms of weights


class NetworkSummary(NamedTuple):
    """What can be drawn of a network and of the last departure.

    Ends of edges are numbers of nodes, from 0, and of labelled points, -1 - number.
    """

    edges: np.ndarray  # (2, k) those with a large share of the weight of one end
    handed_on: np.ndarray  # (2, j) among them those that have gained most
    inherited: float  # share of its weights that a node has from nodes that have left, on average
    change: float  # largest change of a label distribution by the departure: rounding only


def log_sums(L: np.ndarray) -> np.ndarray:
    """(n,) logarithms of the row sums of exp L; scipy's logsumexp takes longer than an arrival."""
    top = L.max(axis=1, initial=-np.inf)
    shift = np.where(top > -np.inf, top, 0)
    with np.errstate(divide="ignore"):
        return shift + np.log(np.exp(L - shift[:, None]).sum(axis=1))


def edge_width(lengths: np.ndarray, sigma: float | str) -> float:
    """σ, where "mean" is the mean of these lengths; 1 where that is 0."""
    if not isinstance(sigma, str):
        return float(sigma)
    return float(split_rule(sigma)[0] * lengths.mean()) if lengths.any() else 1.0


def log_weights(lengths: np.ndarray, sigma: float) -> np.ndarray:
    """log exp(−d²/σ²), -inf where d is infinite: no edge."""
    squares = np.minimum(lengths / sigma, LARGEST_RATIO) ** 2
    return np.where(np.isinf(lengths), -np.inf, -squares)


def network_of(near: np.ndarray, lengths: np.ndarray, labels: int, sigma: float) -> ElectricNetwork:
    """The undirected graph of neighbour lists (n, k), the first `labels` nodes labelled."""
    n = len(near)
    L = np.full((n, n), np.inf)
    np.put_along_axis(L, near, lengths, axis=1)
    weights = log_weights(np.minimum(L, L.T)[labels:], sigma)
    return ElectricNetwork(weights, weights)


def with_node(network: ElectricNetwork, edges: np.ndarray) -> ElectricNetwork:
    """Add a node after the others; `edges` (l + c,) are the logarithms of its weights."""
    column = np.append(edges[network.labels :], -np.inf)[:, None]
    return ElectricNetwork(*(np.hstack([np.vstack([part, edges]), column]) for part in network))


def with_label(network: ElectricNetwork, edges: np.ndarray) -> ElectricNetwork:
    """Add a labelled point after the others; `edges` (c,) are the logarithms of its weights."""
    return ElectricNetwork(*(np.insert(part, network.labels, edges, axis=1) for part in network))


def without_node(network: ElectricNetwork, i: int) -> Departure:
    """Remove node i; each pair of its neighbours gains an edge, labelled points among them."""
    W, at = network.weights, network.labels + i
    degree = log_sums(W[i : i + 1])[0]
    rest = ElectricNetwork(*(np.delete(np.delete(part, i, 0), at, 1) for part in network))
    gained = np.full_like(rest.weights, -np.inf)
    if degree > -np.inf:
        gained[:] = np.delete(W[:, at], i)[:, None] + (np.delete(W[i], at) - degree)
        np.fill_diagonal(gained[:, network.labels :], -np.inf)
    after = rest._replace(weights=np.logaddexp(rest.weights, gained))
    return Departure(network, after, gained)


def harmonic_values(network: ElectricNetwork, target: np.ndarray, n_classes: int) -> np.ndarray:
    """(c, C) voltages of the nodes, for each class with its labels at 1 and the others at 0.

    `target` (l,) are classes of the labelled points. A node that reaches no label stays 0.
    """
    top = network.weights.max(axis=1, keepdims=True, initial=-np.inf)
    W = np.exp(network.weights - np.where(np.isfinite(top), top, 0))  # row by row up to a factor
    F = W[:, : network.labels] @ (target[:, None] == np.arange(n_classes))
    eliminate(np.ascontiguousarray(W[:, network.labels :]), F)
    return F


def summary_of(
    network: ElectricNetwork, departure: Departure | None, target: np.ndarray, n_classes: int
) -> NetworkSummary:
    """What can be drawn; `departure` is that of the first node of the network before, if any."""
    edges = strong_edges(network, network.weights, EDGE_SHARE)
    if departure is None:
        return NetworkSummary(edges, np.empty((2, 0), np.int64), network.inherited_share(), 0.0)
    before = harmonic_values(departure.before, target, n_classes)[1:]
    after = harmonic_values(departure.network, target, n_classes)
    return NetworkSummary(
        edges,
        strong_edges(departure.network, departure.gained, GAIN_SHARE),
        network.inherited_share(),
        float(np.abs(after - before).max(initial=0)),
    )


def strong_edges(network: ElectricNetwork, weights: np.ndarray, share: float) -> np.ndarray:
    """(2, k) edges that hold, with these `weights`, at least a `share` of all of one end."""
    if not network.weights.size:
        return np.empty((2, 0), np.int64)
    degrees, labels = network.degrees()[:, None], network.labels
    held = weights >= np.log(share) + degrees
    among = np.triu(held[:, labels:] | held[:, labels:].T, 1)
    nodes, given = np.nonzero(held[:, :labels] & (weights[:, :labels] > -np.inf))
    return np.hstack([np.array(np.nonzero(among)), [nodes, -1 - given]])
