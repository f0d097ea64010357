"""Around a decision field: what is particular to each method, and what to look for."""

from typing import Any

import numpy as np
import streamlit as st

import sslviz
from sslviz.data.plane_grid import Plane
from sslviz.figures.charts.basic import class_bars, confidence_histogram, curve, lines
from sslviz.figures.charts.spectrum import score_histogram
from sslviz.figures.theme import log_axis
from sslviz.memo import stage
from sslviz.recordings.mixture import MixtureRecording
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.inductive.kernel_views import show_bump, show_components, show_spectrum
from sslviz.ui.inductive.result import FieldResult
from sslviz.ui.problem import Problem
from sslviz.ui.result import Result
from sslviz.ui.server import memory

HEIGHT = 260  # of the small charts


def show_panels(
    found: FieldResult, problem: Problem, plane: Plane | None, point: int | None, inner: Any
) -> None:
    """The pictures that belong to a method; `inner` is what it lets one see of itself, if any."""
    model, answer = found.model, found.answer
    if found.film is not None:
        maximised, worth, one = st.columns(3)
        show_steps(found.film, problem, maximised, worth)
        with one:
            show_opinion(answer, problem, point, links=False)
        show_weights(model, problem)
        return
    left, right = st.columns([2, 3] if hasattr(model, "filtered_") else 2)
    with left:
        if hasattr(model, "filtered_"):
            show_spectrum(model, inner)
        else:
            show_scores(found.scores, answer, problem)
    with right:
        if hasattr(model, "filtered_"):
            show_bump(model, problem, plane, point)
        else:
            show_opinion(answer, problem, point, hasattr(model, "links"))
    if hasattr(model, "eigenfunctions_") and plane is not None:
        show_components(model, problem, plane, inner)


def show_field(found: FieldResult, plane: Plane | None, features: int) -> None:
    """What the ground of the picture means, and what it does not."""
    if plane is None:
        st.caption("In space a field would hide the points: their own answers are shown.")
        return
    clouds = " Ellipses hold 86 % of a cloud: **play** the steps." if found.film is not None else ""
    if not plane.exact:
        st.caption(
            f"The data have {features} features: no place of this map is one place of the data. A "
            "cell takes the answer of the point **nearest to it on the map**, and stays open where "
            "none is near. **Look for** classes that lie in each other: there the map, not the "
            f"method, may be what mixes them.{clouds}"
        )
        return
    wide = found.width is not None and found.model.sigma == "median"
    lead = "as far ahead as labels ask for"
    if found.film is not None:
        lead = "20 times likelier than the next"
    elif found.full < found.enough:
        lead = f"{found.full:.2g} ahead, the most anywhere (labels ask for 1)"
    st.caption(
        f"Asked at {len(plane.places):,} places. The ground is the winning class, in full colour "
        f"where it is {lead}, faint where it is close."
        + (clouds or " **Look for** a boundary that runs through gaps, not through crowds.")
        + (" Lower the kernel width to a quarter to let it turn." if wide else "")
    )


def show_scores(scores: np.ndarray | None, answer: Result, problem: Problem) -> None:
    """Signed scores of unlabelled points; of many classes how sure the winner is."""
    hidden = problem.y < 0
    if scores is not None and scores.ndim == 1:
        st.subheader("How far from the boundary")
        fig = score_histogram(scores[hidden], answer.right[hidden])
        text = (
            "Solid: the boundary, dashed: the margin. **Look for** a valley at zero: the boundary "
            "runs where few points are."
        )
    else:
        st.subheader("How sure it is")
        fig = confidence_histogram(answer.share[hidden], answer.right[hidden])
        text = "Good methods are unsure where they are wrong: orange should sit on the left."
    show_figure(fig, key="fields_scores", height=HEIGHT, tools=False)
    st.caption(text)


