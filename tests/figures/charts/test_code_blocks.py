"""Charts of codes by class: every weight in its place."""

import numpy as np

from sslviz.figures.charts.code_blocks import (
    CodePanel,
    code_panels,
    group_map,
    objective_and_codes,
)
from sslviz.figures.charts.codes import FULL_COLOUR


def test_panels_have_points_sorted_by_class_and_atoms_in_one_order():
    group, owner = np.array([1, 0, 1]), np.array([1, 0])
    Q = (group[:, None] == owner).astype(float)
    panels = (
        CodePanel("A", -2 * Q, group),
        CodePanel("Q", Q, group),
        CodePanel("B", Q[:1], group[:1]),
    )
    fig = code_panels(panels, ("a", "b"), np.array([1, 0]))
    codes, ideal, one = (np.asarray(trace.z) for trace in fig.data)
    np.testing.assert_array_equal(ideal > 0, [[True, False, False], [False, True, True]])
    np.testing.assert_array_equal(codes, -ideal)
    np.testing.assert_array_equal(one > 0, [[False], [True]])
    assert ideal.max() >= FULL_COLOUR and list(fig.layout.xaxis.ticktext) == ["a", "b"]
    assert [text.text for text in fig.layout.annotations] == ["A", "Q", "B"]


def test_atoms_of_groups_are_sorted_by_use_and_an_unused_one_is_blank():
    start, end = np.ones((2, 3)), np.array([[0.0, 4.0, 0.0], [0.0, 1.0, 2.0]])
    fig = group_map([start, end], ["a", "unlabelled"], ["start", "round 1"])
    shown = np.asarray(fig.data[0].z)
    np.testing.assert_array_equal(shown > 0, [[True, False, False], [True, True, False]])
    assert shown.max() == 100 and [f.name for f in fig.frames] == ["start", "round 1"]
    assert (np.asarray(fig.frames[0].data[0].z) == 50).all(), "one scale for all frames: √(1/4)"


def test_the_size_of_codes_starts_one_round_before_the_objective():
    fig = objective_and_codes(np.array([5.0, -7.0]), np.array([3.0, 2.0, 1.0]))
    assert list(fig.data[0].x) == [1, 2] and list(fig.data[1].x) == [0, 1, 2]
    np.testing.assert_array_equal(fig.data[0].y, [5, -7])
    assert len(objective_and_codes(np.empty(0), np.array([3.0])).data[1].x) == 1
    fading = objective_and_codes(np.array([5.0, -7.0]), np.array([3.0, 1e-3, 1e-6]))
    assert fading.layout.yaxis2.type == "log" and fig.layout.yaxis2.type is None


def test_with_a_unit_small_values_are_nearly_transparent():
    values, group = np.array([[1.0, 0.04, -0.5]]), np.array([0])
    panels = (CodePanel("Q", values, group, 1.0), CodePanel("A", values, group))
    shown, roots = code_panels(panels, ("a",), np.arange(3)).data[:2]
    assert np.ravel(shown.z).tolist() == [100, 4, -50] and shown.zmax == 100
    assert np.ravel(roots.z)[1] == 20 and roots.zmax < 100
