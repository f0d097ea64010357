"""The code that reproduces what the page shows."""

from typing import Any


def snippet(model: Any, dataset: str, options: dict[str, Any], per_class: int, seed: int) -> str:
    """Runnable Python: data, labels, the estimator as configured, and its accuracy."""
    public = type(model)(**{**model.get_params(deep=False), "memory": None})
    name = type(public).__name__
    arguments = "".join(f", {key}={value!r}" for key, value in options.items())
    return "\n".join(
        [
            f"from sslviz import {name}, data, labels",
            "",
            f"dataset = data.load({dataset!r}{arguments})",
            f"y = labels.hide(dataset.y, per_class={per_class}, random_state={seed})",
            f"model = {' '.join(repr(public).split())}.fit(dataset.X, y)",
            "unlabelled = y == -1",
            "print((model.transduction_ == dataset.y)[unlabelled].mean())",
            "",
        ]
    )
