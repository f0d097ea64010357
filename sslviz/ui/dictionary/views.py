"""Numbers of the page "Dictionaries", and charts of how a dictionary is learnt."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from sslviz.abilities import ActivePoints, PseudoLabels
from sslviz.data.dataset import stratified_order
from sslviz.figures.charts.basic import share_curves
from sslviz.figures.charts.codes import (
    CLASSES_DRAWN,
    code_map,
    has_negative,
    margin_rows,
    term_lines,
)
from sslviz.recordings.dictionary_measures import active_share
from sslviz.ui.dictionary.map_view import FRAMES_BESIDE, moment_names
from sslviz.ui.dictionary.result import DictionaryResult
from sslviz.ui.result import DEFAULT_SETTINGS, unscored_text
from sslviz.ui.state.clicks import on_click_remember
from sslviz.ui.views import Number, View

COLUMNS_SHOWN = 600  # points of the heat map of codes
CHART_HEIGHT = 300
TALL_HEIGHT = 440
PLAYER_HEIGHT = 40


def _of_baseline(title: str, meaning: str) -> Number:
    return Number(title, lambda r: r.accuracy_of(r.baselines[title]), meaning,
                  when=lambda r: title in set(r.baselines) - _titles_above(r))  # fmt: skip


def _titles_above(r: DictionaryResult) -> set[str]:
    """Titles of the methods on the page: these are no baselines."""
    return {r.title} | ({r.other.title} if r.other is not None else set())


NUMBERS = (
    Number("Accuracy", DictionaryResult.accuracy,
           lambda r: f"{r.title}: share of hidden labels predicted correctly.",
           course=lambda r: r.recording.accuracy(r.truth, r.held_out) if r.held_out.any()
           else None),
    Number(lambda r: "Before continuing" if r.continued else "At the start",
           lambda r: r.accuracy_of(r.recording.scores[0].argmax(axis=1)),
           "Accuracy before the first round. At the start atoms are points, and only labelled ones "
           "have an influence on the classifier."),
    Number(lambda r: r.other.title, lambda r: r.other.accuracy(),
           "Accuracy of the method beside, on the same data, labels and seed.",
           when=lambda r: r.other is not None),
    _of_baseline("1-NN", "Accuracy of the class of the nearest given label, on the same points."),
    _of_baseline("Label propagation",
                 f"No dictionary: a random walk on the neighbour graph. {DEFAULT_SETTINGS}"),
    _of_baseline("SRC", f"Atoms are the labelled points; no unlabelled point. {DEFAULT_SETTINGS}"),
    _of_baseline("Metaface",
                 f"Atoms learnt from the labelled points of each class alone. {DEFAULT_SETTINGS}"),
    Number("Atoms per point", lambda r: r.recording.used[-1],
           lambda r: f"Atoms with a weight in a code, on average; there are {r.n_atoms}.",
           "{:.1f}", course=lambda r: r.recording.used[r.recording.moments]),
    Number("Reconstruction error", lambda r: r.recording.error[-1],
           "Squared error of the weighted sums of atoms, as a share of the squared points.",
           course=lambda r: r.recording.error[r.recording.moments]),
)  # fmt: skip


def code_heat_map(r: DictionaryResult) -> go.Figure:
    """All codes, points sorted by true class, atoms by the class they count for."""
    A, chosen = r.codes, _columns(r)
    order = np.lexsort((-np.abs(A).sum(axis=0), r.atom_classes))
    selected = {} if r.beside else {"clicked": r.point, "atom": r.atom}
    group, names = r.problem.true_groups()
    return code_map(A, group, names, order, chosen, **selected)


def _columns(r: DictionaryResult) -> np.ndarray:
    return np.union1d(
        stratified_order(r.truth, 0)[:COLUMNS_SHOWN], np.array([] if r.beside else [r.point], int)
    )


def codes_caption(r: DictionaryResult) -> str:
    A, used = r.codes, r.recording.used
    unused, drawn = int((~(A != 0).any(axis=0)).sum()), len(_columns(r))
    sample = f" {drawn} of {len(A)} points are drawn." if drawn < len(A) else ""
    return (
        "One column per point, sorted by true class; one row per atom, sorted by the class it "
        "counts for. Blue = positive weight, orange = negative. A code uses "
        f"**{used[-1]:.1f}** of {A.shape[1]} atoms ({used[-1] / A.shape[1]:.0%}), {used[0]:.1f} at "
        f"the start; {unused} atoms are not used.{sample} **Look for** blocks (atoms of one class) "
        "and for stripes (atoms of all classes). Click a column to select its point."
    )


def margins(r: DictionaryResult) -> go.Figure:
    """Scores of each class around the margins ±1."""
    film = r.recording
    kept = film.some(FRAMES_BESIDE)
    predicted = [P.argmax(axis=1) for P in film.P[kept]]
    names = moment_names(film.moments[kept])
    return margin_rows(list(film.scores[kept]), predicted, r.classes, names)


def margins_caption(r: DictionaryResult) -> str:
    film = r.recording
    first, last = (
        active_share(film.scores[i], film.P[i].argmax(axis=1), r.model.margin) for i in (0, -1)
    )
    left_out = len(r.classes) > CLASSES_DRAWN
    more = f" The first {CLASSES_DRAWN} classes are drawn." if left_out else ""
    return (
        "Scores of the classifier of each class: coloured for points predicted to be of the class, "
        "grey for all others. The **margins** are the lines at ±1. Coloured points left of +1 and "
        "grey points right of −1 are *active*: only they change the codes and the classifier. "
        f"Active pairs of point and class: {first:.0%} at the start, {last:.0%} now.{more}"
    )


def objective_caption(r: DictionaryResult) -> str:
    terms = r.recording.terms
    total = np.sum(list(terms.values()), axis=0)
    rises = int((np.diff(total) > 1e-9 * np.abs(total[:-1])).sum())
    course = f"rises in {rises} round{'s' if rises > 1 else ''}" if rises else "falls here"
    if len(total) == 1:
        course = f"is {total[0]:.4g} after the only round"
    scale = (
        "not on a log scale, since a term is negative" if has_negative(terms) else "on a log scale"
    )
    why = ""
    if isinstance(r.model, ActivePoints):
        why = "; it need not fall, since the active points are chosen anew in each round"
    elif isinstance(r.model, PseudoLabels) and r.model.pseudo_labels_teach and r.hidden.any():
        why = "; it need not fall, since P is computed anew in each round"
    return f"The terms of the objective and their sum, {scale}. The sum {course}{why}."


def _confidence(r: DictionaryResult) -> dict[str, np.ndarray]:
    """Curves over the kept rounds, on hidden points."""
    P = r.recording.P[:, r.held_out]
    largest, right = P.max(axis=2), P.argmax(axis=2) == r.truth[r.held_out]
    wrong = [
        share[~ok].mean() if not ok.all() else np.nan
        for share, ok in zip(largest, right, strict=True)
    ]
    return {
        "accuracy": right.mean(axis=1),
        "confidence": largest.mean(axis=1),
        "confidence of mistakes": np.array(wrong),
    }


def confidence_caption(r: DictionaryResult) -> str:
    curves = _confidence(r)
    first, last = (
        tuple(f"{curves[name][i]:.1%}" for name in ("accuracy", "confidence")) for i in (0, -1)
    )
    return (
        f"On the hidden points: accuracy {first[0]} → {last[0]}; confidence, the largest class "
        f"probability on average, {first[1]} → {last[1]}. **Look for** a gap between the two, and "
        "for mistakes whose confidence grows with the rest."
    )


def _moments(r: DictionaryResult) -> dict[str, Any]:
    return {"moments": r.recording.moments[r.recording.some(FRAMES_BESIDE)]}


CODE_VIEWS = (
    View("dictionary_codes", "All codes", code_heat_map, codes_caption, height=TALL_HEIGHT,
         options={"on_event": on_click_remember(), "film": None}),
    View("dictionary_margins", "Points still used in training", margins, margins_caption,
         when=lambda r: isinstance(r.model, ActivePoints), height=TALL_HEIGHT - PLAYER_HEIGHT,
         options=_moments),
)  # fmt: skip
COURSE_VIEWS = (
    View("dictionary_terms", "Objective", lambda r: term_lines(r.recording.terms),
         objective_caption, when=lambda r: len(r.recording.terms) > 0, height=CHART_HEIGHT,
         otherwise="After the first round."),
    View("dictionary_opinions", "Confidence and accuracy",
         lambda r: share_curves(r.recording.moments, _confidence(r), "round", ""),
         confidence_caption, when=lambda r: r.held_out.any(), height=CHART_HEIGHT,
         otherwise=unscored_text),
)  # fmt: skip
