"""Preprocessing of a whole data set, written as words: ("pixels", "pca 128").

standardise   every feature to mean 0 and standard deviation 1
pixels        divided by the largest value: grey images to [0, 1]
pca K         the first K principal components
length L      every point scaled to Euclidean length L
tfidf         word counts to TF-IDF weights: rare words count more, every text has length 1
"""

from collections.abc import Callable

import numpy as np

from sslviz.memo import stage


def _standardise(X: np.ndarray) -> np.ndarray:
    deviation = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1)


def _pixels(X: np.ndarray) -> np.ndarray:
    return X / (np.abs(X).max() or 1)


def _pca(X: np.ndarray, count: float) -> np.ndarray:
    from sklearn.decomposition import PCA

    return PCA(int(count), svd_solver="full").fit_transform(X)


def _length(X: np.ndarray, length: float) -> np.ndarray:
    norm = np.linalg.norm(X, axis=1, keepdims=True)
    return X * (length / np.where(norm > 0, norm, 1))


def _tfidf(X: np.ndarray) -> np.ndarray:
    from sklearn.feature_extraction.text import TfidfTransformer

    return TfidfTransformer().fit_transform(X).toarray()


STEPS: dict[str, Callable[..., np.ndarray]] = {
    "standardise": _standardise,
    "pixels": _pixels,
    "pca": _pca,
    "length": _length,
    "tfidf": _tfidf,
}


def check(steps: tuple[str, ...]) -> None:
    """ValueError if a step is unknown or lacks its number."""
    for step in steps:
        name, *numbers = step.split()
        if name not in STEPS:
            raise ValueError(f"prepare: {step!r} is not one of {', '.join(STEPS)}")
        wanted = int(name in ("pca", "length"))
        if len(numbers) != wanted or not all(float(number) > 0 for number in numbers):
            raise ValueError(f"prepare: {step!r} needs {wanted} positive numbers after its name")


def prepared(X: np.ndarray, steps: tuple[str, ...]) -> np.ndarray:
    """X after all steps."""
    check(steps)
    for step in steps:
        name, *numbers = step.split()
        X = STEPS[name](np.asarray(X, np.float64), *map(float, numbers))
    return X


@stage("scaling")
def with_noise(X: np.ndarray, steps: tuple[str, ...], noise: float) -> np.ndarray:
    """X after the steps, with Gaussian noise of deviation noise · mean(X²). A stage."""
    X = prepared(np.asarray(X, np.float64), steps)
    if noise:
        X = X + noise * np.square(X).mean() * np.random.default_rng(0).normal(size=X.shape)
    return X
