"""Which label next? Label propagation asks, and one sees what each answer is worth."""

import streamlit as st

import sslviz
from sslviz.experiments.active_learning import accuracies, asked, compared
from sslviz.figures.animated.queries import question_film
from sslviz.figures.charts.comparison import learning_curves
from sslviz.propagation import active_learning
from sslviz.snippet import questions_snippet
from sslviz.ui.app import page_header
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.controls import choose_option, choose_parameters
from sslviz.ui.messages import (
    module_explained,
    show_code,
    show_metrics,
    show_stage_times,
    stop_on_error,
)
from sslviz.ui.presets.apply import show_lesson
from sslviz.ui.problem import choose_problem
from sslviz.ui.result import percent
from sslviz.ui.server import memory
from sslviz.ui.state import manual_labels
from sslviz.ui.state.clicks import on_click_remember

FEW = 600  # points unless more are asked for: all pairs of them are held
WALK = ("n_neighbors", "sigma")

page_header("Which label next?")
show_lesson("pages/active_learning.py")
st.markdown(
    "A label costs somebody's time. **Which one is worth it?** Label propagation knows what it is "
    "unsure of, and can tell beforehand what each answer would change."
)
problem = choose_problem(few=FEW, first="digits")
X, y, truth, names = problem.dataset.X, problem.y, problem.dataset.y, problem.dataset.classes
hidden = y < 0
with st.sidebar:
    st.divider()
    strategy = choose_option(
        "Ask",
        active_learning.STRATEGIES,
        "asking.strategy",
        help="**Expected risk**: the point whose label is expected to leave the fewest mistakes. "
        "**Most unsure**: the point torn most between two classes. **At random**: any.",
    )
    count = st.slider(
        "Questions",
        1,
        40,
        15,
        key="asking.count",
        bind="query-params",
        help="How many labels are asked for, one after the other.",
    )
    parameters = choose_parameters(sslviz.LabelPropagation, only=WALK)
    colour = choose_option(
        "Colour",
        ("answers", "help"),
        "asking.colour",
        help="The mix of all classes by their share (muddy: unsure); or what a label at each point "
        "is expected to bring, by this way of asking.",
    )
if not hidden.any():
    st.info("Every label is given, nothing is left to ask: give fewer labels per class.")
    st.stop()

with memory().watch() as stages, stop_on_error(), st.spinner("Asking …", show_time=True):
    found = memory().cache(asked)(parameters, X, y, truth, strategy, count, 0)
    means, stds = compared(active_learning.STRATEGIES, parameters, X, y, truth, count, memory())
points, risks, F, help = found
right = accuracies(found, y, truth)

show_metrics(
    [
        ("Before", percent(right[0]), "Hidden labels found with the labels given."),
        (
            f"After {len(points)} questions",
            percent(right[-1], "all asked"),
            "The same among points that have neither been given nor asked.",
        ),
        (
            "Expected mistakes",
            " → ".join(f"{r:.0f}" if r >= 10 else f"{r:.1f}" for r in (risks[0], risks[-1])),
            "How many points are wrong if the shares are right.",
        ),
    ]
)
steps = ["before", *(f"{i} · point {p}" for i, p in enumerate(points, 1))]
facts = [f"point {i} · truly {names[c]}" for i, c in enumerate(truth)]
for i, p in enumerate(points, 1):
    facts[p] += f"<br>question {i}"
show_figure(
    question_film(
        problem.points,
        list(F),
        y,
        truth,
        points.tolist(),
        names,
        [f"{name} · {percent(share, '')}" for name, share in zip(steps, right, strict=True)],
        help=list(help) if colour == "help" else None,
        facts=facts,
        uirevision=problem.view,
    ),
    key="asking_map",
    height=540,
    thumbnails=problem.thumbnails,
    alt=f"{len(points)} questions on {problem.dataset.name}, asked {strategy}",
    film="asking",
    on_event=on_click_remember(),
)
st.caption(
    "**Play** the questions: a new diamond is an answer, the ring the last one. Large diamonds are "
    "the labels that were given. "
    + (
        "The redder, the more a label there is expected to bring: after each answer its "
        "neighbourhood pales, nothing more is to be learnt in it."
        if colour == "help"
        else "Watch how far a single answer reaches."
    )
)
show_stage_times(stages)

st.subheader("Is it worth asking cleverly?")
show_figure(
    learning_curves(
        list(range(means.shape[1])),
        list(active_learning.STRATEGIES),
        means,
        stds,
        "questions asked",
    ),
    key="asking_curves",
    height=340,
    tools=False,
    film="asking",
)
st.caption(
    "Right answers among the points left. *At random* is the mean of eight runs with its "
    "deviation. Where the lines lie within the band, any labels would have done."
)
st.button(
    f"Take these {len(points)} labels along",
    key="open.take",
    icon=":material/arrow_forward:",
    help="Give them by hand: all pages then have them, and the next question is asked from there.",
    on_click=manual_labels.add_manual_labels,
    args=({int(p): int(truth[p]) for p in points},),
)
with st.expander("Idea, formula, paper", icon=":material/school:"):
    module_explained(active_learning)
show_code(questions_snippet(parameters, problem.setting, strategy, count))
