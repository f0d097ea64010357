"""What every clusterer does at its border: check the points, draw a seed.

`fit(X, y=None)` ignores y and leaves `labels_`, a number 0 … C−1 for every point; `fit_predict`
returns them.
"""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from sslviz.device import pick_device
from sslviz.params import check_params


class Clusterer(ClusterMixin, BaseEstimator):
    """Base of the family: a subclass declares `n_clusters` first, and device, memory, random_state.

    X may be float32 or float64: it is passed on as it came, so that a memory need not hash a copy.
    """

    n_clusters: int
    device: str
    memory: Any
    random_state: Any

    def _checked(self, X: Any, *, reset: bool = True) -> np.ndarray:
        """X as a finite C-ordered array; or a sentence what is wrong with it or a parameter."""
        check_params(self)
        pick_device(self.device)  # a wrong name is wrong also where no kernel will ask for it
        X = validate_data(
            self,
            X,
            reset=reset,
            dtype=[np.float64, np.float32],
            order="C",
            ensure_min_samples=2 if reset else 1,
        )
        if reset and len(X) < self.n_clusters:
            raise ValueError(
                f"{type(self).__name__}: n_samples={len(X)} points cannot form "
                f"n_clusters={self.n_clusters} clusters"
            )
        return X

    def _seed(self) -> int:
        """One number from `random_state`, fresh when that is None: what stages are told."""
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
