"""A drawing becomes a data set or is refused with a reason; planar data sets become drawings."""

import numpy as np
import pytest

from sslviz import data
from sslviz.data import drawings, uploads
from sslviz.data.dataset import Dataset

CROSS = [v for i in range(12) for v in (250 * i - 1500, 10 * i, 4 if i % 3 else 1)]


def rows(drawing: list[int] | None) -> np.ndarray:
    assert drawing is not None
    return np.array(drawing).reshape(-1, 3)


def plane(X, y) -> Dataset:
    return Dataset(np.array(X, float), np.array(y), "plane", "", tuple(map(str, range(max(y) + 1))))


def test_coordinates_are_thousandths_and_classes_have_no_gaps():
    d = drawings.dataset_of_drawing(CROSS)
    assert d.X.dtype == np.float64 and d.y.dtype == np.int64 and d.X.shape == (12, 2)
    assert d.X[:2].tolist() == [[-1.5, 0], [-1.25, 0.01]] and d.y[:4].tolist() == [0, 1, 1, 0]
    assert d.classes == ("class 1", "class 2") and len(d.y) == 12


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (None, "a list of whole numbers"),
        ({"points": CROSS}, "a list of whole numbers"),
        (CROSS[:-1], "a list of whole numbers"),
        ([*CROSS, 0.5, 0, 1], "whole numbers only"),
        ([*CROSS, "1", 0, 1], "whole numbers only"),
        ([*CROSS, True, 0, 1], "whole numbers only"),
        ([*CROSS, [1], 0, 1], "whole numbers only"),
        ([*CROSS, 3001, 0, 1], "outside the canvas"),
        ([*CROSS, 0, -2001, 1], "outside the canvas"),
        ([*CROSS, 10**30, 0, 1], "outside the canvas"),
        ([*CROSS, 0, 0, drawings.MAX_CLASSES], "its class is unknown"),
        ([*CROSS, 0, 0, -1], "its class is unknown"),
        ([], "at least 10, so far 0"),
        (CROSS[:27], "at least 10, so far 9"),
        ([0, 0, 2] * 20, "a second colour"),
        ([0, 0, 1] * (drawings.MAX_POINTS + 1), "at most 5,000 points; this one has 5,001"),
    ],
)
def test_anything_else_is_refused_with_a_reason(sent, message):
    with pytest.raises(ValueError, match=message):
        drawings.dataset_of_drawing(sent)


def test_the_largest_drawing_is_stored_and_read_back(tmp_path, monkeypatch):
    monkeypatch.setenv("SSLVIZ_CACHE", str(tmp_path))
    rng = np.random.default_rng(0)
    limits = [*(drawings.SPAN * drawings.UNIT).astype(int), 0]
    sent = rng.integers(
        np.negative(limits), [*limits[:2], 5], (drawings.MAX_POINTS, 3), endpoint=True
    )
    name = uploads.store(drawings.dataset_of_drawing(sent.ravel().tolist()), "drawing")
    d = data.load(name)
    assert name.startswith("drawing-") and name not in data.names()
    np.testing.assert_array_equal(np.rint(d.X * drawings.UNIT), sent[:, :2])
    np.testing.assert_array_equal(d.y, sent[:, 2])
    assert drawings.to_drawing(d) == sent.ravel().tolist()  # and back again


@pytest.mark.parametrize(
    "X",
    [
        [[0, 0], [1e6, 1e5]],
        [[1e-9, 0], [0, 3e-9]],
        [[-1e308, 5], [1e308, 5]],
        [[7, 7], [7, 7]],
        [[2.5, 0], [3.5, 1]],
    ],
)
def test_any_planar_points_are_shifted_and_scaled_onto_the_canvas(X):
    found = rows(drawings.to_drawing(plane(X, [0, 1])))[:, :2] / drawings.UNIT
    assert (np.abs(found) <= 0.9 * drawings.SPAN + 1e-3).all()
    np.testing.assert_allclose(found.sum(axis=0), 0, atol=2e-3)  # in the middle
    step, was = np.diff(found, axis=0)[0], np.diff(np.array(X) / 2, axis=0)[0]
    if was.any():  # both axes alike, and the canvas full
        assert np.abs(step @ [was[1], -was[0]]) <= 2e-3 * np.abs(was).sum()
        assert (np.abs(step) / drawings.SPAN).max() == pytest.approx(1.8, abs=2e-3)


def test_points_that_fit_the_canvas_keep_their_coordinates():
    moons = data.load("two_moons", n_samples=100, outliers=0)
    found = rows(drawings.to_drawing(moons))
    np.testing.assert_allclose(found[:, :2] / drawings.UNIT, moons.X, atol=5e-4 + 1e-12)
    np.testing.assert_array_equal(found[:, 2], moons.y)


def test_only_few_classes_of_a_plane_can_be_drawn():
    assert drawings.to_drawing(data.load("swiss_roll", n_samples=100)) is None
    X = np.random.default_rng(0).normal(size=(14, 2))
    assert drawings.to_drawing(plane(X, np.arange(14) % 7)) is None
    many = data.load("two_moons", n_samples=2 * drawings.MAX_POINTS)
    assert len(rows(drawings.to_drawing(many))) == drawings.MAX_POINTS


def test_every_shape_can_be_used_as_it_is():
    for name, shape in drawings.shapes().items():
        d = drawings.dataset_of_drawing(shape)
        assert d.n_classes == 2 and 100 <= d.n_samples <= 300, name
