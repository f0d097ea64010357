"""Layouts: PCA agrees with scikit-learn by every algorithm, UMAP separates groups."""

import os
import subprocess
import sys

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.manifold import trustworthiness

from sslviz.data import layout as module
from sslviz.data.layout import layout, pca_layout, umap_layout


def points(n, d, dtype=np.float64):
    rng = np.random.default_rng(n + d)
    scale = np.linspace(3, 1, d)
    return (100 + rng.standard_normal((n, d)) @ np.diag(scale) * 5).astype(dtype)


def up_to_sign(Z, reference):
    return Z * np.sign((Z * reference).sum(axis=0))


SHAPES = [(200, 30), (30, 200), (50, 50), (2, 5), (40, 2)]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.uint8])
@pytest.mark.parametrize("shape", SHAPES)
def test_pca_is_scikit_learns_up_to_sign(shape, dtype):
    X = points(*shape, dtype=dtype)
    X.flags.writeable = False
    Z = pca_layout(X)
    reference = PCA(2, svd_solver="full").fit_transform(X.astype(np.float64))
    np.testing.assert_allclose(up_to_sign(Z, reference), reference, atol=1e-8)
    assert Z.dtype == np.float64


@pytest.mark.parametrize("shape", SHAPES[:3])
def test_all_algorithms_give_the_same_directions(shape, monkeypatch):
    X = points(*shape)
    Z = pca_layout(X, dimensions=3)
    monkeypatch.setattr(module, "DENSE_LIMIT", 10)  # now the Lanczos method
    np.testing.assert_allclose(pca_layout(X, dimensions=3), Z, atol=1e-7)
    monkeypatch.undo()
    monkeypatch.setattr(module, "CHUNK_BYTES", 1)  # now row by row
    np.testing.assert_allclose(pca_layout(X, dimensions=3), Z, atol=1e-8)


def test_signs_do_not_depend_on_the_order_of_points():
    X = points(80, 12)
    order = np.random.default_rng(0).permutation(80)
    np.testing.assert_allclose(pca_layout(X[order]), pca_layout(X)[order], atol=1e-9)


def test_the_largest_loading_is_positive():
    X = points(60, 5) * [1, 1, 50, 1, 1]
    Z = pca_layout(X, dimensions=1)
    assert np.corrcoef(Z[:, 0], X[:, 2])[0, 1] > 0.99
    Z = pca_layout(-X, dimensions=1)
    assert np.corrcoef(Z[:, 0], -X[:, 2])[0, 1] > 0.99


def test_coordinates_beyond_the_rank_are_zero():
    line = np.outer(np.arange(10.0), [3, 4])
    np.testing.assert_allclose(pca_layout(line)[:, 0], (np.arange(10) - 4.5) * 5, atol=1e-12)
    for X in (line, line[:, :1], line.repeat(20, axis=1), np.ones((6, 4))):
        Z = pca_layout(X, dimensions=3)
        assert Z.shape == (len(X), 3) and np.abs(Z[:, 1:]).max() < 1e-6


def test_two_or_three_features_are_their_own_layout():
    for d in (2, 3):
        X = points(20, d)
        assert (layout(X) == X).all() and (layout(X, "raw") == X).all()
    X = points(20, 7)
    assert (layout(X) == pca_layout(X)).all()
    assert (layout(X, "pca", dimensions=3) == pca_layout(X, dimensions=3)).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: layout(points(9, 7), "raw"), "kind='raw' needs 2 or 3 features, X has 7"),
        (lambda: layout(points(9, 7), "tsne"), "kind='tsne' is not in 'raw' or 'pca' or 'umap'"),
        (lambda: pca_layout(points(9, 7), dimensions=4), r"=4 is not a whole number in \[1, 3\]"),
        (lambda: pca_layout(np.ones(5)), "expected samples × features"),
        (lambda: pca_layout(np.full((5, 5), np.nan)), "missing or infinite"),
        (lambda: umap_layout(points(9, 7), n_neighbors=9), r"n_neighbors=9 is not in \[2, 8\]"),
        (lambda: umap_layout(points(9, 7), n_neighbors=1), "=1 is not a whole number in"),
    ],
)
def test_invalid_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


UMAP = """
import numpy as np
from sslviz.data.layout import umap_layout
X = np.random.default_rng(0).normal(size=(16, 5)) + 10 * (np.arange(16) % 2)[:, None]
Z, again = (umap_layout(X, n_neighbors=4, random_state=1) for _ in range(2))
assert Z.shape == (16, 2) and Z.dtype == np.float64 and (Z == again).all()
apart = np.linalg.norm(Z[::2].mean(axis=0) - Z[1::2].mean(axis=0))
print(apart / max(Z[::2].std(), Z[1::2].std()))
"""


def test_umap_separates_two_groups_and_the_seed_determines_the_layout():
    # Compiling would take longer than these few points take uncompiled.
    path = os.pathsep.join(p for p in sys.path if p)
    env = {**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", UMAP], capture_output=True, text=True, env=env, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) > 1.5


def test_neighbours_of_large_sets_are_searched_here_and_the_map_keeps_them(monkeypatch):
    import numba

    compiler, X = numba.njit, points(150, 4)
    monkeypatch.setattr(module, "SEARCHED_FROM", 100)
    Z = umap_layout(X, random_state=3)
    assert numba.njit is compiler, "only UMAP's kernels are kept"
    assert Z.shape == (150, 2) and np.isfinite(Z).all()
    assert trustworthiness(X, Z, n_neighbors=10) > 0.85
    np.testing.assert_array_equal(Z, umap_layout(X, random_state=3))
