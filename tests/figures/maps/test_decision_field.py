"""The ground of a field: winners, shades, lines where the lead changes, films over it."""

import numpy as np
import pytest

from sslviz.figures.maps.decision_field import (
    MAX_OPACITY,
    SHADE_COUNT,
    add_clicked,
    background_shades,
    boundaries,
    field_map,
    ground,
    margins_over_runner_up,
    outline,
)

NAMES = ("a", "b", "c")


def axes(a: int = 5, b: int = 4) -> tuple[np.ndarray, np.ndarray]:
    return np.linspace(0, 1, a), np.linspace(0, 2, b)


@pytest.mark.parametrize("count", [3, 5])
def test_only_the_winner_leads_and_by_its_distance_to_the_second(count: int) -> None:
    scores = np.random.default_rng(0).normal(size=(50, count))
    lead = margins_over_runner_up(scores)
    assert ((lead > 0).sum(axis=1) == 1).all()
    assert (lead.argmax(axis=1) == scores.argmax(axis=1)).all()
    ordered = np.sort(scores, axis=1)
    np.testing.assert_allclose(lead.max(axis=1), ordered[:, -1] - ordered[:, -2])


def test_a_signed_score_and_its_two_halves_lead_alike() -> None:
    f = np.random.default_rng(0).normal(size=30)
    np.testing.assert_array_equal(margins_over_runner_up(f)[:, 1], f)
    np.testing.assert_allclose(
        margins_over_runner_up(np.stack([-f / 2, f / 2], axis=1)), margins_over_runner_up(f)
    )


def test_shades_name_the_winner_and_grow_with_its_lead() -> None:
    lead = margins_over_runner_up(
        np.array([[3.0, 0, 0], [0, 0.5, 0], [0, 0, 1e-9], [0, 0, 0], [np.nan] * 3])
    )
    number = background_shades(lead, full=1.0)
    assert number.dtype == np.uint8
    assert (
        number.tolist()
        == [
            SHADE_COUNT - 1,
            SHADE_COUNT + round(0.5 * (SHADE_COUNT - 1)),
            2 * SHADE_COUNT,
        ]
        + [3 * SHADE_COUNT] * 2
    )
    assert background_shades(np.zeros((2, 40)), 1.0).dtype == np.uint16


def test_the_last_colour_of_the_ground_is_none() -> None:
    x, y = axes()
    trace = ground(np.zeros((4, 5), np.uint8), x, y, 3)
    assert len(trace.colorscale) == 3 * SHADE_COUNT + 1 and trace.zmax == 3 * SHADE_COUNT
    assert trace.colorscale[-1][1] == "rgba(0,0,0,0)"
    assert trace.colorscale[SHADE_COUNT - 1][1].endswith(f"{MAX_OPACITY:.3f})")


def test_two_classes_have_one_line_and_a_margin_many_a_line_each() -> None:
    x, y = axes()
    two = margins_over_runner_up(np.random.default_rng(0).normal(size=20)).reshape(4, 5, 2)
    line, margin = boundaries(two, x, y, margin=True)
    assert (line.contours.start, line.contours.end) == (0, 0)
    assert (margin.contours.start, margin.contours.end, margin.contours.size) == (-1, 1, 2)
    np.testing.assert_allclose(line.z, two[..., 1].clip(-2, 2), rtol=1e-6)
    three = margins_over_runner_up(np.random.default_rng(0).normal(size=(20, 3))).reshape(4, 5, 3)
    assert [t.showlegend for t in boundaries(three, x, y, margin=True)] == [True, False, False]


def test_the_points_come_first_and_the_ground_is_there() -> None:
    rng, (x, y) = np.random.default_rng(0), axes()
    points, F = rng.normal(size=(12, 2)), rng.dirichlet(np.ones(3), size=12)
    lead = margins_over_runner_up(rng.normal(size=(20, 3))).reshape(4, 5, 3)
    mask = np.arange(12) < 4
    given = np.where(np.arange(12) < 3, np.arange(12), -1)
    fig = field_map(points, F, given, NAMES, cells=(lead, x, y), inside=mask, support=mask)
    assert len(fig.data[0].x) == 12
    assert {"ground", "boundary", "in the margin", "support vectors"} <= {t.name for t in fig.data}
    left, right = fig.layout.xaxis.range
    assert (left, right) == pytest.approx((-0.125, 1.125)), "no cell is cut off"
    plain = field_map(rng.normal(size=(12, 3)), F, given, NAMES)
    assert "ground" not in {t.name for t in plain.data}


def test_marks_differ_in_form_and_not_in_colour_alone() -> None:
    rng, some = np.random.default_rng(0), np.arange(12) < 4
    for dimensions in (2, 3):
        points, F = rng.normal(size=(12, dimensions)), rng.dirichlet(np.ones(3), size=12)
        marks = {"wrong": some, "inside": some, "support": some}
        fig = field_map(points, F, np.full(12, -1), NAMES, **marks)
        add_clicked(fig, points, 5, np.array([], int), np.array([]))
        form = {t.name: t.marker.symbol for t in fig.data if t.showlegend is not False}
        rings = form["mistakes"], form["in the margin"]
        assert set(rings) == {"circle-open"}, "of which a picture has only one kind"
        assert len({*rings, form["support vectors"], form["selected point"]}) == 3
        assert (fig.data[-1].x[0], fig.data[-1].y[0]) == pytest.approx(tuple(points[5, :2]))


def test_buttons_stand_beside_the_legend() -> None:
    fig = field_map(np.zeros((3, 2)), np.eye(3), np.full(3, -1), NAMES)
    assert fig.layout.modebar.orientation == "v" and fig.layout.margin.r >= 30


def test_the_outline_of_a_straight_field_is_its_line() -> None:
    x, y = axes(9, 7)
    field = np.add.outer(-2 * y, 3 * x) + 0.7
    line = outline(margins_over_runner_up(field.ravel()).reshape(7, 9, 2), x, y)
    at, ends = line[~np.isnan(line[:, 0])], line.reshape(-1, 3, 2)
    np.testing.assert_allclose(3 * at[:, 0] - 2 * at[:, 1] + 0.7, 0, atol=1e-12)
    assert np.isnan(ends[:, 2]).all() and not np.isnan(ends[:, :2]).any()
    length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).sum()
    assert length == pytest.approx(np.hypot(1, 1.5)), "from (0, 0.35) to (1, 1.85), once"


def test_of_many_classes_every_boundary_is_in_the_outline() -> None:
    x, y = axes(30, 30)
    places = np.stack(np.meshgrid(x, y), axis=-1)
    middle = np.array([[0.1, 0.2], [0.9, 0.4], [0.5, 1.8]])
    scores = -np.square(places[:, :, None] - middle).sum(axis=-1)
    lead = margins_over_runner_up(scores.reshape(-1, 3)).reshape(30, 30, 3)
    line = outline(lead, x, y)
    near = np.sort(np.linalg.norm(line[~np.isnan(line[:, 0]), None] - middle, axis=-1), axis=1)
    assert np.median(near[:, 1] - near[:, 0]) < 1e-6, "as far from two middles, save at corners"
    owner = np.linalg.norm(line[~np.isnan(line[:, 0]), None] - middle, axis=-1).argmax(axis=1)
    assert set(owner) == {0, 1, 2}, "each pair of classes has its part"
    nothing = np.stack([np.ones((30, 30)), -np.ones((30, 30))], axis=-1)
    assert outline(nothing, x, y).shape == (0, 2)
