"""The map of the page "Clustering": points and regions, hubs, the path between two points."""

import numpy as np
import plotly.graph_objects as go

from sslviz.abilities import GaussianComponents
from sslviz.figures.maps.clusters import add_cluster_frames, add_hubs, cluster_map
from sslviz.figures.maps.code_space import add_ellipses
from sslviz.figures.maps.hubs import add_paths
from sslviz.figures.theme import ACCENT
from sslviz.recordings.clustering import ClusteringRun, Moment
from sslviz.recordings.linkage import LinkageRun
from sslviz.ui.clustering.result import ClusteringResult, GraphPath


def clustering_map(r: ClusteringResult) -> go.Figure:
    """Points in the colours of their clusters; while a training runs, without texts and frames."""
    facts = None if r.running else r.hover
    field = _field(r, r.moment) if r.trained else None
    fig = cluster_map(
        r.problem.points,
        r.colours(r.moment),
        r.names,
        field=None if field is None or r.plane is None else (field, r.plane.x, r.plane.y),
        wrong=r.mistakes if r.look.mistakes and r.trained else None,
        facts=facts,
        uirevision=r.problem.view,
    )
    if moments(r) is not None and not r.running:
        assert r.run is not None
        # merges that are stopped have no regions yet, and a frame changes only what there is
        fields = (None if field is None else _field(r, m) for m in r.run.frames.frames)
        kept = zip(r.run.frames.frames, fields, strict=True)
        add_cluster_frames(fig, [(frame_name(m), r.colours(m), at) for m, at in kept])
    if isinstance(r.model, GaussianComponents) and r.plane is not None:
        add_ellipses(fig, *r.model.components(), r.moment.order, len(r.names))
    if r.look.hubs and r.hubs is not None:
        Q = r.matched(r.hubs.Q)
        add_hubs(fig, r.problem.points, r.hubs.hubs, r.hubs.degrees, Q, facts)
    return fig


def frame_name(moment: Moment) -> str:
    """What the player shows."""
    return moment.name or f"iteration {moment.iteration:,}"


def _field(r: ClusteringResult, moment: Moment) -> np.ndarray | None:
    """(b, a, colours) probabilities on the plane."""
    if moment.field is None or r.plane is None:
        return None
    return r.plane.cells(r.matched(moment.field / 255, moment.order))


def moments(r: ClusteringResult) -> list[int] | None:
    """The iterations of the frames; None where there is nothing to play."""
    found = [] if r.run is None else r.run.frames.iterations
    return found if len(found) > 1 else None


def map_caption(r: ClusteringResult) -> str:
    """What the colours mean and what to look for."""
    what = (
        "merges; grey points are in small clusters"
        if isinstance(r.run, LinkageRun)
        else ("training")
    )
    play = f"**Play** replays the {what}. " if moments(r) is not None and not r.running else ""
    features = r.problem.dataset.n_features
    text = f"{play}Colour = the **class that a cluster is matched to**. "
    if isinstance(r.run, LinkageRun) and not r.run.done:
        return text + "Grey points are in clusters that are smaller than the ones coloured."
    if isinstance(r.model, GaussianComponents) and r.plane is not None:
        text += "Ellipses: two standard deviations of each component. "
    if r.moment.field is not None and r.trained:
        return text + (
            "The background is the prediction everywhere, pale where the method is unsure. **Look "
            "for** borders that run through gaps, and for regions without points."
        )
    if features > 3:
        if r.running and isinstance(r.run, ClusteringRun) and r.run.takes_turns:
            text += "The network is large and predicts the points in turn. "
        return text + (
            f"The map is a projection of {features} features, all of which the method uses: "
            "clusters that overlap here may be apart there."
        )
    if r.problem.points.shape[1] == 3:
        return text + "In three dimensions no regions are drawn: they would hide the points."
    if not r.trained:
        return text + "Regions appear as soon as there are clusters."
    return text + "The method clusters the given points only, so there are no regions."


def add_graph_path(
    fig: go.Figure, r: ClusteringResult, ends: list[int], path: GraphPath | None
) -> None:
    """The clicked points, and the path between them if there is one."""
    if not ends:
        return
    if path is None:
        add_paths(fig, r.problem.points, ends[0], [], [])
    else:
        add_paths(fig, r.problem.points, ends[0], [path.points or [ends[1]]], [ACCENT])


def path_caption(r: ClusteringResult, ends: list[int], path: GraphPath | None) -> str:
    """What the path between two clicked points is, or how to choose them."""
    if not ends:
        kind = "hubs" if r.hubs is not None else "points"
        return f"**Click two {kind}** to see the shortest path between them along the graph."
    if path is None:
        return f"From point {ends[0]} to … **click another point**."
    first, last = path.ends
    if not path.points:
        return (
            f"**No path** from point {first} to point {last}: they are in two separate parts "
            "(connected components) of the graph."
        )
    return (
        f"From point {first} to point {last}: {len(path.points) - 1} edges of the "
        f"{path.k}-neighbour graph, length {path.length:.3g}; straight line {path.straight:.3g}."
    )
