"""The map of the page "Streams": points arrive, a few centroids stay."""

import numpy as np

from sslviz.figures.animated.stream import (
    BALL_COLOURS,
    RawFramesFigure,
    StreamFrame,
    stream_map,
)
from sslviz.figures.theme import ACCENT, UNDETERMINED
from sslviz.recordings.stream import Stream, StreamRecording
from sslviz.ui.stream.result import StreamResult

FRAMES_SHOWN = 500  # at most


def frame_steps(arrivals: int, stride: int) -> np.ndarray:
    """The steps that have a frame, the first and the last among them."""
    stride = max(stride, -(-arrivals // FRAMES_SHOWN))
    return np.unique([*range(0, arrivals + 1, stride), arrivals])


def steps_of(r: StreamResult) -> np.ndarray:
    return frame_steps(r.arrived, r.choice.stride)


def frames_of(film: StreamRecording, stream: Stream, steps: np.ndarray) -> list[StreamFrame]:
    """A frame for each of these steps, with the merges since the one before."""
    rows, frames = stream.covered, []
    for before, t in zip([0, *steps[:-1]], steps, strict=True):
        there = film.births[t] >= 0
        since = (film.merges[:, 0] > before) & (film.merges[:, 0] <= t)
        frames.append(
            StreamFrame(
                f"{t} arrived · {there.sum()} centroids",
                stream.start + int(t),
                rows[film.births[t][there]],
                film.sizes[t][there],
                film.predictions[t][there],
                float(film.radius[t]),
                rows[film.merges[since, 1:].T],
            )
        )
    return frames


def arrival_map(r: StreamResult) -> RawFramesFigure:
    """The arrivals so far, frame by frame."""
    film, stream, source = r.film, r.stream, r.source
    end = r.now.stop
    wrong = np.zeros(end, bool)
    wrong[r.now] = (film.labels != r.truth) & (r.truth >= 0)
    return stream_map(
        frames_of(film, stream, steps_of(r)),
        source.points[:end],
        np.concatenate([stream.target[: stream.start], film.labels]),
        stream.target[:end],
        len(source.classes),
        names=source.names[:end],
        balls=r.choice.balls,
        wrong=wrong if r.choice.mistakes else None,
        uirevision=f"{source.name}:{source.flat}",
    )


def legend_marks(r: StreamResult) -> dict[str, tuple[str, str]]:
    """The legend above the map; plotly's own would be drawn anew with every frame."""
    marks = {
        "given label": ("◆", "inherit"),
        "arriving": ("■", ACCENT),
        "centroid": ("⬤", UNDETERMINED),
    }
    for name in r.choice.balls[::-1]:
        marks[f"radius {name}"] = ("◯", BALL_COLOURS[name])
    return marks | ({"mistake": ("○", ACCENT)} if r.choice.mistakes else {})


def map_caption(r: StreamResult) -> str:
    """What the map shows."""
    choice, stride = r.choice, int(np.diff(steps_of(r)).max(initial=1))
    text = (
        "**Play** it. Squares with a red rim are arriving, in the colour of their predicted class; "
        "then they fade. Circles are the centroids, all that is kept of the unlabelled points: a "
        "larger one stands for more points; its colour is the class predicted for it now. Violet "
        "lines: merged just now. Grey: known before the stream, or without a prediction."
    )
    if choice.balls:
        text += " A point within **R** (violet) of its nearest centroid joins it"
        text += "; all that joined are within **2R** (grey)." if "2R" in choice.balls else "."
    elif choice.noise:
        text += f" The {choice.noise} random features are not drawn."
    elif not r.source.flat:
        text += " The map is a projection of many features, so no balls can be drawn."
    return f"{text} Each frame adds {stride} point{'s' if stride > 1 else ''}."


def alt_text(r: StreamResult) -> str:
    count = r.film.counts[-1]
    return f"{r.arrived} points of {r.source.name} have arrived; {count} centroids are left"
