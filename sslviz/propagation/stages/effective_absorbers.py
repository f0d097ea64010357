r"""Effective absorbers: how many labelled points share the ends of the random walks.

    p = the mean row of B, scaled to sum 1,   effective absorbers = 1 / Σ_s p_s²

B holds the probability that a walk from each point ends at each labelled point. If all l labels
absorb equally many it is l, if one absorbs all it is 1. On the directed graph of the thesis some
ten of forty labels absorb most walks; on the undirected one, more than thirty.

Simpson. Measurement of diversity. Nature 1949.
"""

import numpy as np


def effective_absorbers(B: np.ndarray) -> float:
    """The number for the rows of B (m, l), such as the unlabelled points; 0 if no walk ends."""
    mass = np.asarray(B, np.float64).sum(axis=0)
    return float(mass.sum() ** 2 / np.square(mass).sum()) if mass.any() else 0.0
