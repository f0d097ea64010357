"""The picture of a field: the ground, the points on it, and a film where there is one."""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from sslviz.data.plane_grid import Plane
from sslviz.figures.animated.mixture import cloud_frames
from sslviz.figures.maps.decision_field import add_clicked, field_map
from sslviz.ui.inductive.result import FieldResult, film_leads
from sslviz.ui.problem import Problem
from sslviz.ui.result import argmax_rows, hover_texts


class Look(NamedTuple):
    """What the reader wants to see of the points."""

    colour: str  # "winner", "mix" or "truth"
    rings: str  # around "mistakes", points in the "margin", or "none"


def picture(
    found: FieldResult, problem: Problem, plane: Plane | None, look: Look, point: int | None
) -> go.Figure:
    """The field and the points on it; lines lead from the clicked point to those it hears."""
    answer, film, model = found.answer, found.film, found.model
    exact, hidden = plane is not None and plane.exact, problem.y < 0
    mistakes, supported = look.rings == "mistakes", found.inside is not None
    fig = field_map(
        problem.points,
        _drawn(answer.F, problem, look.colour),
        problem.y,
        problem.dataset.classes,
        cells=found.cells,
        full=found.full,
        lines=exact and film is None,  # a film brings its own
        margin=found.scores is not None and found.scores.ndim == 1,
        wrong=_mistaken(answer.labels, problem) if mistakes and film is None else None,
        inside=found.inside if look.rings == "margin" else None,
        support=np.isin(np.arange(len(hidden)), model.support_) & ~hidden if supported else None,
        facts=hover_texts(answer),
        uirevision=problem.view,
    )
    if film is not None:
        flat = problem.points.shape[1] == 2
        cloud_frames(
            fig,
            [f"step {i}" for i in film.iterations],
            [_drawn(F, problem, look.colour) for F in film.F],
            (film.means, film.covariances) if flat else None,
            None if plane is None else film_leads(film, plane),
            [_mistaken(F.argmax(axis=1), problem) for F in film.F] if mistakes else None,
            full=found.full,
            lines=exact,
        )
    if point is not None:
        links = (np.array([], int), np.array([]))
        if hasattr(model, "links"):
            links = model.links(point)
        add_clicked(fig, problem.points, point, links[0], np.abs(links[1]))
    return fig


def _drawn(F: np.ndarray, problem: Problem, colour: str) -> np.ndarray:
    """What colours the points."""
    if colour == "truth":
        return np.eye(len(problem.dataset.classes))[problem.dataset.y]
    return F if colour == "mix" else argmax_rows(F)


def _mistaken(labels: np.ndarray, problem: Problem) -> np.ndarray:
    """Which hidden points have an answer, and a wrong one."""
    return (problem.y < 0) & (labels >= 0) & (labels != problem.dataset.y)
