"""The map of the page "Label propagation": predictions, sweeps, basins, the selected point."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.frames import set_frames
from sslviz.figures.maps.basins import DISTINCT_SHADES, basin_map
from sslviz.figures.maps.hubs import add_paths
from sslviz.figures.maps.points import add_links, class_map, class_map_frames
from sslviz.figures.theme import class_colours, css_of
from sslviz.ui.propagation.result import PropagationResult


def prediction_map(r: PropagationResult) -> go.Figure:
    """Points coloured by predicted class, or by the label at which their random walks end."""
    if r.basins is not None:
        return _basin_figure(r)
    problem = r.problem
    fig = class_map(
        problem.points,
        r.shown(r.F),
        r.y,
        r.classes,
        facts=r.hover,
        wrong=r.mistakes if r.look.mistakes else None,
        differ=r.differ,
        uirevision=problem.view,
    )
    if r.recording is not None:
        steps = [*(f"sweep {i}" for i in r.recording.iterations), "the limit"]
        frames = [r.shown(F) for F in (*r.recording.F, r.F)]
        set_frames(fig, class_map_frames(frames, steps, len(r.classes), problem.points.shape[1]))
    if not r.marks_point:
        return fig
    if r.votes is not None:
        colours = [css_of(class_colours(len(r.classes))[c]) for c in r.votes.classes]
        add_paths(fig, problem.points, r.point, r.votes.paths, colours)
    else:
        add_links(fig, problem.points, r.point, *r.links)
    return fig


def _basin_figure(r: PropagationResult) -> go.Figure:
    assert r.basins is not None
    label = np.flatnonzero(~r.hidden) == r.problem.point
    return basin_map(
        r.problem.points,
        r.basins,
        r.y,
        r.classes,
        only=int(label.argmax()) if label.any() else None,
        facts=r.hover,
        uirevision=r.problem.view,
    )


def moments(r: PropagationResult) -> list[int | None] | None:
    """The sweep of each frame; None for the limit, which comes last."""
    return None if r.recording is None or r.basins is not None else [*r.recording.iterations, None]


def map_caption(r: PropagationResult) -> str:
    """What the colours mean and what to look for."""
    if r.basins is not None:
        crowded = np.bincount(r.y[~r.hidden]).max() > DISTINCT_SHADES
        return (
            "Colour = the given label at which a random walk from the point most likely ends (its "
            "*basin*); labels of one class are shades of one colour"
            + (", too many here to tell apart. " if crowded else ". ")
            + "**Click a diamond** to see its basin alone. **Look for** one label that takes half "
            "of the map: with *directed* edges it gets worse."
        )
    if r.other is not None:
        return (
            "Violet rings: the two predictions differ. Move or zoom one map and the other follows; "
            "click a point in either to see what its prediction depends on."
        )
    play = "**Play** the sweeps to watch the labels spread. " if r.recording is not None else ""
    return (
        f"{play}Colour = predicted class; mixed colours mean the method is unsure. **Look for** "
        "the border between two colours: through empty space it is good, through dense points it "
        "shows that the graph connects two classes. **Click a point** to see which neighbours it "
        "depends on."
    )
