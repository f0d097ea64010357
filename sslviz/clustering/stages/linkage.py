r"""Agglomerative clustering by affinity on a directed neighbour graph.

    W_ij = exp(−d_ij²/s) for the K_s nearest neighbours j of i, s = mean d² over these pairs
    A(a, b) = 1ᵀW_ab W_ba 1/|a|² + 1ᵀW_ba W_ab 1/|b|²

W_ab are the weights from cluster a to cluster b: affinity needs neighbours in both directions. With
in_a(k) = Σ_{i∈a} W_ik and out_a(k) = Σ_{j∈a} W_kj the first sum is S(a, b) = Σ_{k∈b} in_a(k)
out_a(k). Merging b into a adds two rows of in and out, one row of S is summed anew and two columns
are added: O(n) for every merge.

Zhang, Wang, Zhao, Tang. Graph degree linkage: agglomerative clustering on a directed graph. ECCV
2012.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from sslviz.graph.neighbours import nearest

LEAD_CLUSTERS = 100  # with more, a pair must also lead over the next best
FAR_AFFINITY = 1e-3  # of the median over the clusters of their largest affinity: as good as none


class LinkageMerge(NamedTuple):
    """Two clusters have become one; `affinity` is that of the pair, 0 for a far group."""

    affinity: float
    n_clusters: int


def directed_weights(neighbours: np.ndarray, distances: np.ndarray) -> sparse.csr_array:
    """(n, n) W of neighbour lists (n, K_s)."""
    n, k = neighbours.shape
    squares = np.square(distances)
    mean = float(squares.mean()) or 1.0
    starts = np.arange(0, n * k + 1, k)
    values = np.exp(-squares.ravel() / mean)
    return sparse.csr_array((values, neighbours.ravel(), starts), shape=(n, n))


def first_clusters(neighbours: np.ndarray, n_clusters: int) -> np.ndarray:
    """(n,) components of the graph in which every point is joined to its nearest neighbour.

    Where these are fewer than the clusters asked for, every point is a cluster.
    """
    n = len(neighbours)
    edges = (np.ones(n), (np.arange(n), neighbours[:, 0]))
    count, labels = connected_components(sparse.csr_array(edges, shape=(n, n)), directed=False)
    return labels.astype(np.int64) if count >= n_clusters else np.arange(n)


class Linkage:
    """Clusters of points being merged; `labels` (n,) are their numbers, not in sequence."""

    def __init__(
        self, W: sparse.csr_array, labels: np.ndarray, features: np.ndarray, *, n_leads: int,
        device: str = "auto",
    ):  # fmt: skip
        self.labels, self.features, self._device = labels.copy(), features, device
        self.count = count = int(labels.max()) + 1
        members = sparse.csr_array(
            (np.ones(len(labels)), (np.arange(len(labels)), labels)), shape=(len(labels), count)
        )
        self._into = (members.T @ W).toarray()  # (count, n)
        self._out = (W @ members).T.toarray()
        self._sums = np.asarray((self._into * self._out) @ members)
        self.sizes = np.bincount(labels, minlength=count)
        self.affinities = affinities(self._sums, self.sizes)
        self._lists = np.zeros((count, max(n_leads, 1)))
        self._list_rows(np.arange(count))

    def merge(self, a: int, b: int) -> None:
        """Cluster b becomes part of a."""
        before = self.affinities[:, [a, b]].copy()
        self.labels[self.labels == b] = a
        self._into[a] += self._into[b]
        self._out[a] += self._out[b]
        self._sums[:, a] += self._sums[:, b]
        self._sums[a] = np.bincount(
            self.labels, self._into[a] * self._out[a], minlength=len(self.sizes)
        )
        self.sizes[a], self.sizes[b] = self.sizes[a] + self.sizes[b], 0
        self._sums[b] = self._sums[:, b] = 0.0
        sizes = np.maximum(self.sizes, 1)
        row = self._sums[a] / sizes[a] ** 2 + self._sums[:, a] / sizes**2
        row[a] = 0.0
        self.affinities[b] = self.affinities[:, b] = 0.0
        self.affinities[a] = self.affinities[:, a] = row
        self.count -= 1
        last = self._lists[:, -1]
        touched = ((before > 0) & (before >= last[:, None])).any(axis=1) | (row > last)
        touched[[a, b]] = True
        self._list_rows(np.flatnonzero(touched))

    def _list_rows(self, rows: np.ndarray) -> None:
        """The largest affinities of some clusters, in falling order."""
        k = min(self._lists.shape[1], len(self.sizes))
        part = np.partition(self.affinities[rows], len(self.sizes) - k, axis=1)[:, -k:]
        self._lists[rows, :k] = -np.sort(-part, axis=1)

    def best_pair(self) -> tuple[int, int] | None:
        """The pair to merge; None where no affinity is left.

        The largest affinity; among many clusters plus its mean lead over the next best of the same
        cluster.
        """
        scores = self._lists[:, 0].copy()
        if self.count > LEAD_CLUSTERS and self._lists.shape[1] > 1:
            scores += scores - self._lists[:, 1:].mean(axis=1)
        a = int(np.where(self._lists[:, 0] > 0, scores, 0.0).argmax())
        return (a, int(self.affinities[a].argmax())) if self._lists[a, 0] > 0 else None

    def nearest_cluster(self, group: np.ndarray) -> int:
        """The cluster of the point that is nearest to the points of a mask."""
        others = np.flatnonzero(~group)
        found, distances = nearest(
            self.features[group], self.features[others], 1, device=self._device
        )
        return int(self.labels[others[found[distances[:, 0].argmin(), 0]]])

    def far_groups(self, most: int) -> list[np.ndarray]:
        """Groups of clusters of at most so many points that have no affinity to the others.

        With fewer points than neighbours they have some outside, which do not have them.
        """
        alive = np.flatnonzero(self.sizes)
        A = self.affinities[np.ix_(alive, alive)]
        noticeable = sparse.csr_array(FAR_AFFINITY * np.median(A.max(axis=1)) < A)
        group = connected_components(noticeable, directed=False)[1]
        points = np.bincount(group, self.sizes[alive])
        return [alive[group == g] for g in np.flatnonzero(points <= most)]

    def merges(self, until: int, far_points: int) -> Iterator[LinkageMerge]:
        """Merge until so many clusters are left: far groups into the nearest cluster first."""
        for group in self.far_groups(far_points):
            if self.count - len(group) < until:
                break
            target = self.nearest_cluster(np.isin(self.labels, group))
            for b in group:
                self.merge(target, int(b))
                yield LinkageMerge(0.0, self.count)
        while self.count > until:
            pair = self.best_pair()
            affinity = 0.0 if pair is None else float(self.affinities[pair])
            if pair is None:
                smallest = int(np.where(self.sizes > 0, self.sizes, len(self.labels) + 1).argmin())
                pair = self.nearest_cluster(self.labels == smallest), smallest
            a, b = sorted(pair, key=lambda c: -self.sizes[c])
            self.merge(a, b)
            yield LinkageMerge(affinity, self.count)


def affinities(sums: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """(c, c) A of the sums S(a, b) and the sizes of the clusters; 0 with oneself."""
    scaled = sums / np.square(np.maximum(sizes, 1))[:, None]
    A = scaled + scaled.T
    np.fill_diagonal(A, 0.0)
    return A
