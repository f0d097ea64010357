"""Numbers and views of the page "Decision boundaries"."""

import numpy as np
import plotly.graph_objects as go

from sslviz.abilities import Eigenfunctions, Links, SpectralFilter
from sslviz.figures.charts.basic import class_bars, confidence_histogram, curve, share_curves
from sslviz.figures.charts.spectrum import score_histogram
from sslviz.figures.theme import log_axis
from sslviz.params import params_of
from sslviz.ui.inductive import amplification_view, kernel_views
from sslviz.ui.inductive.result import InductiveResult
from sslviz.ui.result import DEFAULT_SETTINGS, unscored_text
from sslviz.ui.views import Number, View

MIN_LOSS_TOLD = 0.02  # a loss of accuracy that is commented


def _switched_off(r: InductiveResult) -> str:
    """The parameters without the unlabelled term: "λ₂ = 0"."""
    symbols = {p.name: p.spec.symbol or p.title for p in params_of(type(r.model))}
    off = type(r.model).unlabelled_off.items()
    return ", ".join(f"{symbols[name]} = {value:g}" for name, value in off if value is not False)


NUMBERS = (
    Number("Accuracy", InductiveResult.accuracy, "Share of hidden labels predicted correctly.",
           course=lambda r: _accuracies(r) if r.recording is not None and r.held_out.any()
           else None),
    Number("Without unlabelled points", lambda r: r.accuracy_of(r.supervised),
           lambda r: f"Accuracy of this method with {_switched_off(r)}; the difference is what the "
           "unlabelled points add.",
           when=lambda r: r.supervised is not None),
    Number("Kernel ridge", lambda r: r.accuracy_of(r.ridge),
           "Accuracy of kernel ridge regression on the labelled points alone, with the same "
           "kernel and the same weight of the labels.",
           when=amplification_view.is_amplified),
    Number("1-NN", lambda r: r.accuracy_of(r.nearest),
           "Accuracy of the simplest baseline: the class of the nearest labelled point."),
    Number("Label propagation", lambda r: r.accuracy_of(r.propagated),
           f"Accuracy of propagation along the graph, without a boundary. {DEFAULT_SETTINGS}"),
    Number("Support vectors", lambda r: f"{r.support.sum()} of {(~r.hidden).sum()}",
           "Labelled points inside the margin, on its edge or on the wrong side, marked in the "
           "picture: they determine the boundary, the others could be left out.",
           when=lambda r: r.support is not None),
    Number("In the margin", lambda r: f"{r.margin_points.sum():,} of {r.hidden.sum():,}",
           "Unlabelled points whose score is between −1 and 1, for the predicted class.",
           when=lambda r: r.margin_points is not None),
    Number("Undetermined", lambda r: f"{r.undetermined.sum():,} of {len(r.y):,}",
           "Points in a connected component of the graph without a label: grey, no prediction.",
           when=lambda r: r.undetermined.any()),
)  # fmt: skip


def objective_chart(r: InductiveResult) -> go.Figure:
    """The gain of the objective since step 2: step 1, fitted to labels only, is far below."""
    objective = r.recording.objective
    later = np.arange(2, len(objective) + 1)
    fig = curve(later, objective[1:] - objective[:2][-1], "step", "gain of the objective")
    return fig.update_layout(xaxis=log_axis(later), yaxis_rangemode="tozero")


def _accuracies(r: InductiveResult) -> np.ndarray:
    return (r.recording.F.argmax(axis=2) == r.truth)[:, r.held_out].mean(axis=1)


def accuracy_chart(r: InductiveResult) -> go.Figure:
    """Accuracy in every frame of EM."""
    found, steps = _accuracies(r), r.recording.iterations
    fig = share_curves(steps, {"accuracy": found}, "step", "accuracy")
    span = [max(float(found.min()) - 0.05, 0.0), min(float(found.max()) + 0.05, 1.0)]
    return fig.update_layout(showlegend=False, xaxis=log_axis(steps), yaxis_range=span)


