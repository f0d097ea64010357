"""An online method on a draw: points arrive in random order and are predicted on arrival.

Accuracy is that of the predictions on arrival (prequential: Dawid. Present position and potential
developments: the prequential approach. JRSS A, 1984). The first n_c unlabelled points are known
before the stream and predicted from the first graph.
"""

from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any

import numpy as np
from sklearn.base import BaseEstimator

from sslviz.params import Choice
from sslviz.stream.parameters import Capacity, Merging, OwnNode
from sslviz.stream.qlp import OnlineQLP
from sslviz.stream.qrlp import OnlineQRLP

METHODS = {"QLP": OnlineQLP, "QRLP": OnlineQRLP}


@dataclass(repr=False, eq=False)
class Streamed(BaseEstimator):
    """QLP with five neighbours or QRLP tuned before the stream, as in the thesis."""

    method: Annotated[str, Choice("Online method.", tuple(METHODS))] = "QLP"
    capacity: Capacity = 50
    own_node: OwnNode = True
    merge: Merging = "doubling"
    _: KW_ONLY
    memory: Any = None
    random_state: int | None = None

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Streamed":
        order = np.random.default_rng(self.random_state).permutation(len(X))
        model = METHODS[self.method](
            capacity=self.capacity, own_node=self.own_node, merge=self.merge, memory=self.memory
        )
        predicted = model.fit(X[order], y[order]).transduction_
        self.transduction_ = np.empty_like(predicted)
        self.transduction_[order] = predicted
        return self
