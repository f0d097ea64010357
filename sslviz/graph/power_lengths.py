r"""Edge lengths raised to a power: a path of many short edges before one with a long edge.

    D_p(x, s) = min over paths (Σ_edges d^p)^{1/p}

p = 1 is the length of the shortest path. A larger p makes long edges dear: short cuts through
sparse regions are avoided, and distances depend on density. As p grows, D_p approaches the longest
edge of the path on which that is shortest (minimax path).

Bijral, Ratliff, Srebro. Semi-supervised learning with density based distances. UAI 2011.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse


class PowerLengths(NamedTuple):
    """Lengths to a power and back, in units of the longest edge so that nothing overflows."""

    power: float = 1.0
    unit: float = 1.0

    @property
    def plain(self) -> bool:
        return self.power == 1

    def raised(self, lengths: np.ndarray) -> np.ndarray:
        """(d/unit)^p; with p = 1 the lengths themselves."""
        return lengths if self.plain else (lengths / self.unit) ** self.power

    def restored(self, sums: Any) -> Any:
        """unit · (Σ (d/unit)^p)^{1/p} from sums of raised lengths; inf stays."""
        return sums if self.plain else self.unit * sums ** (1.0 / self.power)

    def raised_graph(self, G: sparse.csr_array) -> sparse.csr_array:
        """The graph with raised lengths, on which shortest paths are searched."""
        if self.plain:
            return G
        return sparse.csr_array((self.raised(G.data), G.indices, G.indptr), shape=G.shape)


PLAIN_LENGTHS = PowerLengths()


def power_lengths(G: sparse.csr_array, power: float) -> PowerLengths:
    """The power for the lengths of a graph."""
    longest = float(G.data.max(initial=0.0))
    return PLAIN_LENGTHS if power == 1 else PowerLengths(power, longest or 1.0)
