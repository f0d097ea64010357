r"""Layouts: coordinates in the plane or in space for points of many dimensions.

PCA keeps as much variance as possible: with the centred points as rows of X̃,

    Z = X̃ V,   V = the leading eigenvectors of X̃ᵀX̃.

It is written out here because scikit-learn's copies all points and keeps float32, in which 70 000
images lose digits. UMAP keeps neighbours together instead (McInnes, Healy, Melville. UMAP.
arXiv:1802.03426, 2018).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any
from warnings import catch_warnings, simplefilter

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import LinearOperator, eigsh

from sslviz.memo import stage
from sslviz.params import Number, check_values

KINDS = ("raw", "pca", "umap")
DENSE_LIMIT = 4000  # up to here a full eigenproblem takes seconds
CHUNK_BYTES = 2**26

Dimensions = Annotated[int, Number("Dimensions of the layout.", valid=(1, 3), shown=(2, 3))]


def layout(X: np.ndarray, kind: str | None = None, *, dimensions: Dimensions = 2) -> np.ndarray:
    """Coordinates by `kind`; None is "raw" for two or three features, else "pca"."""
    X = _check_points(X)
    if kind is None:
        kind = "raw" if X.shape[1] in (2, 3) else "pca"
    if kind == "raw":
        if X.shape[1] not in (2, 3):
            raise ValueError(f"layout: kind='raw' needs 2 or 3 features, X has {X.shape[1]}")
        return X
    if kind == "pca":
        return pca_layout(X, dimensions=dimensions)
    if kind == "umap":
        return umap_layout(X, dimensions=dimensions)
    raise ValueError(f"layout: kind={kind!r} is not in {' or '.join(map(repr, KINDS))}")


@stage("PCA map")
def pca_layout(X: np.ndarray, *, dimensions: Dimensions = 2) -> np.ndarray:
    """Coordinates along the directions of largest variance, in decreasing order.

    The largest loading of each direction is positive. Coordinates beyond the rank of X are zero, up
    to rounding.
    """
    check_values(pca_layout, {"dimensions": dimensions})
    X = _check_points(X)
    n, d = X.shape
    p = min(dimensions, n, d)
    mean = X.mean(axis=0, dtype=np.float64)
    V = _directions(X, mean, p)
    Z = np.zeros((n, dimensions))
    for rows in _chunks(X):
        Z[rows, :p] = (X[rows] - mean) @ V
    return Z


SEARCHED_FROM = 4096  # points: UMAP measures all distances between fewer


@stage("UMAP map")
def umap_layout(
    X: np.ndarray,
    *,
    dimensions: Dimensions = 2,
    n_neighbors: Annotated[
        int,
        Number("Neighbours that UMAP tries to keep close.", (2, np.inf), (5, 50), symbol="k"),
    ] = 15,
    random_state: Annotated[int, Number("Seed of the optimisation.", (0, 2**32 - 1), (0, 99))] = 0,
) -> np.ndarray:
    """UMAP with its default settings; the same seed gives the same coordinates."""
    options = {"dimensions": dimensions, "n_neighbors": n_neighbors, "random_state": random_state}
    check_values(umap_layout, options)
    X = _check_points(X)
    if n_neighbors >= len(X):
        raise ValueError(f"umap_layout: n_neighbors={n_neighbors} is not in [2, {len(X) - 1}]")
    with _kept_kernels():
        from umap import UMAP

        # One job: only then does the seed fix the result.
        model = UMAP(n_neighbors, n_components=dimensions, random_state=random_state, n_jobs=1)
        if len(X) >= SEARCHED_FROM:
            model.precomputed_knn = (*_neighbours(X, n_neighbors), None)
        with catch_warnings():
            simplefilter("ignore", UserWarning)  # new points cannot be added to such a map
            return np.asarray(model.fit_transform(X), dtype=np.float64)


def _neighbours(X: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """(n, k) nearest points, itself first, and their distances.

    UMAP would search with nearest-neighbour descent, which is compiled anew in each process.
    """
    from sklearn.neighbors import NearestNeighbors

    distances, indices = NearestNeighbors(n_neighbors=k).fit(X).kneighbors(X)
    return indices, distances.astype(np.float32)


@contextmanager
def _kept_kernels() -> Iterator[None]:
    """Let numba keep on disk what it compiles in the block.

    UMAP does not ask for that: every process would compile for ten seconds before its first map.
    """
    import numba

    compiled = numba.njit

    def kept(*args: Any, **options: Any) -> Any:
        try:
            return compiled(*args, **{"cache": True, **options})
        except RuntimeError:  # no folder to keep it in
            return compiled(*args, **options)

    numba.njit = kept
    try:
        yield
    finally:
        numba.njit = compiled


def _directions(X: np.ndarray, mean: np.ndarray, p: int) -> np.ndarray:
    """(d, p) leading eigenvectors of X̃ᵀX̃, by the cheapest of three ways."""
    n, d = X.shape
    if d <= min(n, DENSE_LIMIT):
        V = linalg.eigh(_scatter(X, mean), subset_by_index=[d - p, d - 1])[1][:, ::-1]
    elif n <= DENSE_LIMIT:
        centred = X - mean
        U = linalg.eigh(centred @ centred.T, subset_by_index=[n - p, n - 1])[1]
        V = linalg.qr(centred.T @ U[:, ::-1], mode="economic")[0]
    else:
        V = _krylov(X, mean, p)
    largest = V[np.argmax(np.abs(V), axis=0), np.arange(p)]
    return V * np.where(largest < 0, -1.0, 1.0)


def _scatter(X: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """X̃ᵀX̃ in float64, in chunks of rows, so that X is never copied as a whole."""
    d = X.shape[1]
    total = np.zeros((d, d))
    for rows in _chunks(X):
        part = X[rows] - mean
        total += part.T @ part
    return total


def _chunks(X: np.ndarray) -> Iterator[slice]:
    count = max(1, CHUNK_BYTES // (8 * X.shape[1]))
    return (slice(start, start + count) for start in range(0, len(X), count))


def _krylov(X: np.ndarray, mean: np.ndarray, p: int) -> np.ndarray:
    """The eigenvectors by the Lanczos method, for X with many rows and many columns."""
    d = X.shape[1]

    def product(v: np.ndarray) -> np.ndarray:
        u = X @ v - mean @ v
        return X.T @ u - mean * u.sum()

    operator: Any = LinearOperator((d, d), matvec=product, dtype=np.float64)
    return eigsh(operator, k=p, v0=np.ones(d))[1][:, ::-1]


def _check_points(X: np.ndarray) -> np.ndarray:
    X = np.asarray(X)
    if X.ndim != 2 or 0 in X.shape or X.dtype.kind not in "biuf":
        raise ValueError(f"layout: X is {X.dtype} of shape {X.shape}, expected samples × features")
    if not np.isfinite(X).all():
        raise ValueError("layout: X holds missing or infinite values")
    return X
