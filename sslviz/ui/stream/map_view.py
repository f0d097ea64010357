"""The map of the page "Streams": points arrive, a few centroids stay."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.animated.stream import (
    BALL_COLOURS,
    StreamFrame,
    stream_map,
)
from sslviz.figures.theme import ACCENT, DIFFERENCE, UNDETERMINED
from sslviz.recordings.stream import Stream, StreamRecording
from sslviz.ui.stream.result import StreamResult

FRAMES_SHOWN = 500  # at most


def frame_steps(arrivals: int, stride: int) -> np.ndarray:
    """The steps that have a frame, the first and the last among them."""
    stride = max(stride, -(-arrivals // FRAMES_SHOWN))
    return np.unique([*range(0, arrivals + 1, stride), arrivals])


def steps_of(r: StreamResult) -> np.ndarray:
    return frame_steps(r.arrived, r.choice.stride)


def frames_of(
    film: StreamRecording, stream: Stream, steps: np.ndarray, network: bool = False
) -> list[StreamFrame]:
    """A frame for each of these steps, with what has changed since the one before.

    In a network that are inherited edges between points that are present, otherwise merges.
    """
    rows, frames = stream.covered, []
    changed = film.handed_on if network else film.merges
    for before, t in zip([0, *steps[:-1]], steps, strict=True):
        births = film.births[t][film.births[t] >= 0]
        ends = changed[(changed[:, 0] > before) & (changed[:, 0] <= t), 1:]
        if network:
            ends = ends[(np.isin(ends, births) | (ends < 0)).all(axis=1)]
        left = np.setdiff1d(film.births[before], births) if network else births[:0]
        frame = StreamFrame(
            f"{t} arrived · {len(births)} {'points kept' if network else 'centroids'}",
            stream.start + int(t),
            rows[births],
            film.sizes[t][: len(births)],
            film.predictions[t][: len(births)],
            float(film.radius[t]),
            stream.rows(ends.T),
        )
        if network:
            edges = film.edges[slice(*np.searchsorted(film.edges[:, 0], (t, t + 1))), 1:]
            frame = frame._replace(edges=stream.rows(edges.T), left=rows[left[left >= 0]])
        frames.append(frame)
    return frames


def arrival_map(r: StreamResult) -> go.Figure:
    """The arrivals so far, frame by frame."""
    film, stream, source = r.film, r.stream, r.source
    end = r.now.stop
    wrong = np.zeros(end, bool)
    wrong[r.now] = (film.labels != r.truth) & (r.truth >= 0)
    return stream_map(
        frames_of(film, stream, steps_of(r), r.network),
        source.points[:end],
        np.concatenate([stream.target[: stream.start], film.labels]),
        stream.target[:end],
        len(source.classes),
        names=source.names[:end],
        balls=() if r.network else r.choice.balls,
        wrong=wrong if r.choice.mistakes else None,
        uirevision=f"{source.name}:{source.flat}",
    )


def legend_marks(r: StreamResult) -> dict[str, tuple[str, str]]:
    """The legend above the map; plotly's own would be drawn anew with every frame."""
    marks = {"given label": ("◆", "inherit"), "arriving": ("■", ACCENT)}
    if r.network:
        marks |= {
            "kept": ("⬤", UNDETERMINED),
            "left just now": ("◯", DIFFERENCE),
            "edge handed on": ("━", DIFFERENCE),
        }
    else:
        marks["centroid"] = ("⬤", UNDETERMINED)
        for name in r.choice.balls[::-1]:
            marks[f"radius {name}"] = ("◯", BALL_COLOURS[name])
    return marks | ({"mistake": ("○", ACCENT)} if r.choice.mistakes else {})


ARRIVING_CAPTION = (
    "**Play** it. Squares with a red rim are arriving, in the colour of their predicted class; "
    "then they fade. "
)
NETWORK_CAPTION = (
    "Circles are the points kept, the last to arrive; their colour is the class predicted for them "
    "now. Grey lines: the strongest edges of the network. The oldest point leaves (violet ring), "
    "and its neighbours inherit its edges (violet lines): predictions for all others stay exactly "
    "as they were. Where it was is forgotten; a new point can be linked to present points only."
)
COVER_CAPTION = (
    "Circles are the centroids, all that is kept of the unlabelled points: a larger one stands for "
    "more points; its colour is the class predicted for it now. Violet lines: merged just now. "
    "Grey: known before the stream, or without a prediction."
)


def map_caption(r: StreamResult) -> str:
    """What the map shows."""
    choice, stride = r.choice, int(np.diff(steps_of(r)).max(initial=1))
    text = ARRIVING_CAPTION + (NETWORK_CAPTION if r.network else COVER_CAPTION)
    if choice.balls and not r.network:
        text += " A point within **R** (violet) of its nearest centroid joins it"
        text += "; all that joined are within **2R** (grey)." if "2R" in choice.balls else "."
    elif choice.noise:
        text += f" The {choice.noise} random features are not drawn."
    elif not r.source.flat:
        text += " The map is a projection of many features"
        text += "." if r.network else ", so no balls can be drawn."
    return f"{text} Each frame adds {stride} point{'s' if stride > 1 else ''}."


def alt_text(r: StreamResult) -> str:
    what = "points are kept" if r.network else "centroids are left"
    return f"{r.arrived} points of {r.source.name} have arrived; {r.film.counts[-1]} {what}"
