"""The ground of a field: winners, shades, lines where the lead changes, films over it."""

import numpy as np
import pytest

from sslviz.figures.fields import FULL, LEVELS, boundaries, field_map, ground, leads, shades
from sslviz.figures.films import cloud_frames, ellipse, join_frames
from sslviz.figures.points import opinion_map

NAMES = ("a", "b", "c")


def axes(a: int = 5, b: int = 4) -> tuple[np.ndarray, np.ndarray]:
    return np.linspace(0, 1, a), np.linspace(0, 2, b)


@pytest.mark.parametrize("count", [3, 5])
def test_only_the_winner_leads_and_by_its_distance_to_the_second(count: int) -> None:
    scores = np.random.default_rng(0).normal(size=(50, count))
    lead = leads(scores)
    assert ((lead > 0).sum(axis=1) == 1).all()
    assert (lead.argmax(axis=1) == scores.argmax(axis=1)).all()
    ordered = np.sort(scores, axis=1)
    np.testing.assert_allclose(lead.max(axis=1), ordered[:, -1] - ordered[:, -2])


def test_a_signed_score_and_its_two_halves_lead_alike() -> None:
    f = np.random.default_rng(0).normal(size=30)
    np.testing.assert_array_equal(leads(f)[:, 1], f)
    np.testing.assert_allclose(leads(np.stack([-f / 2, f / 2], axis=1)), leads(f))


def test_shades_name_the_winner_and_grow_with_its_lead() -> None:
    lead = leads(np.array([[3.0, 0, 0], [0, 0.5, 0], [0, 0, 1e-9], [0, 0, 0], [np.nan] * 3]))
    number = shades(lead, full=1.0)
    assert number.dtype == np.uint8
    assert (
        number.tolist()
        == [LEVELS - 1, LEVELS + round(0.5 * (LEVELS - 1)), 2 * LEVELS] + [3 * LEVELS] * 2
    )
    assert shades(np.zeros((2, 40)), 1.0).dtype == np.uint16


def test_the_last_colour_of_the_ground_is_none() -> None:
    x, y = axes()
    trace = ground(np.zeros((4, 5), np.uint8), x, y, 3)
    assert len(trace.colorscale) == 3 * LEVELS + 1 and trace.zmax == 3 * LEVELS
    assert trace.colorscale[-1][1] == "rgba(0,0,0,0)"
    assert trace.colorscale[LEVELS - 1][1].endswith(f"{FULL:.3f})")


def test_two_classes_have_one_line_and_a_margin_many_a_line_each() -> None:
    x, y = axes()
    two = leads(np.random.default_rng(0).normal(size=20)).reshape(4, 5, 2)
    line, margin = boundaries(two, x, y, margin=True)
    assert (line.contours.start, line.contours.end) == (0, 0)
    assert (margin.contours.start, margin.contours.end, margin.contours.size) == (-1, 1, 2)
    np.testing.assert_allclose(line.z, two[..., 1].clip(-2, 2), rtol=1e-6)
    three = leads(np.random.default_rng(0).normal(size=(20, 3))).reshape(4, 5, 3)
    assert [t.showlegend for t in boundaries(three, x, y, margin=True)] == [True, False, False]


def test_the_points_come_first_and_the_ground_is_there() -> None:
    rng, (x, y) = np.random.default_rng(0), axes()
    points, F = rng.normal(size=(12, 2)), rng.dirichlet(np.ones(3), size=12)
    lead = leads(rng.normal(size=(20, 3))).reshape(4, 5, 3)
    mask = np.arange(12) < 4
    given = np.where(np.arange(12) < 3, np.arange(12), -1)
    fig = field_map(points, F, given, NAMES, cells=(lead, x, y), inside=mask, support=mask)
    assert len(fig.data[0].x) == 12
    assert {"ground", "boundary", "in the margin", "support vectors"} <= {t.name for t in fig.data}
    left, right = fig.layout.xaxis.range
    assert (left, right) == pytest.approx((-0.125, 1.125)), "no cell is cut off"
    plain = field_map(rng.normal(size=(12, 3)), F, given, NAMES)
    assert "ground" not in {t.name for t in plain.data}


def test_an_ellipse_is_where_the_distance_is_two() -> None:
    A = np.random.default_rng(0).normal(size=(2, 2))
    mean, S = np.array([3.0, -1.0]), A @ A.T
    z = ellipse(mean, S) - mean
    np.testing.assert_allclose(np.einsum("ni,ij,nj->n", z, np.linalg.inv(S), z), 4.0)


def test_a_film_moves_colours_ground_rings_and_ellipses() -> None:
    rng, (x, y) = np.random.default_rng(0), axes()
    points, F = rng.normal(size=(12, 2)), rng.dirichlet(np.ones(3), size=(2, 12))
    lead = leads(rng.normal(size=(20, 3))).reshape(4, 5, 3)
    fig = field_map(points, F[1], np.full(12, -1), NAMES, cells=(lead, x, y), lines=False)
    means, S = rng.normal(size=(2, 3, 2)), np.tile(np.eye(2), (2, 3, 1, 1))
    wrong = [np.arange(12) < 5, np.arange(12) < 2]
    grounds = [shades(lead, 1.0), shades(lead, 2.0)]
    cloud_frames(fig, ["one", "two"], list(F), (means, S), grounds, wrong)
    assert [f.name for f in fig.frames] == ["one", "two"]
    named = [fig.data[i].name for i in fig.frames[0].traces]
    assert named[:3] == ["points", "ground", "mistakes"] and len(named) == 6
    first = fig.frames[0].data
    np.testing.assert_array_equal(first[1].z, grounds[0])
    np.testing.assert_allclose(first[2].x, points[:5, 0], rtol=1e-6)
    np.testing.assert_allclose(first[3].x, ellipse(means[0, 0], S[0, 0])[:, 0], rtol=1e-6)


@pytest.mark.parametrize("dimensions", [2, 3])
def test_edges_join_frame_by_frame(dimensions: int) -> None:
    points, F = np.random.default_rng(0).normal(size=(4, dimensions)), np.eye(3)[[0, 1, 2, 0]]
    fig = opinion_map(points, F, np.array([0, 1, -1, -1]), NAMES)
    edges = np.array([[0, 1], [2, 3]])
    join_frames(fig, points, [("0", edges[:, :0], F), ("2", edges, F)])
    assert [len(f.data[1].x) for f in fig.frames] == [0, 6]
    np.testing.assert_allclose(fig.frames[1].data[1].x[:2], points[[0, 2], 0], rtol=1e-6)
