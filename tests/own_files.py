"""Files as visitors bring them, made when a test runs: tables, arrays, images."""

import io
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from PIL import Image

from sslviz import data

BOOK_LABELS, BOOK_SPLITS = 10, 12  # of the files of the SSL book


def table_rows(X: np.ndarray, labels: Any) -> list[list[str]]:
    """Rows of a table: a header, then features and label of every point."""
    header = [*(f"feature {j}" for j in range(X.shape[1])), "class"]
    return [header, *([*map(str, x), str(c)] for x, c in zip(X.tolist(), labels, strict=True))]


def csv_text(rows: list[list[str]], delimiter: str = ",") -> str:
    return "\n".join(delimiter.join(row) for row in rows) + "\n"


def labels_of(dataset: data.Dataset, kept: float = 1.0) -> list[str]:
    """Names of the classes; "" for most points if `kept` is a small share."""
    hidden = np.random.default_rng(0).random(dataset.n_samples) >= kept
    names = [dataset.classes[c] for c in dataset.y]
    return ["" if h else name for h, name in zip(hidden, names, strict=True)]


def wine_csv(kept: float = 1.0, missing: float = 0.0) -> bytes:
    """The wine table with a share of its labels, and a share of its cells empty."""
    wine = data.load("wine")
    rows = table_rows(wine.X, labels_of(wine, kept))
    empty = np.random.default_rng(1).random(wine.X.shape) < missing
    for row, gaps in zip(rows[1:], empty, strict=True):
        row[:-1] = ["" if gap else cell for cell, gap in zip(row[:-1], gaps, strict=True)]
    return csv_text(rows).encode()


def wine_unlabelled_csv() -> bytes:
    wine = data.load("wine")
    return csv_text([row[:-1] for row in table_rows(wine.X, wine.y)]).encode()


def german_csv() -> bytes:
    """Semicolons, decimal commas, umlauts in Latin-1."""
    wine = data.load("wine")
    rows = table_rows(wine.X, (("Süd", "Nord", "West")[c] for c in wine.y))
    rows = [
        rows[0],
        *([*(cell.replace(".", ",") for cell in row[:-1]), row[-1]] for row in rows[1:]),
    ]
    return csv_text([["Größe", *rows[0][1:]], *rows[1:]], ";").encode("latin-1")


def letters_csv(count: int = 60) -> bytes:
    """Short letters about the sea or the mountains, every third of them without its class."""
    rng = np.random.default_rng(0)
    topics = {
        "sea": "the boat left harbour with sails in wind and waves, saw an island",
        "mountains": "the climber left the hut with rope and ice axe, saw a summit in snow",
    }
    rows = ["date,letter,class"]
    for i in range(count):
        topic = list(topics)[i % 2]
        words = rng.choice(topics[topic].split(), 9).tolist()
        rows.append(f'May {i % 28 + 1},"{" ".join(words)}",{topic if i % 3 else ""}')
    return "\n".join(rows).encode()


def wine_parquet() -> bytes:
    import pandas as pd

    wine = data.load("wine")
    table = pd.DataFrame(wine.X, columns=[f"feature {j}" for j in range(13)])
    table["class"] = labels_of(wine)
    file = io.BytesIO()
    table.to_parquet(file)
    return file.getvalue()


def book_mat() -> bytes:
    """Two growers of the wine table in the layout of the SSL book, with splits."""
    from scipy.io import savemat

    wine = data.load("wine")
    two = wine.y < 2
    X, y = wine.X[two], 2 * wine.y[two] - 1
    rng = np.random.default_rng(0)
    splits = np.array([_both_classes(rng, y) for _ in range(BOOK_SPLITS)])
    file = io.BytesIO()
    savemat(file, {"X": X, "y": y[:, None], "idxLabs": splits + 1}, do_compression=True)
    return file.getvalue()


def _both_classes(rng: np.random.Generator, y: np.ndarray) -> np.ndarray:
    while True:
        rows = rng.permutation(len(y))[:BOOK_LABELS]
        if len(np.unique(y[rows])) == 2:
            return rows


def digits_zip(count: int = 300) -> bytes:
    """Digits as PNG images of 8 × 8 pixels in a folder for each class."""
    digits = data.load("digits", n_samples=count)
    images = {
        f"digits/{c}/{i}.png": png(x.reshape(8, 8) * 15)
        for i, (x, c) in enumerate(zip(digits.X, digits.y, strict=True))
    }
    return zip_of(images)


def png(grey: np.ndarray) -> bytes:
    file = io.BytesIO()
    Image.fromarray(grey.astype(np.uint8)).save(file, "PNG")
    return file.getvalue()


def zip_of(files: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def npz_of(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()
