"""An online method on a draw: the points arrive in random order and are answered as they come.

Accuracy is that of the answers given on arrival (prequential: Dawid. Present position and potential
developments: the prequential approach. JRSS A, 1984). The first n_c unlabelled points are known
before the stream and answered on the first graph.
"""

from typing import Annotated, Any

import numpy as np
from sklearn.base import BaseEstimator

from sslviz.params import Choice
from sslviz.stream.parameters import Capacity, Merging, OwnNode
from sslviz.stream.qlp import OnlineQLP
from sslviz.stream.qrlp import OnlineQRLP

METHODS = {"QLP": OnlineQLP, "QRLP": OnlineQRLP}


class Streamed(BaseEstimator):
    """QLP with five neighbours or QRLP tuned before the stream, as in the thesis."""

    def __init__(
        self,
        method: Annotated[str, Choice("Who answers.", tuple(METHODS))] = "QLP",
        capacity: Capacity = 50,
        own_node: OwnNode = True,
        merge: Merging = "doubling",
        *,
        memory: Any = None,
        random_state: int | None = None,
    ):
        self.method = method
        self.capacity = capacity
        self.own_node = own_node
        self.merge = merge
        self.memory = memory
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Streamed":
        order = np.random.default_rng(self.random_state).permutation(len(X))
        model = METHODS[self.method](
            capacity=self.capacity, own_node=self.own_node, merge=self.merge, memory=self.memory
        )
        said = model.fit(X[order], y[order]).transduction_
        self.transduction_ = np.empty_like(said)
        self.transduction_[order] = said
        return self
