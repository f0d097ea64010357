"""The neighbour graph of a problem: edges, weights, degrees, connected components."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from sslviz.graph.components import islands
from sslviz.graph.hubness import in_degree
from sslviz.graph.neighbours import knn
from sslviz.graph.weights import gaussian, undirected, width
from sslviz.ui.problem import Problem


@dataclass(frozen=True)
class GraphResult:
    """The kNN graph with Gaussian weights."""

    problem: Problem
    k: int
    sigma: float
    directed: bool
    G: sparse.csr_array  # lengths
    W: sparse.csr_array  # weights
    degree: np.ndarray  # (n,) in-degree of the directed graph
    component: np.ndarray  # (n,) number of the connected component
    colour: str = "class"

    @cached_property
    def _ends(self) -> tuple[np.ndarray, np.ndarray]:
        """(2, entries) ends of the entries of W, and which count: an undirected edge once."""
        rows = np.repeat(np.arange(len(self.degree)), np.diff(self.W.indptr))
        return np.stack([rows, self.W.indices]), (rows < self.W.indices) | self.directed

    @cached_property
    def edges(self) -> tuple[np.ndarray, np.ndarray]:
        """(2, m) ends and (m,) weights."""
        ends, once = self._ends
        return ends[:, once], self.W.data[once]

    @cached_property
    def lengths(self) -> np.ndarray:
        """(m,) lengths of the edges."""
        return self.G.data[self._ends[1]]

    @property
    def components(self) -> int:
        return int(self.component.max()) + 1

    @property
    def unreached(self) -> float:
        """Share of the points in components without a label."""
        labelled = self.component[self.problem.y >= 0]
        return float((~np.isin(self.component, labelled)).mean())

    @property
    def point(self) -> int:
        """The clicked point, or the greatest hub."""
        clicked = self.problem.point
        return int(self.degree.argmax()) if clicked is None else clicked

    @cached_property
    def neighbours(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Neighbours, lengths and weights of the edges of the selected point, heaviest first."""
        row = slice(*self.W.indptr[self.point : self.point + 2])
        order = np.argsort(-self.W.data[row], kind="stable")
        return tuple(a[row][order] for a in (self.W.indices, self.G.data, self.W.data))


def neighbour_graph(
    n_neighbors: int, sigma: Any, graph: str, problem: Problem, colour: str, memory: Any
) -> GraphResult:
    """Compute the graph of these parameters."""
    X = problem.dataset.X
    k = min(n_neighbors, len(X) - 1)
    listed = knn(X, k, memory)
    G = memory.cache(undirected)(listed) if graph == "undirected" else listed
    found = width(sigma, graph=listed, X=X, y=problem.y)
    directed = graph == "directed"
    W = gaussian(G, found)
    degree, component = in_degree(listed), islands(G)
    return GraphResult(problem, k, found, directed, G, W, degree, component, colour)
