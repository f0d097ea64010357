"""Data sets drawn by hand: the list of numbers a canvas sends, checked, and shapes to start from.

A drawing is a list of whole numbers, x y class x y class …: coordinates in thousandths on the plane
[-3, 3] × [-2, 2], classes counted from 0.
"""

import numpy as np

from sslviz.data.dataset import Dataset
from sslviz.data.synthetic import spirals, three_rings, two_moons

SPAN = np.array([3.0, 2.0])  # half width and half height of the canvas
UNIT = 1000  # whole numbers per unit of the plane
MAX_CLASSES, MIN_POINTS, MAX_POINTS = 6, 10, 5000  # classes at most, points at least and at most
SHAPE_POINTS = 240


def dataset_of_drawing(sent: object) -> Dataset:
    """The data set of a drawing; ValueErrors are addressed to the visitor who draws."""
    rows = _rows(sent)
    if len(rows) < MIN_POINTS:
        raise ValueError(f"Draw a few more points: at least {MIN_POINTS}, so far {len(rows)}.")
    used, y = np.unique(rows[:, 2], return_inverse=True)
    if len(used) < 2:
        raise ValueError("Draw points of a second colour, too: a data set needs two classes.")
    classes = tuple(f"class {c + 1}" for c in range(len(used)))
    return Dataset(rows[:, :2] / UNIT, y.reshape(-1), "drawing", "Drawn by hand.", classes)


def _rows(sent: object) -> np.ndarray:
    """(n, 3) x, y and class, as whole numbers in range."""
    if not isinstance(sent, list) or len(sent) % 3:
        raise ValueError("A drawing is a list of whole numbers: x, y and class of each point.")
    if len(sent) > 3 * MAX_POINTS:
        raise ValueError(
            f"A drawing has at most {MAX_POINTS:,} points; this one has {len(sent) // 3:,}."
        )
    if not all(type(number) is int for number in sent):
        raise ValueError("A drawing holds whole numbers only: x, y and class of each point.")
    low, high = [*-SPAN * UNIT, 0], [*SPAN * UNIT, MAX_CLASSES - 1]
    if not all(low[i % 3] <= number <= high[i % 3] for i, number in enumerate(sent)):
        raise ValueError("A point of the drawing lies outside the canvas, or its class is unknown.")
    return np.array(sent, dtype=np.int64).reshape(-1, 3)


def to_drawing(dataset: Dataset) -> list[int] | None:
    """A data set as a drawing, subsampled if large; None unless it has two features, few classes.

    Points keep their coordinates if they lie on the canvas and cover a good part of it.
    """
    if dataset.n_features != 2 or dataset.n_classes > MAX_CLASSES:
        return None
    some = dataset.subset(MAX_POINTS) if dataset.n_samples > MAX_POINTS else dataset
    fits = (np.abs(some.X) <= SPAN).all() and (np.ptp(some.X, axis=0) > SPAN / 2).any()
    return _flat_list(some.X if fits else _fit_to_canvas(some.X), some.y)


def shapes() -> dict[str, list[int]]:
    """Drawings to start from, by name."""
    moons = two_moons(n_samples=SHAPE_POINTS, outliers=0)
    rings = three_rings(n_samples=SHAPE_POINTS)
    arms = spirals(n_samples=SHAPE_POINTS)
    apart = rings.y != 1  # without the middle ring
    bridge, sides = _bridge()
    made = {
        "crescents": (moons.X, moons.y),
        "ring in ring": (rings.X[apart], rings.y[apart] // 2),
        "bridge": (bridge, sides),
        "spirals": (arms.X, arms.y),
    }
    return {name: _flat_list(_fit_to_canvas(X), y) for name, (X, y) in made.items()}


def _bridge() -> tuple[np.ndarray, np.ndarray]:
    """Two Gaussians and a chain of points between them."""
    rng = np.random.default_rng(0)
    gaussians = rng.normal(size=(SHAPE_POINTS, 2)) + np.repeat(
        [[-4.5, 0], [4.5, 0]], SHAPE_POINTS // 2, axis=0
    )
    chain = np.column_stack([np.linspace(-2.5, 2.5, 24), 0.1 * rng.normal(size=24)])
    X = np.concatenate([gaussians, chain])
    return X, (X[:, 0] > 0).astype(np.int64)


def _fit_to_canvas(X: np.ndarray) -> np.ndarray:
    """Points shifted and scaled, both axes alike, to fill the canvas except for a margin."""
    low, high = X.min(axis=0) / 2, X.max(axis=0) / 2  # halved first: their difference may overflow
    return (X - (low + high)) * (0.9 / max(((high - low) / SPAN).max(), 1e-300))


def _flat_list(X: np.ndarray, y: np.ndarray) -> list[int]:
    return np.column_stack([np.rint(X * UNIT), y]).astype(np.int64).ravel().tolist()
