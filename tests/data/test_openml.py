"""OpenML is asked once; usable data are stored, the rest is refused with a reason."""

from concurrent.futures import ThreadPoolExecutor
from urllib.error import URLError

import numpy as np
import pytest
from scipy import sparse
from sklearn.utils import Bunch

from sslviz import data
from sslviz.data import npz_files, openml


@pytest.fixture
def cache(place):
    """The folder of downloads, not made yet."""
    return place.parent / "cache" / "data"


@pytest.fixture
def answers(monkeypatch):
    """Replaces the network: `answers(data=…)` sets the reply and returns the list of requests."""
    asked = []

    def set_reply(error=None, **changes):
        X = np.random.default_rng(0).random((6, 3))
        y = np.array(["no", "yes"] * 3, dtype=object)
        reply = {"data": X, "target": y, "feature_names": list("abc"), "categories": {}}

        def fetch_openml(**question):
            asked.append(question)
            if error:
                raise error
            return Bunch(**{**reply, **changes})

        monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch_openml)
        return asked

    return set_reply


def test_a_data_set_is_downloaded_once(cache, answers):
    asked = answers()
    messages = []
    first = data.load("blood-type", progress=messages.append)
    assert messages[0] == "Looking for 'blood-type' on OpenML" and "6 × 3" in messages[1]
    assert [p.name for p in cache.iterdir()] == ["blood-type.npz"]
    answers(error=URLError("offline"))
    second = data.load("blood-type")
    assert len(asked) == 1 and asked[0]["name"] == "blood-type"
    assert "blood-type" in data.names()
    assert (first.X == second.X).all() and (first.y == second.y).all()
    assert first.classes == second.classes == ("no", "yes")
    assert first.about == "6 points with 3 features and 2 classes, from OpenML."
    assert not list(npz_files.folder().iterdir())  # the user's own folder is only read


def test_a_number_is_the_id_of_the_data_set(cache, answers):
    asked = answers()
    data.load("41082", n_samples=4)
    assert asked[0]["data_id"] == 41082 and "name" not in asked[0]
    assert asked[0]["as_frame"] is False and asked[0]["cache"] is False, "no second copy on disk"


@pytest.mark.parametrize("error", [URLError("no route"), TimeoutError("no route")])
def test_without_a_network_the_error_names_the_places_searched(cache, answers, error):
    answers(error=error)
    message = r"'foo' is neither built in nor in .*data, and OpenML could not be reached; is .*\?$"
    with pytest.raises(ValueError, match=message) as caught:
        data.load("foo")
    assert isinstance(caught.value, ConnectionError) and not cache.exists()


def test_a_name_openml_does_not_know_is_refused(cache, answers):
    answers(error=ValueError("No active dataset foo found."))
    with pytest.raises(
        ValueError, match=r"'foo' is neither .* has no usable data set .* No active"
    ):
        data.load("foo")


def test_options_are_checked_before_anything_is_downloaded(cache, answers):
    asked = answers()
    for options in ({"noise": 1}, {"n_samples": 1}):
        with pytest.raises(ValueError, match="foo: "):
            data.load("foo", **options)
    assert asked == []
    assert data.about("foo") == "foo is not on this machine; it will be downloaded from OpenML."


def test_categories_become_columns_of_zeros_and_ones(cache, answers):
    X = np.column_stack([[0.5, 1, 2, 3, 4, 5], [0, 1, 2, 0, 1, 2], [1, 1, 0, 0, 1, 0]])
    answers(data=X, categories={"b": ["red", "green", "blue"], "class": ["no", "yes"]})
    d = data.load("foo")
    assert (d.X[:, 0] == X[:, 0]).all() and (d.X[:, 4] == X[:, 2]).all()
    assert (d.X[:, 1:4] == np.eye(3)[X[:, 1].astype(int)]).all()


def test_pixels_are_stored_as_bytes_and_sparse_data_made_dense(cache, answers):
    X = np.arange(18).reshape(6, 3) * 14.0
    answers(data=sparse.csr_matrix(X))
    d = data.load("foo")
    assert d.X.dtype == np.float32 and (d.X == X).all()
    with np.load(cache / "foo.npz") as file:
        assert file["X"].dtype == np.uint8


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"data": np.array([[1.0, np.nan, 0]] * 6)}, "foo: 6 of 6 points have missing values"),
        ({"data": np.full((6, 3), "x", dtype=object)}, "foo: some features are neither numbers"),
        ({"target": None}, "foo: OpenML does not give a single class column"),
        ({"target": np.ones((6, 2))}, "foo: OpenML does not give a single"),
        ({"target": np.linspace(0, 1, 6)}, "foo: y holds fractions .* regression"),
        ({"target": np.array(["a", None] * 3, dtype=object)}, "foo: some points have no class"),
    ],
)
def test_unusable_data_are_refused_and_not_stored(cache, answers, changes, message):
    answers(**changes)
    with pytest.raises(ValueError, match=message):
        data.load("foo")
    assert "foo" not in data.names()


def test_visitors_who_ask_at_once_share_one_download(cache, answers):
    asked = answers()
    with ThreadPoolExecutor(6) as pool:
        paths = set(pool.map(openml.download, ["blood-type"] * 6))
    assert len(asked) == 1 and paths == {cache / "blood-type.npz"}


def test_a_set_that_is_too_large_is_not_stored(cache, answers, monkeypatch):
    answers()
    monkeypatch.setattr(openml, "MAX_NUMBERS", 17)
    with pytest.raises(ValueError, match="it has 6 × 3 numbers, at most 17 are stored"):
        openml.download("blood-type")
    assert not cache.exists()