def show_opinion(answer: Result, problem: Problem, point: int | None, links: bool) -> None:
    """One point's shares."""
    st.subheader("One point's opinion")
    if point is None:
        st.info("Click a point in the picture.", icon=":material/touch_app:")
        return
    names, F = problem.dataset.classes, answer.F[point]
    bars = class_bars(F / max(F.sum(), np.finfo(float).tiny), names)
    show_figure(bars, key="fields_point", height=HEIGHT, tools=False)
    st.caption(
        f"Point {point}, truly {names[problem.dataset.y[point]]}: its shares, from its scores."
        + (" Lines lead to the neighbours whose values predict its own." if links else "")
    )


def show_steps(film: MixtureRecording, problem: Problem, left: Any, right: Any) -> None:
    """A mixture: objective and accuracy from step to step, in two columns."""
    hidden = problem.y < 0
    with left:
        st.subheader("What it maximises")
        start = film.objective[:2][-1]  # the first step is far below: it knows the labels alone
        later = np.arange(2, len(film.objective) + 1)
        fig = curve(later, film.objective[1:] - start, "step", "objective gained")
        fig.update_layout(xaxis=log_axis(later), yaxis_rangemode="tozero")
        show_figure(fig, key="fields_objective", height=HEIGHT, tools=False, film="fields")
        st.caption(
            f"How likely the model makes all points: what is gained since step 2 ({start:,.0f}). "
            "It never falls, whatever happens beside."
        )
    with right:
        st.subheader("What that is worth")
        found = (film.F.argmax(axis=2) == problem.dataset.y)[:, hidden].mean(axis=1)
        fig = lines(film.iterations, {"hidden labels found": found}, "step", "accuracy")
        span = [max(float(found.min()) - 0.05, 0.0), min(float(found.max()) + 0.05, 1.0)]
        fig.update_layout(showlegend=False, xaxis=log_axis(film.iterations), yaxis_range=span)
        show_figure(fig, key="fields_steps", height=HEIGHT, tools=False, film="fields")
        st.caption(_verdict(float(found[0]), float(found[-1]), film.F[0], film.F[-1]))


def _verdict(first: float, last: float, before: np.ndarray, after: np.ndarray) -> str:
    """What the steps of a mixture were worth: accuracies and opinions at both ends."""
    said = f"Hidden labels found. Step 1 knows the labelled points alone: {first:.1%}. The end: "
    if np.array_equal(before.argmax(axis=1), after.argmax(axis=1)):
        return said + (
            "the same. **Nothing moves**: λ is zero, or there are too many features for so few "
            "points, and every cloud keeps what it has. Raise ε."
        )
    if last < first - 0.02:
        return said + (
            f"{last:.1%}. **Unlabelled points hurt here**: the clouds that explain all points best "
            "are not the classes. Lower λ."
        )
    return said + (
        f"{last:.1%}. Objective and accuracy need not rise together: only the left one is promised."
    )


@stage("weights")
def weights_tried(X: np.ndarray, y: np.ndarray, truth: np.ndarray, floor: float) -> np.ndarray:
    """Accuracies of a mixture for every weight of WEIGHTS. A stage."""
    models = (sslviz.SemiSupervisedGMM(weight=w, floor=floor).fit(X, y) for w in WEIGHTS)
    return np.array([(m.transduction_ == truth)[y < 0].mean() for m in models])


WEIGHTS = (0.0, 0.01, 0.03, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)


def show_weights(model: Any, problem: Problem) -> None:
    """A switch, and when it is on the accuracy over the weight of unlabelled points."""
    if not st.toggle(
        "Try all weights of unlabelled points",
        key="fields.weights",
        bind="query-params",
        help="Fit again for nine weights between 0, the supervised classifier, and 1.",
    ):
        return
    with st.spinner("Fitting …", show_time=True):
        stage = memory().cache(weights_tried)
        found = stage(problem.dataset.X, problem.y, problem.dataset.y, model.floor)
    chart = lines(np.array(WEIGHTS), {"hidden labels found": found}, "weight λ", "accuracy")
    chart.update_layout(showlegend=False)
    show_figure(chart, key="fields_weights_chart", height=HEIGHT, tools=False)
    st.caption(
        "One draw of labels. Where the line falls, the model is wrong about the data, and more of "
        "them make it surer of the wrong clouds."
    )
