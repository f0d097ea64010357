"""Tables of the dictionary systems: all of them with the papers' numbers, on the printed draws."""

import numpy as np
import pytest

from sslviz import data
from sslviz.experiments.papers import TABLES, dictionary_systems
from sslviz.experiments.sampling import draw, points

EVERY_SYSTEM = ("dictionary_usps", "dictionary_mnist", "dictionary_faces")


def test_every_system_says_how_well_it_is_known_in_every_table() -> None:
    for name in EVERY_SYSTEM:
        methods = TABLES[name].methods
        assert [m.title for m in methods[1:]] == list(dictionary_systems.SYSTEMS), name
    for name in (*EVERY_SYSTEM, "dictionary_halves"):
        for method in TABLES[name].methods[1:]:
            assert any(word in method.definition for word in ("certain", "printed", "guess"))


def test_the_two_variants_of_lc_ksvd_are_not_the_same() -> None:
    first, second = dictionary_systems.systems({}, ("LC-KSVD1", "LC-KSVD2"))
    assert first.estimator == second.estimator and first.params != second.params


def test_printed_per_cents_become_accuracies() -> None:
    known = dictionary_systems.percent({"JDL": (85.3, 1.6), "SRC": (90.0,)})
    assert known["JDL"] == pytest.approx((0.853, 0.016)) and known["SRC"] == (0.9, None)


@pytest.mark.skipif("yaleb" not in data.names(), reason="yaleb.npz is not in $SSLVIZ_DATA")
def test_faces_are_drawn_as_printed() -> None:
    for row, labels in zip(TABLES["dictionary_faces"].rows, (2, 5, 10), strict=True):
        sample = draw(points(row), row, 0)
        assert sample.X.shape == (38 * 20, 300) and len(sample.y_test) == 2414 - 760
        assert (np.bincount(sample.given[sample.given >= 0]) == labels).all()
        np.testing.assert_allclose(np.linalg.norm(sample.X, axis=1), 2)
