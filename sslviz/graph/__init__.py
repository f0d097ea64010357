"""Neighbour graphs: neighbours, weights, hubs and shortest paths, CSR in and out.

`knn(X, k)`, `hubs(G)` and `geodesic(G, seeds, k)` are functions of this package; the modules that
hold them, and torch or numba with them, are imported when first used.
"""

from importlib import import_module
from typing import Any

_MODULES = {
    "knn": "sslviz.graph.neighbours",
    "knn_lists": "sslviz.graph.neighbours",
    "undirected": "sslviz.graph.weights",
    "width": "sslviz.graph.weights",
    "gaussian": "sslviz.graph.weights",
    "transitions": "sslviz.graph.weights",
    "normalised": "sslviz.graph.weights",
    "in_degree": "sslviz.graph.hubness",
    "hubs": "sslviz.graph.hubness",
    "islands": "sslviz.graph.components",
    "geodesic": "sslviz.graph.shortest_paths",
    "geodesic_path": "sslviz.graph.shortest_paths",
}

__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module 'sslviz.graph' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
