"""Map, numbers and views of the page "Active learning"."""

import numpy as np
import plotly.graph_objects as go

from sslviz.experiments.active_learning import STRATEGIES
from sslviz.figures.animated.queries import query_map
from sslviz.figures.charts.comparison import learning_curves
from sslviz.ui.active_learning.result import QueryResult
from sslviz.ui.result import unscored_text
from sslviz.ui.views import Number, View, percent

CURVES_HEIGHT = 400


def _mistakes(r: QueryResult, step: int = -1) -> str:
    """The expected mistakes before the queries and after some of them."""
    ends = (r.risks[0], r.risks[step])
    return " → ".join(f"{v:.0f}" if v >= 10 else f"{v:.1f}" for v in ends)


NUMBERS = (
    Number("Accuracy before", lambda r: r.accuracies[0],
           "Share of hidden labels predicted correctly with the given labels."),
    Number(lambda r: f"After {len(r.points)} queries",
           lambda r: percent(r.accuracies[-1], r.no_accuracy_left),
           "Accuracy on the points that were neither given nor asked for. While the film is "
           "played, after so many queries.",
           course=lambda r: [
               f"{percent(a, r.no_accuracy_left)} after {i}" for i, a in enumerate(r.accuracies)
           ]),
    Number("Expected mistakes", _mistakes,
           "Sum over the unlabelled points of 1 − the largest class probability (the *risk*), "
           "before and after.", course=lambda r: [_mistakes(r, i) for i in range(len(r.risks))]),
)  # fmt: skip


def queries_map(r: QueryResult) -> go.Figure:
    """A map with a frame for every query."""
    names, order = r.problem.classes, {int(p): i for i, p in enumerate(r.points, 1)}
    facts = [
        text + (f"<br>query {order[i]}" if i in order else "")
        for i, text in enumerate(r.problem.point_texts())
    ]
    steps = ["before", *(f"{i} · point {p}" for p, i in order.items())]
    return query_map(
        r.problem.points,
        list(r.F),
        r.problem.y,
        r.truth,
        r.points.tolist(),
        names,
        [f"{step} · {percent(a, '')}" for step, a in zip(steps, r.accuracies, strict=True)],
        help=list(r.help) if r.choice.colour == "help" else None,
        facts=facts,
        uirevision=r.problem.view,
    )


def map_caption(r: QueryResult) -> str:
    """What the marks and colours mean."""
    if not len(r.points):
        return (
            f"No true class of an unlabelled point is known, so no query can be answered here. "
            f"Label **point {r.next_point}** next: by the chosen strategy its label is expected to "
            "help most."
        )
    text = (
        "**Play** the queries: each adds a diamond, and a ring marks the newest. Large diamonds: "
        "the labels given at the start. "
    )
    if r.choice.colour == "help":
        return text + (
            "Red: a label there is expected to help most. After each answer its neighbourhood "
            "turns pale: there is little left to learn."
        )
    return text + "**Look for** how far one label changes the predictions around it."


VIEWS = (
    View("active_learning_curves", "Does the strategy matter?",
         lambda r: learning_curves(list(range(r.means.shape[1])), list(STRATEGIES), r.means,
                                   r.stds, "labels asked for"),
         "Accuracy on the points left. *at random* is the mean of eight runs with its standard "
         "deviation. Where the other lines lie within the band, random labels would have been as "
         "good.", height=CURVES_HEIGHT, when=lambda r: np.isfinite(r.means).any(),
         otherwise=unscored_text),
)  # fmt: skip
