"""Views of the page "Compare": one point, accuracy over the draws, agreement, difficulty."""

import numpy as np
import plotly.graph_objects as go

from sslviz.experiments.comparison import MethodSummary
from sslviz.figures.charts.basic import score_grid
from sslviz.figures.charts.comparison import (
    accuracy_chart,
    chart_height,
    learning_curves,
    prediction_map,
    right_counts,
)
from sslviz.figures.maps.decision_field import add_clicked
from sslviz.figures.maps.points import NO_LINKS
from sslviz.ui.compare.result import ComparisonResult
from sslviz.ui.result import unscored_text, without_accuracy
from sslviz.ui.views import View, percent

CHART_HEIGHT, CURVES_HEIGHT = 300, 360
CLEAR_GAP = 0.01  # between two methods after a single draw


def method_map(r: ComparisonResult) -> go.Figure:
    """One map with a frame for the true classes and one for each method, the best last."""
    names = r.problem.classes
    worst_first = sorted(r.predictions, key=lambda title: np.nan_to_num(r.accuracies[title]))
    words = {
        title: [names[c] if c >= 0 else "nothing" for c in found]
        for title, found in r.predictions.items()
    }
    facts = [
        f"{text}<br>" + "<br>".join(f"{title}: {found[i]}" for title, found in words.items())
        for i, text in enumerate(r.problem.point_texts())
    ]
    absent = without_accuracy(r.problem)
    fig = prediction_map(
        r.problem.points,
        [r.truth, *(r.predictions[title] for title in worst_first)],
        r.truth,
        r.problem.y,
        names,
        [_first_frame(r), *(f"{t} · {percent(r.accuracies[t], absent)}" for t in worst_first)],
        facts=facts,
        uirevision=r.problem.view,
    )
    if r.problem.point is not None or r.problem.points.shape[1] == 2:  # others turn pale in space
        add_clicked(fig, r.problem.points, r.point, *NO_LINKS)
    return fig


def _first_frame(r: ComparisonResult) -> str:
    return "the true classes" if r.held_out.any() else "the known labels"


def map_caption(r: ComparisonResult) -> str:
    """What the frames are, and how to compare two of them."""
    scored = r.held_out.any()
    order = "over the worst prediction to the best" if scored else "through the predictions"
    return (
        f"The bar under the map goes from {_first_frame(r)} {order}. **Step back and forth** "
        "between two of them: points that blink are those on which they differ. "
        f"{'Rings: mistakes. ' if scored else ''}Labels given by hand count on this map only."
    )


def point_table(r: ComparisonResult) -> dict[str, list[str]]:
    """The prediction of every method for the selected point."""
    names, truth = r.problem.classes, r.truth[r.point]
    found = [int(prediction[r.point]) for prediction in r.predictions.values()]
    return {
        "method": list(r.predictions),
        "predicts": [names[c] if c >= 0 else "nothing" for c in found],
        "": ["?" if truth < 0 else "✓" if c == truth else "✗" for c in found],
    }


POINT = View(
    "compare_point", lambda r: f"Point {r.point}", lambda r: None,
    lambda r: f"True class **{r.problem.true_names()[r.point]}**. "
    + ("Click another point in the map." if r.problem.point is not None else
       "The methods differ most on this point; click another in the map."),
    table=point_table,
)  # fmt: skip


def verdict(r: ComparisonResult) -> str:
    """Which method is best, which are not clearly worse, and which lose to 1-NN."""
    found, titles = r.summaries, r.titles
    there = [i for i, s in enumerate(found) if s.drawn]
    if not there:
        if r.run is not None and r.run.done:
            return unscored_text(r)
        return "The first fits are running."
    best = max(there, key=lambda i: found[i].mean)
    alike = [titles[i] for i in there if i != best and not is_behind(found[i], found[best])]
    worse = [titles[i] for i in there if i and found[i].mean < found[0].mean]
    text = f"**{titles[best]}** has the highest mean accuracy, {_mean(found[best])}."
    if alike:
        text += f" Not clearly worse: {', '.join(alike)}."
    if best and found[0].drawn:
        text += f" The baseline 1-NN has {_mean(found[0])}"
        text += f"; worse than that: {', '.join(worse)}." if worse else "."
    elif not best and len(there) > 1:
        text += " It is the baseline: **no method gains from the unlabelled points here.**"
    return text


