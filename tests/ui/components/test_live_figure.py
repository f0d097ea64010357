"""The figure's arguments: what is no height or no name is refused in words."""

import re

import plotly.graph_objects as go
import pytest

from sslviz.ui.components.legend import CLASS_GLYPHS
from sslviz.ui.components.live_figure import SCRIPTS, read_files, show_figure


@pytest.mark.parametrize("height", [0, 1, -5, 0.0, 1.5, "full"])
def test_a_height_is_pixels_a_share_or_fill(height):
    with pytest.raises(ValueError, match="neither pixels, nor a share"):
        show_figure(go.Figure(), key="figure", height=height)


def test_a_figure_needs_a_name():
    with pytest.raises(ValueError, match="key='' is not a name"):
        show_figure(go.Figure(), key="")


def test_scripts_define_no_name_twice_as_together_they_are_one_module():
    names = re.findall(
        r"^(?:async )?(?:class|function|const|let) (\w+)", read_files(*SCRIPTS), re.M
    )
    assert len(set(names)) == len(names)
    assert {"Player", "PointEvents", "LinkedView", "SharedMoment", "LiveFigure"} <= set(names)


def test_the_legend_of_several_maps_has_the_shapes_of_the_maps():
    (line,) = [
        line for line in read_files("shapes.js").splitlines() if "const CLASS_GLYPHS" in line
    ]
    assert re.findall(r'"(.)"', line) == list(CLASS_GLYPHS)
    assert len(set(CLASS_GLYPHS)) == len(CLASS_GLYPHS)
