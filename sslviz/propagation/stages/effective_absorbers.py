r"""How many labels catch the walkers? One number for how evenly walks end.

    p = the mean row of B, scaled to sum 1,   effective absorbers = 1 / Σ_s p_s²

B holds the chance that a walk from each point ends at each labelled point. If all l labels catch
alike it is l, if one catches everything it is 1. On the directed graph of the thesis some ten of
forty labels do the work; on the undirected one, more than thirty.

Simpson. Measurement of diversity. Nature 1949.
"""

import numpy as np


def effective_absorbers(B: np.ndarray) -> float:
    """Of the rows (points) of B (m, l), those of unlabelled points for example; 0 if none ends."""
    mass = np.asarray(B, np.float64).sum(axis=0)
    return float(mass.sum() ** 2 / np.square(mass).sum()) if mass.any() else 0.0
