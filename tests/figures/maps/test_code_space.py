"""Maps of codes, fakes, features and decoded points."""

import numpy as np

from sslviz.figures.maps.code_space import (
    CodeFrame,
    codes_map,
    decoded_plane,
    entropy_map,
    features_map,
)

RNG = np.random.default_rng(0)


def frame(name: str) -> CodeFrame:
    codes = RNG.normal(size=(20, 2))
    F = np.eye(3)[RNG.integers(3, size=20)]
    return CodeFrame(name, codes, F, codes[:2], np.stack([np.eye(2)] * 2), np.array([2, 0]))


def test_ellipses_have_the_colours_of_their_clusters_and_move_with_the_codes() -> None:
    frames = [frame("a"), frame("b")]
    fig = codes_map(frames, 3, uirevision="codes")
    assert len(fig.data) == 3 and [f.name for f in fig.frames] == ["a", "b"]
    colours = [t.line.color for t in fig.data[1:]]
    assert len(set(colours)) == 2 and [d.line.color for d in fig.frames[1].data[1:]] == colours
    middle = np.array([fig.data[1].x[:-1].mean(), fig.data[1].y[:-1].mean()])
    np.testing.assert_allclose(middle, frames[1].means[0], atol=1e-5)
    low, high = fig.layout.xaxis.range
    assert all(low < f.codes[:, 0].min() and f.codes[:, 0].max() < high for f in frames)
    assert not codes_map(frames[:1], 3, uirevision="codes").frames


def test_fakes_lie_over_the_entropy() -> None:
    x, y = np.arange(4.0), np.arange(3.0)
    steps = [(n, RNG.random((3, 4)), RNG.normal(size=(7, 2))) for n in "ab"]
    fig = entropy_map(RNG.normal(size=(9, 2)), steps, x, y, uirevision="fakes")
    np.testing.assert_array_equal(fig.data[0].z, np.rint(100 * steps[1][1]))
    assert [t.name for t in fig.data[1:]] == ["fakes", "real points"] and len(fig.frames) == 2


def test_features_of_periods_are_frames() -> None:
    steps = [(n, RNG.normal(size=(9, 2)), np.eye(2)[RNG.integers(2, size=9)]) for n in "abc"]
    assert len(features_map(steps, uirevision="features").frames) == 3


def test_decoded_centres_are_crosses_in_their_colours() -> None:
    points, order = RNG.normal(size=(9, 2)), np.arange(3)
    fig = decoded_plane(points, points[:3], order, points[:5], 3, uirevision="decoded")
    assert len(fig.data) == 3 and len(set(fig.data[2].marker.color)) == 3