def is_behind(one: MethodSummary, best: MethodSummary) -> bool:
    """Whether its mean difference to the best, draw by draw, exceeds two standard errors."""
    gaps = best.accuracies - one.accuracies
    gaps = gaps[np.isfinite(gaps)]
    if len(gaps) < 2:
        return bool(best.mean - one.mean > CLEAR_GAP)
    return bool(gaps.mean() > 2 * gaps.std(ddof=1) / np.sqrt(len(gaps)))


def _mean(s: MethodSummary) -> str:
    return percent(s.mean) if np.isnan(s.std) else f"{percent(s.mean)} ± {100 * s.std:.1f}"


def _accuracies(r: ComparisonResult) -> go.Figure:
    present = np.array([r.accuracies.get(title, np.nan) for title in r.titles])
    drawn = np.stack([s.accuracies for s in r.summaries])
    return accuracy_chart(r.titles, drawn, present, baseline=0)


def _curves(r: ComparisonResult) -> go.Figure:
    assert r.run is not None
    curves = [r.run.summaries(count) for count in r.run.label_counts]
    means, stds = (
        np.array([[getattr(c[i], what) for c in curves] for i in range(len(r.titles))])
        for what in ("mean", "std")
    )
    return learning_curves(r.run.label_counts, r.titles, means, stds)


def draw_views(rows: int) -> tuple[View, View]:
    """Accuracy over the draws and over the number of labels, for so many methods."""
    return (
        View("compare_standings", "Accuracy", _accuracies,
             lambda r: f"{r.run.per_class} labels per class. Dot: one random choice of labels. "
             "Bar: mean and standard deviation. Diamond: the labels of the map. Dotted line: 1-NN. "
             "**Look at the overlap** before you call one method better.",
             height=chart_height(rows)),
        View("compare_curves", "Learning curves", _curves,
             "Methods that rely on the shape of the data start high and stay flat; those that rely "
             "on labels start low and catch up. Where lines cross, the best method depends on the "
             "number of labels.",
             height=max(chart_height(rows), CURVES_HEIGHT)),
    )  # fmt: skip


def _agreement(r: ComparisonResult) -> go.Figure:
    rows, names = r.given[:, r.hidden], tuple(r.predictions)
    if r.held_out.any():
        rows, names = np.vstack([r.truth, r.given])[:, r.held_out], ("true class", *names)
    shares = (rows[:, None] == rows[None]).mean(axis=2)
    fig = score_grid(shares, names, names, ("", ""), (-1, -1))
    return fig.update_yaxes(autorange="reversed", automargin=True).update_xaxes(automargin=True)


def difficulty_caption(r: ComparisonResult) -> str:
    none, every = int((~r.right.any(axis=0)).sum()), int(r.right.all(axis=0).sum())
    return (
        f"**{none:,}** of {r.held_out.sum():,} hidden points are predicted correctly by no method: "
        f"there another label helps rather than another method. **{every:,}** are predicted "
        "correctly by all."
    )


def map_views(rows: int) -> tuple[View, View]:
    """How the predictions on the map agree, and how hard the points are."""
    return (
        View("compare_agreement", "Agreement", _agreement,
             "Percentage of hidden points on which two predictions are equal. Similar methods make "
             "the same mistakes; two of equal accuracy that agree less would gain by voting.",
             height=chart_height(rows) + 60),
        View("compare_hard", "Difficulty of the points", lambda r: right_counts(r.right),
             difficulty_caption, when=lambda r: r.held_out.any(), otherwise=unscored_text,
             height=CHART_HEIGHT),
    )  # fmt: skip
