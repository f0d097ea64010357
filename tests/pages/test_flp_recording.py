"""The film of FLP on its page: it keeps its place, and words fit what moves in it."""

from base64 import b64decode
from typing import Any

import numpy as np
import pytest
from pages.opening import opened
from pages.test_flp import ALL_GIVEN, WINE, said
from streamlit.testing.v1 import AppTest

from sslviz.ui.components.figure_message import unpack


def drawn(app: AppTest, key: str) -> tuple[tuple[int, ...], dict[str, Any]]:
    """Where on the page a live figure is, and the figure."""

    def search(block: Any, place: tuple[int, ...]) -> Any:
        for i, child in block.children.items():
            if hasattr(child, "children"):
                yield from search(child, (*place, i))
            elif child.type == "bidi_component" and child.proto.id.endswith(f"-{key}"):
                yield (*place, i), unpack(child.proto.bytes)["figure"]

    ((place, figure),) = search(app.main, ())
    return place, figure


def test_the_picture_keeps_its_place_whatever_is_said_above_it():
    few = {"flp.part": "Directions"}
    quiet = opened("flp", **WINE | few)
    assert not quiet.warning
    place, figure = drawn(quiet, "flp_map")
    for url, words in (
        (WINE | {"wine.standardise": "false"}, "times the standard deviation"),
        (WINE | {"FLP.mode": "printed"}, "A perfect objective"),
        ({"FLP.n_components": "9"}, "the data span only 2"),
        (ALL_GIVEN, "Every label is given"),
    ):
        app = opened("flp", **url | few)
        assert words in said(app)
        there, other = drawn(app, "flp_map")
        assert there == place
        # another map, or the same in other units: a zoom into one is no place in the other
        assert other["layout"]["uirevision"] != figure["layout"]["uirevision"]


def test_a_zoom_outlasts_the_width_and_the_fixed_map():
    views = [
        drawn(opened("flp", **WINE | change), "flp_map")[1]["layout"]["uirevision"]
        for change in ({}, {"FLP.width": "100.0"}, {"FLP.mode": "fixed"})
    ]
    assert len(set(views)) == 1


def test_what_belongs_to_the_end_of_the_film_says_so():
    app = opened("flp", **WINE)
    assert any(s.value.endswith(", at the end") for s in app.subheader)
    assert "bars and sentences are those of the end" in said(app)
    texts = drawn(app, "flp_map")[1]["data"][0]["text"]
    assert all("<br>at the end: " in text for text in texts)


@pytest.mark.parametrize(
    ("mode", "played"),
    [("recipe", "labels change, then the projection"),
     ("printed", "the projection changes, then labels"),
     ("fixed", "labels change, and the projection stays")],
)  # fmt: skip
def test_what_play_shows_is_what_moves(mode, played):
    assert f"**Press Play**: {played}" in said(opened("flp", **WINE | {"FLP.mode": mode}))


def test_with_every_label_given_nothing_is_said_of_labels_that_move():
    app = opened("flp", **ALL_GIVEN)
    assert "**Press Play**: the projection changes." in said(app)
    assert "blue line" not in said(app) and "shrink away" not in said(app)
    assert [t["name"] for t in drawn(app, "flp_harmony")[1]["data"]] == ["H, relative to its start"]
    still = said(opened("flp", **ALL_GIVEN | {"FLP.mode": "fixed"}))
    assert "Press Play" not in still and "Nothing changes: H stays" in still


@pytest.mark.parametrize(("labels", "explained"), [("2", True), ("9", False)])
def test_where_the_curve_of_nca_ends_is_explained(labels, explained):
    app = opened("flp", **WINE | {"labels": labels, "flp.part": "Dimensions"})
    assert ("principal components of the 6 labelled points" in said(app)) == explained
    (nca,) = [t for t in drawn(app, "flp_dims_0")[1]["data"] if t["name"] == "NCA"]
    dimensions, shares = (np.frombuffer(b64decode(nca[a]["bdata"]), nca[a]["dtype"]) for a in "xy")
    assert dimensions[np.isfinite(shares)].max() == (6 if explained else 10)
