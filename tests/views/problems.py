"""Small problems as pages have them, built without Streamlit."""

from typing import Any

from sslviz import data, labels
from sslviz.data.layout import layout
from sslviz.snippet import Setting
from sslviz.ui.problem import Problem


def problem(
    name: str = "two_moons",
    per_class: int = 3,
    point: int | None = None,
    **options: Any,
) -> Problem:
    """A data set with a few labels and a map."""
    dataset = data.load(name, **options)
    y = labels.hide(dataset.y, per_class=per_class, random_state=0)
    kind = "raw" if dataset.n_features <= 3 else "pca"
    points = layout(dataset.X, kind)
    setting = Setting(dataset.name, options, per_class, 0, ())
    return Problem(dataset, setting, y, points, kind, None, point)
