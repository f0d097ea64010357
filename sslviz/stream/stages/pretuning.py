r"""Tuning before the stream: the number of hubs and links for each size of the cover.

    T = {(k_2^(i), h^(i), n_i)},   n_i = i ⌊n_c / I⌋,  i = 1 … I = 3

The cover may shrink and grow at every step, and tuning anew would take too long. So the choice is
made once for three sizes, by cross-validation on the labels and as many of the unlabelled points
known before, spread evenly over their order (the thesis draws them at random). During the stream
the entry of the nearest size is used, of two equally near ones the smaller.

Wada. Study of Prediction on Manifolds with Almost No or No Labeled Data. 2019, section 5.2.
"""

from typing import Any, NamedTuple

import numpy as np

from sslviz.graph.neighbours import as_csr
from sslviz.propagation.stages import hub_tuning
from sslviz.stream.stages.weighted_propagation import neighbour_lists

COVER_SIZES = 3  # I: sizes of the cover, and numbers of hubs tried for each


class Pretuned(NamedTuple):
    """The best choice for each size of the cover, sizes in rising order."""

    k_hub: tuple[int, ...]
    n_hubs: tuple[int, ...]
    sizes: tuple[int, ...]

    def at(self, size: int) -> tuple[int, int]:
        """k_hub and the number of hubs for a cover of this size."""
        i = int(np.abs(np.array(self.sizes) - size).argmin())
        return self.k_hub[i], self.n_hubs[i]

    def table(self) -> np.ndarray:
        """(I, 3) k_hub, n_hubs, size."""
        return np.array(self, np.int64).T

    @classmethod
    def of(cls, table: np.ndarray) -> "Pretuned":
        return cls(*(tuple(map(int, column)) for column in np.asarray(table).T))


def pretune(
    D: np.ndarray,
    target: np.ndarray,
    *,
    capacity: int,
    features: int,
    k_graph: int,
    n_votes: int,
    **settings: Any,
) -> Pretuned:
    """The table for these nodes: distances D (n, n), class indices `target`, -1 without label."""
    given, free = np.flatnonzero(target >= 0), np.flatnonzero(target < 0)
    step = max(capacity // COVER_SIZES, 1)
    sizes = sorted({min(i * step, len(free)) for i in range(1, COVER_SIZES + 1)})
    best = []
    for size in sizes:
        used = free[np.linspace(0, len(free) - 1, size).round().astype(int)]
        nodes = np.sort(np.concatenate([given, used]))
        n = len(nodes)
        G = as_csr(*neighbour_lists(D[np.ix_(nodes, nodes)], min(k_graph, n - 1)), n)
        largest = hub_tuning.hub_counts(n, size, features, k_graph=k_graph, n_votes=n_votes)[-1]
        hubs = tuple(sorted({max(j * (min(largest, size) // COVER_SIZES), 1) for j in (1, 2, 3)}))
        *_, last = hub_tuning.grid_search(
            G,
            hub_tuning.folds(target[nodes]),
            hubs,
            n_votes=n_votes,
            graph="undirected",
            **settings,
        )
        best.append((*last.tuning.best, size))
    return Pretuned(*(tuple(column) for column in zip(*best, strict=True)))
