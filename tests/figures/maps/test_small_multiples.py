"""Panels show signed values about zero, and similarities in the order of the classes."""

import numpy as np
import pytest

from sslviz.figures.maps.small_multiples import (
    MAX_PANELS,
    direction_images,
    direction_rows,
    field_panels,
    similarity_matrix,
)


def test_directions_are_images_with_a_symmetric_scale() -> None:
    rng = np.random.default_rng(0)
    directions = rng.normal(size=(3, 12))
    fig = direction_images(directions, (3, 4))
    for trace, row in zip(fig.data, directions, strict=True):
        np.testing.assert_allclose(np.asarray(trace.z), row.reshape(3, 4), rtol=1e-6)
        assert trace.zmax == -trace.zmin == pytest.approx(np.abs(row).max())
    assert fig.layout.yaxis2.autorange == "reversed" and fig.layout.yaxis2.scaleanchor == "x2"


def test_no_more_panels_than_can_be_seen() -> None:
    assert len(direction_images(np.ones((40, 4)), (2, 2)).data) == MAX_PANELS


def test_rows_of_directions_are_scaled_to_their_largest_entry() -> None:
    directions = np.array([[1.0, -4, 2], [0, 0, 0], [5, 0, 0]])
    (trace,) = direction_rows(directions).data
    np.testing.assert_allclose(np.asarray(trace.z), [[0.25, -1, 0.5], [0, 0, 0], [1, 0, 0]])
    np.testing.assert_array_equal(np.asarray(trace.customdata), directions)


def test_every_class_has_a_field_and_all_share_a_scale() -> None:
    rng = np.random.default_rng(1)
    x, y = np.linspace(0, 1, 5), np.linspace(0, 2, 4)
    fields = rng.normal(size=(4, 5, 3))
    points, given = rng.random((6, 2)), np.array([0, 1, 2, -1, -1, 1])
    fig = field_panels(fields, x, y, points, given, ("a", "b", "c"))
    contours = [t for t in fig.data if t.type == "contour"]
    for c, trace in enumerate(contours):
        np.testing.assert_allclose(np.asarray(trace.z), fields[:, :, c], rtol=1e-6)
        assert trace.zmax == -trace.zmin == np.abs(fields).max()
    assert len(contours) == 3
    dots, diamonds = fig.data[1:3]
    assert len(dots.x) == 2 and len(diamonds.x) == 4
    assert [a.text for a in fig.layout.annotations] == ["towards a", "towards b", "towards c"]


def test_similarities_are_sorted_by_class() -> None:
    rng = np.random.default_rng(2)
    group = rng.integers(0, 3, 50)
    Y = np.eye(3)[group]
    chosen = np.arange(0, 50, 2)
    fig = similarity_matrix(Y, group, ("a", "b", "c"), chosen)
    z, sizes = np.asarray(fig.data[0].z), np.bincount(group[chosen])
    blocks = np.repeat(np.arange(3), sizes)
    np.testing.assert_array_equal(z, 100 * (blocks[:, None] == blocks))
    assert len(fig.layout.shapes) == 4 and list(fig.layout.xaxis.ticktext) == ["a", "b", "c"]


def test_similarities_are_whole_percents_of_the_product() -> None:
    rng = np.random.default_rng(3)
    Y = rng.dirichlet(np.ones(4), 20)
    group = np.zeros(20, int)
    z = np.asarray(similarity_matrix(Y, group, ("a", "b", "c", "d"), np.arange(20)).data[0].z)
    assert z.dtype == np.uint8
    np.testing.assert_array_equal(np.sort(z.ravel()), np.sort(np.rint(100 * Y @ Y.T).ravel()))
