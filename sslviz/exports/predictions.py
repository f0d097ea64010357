"""Predictions, coordinates and codes as columns and arrays, a row for every point."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

import numpy as np

AXES = ("x", "y", "z")


def point_columns(
    n: int, rows: np.ndarray | None = None, notes: np.ndarray | None = None
) -> dict[str, list[Any]]:
    """What tells a point: its number here, its row in the whole set or file, its note.

    Rows are counted from 0, below the row of names; they are left out where they are the numbers.
    """
    columns: dict[str, list[Any]] = {"point": list(range(n))}
    if rows is not None:
        columns["row"] = rows.tolist()
    return columns if notes is None else columns | {"note": notes.tolist()}


def prediction_columns(
    classes: Sequence[str],
    given: np.ndarray,
    truth: np.ndarray,
    predicted: np.ndarray,
    F: np.ndarray,
    places: np.ndarray,
) -> dict[str, list[Any]]:
    """Given, true and predicted class of every point, its confidence, probabilities and place.

    Class indices are -1 where nothing is known; such cells are empty.
    """
    columns: dict[str, list[Any]] = {
        "given_label": class_names(classes, given),
        "true_label": class_names(classes, truth),
        "predicted_label": class_names(classes, predicted),
        "confidence": confidences(F).tolist(),
    }
    columns |= {f"p({name})": F[:, c].tolist() for c, name in enumerate(classes)}
    return columns | coordinate_columns(places, [f"map_{axis}" for axis in AXES])


def cluster_columns(
    names: Sequence[str], truth: np.ndarray, cluster: np.ndarray, P: np.ndarray, places: np.ndarray
) -> dict[str, list[Any]]:
    """Cluster and true class of every point, the cluster's probability, and its place."""
    columns: dict[str, list[Any]] = {
        "true_label": class_names(names, truth),
        "cluster": cluster.tolist(),
        "confidence": P.max(axis=1).astype(float).tolist(),
    }
    return columns | coordinate_columns(places, [f"map_{axis}" for axis in AXES])


def confidences(F: np.ndarray) -> np.ndarray:
    """(n,) the share of the largest entry in its row of F."""
    return F.max(axis=1) / np.maximum(F.sum(axis=1), np.finfo(float).tiny)


def coordinate_columns(Z: np.ndarray, names: Sequence[str] = ()) -> dict[str, list[Any]]:
    """Coordinates of the points, called z1, z2, … unless they have names."""
    named = names[: Z.shape[1]] if len(names) >= Z.shape[1] else ()
    titles = named or [f"z{j + 1}" for j in range(Z.shape[1])]
    return {title: column.tolist() for title, column in zip(titles, Z.T, strict=True)}


def to_npz(arrays: Mapping[str, np.ndarray]) -> bytes:
    """Arrays as a compressed npz file; texts and numbers, never pickled objects."""
    out = BytesIO()
    np.savez_compressed(out, allow_pickle=False, **{k: np.asarray(v) for k, v in arrays.items()})
    return out.getvalue()


def class_names(classes: Sequence[str], index: np.ndarray) -> list[str]:
    """The names of classes by index, empty for -1."""
    return [classes[c] if c >= 0 else "" for c in index]
