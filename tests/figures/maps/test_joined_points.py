"""Points that join the labelled: crosses appear frame by frame, rings around wrong ones."""

import numpy as np
import plotly.graph_objects as go
import pytest

from sslviz.figures.maps.joined_points import add_joined, joined_frames
from sslviz.figures.maps.points import class_map, class_map_frames


@pytest.mark.parametrize("dimensions", [2, 3])
def test_marks_of_a_frame_are_those_of_its_moment(dimensions):
    points = np.random.default_rng(0).normal(size=(4, dimensions))
    F = np.full((2, 4, 2), 0.5)
    joined = np.array([[False, False, False, False], [True, True, False, False]])
    wrong = np.array([[False, False, True, True], [False, True, True, True]])
    fig = class_map(points, F[-1], np.array([-1, -1, 0, 1]), ("a", "b"))
    fig.frames = class_map_frames(list(F), ["start", "round 1"], 2, dimensions)
    add_joined(fig, points, joined[-1], wrong[-1])
    joined_frames(fig, points, joined, wrong)
    crosses, rings = fig.data[-2:]
    assert marked(crosses) == [0, 1] and marked(rings) == [1]
    for frame, expected in zip(fig.frames, ([[], []], [[0, 1], [1]]), strict=True):
        traces = dict(zip(frame.traces, frame.data, strict=True))
        number = len(fig.data) - 2
        assert [marked(traces[number]), marked(traces[number + 1])] == expected
        assert 0 in traces, "colours of the points change too"


def marked(trace: go.Scattergl) -> list[int]:
    return np.flatnonzero(np.isfinite(np.asarray(trace.x, float))).tolist()
