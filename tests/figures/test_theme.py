"""Colours show class probabilities, and classes can be told apart."""

import numpy as np
import pytest
from figures.colours import seen

from sslviz.figures.theme import (
    OKABE_ITO,
    UNDETERMINED,
    class_colours,
    css_of,
    empty_map,
    log_axis,
    mixed_colours,
    scatter,
)


def test_pure_rows_have_exactly_the_colour_of_their_class() -> None:
    colours = class_colours(12)
    expected = [css_of(c) for c in colours]
    assert seen(mixed_colours(np.eye(12), colours)) == expected
    assert seen(mixed_colours(1e-200 * np.eye(12), colours)) == expected
    assert expected[: len(OKABE_ITO)] == [c.lower() for c in OKABE_ITO]


def test_every_colour_tells_the_class_of_its_points() -> None:
    F = np.random.default_rng(0).random((500, 5)) ** 4
    F[:20] = 0
    marker = mixed_colours(F, class_colours(5))
    classes = np.array(marker["colorbar"]["title"]["text"].split(), int)
    assert len(classes) == len(marker["colorscale"]) and not marker["showscale"]
    expected = np.where(F.any(axis=1), F.argmax(axis=1), -1)
    np.testing.assert_array_equal(classes[marker["color"]], expected)


def test_zero_rows_are_grey() -> None:
    assert seen(mixed_colours(np.zeros((3, 4)), class_colours(4))) == [UNDETERMINED.lower()] * 3


@pytest.mark.parametrize(("count", "power"), [(2, 1), (5, 2)])
def test_mixed_rows_have_the_mean_colour_by_shares_or_their_squares(count: int, power: int) -> None:
    rng = np.random.default_rng(0)
    colours, F = class_colours(count), rng.random((40, count))
    weights = F**power / (F**power).sum(axis=1, keepdims=True)
    for text, row in zip(seen(mixed_colours(F, colours)), weights, strict=True):
        found = [int(text[i : i + 2], 16) for i in (1, 3, 5)]
        np.testing.assert_allclose(found, row @ colours, atol=2.0001)


def test_the_largest_of_many_classes_can_be_read_from_the_colour() -> None:
    colours, F = class_colours(10), np.full((10, 10), 0.06) + 0.4 * np.eye(10)  # .46 of all
    for winner, text in enumerate(seen(mixed_colours(F, colours))):
        found = [int(text[i : i + 2], 16) for i in (1, 3, 5)]
        assert np.linalg.norm(colours - found, axis=1).argmin() == winner


def test_the_mixture_does_not_depend_on_number_type_or_scale() -> None:
    colours = class_colours(3)
    F = np.array([[1, 1, 0], [0, 0, 2]])
    expected = seen(mixed_colours(F, colours))
    assert (
        seen(mixed_colours(F.astype(np.float32), colours))
        == seen(mixed_colours(F * 0.5, colours))
        == expected
    )


def test_a_logarithmic_axis_without_values_has_no_ticks() -> None:
    assert log_axis(np.array([np.nan, 0.0])) == {"type": "log", "showticklabels": False}
    assert 1 in log_axis(np.ones(1))["tickvals"]


@pytest.mark.parametrize("count", [0, 1, 2, 7, 40])
def test_there_are_as_many_colours_as_classes(count: int) -> None:
    colours = class_colours(count)
    assert colours.shape == (count, 3) and ((colours >= 0) & (colours <= 255)).all()
    np.testing.assert_array_equal(colours, class_colours(60)[:count])  # more classes change none


def test_forty_classes_have_forty_colours_none_of_them_grey() -> None:
    colours = np.vstack([class_colours(40), [[0x8C] * 3]])
    apart = np.linalg.norm(colours[:, None] - colours, axis=2)
    np.fill_diagonal(apart, np.inf)
    assert apart.min() > 10


@pytest.mark.parametrize("dimensions", [2, 3])
def test_maps_keep_their_scales_equal_and_their_zoom(dimensions: int) -> None:
    layout = empty_map("kept", dimensions).layout
    assert layout.uirevision == "kept"
    if dimensions == 2:
        assert layout.yaxis.scaleanchor == "x" and layout.xaxis.visible is False
    else:
        assert layout.scene.aspectmode == "data" and layout.scene.zaxis.visible is False


def test_three_dimensional_markers_are_drawn_smaller() -> None:
    marker = {"size": np.array([4.0, 8.0])}
    flat, deep = (scatter(np.zeros((2, d)), mode="markers", marker=marker) for d in (2, 3))
    assert flat.type == "scattergl" and deep.type == "scatter3d"
    ratio = np.asarray(deep.marker.size) / np.asarray(flat.marker.size)
    assert ratio[0] == ratio[1] < 1
    assert marker["size"].tolist() == [4, 8]
