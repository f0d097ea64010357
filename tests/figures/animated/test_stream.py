"""The animated map of a stream, by its numbers."""

import base64
import json

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.animated.stream import (
    RECENT_ARRIVALS,
    StreamFrame,
    ages,
    centroid_sizes,
    stream_map,
)

POINTS = np.random.default_rng(0).normal(size=(300, 2))
PREDICTED = np.arange(300) % 3 - 1
GIVEN = np.where(np.isin(np.arange(300), (0, 1, 200)), np.arange(300) % 2, -1)
FRAMES = [
    StreamFrame(
        "0 arrived", 10, np.arange(10), np.ones(10, int), PREDICTED[:10], 0.1, np.empty((2, 0), int)
    ),
    StreamFrame(
        "290 arrived",
        300,
        np.array([4, 250]),
        np.array([260, 37]),
        np.array([1, -1]),
        0.5,
        np.array([[7, 9], [4, 4]]),
    ),
]
TYPES = {"f4": np.float32, "u1": np.uint8, "u2": np.uint16, "i4": np.int32}


def drawn(**options) -> go.Figure:
    names = np.arange(1000, 1300, dtype=np.int32)
    return stream_map(FRAMES, POINTS, PREDICTED, GIVEN, 2, names=names, **options)


def decoded(value: dict | list) -> np.ndarray:
    if isinstance(value, list):  # an empty one
        return np.array(value)
    return np.frombuffer(base64.b64decode(value["bdata"]), TYPES[value["dtype"]])


def frames(fig: go.Figure) -> list[dict[str, dict]]:
    """Traces by name, at each frame."""
    figure = json.loads(fig.to_json())
    return [
        {figure["data"][at].get("name", "rim"): change for at, change in
         zip(frame["traces"], frame["data"], strict=True)}
        for frame in figure["frames"]
    ]  # fmt: skip


def test_the_figure_is_its_last_frame():
    fig = drawn(balls=("2R", "R"), wrong=PREDICTED == 0)
    figure = json.loads(fig.to_json())
    assert [f["name"] for f in figure["frames"]] == ["0 arrived", "290 arrived"]
    last = figure["frames"][-1]
    for at, change in zip(last["traces"], last["data"], strict=True):
        assert figure["data"][at]["type"] == change["type"]
        if "x" in change:
            np.testing.assert_array_equal(
                np.asarray(fig.data[at].x, np.float32), decoded(change["x"])
            )


def test_points_to_come_are_clear_and_those_that_came_fade():
    fig = drawn()
    first, last = (decoded(f["points"]["marker"]["color"]) for f in frames(fig))
    assert (first[10:] == 0).all() and (first[:10] > 0).all() and (last > 0).all()
    scale = [colour for _, colour in fig.data[0].marker.colorscale]
    assert scale[0] == "rgba(0,0,0,0)" and len(scale) == 1 + 4 * 3
    assert scale[last[299]].endswith(",1.0)") and scale[last[0]].endswith(",0.22)")
    same = PREDICTED == PREDICTED[299]
    assert scale[last[299]].rsplit(",", 1)[0] == scale[last[same][0]].rsplit(",", 1)[0]


def test_ages_are_zero_before_the_arrival_and_grow_after_it():
    age = ages(250, 300)
    assert (age[250:] == 0).all() and (np.diff(age[:250]) <= 0).all()
    assert (age[0], age[249]) == (4, 1)


def test_balls_are_named_by_centre_and_radius_and_drawn_without_webgl():
    for name, factor in (("R", 1), ("2R", 2)):
        fig = drawn(balls=(name,))
        assert fig.data[0].type == "scatter"
        for shot, frame in zip(FRAMES, frames(fig), strict=True):
            ring = frame[f"balls of radius {name}"]
            at = np.column_stack([decoded(ring["x"]), decoded(ring["y"])])
            np.testing.assert_array_equal(at, POINTS[shot.centroids].astype(np.float32))
            assert ring["meta"]["radius"] == factor * shot.radius


def test_centroids_have_sizes_names_and_the_colour_of_their_opinion():
    centroid = frames(drawn())[1]["centroids"]
    assert list(decoded(centroid["customdata"])) == [1004, 1250]
    assert list(decoded(centroid["text"])) == [260, 37]
    assert list(decoded(centroid["marker"]["color"])) == [1, 2]
    assert list(centroid_sizes(np.array([1, 0, 0]))) == [34, 7, 7]
    assert (np.diff(centroid_sizes(np.arange(1, 9))) >= 0).all()


def test_merges_arrivals_mistakes_and_labels_are_those_of_the_frame():
    first, last = frames(drawn(wrong=PREDICTED == 0))
    assert len(decoded(first["merged just now"]["x"])) == 0
    x = decoded(last["merged just now"]["x"]).reshape(-1, 3)
    np.testing.assert_allclose(x[:, :2], POINTS[FRAMES[1].changed.T, 0], rtol=1e-6)
    assert list(decoded(last["arriving"]["customdata"])) == list(
        range(1300 - RECENT_ARRIVALS, 1300)
    )
    assert len(decoded(first["mistakes"]["x"])) == (PREDICTED[:10] == 0).sum()
    assert list(decoded(first["given labels"]["customdata"])) == [1000, 1001]
    assert list(decoded(last["given labels"]["customdata"])) == [1000, 1001, 1200]


def test_many_classes_need_wider_numbers():
    many = stream_map(
        FRAMES, POINTS, np.arange(300) % 90, GIVEN, 90, names=np.arange(300, dtype="i4")
    )
    code = decoded(frames(many)[1]["points"]["marker"]["color"])
    assert code.dtype == np.uint16 and code.max() <= 4 * 91


def test_one_shot_is_no_film_and_arrays_come_back():
    names = np.arange(300, dtype=np.int32)
    fig = stream_map(FRAMES[:1], POINTS, PREDICTED, GIVEN, 2, names=names)
    assert not fig.frames
