"""Numbers and views of the page "Label propagation"."""

import numpy as np

from sslviz.abilities import Steps
from sslviz.figures.charts.basic import absorber_bars, class_bars, confidence_histogram, curve
from sslviz.metrics import effective_count
from sslviz.ui.propagation import vote_view
from sslviz.ui.propagation.result import OTHER_EDGES, PropagationResult
from sslviz.ui.result import unscored_text
from sslviz.ui.views import Number, View


def _inliers(r: PropagationResult) -> np.ndarray:
    return r.hidden & ~r.problem.outliers


NUMBERS = (
    Number("Accuracy", PropagationResult.accuracy,
           "Share of hidden labels predicted correctly; undetermined points count as wrong.",
           course=PropagationResult.accuracy_course),
    Number("Undetermined", lambda r: r.undetermined.mean(),
           "Points without a prediction; drawn grey.",
           course=lambda r: None if r.answers is None else (r.answers < 0).mean(axis=1)),
    Number("Without outliers", lambda r: r.accuracy(_inliers(r)),
           lambda r: f"Accuracy on the hidden points that are not outliers; "
           f"{r.problem.outliers.sum()} are. Their share is set under “Data options”.",
           when=lambda r: r.problem.outliers.any(),
           course=lambda r: r.accuracy_course(_inliers(r))),
    Number("Labels given", lambda r: f"{(~r.hidden).sum()} of {len(r.y):,}",
           "Diamonds in the picture."),
    Number("Kernel width σ", lambda r: r.model.sigma_,
           "The width in the units of the data: the slider's factor times the rule's value.",
           "{:.4g}", when=lambda r: hasattr(r.model, "sigma_") and r.model.has_effect("sigma")),
    Number("Hubs · links", lambda r: f"{r.model.n_hubs_:,} · {r.model.k_hub_}",
           lambda r: ("As set." if r.model.tuning_ is None
                      else "Chosen by cross-validation on the given labels.")
           + " The page “Hubs” shows other settings.",
           when=lambda r: hasattr(r.model, "n_hubs_")),
)  # fmt: skip


def absorber_caption(r: PropagationResult) -> str:
    kinds = {r.edges: r.basins, OTHER_EDGES[r.edges]: r.other_basins}
    effective = " and ".join(
        f"**{effective_count(basins[r.hidden]):.1f}** {kind}"
        for kind, basins in kinds.items()
        if basins is not None
    )
    return (
        f"Of {(~r.hidden).sum()} labels, {effective} absorb most walks (effective absorbers). A "
        "few tall bars: few labels decide for most points, whatever their class. Dotted: the mean."
    )


def _no_sweeps(r: PropagationResult) -> str:
    if isinstance(r.model, Steps):
        return "Switch on “Record the sweeps”."
    return f"{r.title} has no sweeps to play: it finds its solution directly."


def _probabilities(r: PropagationResult) -> np.ndarray:
    F = r.F[r.point]
    return F / max(F.sum(), np.finfo(float).tiny)


VIEWS = (
    View("propagation_confidence", "Confidence and accuracy",
         lambda r: confidence_histogram(r.share[r.held_out], r.right[r.held_out]),
         "Good methods are unsure where they are wrong: orange bars should be on the left.",
         when=lambda r: r.held_out.any(), otherwise=unscored_text),
    View("propagation_absorbers", "Which labels absorb the walks",
         lambda r: absorber_bars(r.basins[r.hidden], r.y[~r.hidden], len(r.classes)),
         absorber_caption, when=lambda r: r.basins is not None),
)  # fmt: skip
POINT_VIEWS = (
    View("propagation_point", lambda r: f"Point {r.point}",
         lambda r: class_bars(_probabilities(r), r.classes),
         lambda r: f"True class {r.true_names[r.point]}. Class probabilities, computed from its "
         "neighbours" + ("; a thicker line is a heavier edge."
                         if r.marks_point and r.basins is None else "."),
         when=lambda r: r.votes is None),
    View("propagation_point", lambda r: f"Votes for point {r.point}", vote_view.vote_bars,
         vote_view.vote_caption, when=lambda r: r.votes is not None, table=vote_view.vote_table),
    View("propagation_change", "Convergence",
         lambda r: curve(r.recording.iterations, r.recording.change, "sweep", "largest change",
                         log_y=True),
         "The largest change of any probability in a sweep. The prediction is the limit.",
         when=lambda r: r.recording is not None and r.basins is None,
         otherwise=lambda r: "" if r.basins is not None else _no_sweeps(r)),
)  # fmt: skip
