"""The live picture of Home: labels spread over two moons.

It is played from a recording (assets/home.npz), so that the first page needs neither torch nor
scikit-learn. `python -m sslviz.ui.home` records it again.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from sslviz.figures.frames import set_frames
from sslviz.figures.maps.points import class_map, class_map_frames
from sslviz.paths import app_folder
from sslviz.stories.shelf import FIRST
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.stories.steps import apply_step

DATA_OPTIONS: dict[str, Any] = {"n_samples": 600, "noise": 0.08}
CLASSES = ("upper", "lower")
HEIGHT = 0.42  # of the window
HOW_TO_READ = (
    "- A **diamond** is a point whose label is given. All other labels are hidden and predicted.\n"
    "- A point's **colour** is its predicted class; mixed colours mean the method is unsure, grey "
    "means no prediction.\n"
    "- **Drag** to move; click into a picture and **scroll** to zoom; double-click to see all. "
    "The view is kept when a slider moves.\n"
    "- **Click** a point to see what its prediction depends on.\n"
    "- **Play** under a picture runs the method step by step; drag the bar to any step."
)


class HomeRecording(NamedTuple):
    """Label propagation from one label per moon, sweep by sweep."""

    points: np.ndarray  # (n, 2)
    y: np.ndarray  # (n,) -1 where hidden
    truth: np.ndarray  # (n,)
    iterations: np.ndarray  # (t,)
    F: np.ndarray  # (t + 1, n, 2) in 255ths; the limit comes last

    @property
    def accuracy(self) -> float:
        hidden = self.y < 0
        return float((self.F[-1].argmax(axis=1) == self.truth)[hidden].mean())


def record_home() -> HomeRecording:
    """Fit label propagation and record its sweeps."""
    import sslviz
    from sslviz.recordings.propagation import record_sweeps

    dataset = sslviz.data.load("two_moons", **DATA_OPTIONS)
    y = sslviz.labels.hide(dataset.y, per_class=1, random_state=0)
    iterations, _, sweeps = record_sweeps("LabelPropagation", {}, dataset.X, y)
    limit = sslviz.LabelPropagation().fit(dataset.X, y).label_distributions_
    F = np.rint(255 * np.concatenate([sweeps, limit[None]])).astype(np.uint8)
    return HomeRecording(dataset.X.astype(np.float32), y, dataset.y, iterations, F)


def recording_file() -> Path:
    return app_folder() / "assets" / "home.npz"


def load_recording() -> HomeRecording:
    with np.load(recording_file()) as file:
        return HomeRecording(*(file[name] for name in HomeRecording._fields))


def first_figure(recording: HomeRecording) -> go.Figure:
    """The map with a frame per sweep."""
    r = recording
    fig = class_map(r.points, r.F[-1].astype(float), r.y, CLASSES, uirevision="home")
    steps = [*(f"sweep {i}" for i in r.iterations), "the limit"]
    set_frames(fig, class_map_frames(list(r.F.astype(float)), steps, len(CLASSES)))
    return fig


def show_first_picture() -> None:
    """The picture with its player, and a text beside it on where to start."""
    recording = load_recording()
    wide, narrow = st.columns((2, 1), vertical_alignment="center")
    with wide:
        show_figure(
            first_figure(recording),
            key="home_map",
            height=HEIGHT,
            alt=f"Label propagation from 2 labels; accuracy {recording.accuracy:.1%}",
        )
    with narrow:
        st.subheader("Two labels, two moons")
        st.markdown(
            f"Two labels (the diamonds) and {len(recording.y) - 2} points without one. Press "
            "**Play** under the picture: each point repeatedly takes the mean of its neighbours, "
            "and the labels spread along the two moons. In the end "
            f"**{recording.accuracy:.1%}** of the hidden labels are right. A straight line between "
            "the two labels would cut through both moons."
        )
        st.button(
            "Start here: a tour in six steps",
            key="open.story.tour",
            icon=":material/menu_book:",
            type="primary",
            on_click=apply_step,
            args=(FIRST, 1),
        )
        st.page_link(
            "pages/propagation.py", label="Try it: Label propagation", icon=":material/play_arrow:"
        )


if __name__ == "__main__":
    np.savez_compressed(recording_file(), **record_home()._asdict())
