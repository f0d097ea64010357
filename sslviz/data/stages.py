"""Stages of data sets: plain values in, for a memory to name and a worker to compute."""

from typing import Any

import numpy as np

from sslviz import data
from sslviz.data.scaling import scale_ratio, units_differ
from sslviz.data.sprites import sprite_sheets
from sslviz.memo import stage


@stage("data")
def load_dataset(name: str, options: dict[str, Any], file_time: int) -> data.Dataset:
    """The data set; `file_time` changes with its file, so that the cache notices."""
    if not data.is_available(name):  # gone meanwhile; nothing is downloaded here
        raise ValueError(f"The data set {name} is no longer on this server.")
    return data.load(name, **options)


@stage("units")
def unit_ratio(name: str, file_time: int) -> float:
    """How much the scales of the features differ; 0 where they need not be standardised."""
    if not any(p.name == "standardise" for p in data.options_of(name)):
        return 0.0
    dataset = data.load(name)
    return scale_ratio(dataset.X) if units_differ(dataset) else 0.0


@stage("thumbnails")
def sprite_sheets_of(X: np.ndarray, image_shape: tuple[int, int]) -> tuple[bytes, ...]:
    """The thumbnails of all points as a few PNG images."""
    return tuple(sprite_sheets(X, image_shape))
