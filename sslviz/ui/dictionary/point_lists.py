"""A few points with a weight of each: as images, or as rows of a table."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from sslviz.figures.maps.image_grid import image_wall
from sslviz.ui.dictionary.result import DictionaryResult
from sslviz.ui.safe_text import plain_text
from sslviz.ui.state.clicks import on_click_remember

STRIP_HEIGHT = 200  # pixels: at most the height of a few images
TABLE_HEIGHT = 220
CLICK_POINT = {"on_event": on_click_remember()}

Points = tuple[np.ndarray, np.ndarray]  # some points and a weight of each


def point_images(r: DictionaryResult, chosen: Points, across: int) -> go.Figure | None:
    """Points as images, each with its weight; None where there are no images or no points."""
    points, weights = chosen
    if r.image_shape is None or not len(points):
        return None
    texts = [f"{w:+.2f}" for w in weights]
    return image_wall(
        [r.problem.dataset.X[points]],
        r.image_shape,
        [r.truth[points]],
        len(r.classes),
        [""],
        columns=across,
        ids=points.tolist(),
        facts=[
            f"point {i} · true class {r.true_names[i]} · weight {w}"
            for i, w in zip(points, texts, strict=True)
        ],
        titles=texts,
    )


def point_table(r: DictionaryResult, chosen: Points) -> Mapping[str, Any] | None:
    """Points as rows of a table, where they are no images."""
    points, weights = chosen
    if r.image_shape is not None or not len(points):
        return None
    classes = [plain_text(r.true_names[i]) for i in points]
    return {"point": points, "class": classes, "weight": [f"{w:+.2f}" for w in weights]}


def show_point_table(r: DictionaryResult, chosen: Points) -> None:
    """A table whose cells break lines: names of classes are never cut off."""
    if (table := point_table(r, chosen)) is not None:
        height = min(36 * (len(chosen[0]) + 1), TABLE_HEIGHT)
        st.table(dict(table), hide_index=True, hide_header=False, height=height)
