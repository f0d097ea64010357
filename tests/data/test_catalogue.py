"""Users read titles, class names and descriptions, not names of files."""

import numpy as np
import pytest

from sslviz import data
from sslviz.data import uploads
from sslviz.data.catalogue import FACTS


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("two_moons", "Two moons"),
        ("wine", "Wine"),
        ("mnist_5k", "MNIST, 5,000 images"),
        ("my_table", "My table"),
        ("my_table-0123456789ab", "my table (your own)"),
    ],
)
def test_every_name_has_a_title(name, title):
    assert data.title(name) == title


def test_all_titles_differ_and_all_descriptions_are_sentences(place):
    names = {*data.names(), *FACTS}
    assert len({data.title(name) for name in names}) == len(names)
    assert all(fact.about.endswith(".") for fact in FACTS.values())


def test_an_upload_is_called_by_its_file(place):
    name = uploads.store_upload("my flowers.csv", b"a,class\n1,x\n2,y\n3,x\n")
    assert data.title(name) == "my flowers (your own)"


def test_classes_of_known_files_have_names_unless_the_file_names_them(place):
    X, y = np.arange(12.0).reshape(6, 2), np.array([1, 2, 10, 1, 2, 10])
    np.savez(place / "usps_11000.npz", X=X, y=y)
    np.savez(place / "orl.npz", X=X, y=y)
    np.savez(place / "unknown.npz", X=X, y=y)
    assert data.load("usps_11000").classes == ("1", "2", "0")
    assert data.load("orl").classes == ("person 1", "person 2", "person 10")
    assert data.about("orl") == data.load("orl").about == FACTS["orl"].about
    assert data.load("unknown").classes == ("1", "2", "10")
    np.savez(place / "orl.npz", X=X, y=y % 3, classes=np.array(["Ann", "Bob", "Eve"]))
    assert data.load("orl").classes == ("Ann", "Bob", "Eve")
