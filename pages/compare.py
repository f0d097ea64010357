"""Methods of all families on one problem: who is right, how often, and with how many labels."""

import numpy as np
import streamlit as st

from sslviz.figures.charts.basic import score_grid
from sslviz.figures.charts.comparison import (
    answer_film,
    height_of,
    learning_curves,
    right_counts,
    standings_chart,
)
from sslviz.snippet import contest_snippet
from sslviz.ui.app import page_header
from sslviz.ui.compare.contest import EVERY, Contest, answered, contest_of
from sslviz.ui.compare.sidebar import BASELINE, choose_entrants
from sslviz.ui.compare.views import show_point, show_table, show_verdict
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.messages import show_code
from sslviz.ui.presets.apply import show_lesson
from sslviz.ui.problem import choose_problem
from sslviz.ui.result import percent
from sslviz.ui.runs import watch
from sslviz.ui.server import memory
from sslviz.ui.state.clicks import on_click_remember

FEW = 1000  # points unless more are asked for: some methods compare all pairs
SMALL = 300  # height of the small charts

page_header("Which method for these data?")
show_lesson("pages/compare.py")
st.markdown(
    "Methods of all families on the **same points** and the **same labels**. One draw of the "
    "labels may favour a method by luck: all of them are drawn again and again."
)
problem = choose_problem(few=FEW)
X, y, truth, names = problem.dataset.X, problem.y, problem.dataset.y, problem.dataset.classes
hidden = y < 0
if not hidden.any():
    st.info("Every label is given, nothing is left to find: give fewer labels per class.")
    st.stop()
with st.sidebar:
    st.divider()
    entrants, draws = choose_entrants(len(names))
titles = [e.title for e in entrants]

answers: list[np.ndarray | str] = []
with st.spinner("Fitting …", show_time=True):
    for found in answered(entrants, X, y, memory()):
        answers.append(found)
there = [i for i, a in enumerate(answers) if not isinstance(a, str)]
given = np.stack([np.asarray(answers[i]) for i in there])  # (m, n)
right = (given == truth)[:, hidden]
present = np.full(len(entrants), np.nan)
present[there] = right.mean(axis=1)
worst_first = sorted(range(len(there)), key=lambda i: right[i].mean())


def show_map() -> None:
    """One map, a frame per method."""
    said = [titles[i] for i in there]
    words = [[names[a] if a >= 0 else "nothing" for a in row] for row in given]
    facts = [
        f"point {i} · truly {names[truth[i]]}<br>"
        + "<br>".join(f"{title}: {row[i]}" for title, row in zip(said, words, strict=True))
        for i in range(len(X))
    ]
    fig = answer_film(
        problem.points,
        [truth, *(given[i] for i in worst_first)],
        truth,
        y,
        names,
        ["the truth", *(f"{said[i]} · {percent(right[i].mean())}" for i in worst_first)],
        facts=facts,
        uirevision=problem.view,
    )
    point = problem.clicked()
    wide, narrow = st.columns([3, 1])
    with wide:
        show_figure(
            fig,
            key="compare_map",
            height=520,
            thumbnails=problem.thumbnails,
            alt=f"Answers of {len(there)} methods on {problem.dataset.name}, one at a time",
            on_event=on_click_remember(),
        )
        st.caption(
            "The bar under the picture goes from the truth over the worst answer to the best. "
            "**Step back and forth** between two of them: what blinks is where they differ. Rings "
            "are mistakes. Zoom in first, the view stays. Labels by hand count here only."
        )
    with narrow:
        st.subheader("One point")
        show_point(point, said, list(given), truth, names)


def show_contest(contest: Contest) -> None:
    """How everyone stands by now."""
    standings = contest.standings()
    show_verdict(titles, standings)
    st.caption(contest.status())
    left, middle = st.columns(2)
    with left:
        st.subheader("Draw after draw")
        accuracies = np.stack([s.accuracies for s in standings])
        chart = standings_chart(titles, accuracies, present, plain=0)
        height = height_of(len(titles))
        show_figure(chart, key="compare_standings", height=height, tools=False)
        st.caption(
            f"{contest.per_class} labels per class. A dot is a draw, the bar mean and deviation, "
            "the diamond the labels on the map above, the dotted line 1-NN. **Look at the "
            "overlap** before you call a winner."
        )
    with middle:
        st.subheader("With how many labels?")
        curves = [contest.standings(size) for size in contest.sizes]
        means = np.array([[c[i].mean for c in curves] for i in range(len(titles))])
        stds = np.array([[c[i].std for c in curves] for i in range(len(titles))])
        show_figure(
            learning_curves(contest.sizes, titles, means, stds),
            key="compare_curves",
            height=max(height, 360),
            tools=False,
        )
        st.caption(
            "Methods that trust the shape of the data start high and stay flat; those that trust "
            "labels start low and catch up. Where lines cross, the choice depends on what labels "
            "cost."
        )
    show_table(titles, standings, answers, hidden)


show_map()
contest = contest_of(entrants, X, truth, problem.setting.per_class, draws, memory())
watch(contest, lambda: show_contest(contest), every=EVERY)

alike, hard = st.columns(2)
with alike:
    st.subheader("Who agrees with whom")
    rows = np.vstack([truth, given])[:, hidden]
    shares = (rows[:, None] == rows[None]).mean(axis=2)
    who = ("truth", *(titles[i] for i in there))
    matrix = score_grid(shares, who, who, ("", ""), (-1, -1))
    matrix.update_yaxes(autorange="reversed", automargin=True).update_xaxes(automargin=True)
    show_figure(matrix, key="compare_agreement", height=height_of(len(who)) + 60, tools=False)
    st.caption(
        "Percent of the hidden points on which two answers are the same. Methods of a kind make "
        "the same mistakes; two that are right as often and agree less would gain by voting."
    )
with hard:
    st.subheader("How hard the points are")
    show_figure(right_counts(right), key="compare_hard", height=SMALL, tools=False)
    none, everyone = int((~right.any(axis=0)).sum()), int(right.all(axis=0).sum())
    st.caption(
        f"**{none:,}** of {hidden.sum():,} hidden points are found by no method: another method "
        f"will hardly help there, another label may. **{everyone:,}** are found by all."
    )
show_code(contest_snippet([e for e in entrants if e is not BASELINE], problem.setting, draws))