def accuracy_caption(r: InductiveResult) -> str:
    """What the steps of EM do to the accuracy."""
    first, last = (float(a) for a in _accuracies(r)[[0, -1]])
    text = f"Step 1 uses the labelled points only: {first:.1%}. The end: "
    before, after = (F.argmax(axis=1) for F in r.recording.F[[0, -1]])
    if np.array_equal(before, after):
        return text + (
            "the same. **The predictions do not change**: λ is 0, or there are so many features "
            "for so few points that each component keeps its points. Raise ε."
        )
    if last < first - MIN_LOSS_TOLD:
        return text + (
            f"{last:.1%}. **Unlabelled points hurt here**: the Gaussian components with the "
            "largest likelihood are not the classes. Lower λ."
        )
    return text + f"{last:.1%}. EM raises the objective in every step, but not the accuracy."


def point_chart(r: InductiveResult) -> go.Figure:
    F = r.F[r.point]
    return class_bars(F / max(F.sum(), np.finfo(float).tiny), r.classes)


def point_caption(r: InductiveResult) -> str:
    text = f"{r.example} True class {r.true_names[r.point]}. Class probabilities from scores."
    if isinstance(r.model, Links) and r.problem.point is not None:
        text += " Lines in the picture lead to the neighbours whose values predict its own."
    return text


def _has_scores(r: InductiveResult) -> bool:
    return r.recording is None and not isinstance(r.model, SpectralFilter)


def _has_eigenfunctions(r: InductiveResult) -> bool:
    return isinstance(r.model, Eigenfunctions) and r.plane is not None


VIEWS = (
    View("inductive_point", lambda r: f"Point {r.point}", point_chart, point_caption, height=200),
    View("inductive_objective", "Objective of EM", objective_chart,
         lambda r: "The penalised log-likelihood of all points: its gain since step 2 "
         f"({r.recording.objective[:2][-1]:,.0f}). It never falls.",
         when=lambda r: r.recording is not None),
    View("inductive_steps", "Accuracy by step", accuracy_chart, accuracy_caption,
         when=lambda r: r.recording is not None and r.held_out.any(),
         otherwise=lambda r: unscored_text(r) if r.recording is not None else ""),
    View("inductive_amplification", "Amplification", amplification_view.amplification_chart,
         amplification_view.amplification_caption, when=amplification_view.is_amplified),
    View("inductive_scores", "Distance from the boundary",
         lambda r: score_histogram(r.scores[r.held_out], r.right[r.held_out]),
         "The score f of the unlabelled points. Solid line: the boundary; dashed: the margin, "
         "|f| = 1. **Look for** a valley at 0: the boundary runs where few points are.",
         when=lambda r: _has_scores(r) and r.signed and r.held_out.any()),
    View("inductive_scores", "Confidence and accuracy",
         lambda r: confidence_histogram(r.share[r.held_out], r.right[r.held_out]),
         "Good methods are unsure where they are wrong: orange should be on the left.",
         when=lambda r: _has_scores(r) and not r.signed and r.held_out.any(),
         otherwise=lambda r: "" if r.held_out.any() or not _has_scores(r) else unscored_text(r)),
    View("inductive_spectrum", "Filtered spectrum", kernel_views.spectrum_chart,
         kernel_views.spectrum_caption, when=lambda r: isinstance(r.model, SpectralFilter)),
)  # fmt: skip


def _eigenfunction_view(rows: int) -> View:
    return View(
        "inductive_eigenfunctions",
        "Kernel principal components",
        kernel_views.eigenfunction_maps,
        kernel_views.eigenfunction_caption,
        when=lambda r: _has_eigenfunctions(r) and kernel_views.eigenfunction_rows(r) == rows,
        height=30 + rows * kernel_views.ROW_HEIGHT,
    )


WIDE_VIEWS = (
    View("inductive_kernel", "Kernel of one point", kernel_views.kernel_chart,
         kernel_views.kernel_caption, when=lambda r: isinstance(r.model, SpectralFilter),
         height=270),
    _eigenfunction_view(rows=1), _eigenfunction_view(rows=2),
    View("inductive_parts", "Parts of the decision function", kernel_views.part_maps,
         kernel_views.part_caption, when=_has_eigenfunctions, height=270),
    View("inductive_renaming", "Do the numbers of the classes matter?", lambda r: None,
         kernel_views.renaming_text, when=lambda r: isinstance(r.model, Eigenfunctions)),
)  # fmt: skip
