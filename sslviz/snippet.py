"""The code that reproduces what the page shows."""

from inspect import signature
from typing import Any

import numpy as np


def graph_snippet(
    dataset: str, options: dict[str, Any], k: int, sigma: float | str, directed: bool
) -> str:
    """The same for the neighbour graph: its weights, in-degrees and islands."""
    edges = "listed" if directed else "graph.undirected(listed)"
    return "\n".join(
        [
            "from sslviz import data, graph",
            "",
            _loading(dataset, options),
            f"listed = graph.knn(dataset.X, {k})",
            f"W = graph.gaussian({edges}, graph.width({sigma!r}, graph=listed, X=dataset.X))",
            "print(W.nnz, graph.in_degree(listed).max(), graph.islands(W).max() + 1)",
            "",
        ]
    )


def _loading(dataset: str, options: dict[str, Any]) -> str:
    arguments = "".join(f", {key}={value!r}" for key, value in options.items())
    return f"dataset = data.load({dataset!r}{arguments})"


def snippet(model: Any, dataset: str, options: dict[str, Any], per_class: int, seed: int) -> str:
    """Runnable Python: data, labels, the estimator as configured, and its accuracy."""
    name = type(model).__name__
    return "\n".join(
        [
            f"from sslviz import {name}, data, labels",
            "",
            _loading(dataset, options),
            f"y = labels.hide(dataset.y, per_class={per_class}, random_state={seed})",
            f"model = {name}({_changed(model)}).fit(dataset.X, y)",
            "unlabelled = y == -1",
            "print((model.transduction_ == dataset.y)[unlabelled].mean())",
            "",
        ]
    )


def _changed(model: Any) -> str:
    """The arguments that differ from the defaults; a memory changes no answer."""
    defaults = {p.name: p.default for p in signature(type(model)).parameters.values()}
    plain = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in model.get_params(deep=False).items()
        if name != "memory"
    }
    return ", ".join(
        f"{name}={value!r}" for name, value in plain.items() if repr(value) != repr(defaults[name])
    )
