"""The map of the page "Decision boundaries": predictions over the plane, points, EM steps."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.animated.mixture import component_frames
from sslviz.figures.maps.decision_field import add_clicked, field_map
from sslviz.labels import one_hot
from sslviz.ui.inductive.result import TARGET_LEAD, InductiveResult
from sslviz.ui.result import argmax_rows


def decision_map(r: InductiveResult) -> go.Figure:
    """The predicted class everywhere, the boundary, the points, and marks at the clicked one."""
    mistakes = r.look.rings == "mistakes"
    fig = field_map(
        r.problem.points,
        _point_colours(r, r.F),
        r.y,
        r.classes,
        cells=None if r.leads is None or r.plane is None else (r.leads, r.plane.x, r.plane.y),
        full=r.full_lead,
        lines=r.exact and r.recording is None,  # an animation has its own
        margin=r.signed,
        wrong=r.mistakes if mistakes and r.recording is None else None,
        inside=r.margin_points if r.look.rings == "margin" else None,
        support=r.support,
        facts=r.hover,
        uirevision=r.problem.view,
    )
    if r.recording is not None:
        flat = r.problem.points.shape[1] == 2
        component_frames(
            fig,
            [f"step {i}" for i in r.recording.iterations],
            [_point_colours(r, F) for F in r.recording.F],
            (r.recording.means, r.recording.covariances) if flat else None,
            r.leads_of_frames(),
            [_wrong(r, F) for F in r.recording.F] if mistakes else None,
            full=r.full_lead,
            lines=r.exact,
        )
    if r.marks_point:
        add_clicked(fig, r.problem.points, r.point, *r.links)
    return fig


def _wrong(r: InductiveResult, F: np.ndarray) -> np.ndarray:
    return r.held_out & (F.argmax(axis=1) != r.truth)


def _point_colours(r: InductiveResult, F: np.ndarray) -> np.ndarray:
    """What colours the points."""
    if r.look.colour == "truth":
        return one_hot(r.truth, np.arange(len(r.classes)))
    return F if r.look.colour == "mix" else argmax_rows(F)


def moments(r: InductiveResult) -> np.ndarray | None:
    """The steps of the frames."""
    return None if r.recording is None else r.recording.iterations


def map_caption(r: InductiveResult) -> str:
    """What the background means, and what it does not."""
    if r.plane is None:
        return "In three dimensions a background would hide the points: only these are coloured."
    ellipses = ""
    if r.recording is not None:
        ellipses = " An ellipse holds 86% of a Gaussian component: **play** the steps of EM."
    if not r.exact:
        return (
            f"The data have {r.problem.dataset.n_features} features, the map has two: a place of "
            "the map is not one place of the data. The background shows the prediction for the "
            "point **nearest on the map**, and nothing where no point is near. **Look for** "
            "classes that overlap: it may be the map, not the method, that mixes them." + ellipses
        )
    return (
        "Background = predicted class at that place, in full colour where "
        + _lead_text(r)
        + ", pale near the boundary."
        + (ellipses or " **Look for** a boundary that runs through gaps, not through dense points.")
        + (" A narrower kernel lets it bend more." if _default_width(r) else "")
    )


def _lead_text(r: InductiveResult) -> str:
    if r.recording is not None:
        return "the class is 20 times as probable as the next one"
    if r.full_lead < TARGET_LEAD:
        return f"its score leads by {r.full_lead:.2g}, the largest lead here (labels ask for 1)"
    return "its score leads by 1, as labels ask"


def _default_width(r: InductiveResult) -> bool:
    return r.sigma is not None and r.model.sigma == "median"
