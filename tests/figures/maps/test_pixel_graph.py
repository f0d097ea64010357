"""A graph of pixels: lines end at the pixels they join."""

import numpy as np

from sslviz.figures.maps.pixel_graph import pixel_graph


def test_lines_join_pixels_and_heavier_ones_are_wider():
    image = np.array([0.0, 1.0, -2.0, 0.5, 0.0, 0.0])
    edges, weights = np.array([[0, 5], [1, 4]]), np.array([1.0, 0.1])
    fig = pixel_graph(image, (2, 3), edges, weights)
    np.testing.assert_array_equal(fig.data[0].z, image.reshape(2, 3))
    assert fig.data[0].zmin == -2 and fig.data[0].zmax == 2
    light, heavy = fig.data[1:]
    np.testing.assert_array_equal(np.asarray(light.x)[:2], [1, 1])
    np.testing.assert_array_equal(np.asarray(heavy.y)[:2], [0, 1])
    assert np.isnan(np.asarray(heavy.x)[2]) and heavy.line.width > light.line.width


def test_without_edges_there_is_the_image():
    fig = pixel_graph(np.zeros(4), (2, 2), np.empty((0, 2), int), np.empty(0))
    assert len(fig.data) == 1
