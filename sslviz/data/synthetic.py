"""Synthetic sets, all with the same options.

A point is drawn on its class's curve, disc or centre and moved by a Gaussian of width `noise`;
outliers are moved by five times as much and keep their class. Changing `noise` or `outliers` alone
moves points and draws none anew.

Four clusters, two moons and three rings: the sets FC, TM and TR of the thesis on SEDC, which gives
their class shares and says that FC and TM have outliers. Gaussians: g241c of Chapelle, Schölkopf,
Zien (eds). Semi-Supervised Learning. MIT Press 2006, chapter 21.
"""

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from sslviz.data.dataset import Dataset
from sslviz.params import Number, check_values

OUTLIER_FACTOR = 5.0

Points = Annotated[
    int,
    Number("Points in the set.", valid=(10, 10**7), shown=(100, 10_000), log=True, symbol="n"),
]
Outliers = Annotated[
    float,
    Number(
        "Share of the points that are outliers: five times the noise, class kept.",
        valid=(0, 1),
        shown=(0, 0.3),
    ),
]
Balance = Annotated[
    float,
    Number(
        "Class c keeps its share times balance to the power c: 1 is the set as designed, "
        "less thins the later classes out.",
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
    """Two half circles that reach into each other: no straight line parts them."""
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
    """Three concentric rings of equal density, 50, 33 and 17 % of the points from outside in."""
    rng, y = _draw_classes(three_rings, locals(), shares=(3, 2, 1))
    X = _polar(3.0 - y, 2 * np.pi * rng.random(n_samples))
    return _with_noise(three_rings, X, y, rng, noise, outliers, ("outer", "middle", "inner"))


def four_clusters(
    *,
    n_samples: Points = 2000,
    noise: Noise = 0.13,
    outliers: Outliers = 0.05,
    balance: Balance = 1.0,
    random_state: Seed = 0,
) -> Dataset:
    """Four clusters close together: a disc with 50 % of the points and three dots with 20, 20, 10.

    The disc has radius 0.8 and the noise blurs all alike. k-means prefers to cut the disc in two.
    """
    rng, y = _draw_classes(four_clusters, locals(), shares=(5, 2, 2, 1))
    centres = np.array([[0, 0], [1.25, 0.5], [1.25, -0.5], [1.9, 0]])
    disc = _polar(0.8 * np.sqrt(rng.random(n_samples)), 2 * np.pi * rng.random(n_samples))
    X = centres[y] + disc * (y == 0)[:, None]
    return _with_noise(four_clusters, X, y, rng, noise, outliers, ("disc", "upper", "lower", "far"))


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
    # t² uniform spreads points evenly along the arm; the innermost quarter turn is left out.
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
            "Distance of the two centres; the best possible error is Φ(-distance / 2 noise).",
            valid=(0, np.inf),
            shown=(0, 6),
        ),
    ] = 2.5,
) -> Dataset:
    """Two spherical Gaussians, their centres 2.5 apart in a random direction of 241 dimensions.

    Made as the benchmark g241c is: clusters that overlap (best possible error 10.6 %) and no
    manifold.
    """
    rng, y = _draw_classes(gaussians, locals(), shares=(1, 1))
    direction = rng.standard_normal(n_features)
    direction /= np.linalg.norm(direction)
    X = np.outer(distance * (y - 0.5), direction)
    return _with_noise(gaussians, X, y, rng, noise, outliers, ("-1", "+1"))


def swiss_roll(
    *,
    n_samples: Points = 2000,
    noise: Noise = 0.05,
    outliers: Outliers = 0.0,
    balance: Balance = 1.0,
    random_state: Seed = 0,
) -> Dataset:
    """A sheet rolled up in three dimensions; the four classes follow each other along the roll."""
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
    """Check the options, seed the draws, and deal the classes out in random order."""
    check_values(generator, options)
    n, balance = options["n_samples"], options["balance"]
    rng = np.random.default_rng(options["random_state"])
    sizes = class_sizes(n, np.array(shares) * balance ** np.arange(len(shares)))
    return rng, rng.permutation(np.repeat(np.arange(len(shares)), sizes))


def class_sizes(n: int, shares: np.ndarray) -> np.ndarray:
    """Whole numbers that add up to n, in proportion to `shares`, none of them zero."""
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
    """Move every point by its noise; the share `outliers` of them, at random, by five times that.

    Draws are as many whatever the noise and the share: more outliers include those of before.
    """
    steps = rng.standard_normal(X.shape)
    chosen = np.zeros(len(X), dtype=bool)
    chosen[rng.permutation(len(X))[: round(outliers * len(X))]] = True
    width = noise * np.where(chosen, OUTLIER_FACTOR, 1.0)
    X = X + width[:, None] * steps
    return Dataset(X, y, generator.__name__, about(generator), classes, None, {"outliers": chosen})


def about(generator: Callable) -> str:
    """The first paragraph of the docstring, on one line."""
    return " ".join((generator.__doc__ or "").split("\n\n")[0].split())


def _polar(radius: float | np.ndarray, angle: np.ndarray) -> np.ndarray:
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
