"""The map of queries: diamonds one by one, a ring around the newest, colours of the benefit."""

import numpy as np

from sslviz.figures.animated.queries import query_map
from sslviz.figures.theme import class_colours, css_of

POINTS = np.arange(8.0).reshape(4, 2)
TRUTH, GIVEN = np.array([0, 1, 1, 0]), np.array([0, -1, -1, -1])
PROBABILITIES = [np.eye(2)[TRUTH]] * 3


def drawn(**options):
    return query_map(
        POINTS,
        PROBABILITIES,
        GIVEN,
        TRUTH,
        [2, 3],
        ("a", "b"),
        ["before", "1", "2"],
        facts=["f"] * 4,
        uirevision="v",
        **options,
    )


def test_a_diamond_stays_from_its_query_on_and_the_newest_is_ringed():
    fig = drawn()
    asked, last = ([list(f.data[i].x) for f in fig.frames] for i in (1, 2))
    assert asked == [[], [4.0], [4.0, 6.0]] and last == [[], [4.0], [6.0]]
    colours = [css_of(c) for c in class_colours(2)]
    assert list(fig.frames[2].data[1].marker.color) == [colours[1], colours[0]]
    traces = {t.name: t for t in fig.data}
    assert list(traces["queries"].x) == [4.0, 6.0] and list(traces["newest query"].x) == [6.0]


def test_benefits_share_one_scale_and_given_points_are_pale():
    help = [np.array([np.nan, 3.0, 2.0, 1.0]), np.array([np.nan, 1.0, np.nan, 0.5])]
    fig = drawn(help=[*help, help[1]])
    markers = [f.data[0].marker for f in fig.frames]
    assert {(m.cmin, m.cmax) for m in markers} == {(0.0, 1.0)}
    np.testing.assert_allclose(np.square(markers[0].color), np.array([0, 3, 2, 1]) / 3, atol=1e-6)
    np.testing.assert_allclose(np.square(markers[1].color), np.array([0, 1, 0, 0.5]) / 3, atol=1e-6)
