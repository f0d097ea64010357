"""An animated projection: marks move with their points, on axes that stay the same."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from figures.colours import seen

from sslviz.figures.animated.projection import (
    LABELS_WITH_REACH,
    MIN_SIZE,
    SIZE_LEVELS,
    ProjectionFrame,
    animated_projection,
    influence_sizes,
)
from sslviz.figures.theme import class_colours, mixed_colours

N, T = 40, 3


def drawn(dimensions: int, n_given: int = 3, reach: float | None = 0.5, **options: Any) -> tuple:
    rng = np.random.default_rng(0)
    stills = [
        ProjectionFrame(
            f"step {t}",
            (1 + t) * rng.normal(size=(N, dimensions)),
            rng.dirichlet(np.ones(3), size=N),
            rng.random(N),
            reach,
            wrong=rng.random(N) < 0.3,
            links=(np.array([4, 5, 6]), np.array([0.6, 0.3, 0.05])),
        )
        for t in range(T)
    ]
    given = np.full(N, -1)
    given[:n_given] = np.arange(n_given) % 3
    rows = np.arange(N) % 3
    fig = animated_projection(stills, given, ("a", "b", "c"), rows=rows, **options)
    return stills, rows, fig


def at_frame(fig: go.Figure, t: int) -> dict[int, Any]:
    """The changed traces of a frame, by their number."""
    return dict(zip(fig.frames[t].traces, fig.frames[t].data, strict=True))


every = pytest.mark.parametrize("dimensions", [1, 2, 3])


@every
def test_the_first_trace_holds_every_point_in_every_frame(dimensions: int) -> None:
    stills, rows, fig = drawn(dimensions)
    assert list(fig.data[0].customdata) == list(range(N))
    assert [f.name for f in fig.frames] == ["step 0", "step 1", "step 2"]
    for t, still in enumerate(stills):
        trace = at_frame(fig, t)[0]
        np.testing.assert_allclose(trace.x, still.places[:, 0], rtol=1e-6)
        if dimensions == 1:  # below the line of its row
            assert ((-rows - trace.y > 0) & (-rows - trace.y < 0.5)).all()
        for axis, letter in list(enumerate("xyz"))[1:dimensions]:
            np.testing.assert_allclose(trace[letter], still.places[:, axis], rtol=1e-6)
        assert seen(trace.marker) == seen(mixed_colours(still.F, class_colours(3)))
        np.testing.assert_array_equal(trace.marker.size, influence_sizes(still.influence))
    np.testing.assert_array_equal(fig.data[0].x, at_frame(fig, T - 1)[0].x)


@every
def test_the_axes_hold_all_frames(dimensions: int) -> None:
    stills, _, fig = drawn(dimensions)
    axes = fig.layout.scene if dimensions == 3 else fig.layout
    for i, axis in list(enumerate("xyz"))[:dimensions]:
        low, high = axes[f"{axis}axis"].range
        values = np.concatenate([s.places[:, i] for s in stills])
        assert low < values.min() and high > values.max()
        assert high - low < 1.2 * np.ptp(values)
    assert all(frame.layout.xaxis.range is None for frame in fig.frames)


@every
def test_given_labels_mistakes_and_lines_move_with_their_points(dimensions: int) -> None:
    stills, _, fig = drawn(dimensions, clicked=7)
    number = {t.name: i for i, t in enumerate(fig.data) if t.name}
    for t, still in enumerate(stills):
        frame = at_frame(fig, t)
        points = frame[0]
        np.testing.assert_array_equal(frame[number["given labels"]].x, points.x[:3])
        rings = frame[number["mistakes"]]
        np.testing.assert_array_equal(np.isfinite(rings.x), still.wrong)
        lines = [frame[i] for i, d in enumerate(fig.data) if d.mode == "lines" and i in frame]
        ends = [tuple(line.x[:2]) for line in lines if len(line.x) == 3]
        for other in (4, 5, 6):
            assert (points.x[7], points.x[other]) in ends


def test_a_larger_weight_has_a_thicker_line() -> None:
    _, _, fig = drawn(2, clicked=7)
    lines = [d for d in fig.data if d.mode == "lines" and d.name is None]
    assert [len(d.x) for d in lines] == [3, 3, 3]
    assert [d.x[1] for d in lines] == [fig.data[0].x[i] for i in (6, 5, 4)]
    assert lines[0].line.width < lines[1].line.width < lines[2].line.width


def test_the_kernel_width_is_the_radius_of_circles_around_given_labels() -> None:
    _, _, fig = drawn(2, n_given=2)
    (reach,) = [d for d in fig.data if d.name == "width of the kernel"]
    first = np.isnan(reach.x).argmax()
    centre = np.array([fig.data[0].x[0], fig.data[0].y[0]])
    away = np.hypot(reach.x[:first] - centre[0], reach.y[:first] - centre[1])
    np.testing.assert_allclose(away, 0.5, rtol=1e-5)
    assert np.isnan(reach.x).sum() == 2


@pytest.mark.parametrize("reach", [0.01, 0.5, 5.0])
def test_a_circle_of_any_size_looks_round(reach: float) -> None:
    _, _, fig = drawn(2, n_given=1, reach=reach)
    (ring,) = [d for d in fig.data if d.name == "width of the kernel"]
    outline = np.stack([ring.x, ring.y], axis=1)[:-1].astype(float)
    centre = np.array([fig.data[0].x[0], fig.data[0].y[0]], float)
    middle = (outline[1:] + outline[:-1]) / 2  # of a side: its innermost point
    inside = reach - np.linalg.norm(middle - centre, axis=1)
    width = max(np.ptp(fig.layout.xaxis.range), np.ptp(fig.layout.yaxis.range))
    assert inside.max() < 1.1e-4 * width  # a tenth of a pixel


def test_the_kernel_width_in_a_strip_is_drawn_on_both_sides() -> None:
    _, _, fig = drawn(1, n_given=1)
    (reach,) = [d for d in fig.data if d.name == "width of the kernel"]
    x = fig.data[0].x[0]
    np.testing.assert_allclose(reach.x[:2], [x - 0.5, x + 0.5], rtol=1e-5)


@pytest.mark.parametrize(("dimensions", "reach", "count"), [(3, 0.5, 3), (2, None, 3), (2, 1, 31)])
def test_some_maps_show_no_kernel_width(dimensions, reach, count) -> None:
    assert count <= LABELS_WITH_REACH or count == LABELS_WITH_REACH + 1
    _, _, fig = drawn(dimensions, n_given=count, reach=reach)
    assert "width of the kernel" not in {d.name for d in fig.data}


def test_a_strip_counts_every_point_of_a_row_in_every_frame() -> None:
    stills, rows, fig = drawn(1)
    ridges = [i for i, d in enumerate(fig.data) if d.fill == "toself"]
    assert len(ridges) == 3 and all(fig.data[i].type == "scatter" for i in ridges)
    for t, still in enumerate(stills):
        for g, i in enumerate(ridges):
            outline = at_frame(fig, t)[i]
            count = np.histogram(still.places[rows == g, 0], 60, fig.layout.xaxis.range)[0]
            height = (np.asarray(outline.y) + g)[1:-2:2]
            np.testing.assert_allclose(height * count.max() / height.max(), count, atol=1e-4)


def test_points_with_little_influence_are_small_and_none_vanishes() -> None:
    size = influence_sizes(np.array([0, 0.001, 0.01, 0.1, 1, 4, 100])) / SIZE_LEVELS
    assert size[0] == size[1] == size[2] == pytest.approx(MIN_SIZE, abs=1 / SIZE_LEVELS)
    assert size[2] < size[3] < size[4] == 1 < size[5] == size[6] < 1.5


def test_a_single_frame_is_not_animated() -> None:
    stills, rows, _ = drawn(2)
    fig = animated_projection(stills[:1], np.full(N, -1), ("a", "b", "c"), rows=rows)
    assert not fig.frames and "given labels" not in {d.name for d in fig.data}
