r"""Streams: data sets in order of arrival, and synthetic ones whose distribution drifts.

    x_t = Rot(2π t · turns / n) moon(y_t) + noise

A stream is a data set whose rows are in order of arrival. `as_stream` puts any data set in an
order: shuffled, or class after class, which is much harder for an online method. Two streams drift:
moons that turn around their common centre, and clusters that appear and vanish, each class
continuing in another place. `batches` iterates over a stream.
"""

from collections.abc import Callable, Iterator
from typing import Annotated

import numpy as np

from sslviz.data.dataset import Dataset
from sslviz.data.synthetic import Noise, Points, Seed, about_of
from sslviz.params import Choice, Number, check_values

CENTRE = np.array([0.5, 0.25])  # of the two moons together
PLACES = 9  # possible places of clusters on a circle of radius 3; each belongs to one class

Batch = tuple[np.ndarray, np.ndarray]
Order = Annotated[
    str,
    Choice(
        "Order of arrival.",
        ("shuffled", "sorted", "as stored"),
        ("at random", "class after class", "as in the set"),
    ),
]
Turns = Annotated[
    float,
    Number("Turns of the moons during the stream.", valid=(-1000, 1000), shown=(0, 3)),
]
Lives = Annotated[
    int,
    Number("Number of clusters that appear and vanish during the stream.", (1, 10**6), (2, 40)),
]


def as_stream(dataset: Dataset, order: Order = "shuffled", random_state: Seed = 0) -> Dataset:
    """The points of a data set in order of arrival; "sorted" shuffles within each class."""
    check_values(as_stream, {"order": order, "random_state": random_state})
    if order == "as stored":
        return dataset
    rows = np.random.default_rng(random_state).permutation(dataset.n_samples)
    if order == "sorted":
        rows = rows[np.argsort(dataset.y[rows], kind="stable")]
    return Dataset(
        dataset.X[rows], dataset.y[rows], dataset.name, dataset.about, dataset.classes,
        dataset.image_shape,
    )  # fmt: skip


def turning_moons(
    *,
    n_samples: Points = 2000,
    noise: Noise = 0.08,
    turns: Turns = 0.25,
    random_state: Seed = 0,
) -> Dataset:
    """Two moons turning around their common centre; after half a turn they have changed places."""
    check_values(turning_moons, locals())
    rng = np.random.default_rng(random_state)
    y = rng.integers(2, size=n_samples)
    angle = np.pi * rng.random(n_samples)
    upper = np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.where(y[:, None] == 0, upper, [1.0, 0.5] - upper) - CENTRE
    X += noise * rng.standard_normal(X.shape)
    turned = 2 * np.pi * turns * np.arange(n_samples) / n_samples
    c, s = np.cos(turned), np.sin(turned)
    X = np.column_stack([c * X[:, 0] - s * X[:, 1], s * X[:, 0] + c * X[:, 1]]) + CENTRE
    return Dataset(X, y, "turning_moons", about_of(turning_moons), ("first moon", "second moon"))


def coming_and_going(
    *,
    n_samples: Points = 2000,
    noise: Noise = 0.25,
    lives: Lives = 12,
    random_state: Seed = 0,
) -> Dataset:
    """Clusters that appear and vanish, three at a time, one of each class.

    When one vanishes, its class continues in another place. The class of the new cluster is unknown
    until one of its points has a label.
    """
    check_values(coming_and_going, locals())
    rng = np.random.default_rng(random_state)
    classes = 3
    places = np.arange(classes)  # place p is of class p % 3
    y = rng.integers(classes, size=n_samples)
    y[:classes] = np.arange(classes)  # every class is there from the start
    X = np.empty((n_samples, 2))
    for life, rows in enumerate(np.array_split(np.arange(n_samples), lives)):
        if life:
            leaves = (life - 1) % classes
            places[leaves] += classes * rng.integers(1, PLACES // classes)
        angle = 2 * np.pi * places[y[rows]] / PLACES
        X[rows] = 3 * np.column_stack([np.cos(angle), np.sin(angle)])
    X += noise * rng.standard_normal(X.shape)
    names = ("first class", "second class", "third class")
    return Dataset(X, y, "coming_and_going", about_of(coming_and_going), names)


DRIFTING: dict[str, Callable[..., Dataset]] = {
    f.__name__: f for f in (turning_moons, coming_and_going)
}


def batches(dataset: Dataset, size: int = 1) -> Iterator[Batch]:
    """(X, y) of `size` points at a time; the last batch may be smaller."""
    if size < 1:
        raise ValueError(f"batches: size={size} points at a time, expected at least 1")
    for start in range(0, dataset.n_samples, size):
        part = slice(start, start + size)
        yield dataset.X[part], dataset.y[part]
