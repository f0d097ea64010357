"""Synthetic data sets, all with the same options.

A point is drawn on the curve, disc or centre of its class, plus Gaussian noise of standard
deviation `noise`; outliers have five times the noise and keep their class. Changing `noise` or
`outliers` scales the same random numbers.

Four clusters, two moons and three rings: FC, TM and TR of the thesis on SEDC, which gives their
class shares and says that FC and TM have outliers. Gaussians: g241c of Chapelle, Schölkopf, Zien
(eds). Semi-Supervised Learning. MIT Press 2006, chapter 21.
"""

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from sslviz.data.dataset import Dataset
from sslviz.params import Number, check_values

OUTLIER_FACTOR = 5.0

Points = Annotated[
    int,
    Number("Number of points.", valid=(10, 10**7), shown=(100, 10_000), log=True, symbol="n"),
]
Outliers = Annotated[
    float,
    Number(
        "Share of outliers: points with five times the noise, which keep their class.",
        valid=(0, 1),
        shown=(0, 0.3),
    ),
]
Balance = Annotated[
    float,
    Number(
        "Class shares are multiplied by 1, b, b², …: 1 leaves them as they are, less makes later "
        "classes smaller.",
        valid=(0, 1),
        shown=(0.1, 1),
        above=True,
        advanced=True,
    ),
]
Seed = Annotated[
    int, Number("Seed of all random draws.", valid=(0, 2**32 - 1), shown=(0, 99), advanced=True)
]
Noise = Annotated[
    float,
    Number(
        "Standard deviation of the points around their curve or centre.",
        valid=(0, np.inf),
        shown=(0, 0.4),
        symbol="ε",
    ),
]
Width = Annotated[
    float,
    Number("Standard deviation of the Gaussians.", valid=(0, np.inf), shown=(0, 2), symbol="ε"),
]


def two_moons(
    *,
    n_samples: Points = 2000,
    noise: Noise = 0.08,
    outliers: Outliers = 0.05,
    balance: Balance = 1.0,
    random_state: Seed = 0,
) -> Dataset:
    """Two interleaved half circles, which no straight line separates."""
    rng, y = _draw_classes(two_moons, locals(), shares=(1, 1))
    t = np.pi * rng.random(n_samples)
    upper = _polar(1.0, t)
    X = np.where(y[:, None] == 0, upper, [1.0, 0.5] - upper)
    return _with_noise(two_moons, X, y, rng, noise, outliers, ("upper moon", "lower moon"))


def three_rings(
    *,
    n_samples: Points = 2000,
    noise: Noise = 0.1,
    outliers: Outliers = 0.0,
    balance: Balance = 1.0,
    random_state: Seed = 0,
) -> Dataset:
    """Three concentric rings of equal density: 50, 33 and 17% of the points from outside in."""
    rng, y = _draw_classes(three_rings, locals(), shares=(3, 2, 1))
    X = _polar(3.0 - y, 2 * np.pi * rng.random(n_samples))
    names = ("outer ring", "middle ring", "inner ring")
    return _with_noise(three_rings, X, y, rng, noise, outliers, names)


def four_clusters(
    *,
    n_samples: Points = 2000,
    noise: Noise = 0.13,
    outliers: Outliers = 0.05,
    balance: Balance = 1.0,
    random_state: Seed = 0,
) -> Dataset:
    """Four close clusters: a disc with 50% of the points, and small ones with 20, 20 and 10%.

    The disc has radius 0.8; the noise is the same for all. k-means cuts the disc in two.
    """
    rng, y = _draw_classes(four_clusters, locals(), shares=(5, 2, 2, 1))
    centres = np.array([[0, 0], [1.25, 0.5], [1.25, -0.5], [1.9, 0]])
    disc = _polar(0.8 * np.sqrt(rng.random(n_samples)), 2 * np.pi * rng.random(n_samples))
    X = centres[y] + disc * (y == 0)[:, None]
    names = ("disc", "upper cluster", "lower cluster", "far cluster")
    return _with_noise(four_clusters, X, y, rng, noise, outliers, names)


def spirals(
    *,
    n_samples: Points = 2000,
    noise: Noise = 0.05,
    outliers: Outliers = 0.0,
    balance: Balance = 1.0,
    random_state: Seed = 0,
) -> Dataset:
    """Two spirals wound around each other one and a half times."""
    rng, y = _draw_classes(spirals, locals(), shares=(1, 1))
    # t² uniform: even density along the arm; the innermost quarter turn is left out.
    t = np.pi * np.sqrt(rng.uniform(0.5**2, 3.5**2, n_samples))
    X = _polar(t / np.pi, t + np.pi * y)
    return _with_noise(spirals, X, y, rng, noise, outliers, ("first arm", "second arm"))


