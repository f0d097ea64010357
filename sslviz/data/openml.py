"""Data sets from OpenML, downloaded once and stored in a file."""

import threading
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import Any

import numpy as np

from sslviz.data import npz_files
from sslviz.data.dataset import Dataset

MAX_NUMBERS = 64_000_000  # points × features of a set that is stored
_one_download = threading.Lock()


class Unreachable(ConnectionError, ValueError):
    """OpenML did not answer."""


def download(name: str, progress: Callable[[str], None] | None = None) -> Path:
    """Download the data set with this name or number, store it and return its file."""
    say = progress or (lambda _: None)
    npz_files.check_name(name)
    with _one_download:  # one at a time; who waited for the same set finds its file
        path = npz_files.path_of(name)
        if path is not None:
            return path
        say(f"Looking for {name!r} on OpenML")
        found = _ask(name)
        say(f"Downloaded {name!r}, {' × '.join(map(str, found.data.shape))}; storing it")
        if np.prod(found.data.shape) > MAX_NUMBERS:
            size = " × ".join(f"{side:,}" for side in found.data.shape)
            raise ValueError(f"{name}: it has {size} numbers, at most {MAX_NUMBERS:,} are stored")
        try:
            return npz_files.write(_dataset(name, found), npz_files.downloads())
        except OSError as error:
            raise ValueError(f"{name}: the server has no room for another data set") from error


def fetch(name: str) -> Any:
    """scikit-learn's Bunch with data, target, categories, feature_names."""
    from sklearn.datasets import fetch_openml

    which = {"data_id": int(name)} if name.isdigit() else {"name": name}
    # liac-arff gives category indices and names; the cache would be a second copy on disk.
    return fetch_openml(
        **which, as_frame=False, parser="liac-arff", cache=False, n_retries=1, delay=0.5
    )


def _ask(name: str) -> Any:
    missing = f"{name!r} is neither built in nor in the folder of data, and OpenML"
    try:
        return fetch(name)
    except (OSError, HTTPException) as error:
        raise Unreachable(f"{missing} could not be reached; is this machine online?") from error
    except ValueError as error:
        raise ValueError(f"{missing} has no usable data set of this name: {error}") from error


def _dataset(name: str, found: Any) -> Dataset:
    target = found.target
    if target is None or np.ndim(target) != 1:
        raise ValueError(f"{name}: OpenML does not give a single class column")
    if target.dtype.kind == "O":
        if any(label is None for label in target):
            raise ValueError(f"{name}: some points have no class on OpenML")
        target = target.astype(str)
    try:
        y, classes = npz_files.class_indices(target)
    except ValueError as error:
        raise ValueError(f"{name}: {error}; is it a data set for regression?") from error
    X = _numbers(name, found)
    about = f"{len(X)} points with {X.shape[1]} features and {len(classes)} classes, from OpenML."
    return Dataset(X, y, name, about, classes)


def _numbers(name: str, found: Any) -> np.ndarray:
    """Features as numbers; categories one-hot encoded."""
    data = found.data.toarray() if hasattr(found.data, "toarray") else found.data
    try:
        data = np.asarray(data).astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: some features are neither numbers nor categories") from error
    lacking = np.isnan(data).any(axis=1).sum()
    if lacking:
        raise ValueError(f"{name}: {lacking} of {len(data)} points have missing values")
    categories = set(found.feature_names) & set(found.get("categories") or ())
    if not categories:
        return data
    columns = [
        _one_hot(column, len(found.categories[feature]))
        if feature in categories
        else column[:, None]
        for feature, column in zip(found.feature_names, data.T, strict=True)
    ]
    return np.hstack(columns)


def _one_hot(column: np.ndarray, count: int) -> np.ndarray:
    return (column[:, None] == np.arange(count)).astype(np.float64)
