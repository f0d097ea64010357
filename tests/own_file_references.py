"""What the files of own_files.py hold, computed without sslviz's readers: features, true classes.

The reference for what a page shows of an uploaded file. Classes are in the order of their names, as
`np.unique` gives them; features have the same scale.
"""

import csv
import io
from collections.abc import Callable

import numpy as np
import own_files
from sklearn.preprocessing import StandardScaler

from sslviz import LabelPropagation, data, labels

Reference = tuple[np.ndarray, np.ndarray]  # X (n, d), y (n,) with -1 where unknown


def of_csv(content: bytes, delimiter: str = ",", encoding: str = "utf-8") -> Reference:
    """A table with the class in its last column; gaps are the median of their column."""
    rows = list(csv.reader(io.StringIO(content.decode(encoding)), delimiter=delimiter))[1:]
    cells = [[float(c.replace(",", ".")) if c else np.nan for c in row[:-1]] for row in rows]
    X = np.array(cells)
    X = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    names = sorted({row[-1] for row in rows} - {""})
    y = np.array([names.index(row[-1]) if row[-1] else -1 for row in rows])
    return StandardScaler().fit_transform(X), y


def of_book() -> Reference:
    wine = data.load("wine")
    two = wine.y < 2
    return StandardScaler().fit_transform(wine.X[two]), wine.y[two]


def of_digits(count: int = 300) -> Reference:
    """Images in the order of their names in the archive."""
    digits = data.load("digits", n_samples=count)
    order = sorted(range(count), key=lambda i: f"digits/{digits.y[i]}/{i}.png")
    return digits.X[order], digits.y[order]


REFERENCES: dict[str, Callable[[], Reference]] = {
    "wine_few_labels.csv": lambda: of_csv(own_files.wine_csv(kept=0.1)),
    "wine_missing.csv": lambda: of_csv(own_files.wine_csv(missing=0.05)),
    "wein.csv": lambda: of_csv(own_files.german_csv(), ";", "latin-1"),
    "wine.parquet": lambda: of_csv(own_files.wine_csv()),
    "book.mat": of_book,
    "digits.zip": of_digits,
}


def reference_accuracy(name: str) -> float:
    """Label propagation from three labels per class, on the other known points."""
    X, truth = REFERENCES[name]()
    y = labels.hide(truth, per_class=3, random_state=0)
    held_out = (y < 0) & (truth >= 0)
    return float((LabelPropagation().fit(X, y).transduction_ == truth)[held_out].mean())
