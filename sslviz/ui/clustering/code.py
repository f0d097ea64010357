"""The code of the picture: a training stopped on its way is stopped there as well."""

from typing import Any

from sslviz.snippet import Setting, changed


def code_of(model: Any, setting: Setting, iterations: int | None) -> str:
    """Runnable Python that prints the accuracy; `iterations` of a training, or None to fit."""
    name = type(model).__name__
    lines = [
        f"from sslviz import {name}, clustering_accuracy, data",
        "",
        *setting.lines(),
        f"model = {name}({changed(model)})",
    ]
    if iterations is None:
        lines.append("model.fit(dataset.X)")
    else:
        lines += [
            "run = model.training(dataset.X)",
            f"run.advance({iterations})",
            "model.settle(run)",
        ]
    return "\n".join([*lines, "print(clustering_accuracy(dataset.y, model.labels_))", ""])