def gaussians(
    *,
    n_samples: Points = 2000,
    noise: Width = 1.0,
    outliers: Outliers = 0.0,
    balance: Balance = 1.0,
    random_state: Seed = 0,
    n_features: Annotated[
        int, Number("Dimensions.", valid=(2, 10_000), shown=(2, 500), symbol="d")
    ] = 241,
    distance: Annotated[
        float,
        Number(
            "Distance of the two centres; the Bayes error is Φ(−distance / 2 noise).",
            valid=(0, np.inf),
            shown=(0, 6),
        ),
    ] = 2.5,
) -> Dataset:
    """Two overlapping spherical Gaussians in 241 dimensions, with centres 2.5 apart.

    As in the benchmark g241c: the Bayes error is 10.6%, and there is no manifold.
    """
    rng, y = _draw_classes(gaussians, locals(), shares=(1, 1))
    direction = rng.standard_normal(n_features)
    direction /= np.linalg.norm(direction)
    X = np.outer(distance * (y - 0.5), direction)
    return _with_noise(gaussians, X, y, rng, noise, outliers, ("first Gaussian", "second Gaussian"))


def swiss_roll(
    *,
    n_samples: Points = 2000,
    noise: Noise = 0.05,
    outliers: Outliers = 0.0,
    balance: Balance = 1.0,
    random_state: Seed = 0,
) -> Dataset:
    """A sheet rolled up in three dimensions; the four classes follow one another along it."""
    rng, y = _draw_classes(swiss_roll, locals(), shares=(1, 1, 1, 1))
    t = 1.5 * np.pi * (1 + (y + rng.random(n_samples)) / 2)  # class c fills its quarter of the roll
    height = rng.uniform(-3, 3, n_samples)
    a, b = _polar(t / np.pi, t).T
    X = np.column_stack([a, height, b])
    names = ("innermost", "inner", "outer", "outermost")
    return _with_noise(swiss_roll, X, y, rng, noise, outliers, names)


GENERATORS: dict[str, Callable[..., Dataset]] = {
    f.__name__: f for f in (two_moons, three_rings, four_clusters, spirals, gaussians, swiss_roll)
}


def _draw_classes(
    generator: Callable, options: dict[str, Any], shares: tuple[float, ...]
) -> tuple[np.random.Generator, np.ndarray]:
    """Check the options; return the seeded generator and the classes in random order."""
    check_values(generator, options)
    n, balance = options["n_samples"], options["balance"]
    rng = np.random.default_rng(options["random_state"])
    sizes = class_sizes(n, np.array(shares) * balance ** np.arange(len(shares)))
    return rng, rng.permutation(np.repeat(np.arange(len(shares)), sizes))


def class_sizes(n: int, shares: np.ndarray) -> np.ndarray:
    """Whole numbers with sum n, proportional to `shares`, none of them zero."""
    exact = n * shares / shares.sum()
    sizes = np.floor(exact).astype(int)
    largest_rest = np.argsort(sizes - exact, kind="stable")
    sizes[largest_rest[: n - sizes.sum()]] += 1
    for empty in np.flatnonzero(sizes == 0):
        sizes[np.argmax(sizes)] -= 1
        sizes[empty] = 1
    return sizes


def _with_noise(
    generator: Callable,
    X: np.ndarray,
    y: np.ndarray,
    rng: np.random.Generator,
    noise: float,
    outliers: float,
    classes: tuple[str, ...],
) -> Dataset:
    """Add noise to every point, five times as much to a random share `outliers` of them.

    The random numbers do not depend on noise and share: more outliers include the former ones.
    """
    normal = rng.standard_normal(X.shape)
    chosen = np.zeros(len(X), dtype=bool)
    chosen[rng.permutation(len(X))[: round(outliers * len(X))]] = True
    width = noise * np.where(chosen, OUTLIER_FACTOR, 1.0)
    X = X + width[:, None] * normal
    return Dataset(
        X, y, generator.__name__, about_of(generator), classes, None, {"outliers": chosen}
    )


def about_of(generator: Callable) -> str:
    """The first paragraph of the docstring, on one line."""
    return " ".join((generator.__doc__ or "").split("\n\n")[0].split())


def _polar(radius: float | np.ndarray, angle: np.ndarray) -> np.ndarray:
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
