"""The map of the page "Networks": points, regions, given labels, and frames of the training."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.maps.clusters import add_cluster_frames, cluster_map
from sslviz.figures.maps.points import add_given_labels
from sslviz.recordings.network import NetworkMoment
from sslviz.ui.network.result import NetworkResult


def network_map(r: NetworkResult) -> go.Figure:
    """Points in the colours of their classes; while a training runs, without texts and frames."""
    facts = None if r.running else r.hover
    field = _field(r, r.moment) if r.trained else None
    fig = cluster_map(
        r.problem.points,
        r.colours(r.moment),
        r.classes,
        field=None if field is None or r.plane is None else (field, r.plane.x, r.plane.y),
        wrong=r.mistakes if r.look.mistakes and r.trained else None,
        facts=facts,
        uirevision=r.problem.view,
    )
    if moments(r) is not None:
        frames = [(f"iteration {m.iteration:,}", r.colours(m), _field(r, m)) for m in _frames(r)]
        add_cluster_frames(fig, frames)
    add_given_labels(fig, r.problem.points, r.y, r.classes, facts=facts)
    return fig


def _frames(r: NetworkResult) -> list[NetworkMoment]:
    return r.run.frames.frames


def _field(r: NetworkResult, moment: NetworkMoment) -> np.ndarray | None:
    """(b, a, C) probabilities on the plane."""
    if moment.field is None or r.plane is None:
        return None
    return r.plane.cells(moment.field / 255)


def moments(r: NetworkResult) -> list[int] | None:
    """The iterations of the frames; None where there is nothing to play."""
    found = r.run.frames.iterations
    return found if len(found) > 1 and not r.running else None


def map_caption(r: NetworkResult) -> str:
    """What the colours mean and what to look for."""
    play = "**Play** replays the training. " if moments(r) is not None else ""
    features = r.problem.dataset.n_features
    if not r.trained:
        return "Diamonds are the given labels. Press **Start**: the other points get their colours."
    text = f"{play}Colour = the **predicted class**; diamonds are the given labels. "
    if r.moment.field is not None:
        return text + (
            "The background is the prediction everywhere, pale where the network is unsure. "
            "**Look for** borders that leave dense regions and settle in gaps, and for regions "
            "that no labelled point supports."
        )
    waiting = (
        "The network is large and predicts the points in turn, so some colours are older than "
        "others. "
        if r.running and r.run.takes_turns
        else ""
    )
    if features > 3:
        return (
            text
            + waiting
            + (
                f"The map is a projection of {features} features, all of which the network uses: "
                "classes that overlap here may be apart there."
            )
        )
    return text + "In three dimensions no regions are drawn: they would hide the points."
