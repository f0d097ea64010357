"""What the browser gets of a figure is what plotly.py would have written."""

import json

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.frames import set_frames
from sslviz.ui.components.figure_message import figure_json, pack, unpack


def example() -> go.Figure:
    x = np.linspace(0, 1, 5)
    fig = go.Figure(layout={"title": "a\nb", "meta": {"key": [["é", "#000000"]]}})
    fig.add_scatter(x=x, y=x.astype(np.float32), text=np.array(["a", "b", "c", "d", "e"]))
    fig.add_heatmap(z=np.arange(6).reshape(2, 3), customdata=np.arange(3) * 10**5)
    change = {"type": "scatter", "y": x[::-1], "marker": {"size": np.float32(2.5)}}
    set_frames(fig, [{"name": "0", "traces": [0], "data": [change]}])
    return fig


def test_the_message_holds_what_plotly_writes_itself() -> None:
    fig = example()
    found = unpack(pack({"name": "map", "alt": "two\nlines"}, fig))
    assert (found["name"], found["alt"]) == ("map", "two\nlines")
    assert found["figure"] == json.loads(fig.to_json())


def test_what_is_not_a_number_becomes_null_in_lists() -> None:
    fig = go.Figure(go.Scatter(y=[1.0, float("nan")]))
    assert json.loads(figure_json(fig))["data"][0]["y"] == [1.0, None]


def test_sending_a_figure_does_not_change_it() -> None:
    fig = example()
    before = fig.to_json()
    pack({}, fig)
    assert fig.to_json() == before
