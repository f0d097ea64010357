"""Parquet, npz, MATLAB files, zips of images, sparse matrices."""

import io

import numpy as np
import pytest
from own_files import book_mat, digits_zip, npz_of, png, wine_parquet, zip_of
from scipy import sparse
from scipy.io import savemat

from sslviz import data
from sslviz.data import uploads


def dataset(name: str, content: bytes, **choices: object) -> data.Dataset:
    raw = uploads.read(content, name)
    meaning = uploads.understand(raw, uploads.Choices(**choices))
    return uploads.dataset_of(raw, meaning, "own")


def test_a_parquet_table_is_read_exactly():
    d, wine = dataset("wine.parquet", wine_parquet()), data.load("wine")
    assert np.array_equal(d.X, wine.X) and np.array_equal(d.y, wine.y) and d.classes == wine.classes


def test_parquet_columns_of_all_kinds():
    import pandas as pd

    table = pd.DataFrame(
        {
            "whole": pd.array([1, None, 3, 5], dtype="Int64"),
            "flag": [True, False, True, True],
            "word": ["a", None, "b", "a"],
            "day": pd.to_datetime(["2020-01-01"] * 4),
            "list": [[1], [2], [3], [4]],
            "class": pd.Categorical(["u", "v", "u", None]),
        }
    )
    file = io.BytesIO()
    table.to_parquet(file)
    raw = uploads.read(file.getvalue(), "a.parquet")
    assert raw.columns["word"].tolist() == ["a", "", "b", "a"] and "list" not in raw.names
    assert np.isnan(raw.columns["whole"][1]) and raw.columns["flag"].tolist() == [1, 0, 1, 1]
    assert raw.columns["class"].tolist() == ["u", "v", "u", ""]
    assert "2020-01-01" in raw.columns["day"][0] and "1 column of lists" in raw.notes[0]


def test_an_archive_names_its_classes_and_those_without_points_are_dropped():
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = np.where(np.arange(60) < 6, -1, np.arange(60) % 2 * 2)
    d = dataset("a.npz", npz_of(X=X, y=y, classes=["a", "b", "c"], about="mine"))
    assert d.classes == ("a", "c") and d.known.sum() == 54 and d.about.startswith("mine")
    assert np.array_equal(d.X, X)


def test_images_in_an_archive_keep_their_shape():
    images = np.random.default_rng(0).integers(0, 255, (20, 5, 4)).astype(np.uint8)
    d = dataset("a.npz", npz_of(X=images, y=np.arange(20) % 2))
    assert d.image_shape == (5, 4) and d.X.dtype == np.float32
    assert np.array_equal(d.X, images.reshape(20, 20))


def test_an_archive_without_labels_is_unlabelled():
    d = dataset("a.npz", npz_of(X=np.random.default_rng(0).normal(size=(9, 2))))
    assert not d.known.any() and d.n_classes == 2


def test_a_file_of_the_ssl_book_has_splits():
    d, wine = dataset("book.mat", book_mat()), data.load("wine")
    assert np.array_equal(d.X, wine.X[wine.y < 2]) and d.classes == ("-1", "1") and d.known.all()
    rows = d.splits["idxLabs_10"]
    assert rows.shape == (12, 10) and rows.min() >= 0 and rows.max() < d.n_samples
    assert all(len(np.unique(d.y[r])) == 2 for r in rows)


def test_a_matlab_matrix_may_be_sparse_or_stand_on_its_side():
    X = np.random.default_rng(0).poisson(0.3, (7, 40)).astype(float)
    for stored in (X, X.T, sparse.csc_matrix(X)):
        file = io.BytesIO()
        savemat(file, {"X": stored, "y": np.array([[1, 2, 1, 2, 1, 2, 1]]).T})
        assert np.array_equal(dataset("a.mat", file.getvalue()).X, X)


def test_matlab_files_of_version_73_are_refused():
    with pytest.raises(ValueError, match=r"version 7\.3, which is not read; save it with"):
        uploads.read(b"MATLAB 7.3 MAT-file" + bytes(600), "a.mat")


@pytest.mark.parametrize("prefix", ["", "X_"])
def test_a_sparse_archive_becomes_dense_and_says_so(prefix):
    X = sparse.random(30, 50, 0.1, format="csr", random_state=0)
    parts = {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": np.array(X.shape)}
    content = npz_of(y=np.arange(30) % 3, **{f"{prefix}{k}": v for k, v in parts.items()})
    d = dataset("a.npz", content)
    assert np.array_equal(d.X, X.toarray()) and "90.0% zeros" in d.about


def test_a_wide_sparse_matrix_is_reduced_by_svd_and_says_so():
    from scipy.sparse.linalg import svds

    X = sparse.random(150, 25_000, 0.002, format="csr", random_state=0)
    file = io.BytesIO()
    sparse.save_npz(file, X)
    d = dataset("a.npz", file.getvalue())
    assert d.X.shape == (150, 100) and "reduced to 100 features by truncated SVD" in d.about
    u, s, _ = svds(X, 100, random_state=0)
    assert np.allclose(d.X @ d.X.T, (u * s**2) @ u.T, atol=1e-8)


def test_images_in_folders_become_grey_rows_labelled_by_folder():
    d, digits = dataset("digits.zip", digits_zip()), data.load("digits", n_samples=300)
    assert d.image_shape == (8, 8) and d.classes == tuple("0123456789") and d.known.all()
    order = np.argsort([f"digits/{c}/{i}.png" for i, c in enumerate(digits.y)])
    assert np.array_equal(d.X, digits.X[order] * 15) and np.array_equal(d.y, digits.y[order])
    assert d.notes is not None and d.notes[0].startswith("file: 0/")


def test_images_of_several_sizes_are_resized_and_say_so():
    grey = np.arange(64 * 40).reshape(64, 40) % 250
    files = {
        "a/1.png": png(grey),
        "a/2.png": png(grey[:50]),
        "b/1.png": png(grey),
        "c.png": png(grey),
    }
    d = dataset("a.zip", zip_of(files | {"notes.txt": b"hello", "__MACOSX/a/1.png": b""}))
    assert d.image_shape == (32, 20) and d.classes == ("a", "b")
    assert d.known.tolist() == [True, True, True, False], "an image outside of folders"
    assert "50 × 40 to 64 × 40 pixels are turned to grey and resized to 32 × 20" in d.about
    assert "Left out: 1 file without an image" in d.about
