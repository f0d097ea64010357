"""Numbers and views of the page "FLP"."""

import numpy as np

from sslviz.figures.charts.basic import class_bars
from sslviz.figures.charts.flp import influence_histogram, objective_curves
from sslviz.ui.flp.result import FLPResult
from sslviz.ui.result import DEFAULT_SETTINGS, unscored_text
from sslviz.ui.views import Number, View, percent

CHART = 260
OTHER_TITLE = {"fixed": "Projection fixed", "recipe": "Projection learnt"}
OTHER_TEXT = {"fixed": "the projection stays at PCA.", "recipe": "the projection is learned."}


def _harmony(r: FLPResult, step: int = -1) -> str:
    return f"{r.steps.harmony[0]:.2g} → {r.steps.harmony[step]:.2g}"


NUMBERS = (
    Number("Accuracy", FLPResult.accuracy,
           "Accuracy on the hidden labels; undetermined points count as wrong.",
           course=lambda r: r.accuracies[r.steps.kept]),
    Number(lambda r: OTHER_TITLE[r.other_mode], lambda r: r.other_accuracy,
           lambda r: f"The same settings, but {OTHER_TEXT[r.other_mode]}"),
    Number("1-NN without a map", lambda r: r.one_nn, "The nearest given label in all features."),
    Number("Label propagation", lambda r: r.propagation,
           f"No projection: a random walk on the neighbour graph. {DEFAULT_SETTINGS}"),
    Number("Without influence", lambda r: percent(1 - r.influential[-1]),
           "Hidden points whose influence on the labelled points is below a hundredth of the equal "
           "share. Their labels change nothing in H, so H says nothing about them.",
           course=lambda r: [percent(1 - share) for share in r.influential[r.steps.kept]]),
    Number("Objective H", lambda r: _harmony(r),
           "The objective at the start and at the end: how far the labels of the labelled points "
           "differ from the weighted mean of their neighbours'; 0 is perfect.",
           course=lambda r: [_harmony(r, t) for t in r.steps.kept]),
)  # fmt: skip


def _objective_caption(r: FLPResult) -> str:
    seen = (
        "**Look for** the blue line: accuracy need not rise while H falls, and where H is zero "
        "nothing changes the labels any more."
        if r.held_out.any()
        else "There is no accuracy beside it. " + unscored_text(r)
    )
    return f"H never rises: each half-step minimises it. {seen}"


def _point_shares(r: FLPResult) -> np.ndarray:
    others, weights = r.neighbours
    if r.y[r.point] < 0:
        return r.F[r.point]
    return weights @ r.F[others] / max(weights.sum(), 1e-300)


def _point_caption(r: FLPResult) -> str:
    others, weights = r.neighbours
    start = f"True class {r.true_names[r.point]}. "
    lines = "" if r.problem.point is None else "A thicker line is a larger weight. "
    nearest = f"{lines}Its largest weight is that of point {others[0]}, {weights[0]:.0%}."
    if r.y[r.point] >= 0:
        return f"{start}Its label is given; the bars are the mean of its neighbours'. {nearest}"
    influence = r.steps.influence[-1][r.point]
    word = (
        "it has **no influence** on any labelled point, so hardly anything has changed its label"
        if r.without_influence
        else f"its influence is {influence:.2g} of the equal share"
    )
    return f"{start}The bars are its predicted label; {word}. {nearest}"


POINT_VIEWS = (
    View("flp_point", lambda r: f"Point {r.point}, at the end",
         lambda r: class_bars(_point_shares(r), r.classes), _point_caption, height=CHART - 60,
         options={"film": None}),
)  # fmt: skip
VIEWS = (
    View("flp_harmony", "Objective and accuracy",
         lambda r: objective_curves(r.steps.harmony, r.accuracies, r.influential, r.chance),
         _objective_caption, when=lambda r: len(r.steps.harmony) > 1,
         otherwise=lambda r: f"Nothing changes: H stays {r.steps.harmony[0]:.2g}.", height=CHART),
    View("flp_voices", "Influence of the hidden points",
         lambda r: influence_histogram(r.steps.influence[-1][r.held_out], r.right[r.held_out]),
         "Hidden points by their influence on the labelled ones at the end, $\\sum_i p_{ij}$; 1 is "
         "the equal share. **Look for** a heap on the left: points without influence. A wider "
         "kernel (a smaller spread) moves it to the right.",
         when=lambda r: r.held_out.any(), otherwise=unscored_text, height=CHART,
         options={"film": None}),
)  # fmt: skip
