"""Label propagation and label spreading: watch labels travel along the graph."""

import numpy as np
import streamlit as st

import sslviz
from sslviz.figures.charts import class_bars, confidence_histogram, curve
from sslviz.figures.points import add_links, opinion_frames, opinion_map
from sslviz.snippet import model_snippet
from sslviz.ui.clicked import clicked_point, remember
from sslviz.ui.controls import controls, pick
from sslviz.ui.live import live
from sslviz.ui.problem import choose
from sslviz.ui.record import recorded
from sslviz.ui.saying import (
    code_said,
    idea_said,
    method_explained,
    numbers_said,
    problems_said,
    stages_said,
)
from sslviz.ui.server import memory
from sslviz.ui.shell import begin

SMOOTH = 3000  # up to so many points the sweeps are recorded unasked
HEIGHT = 240  # of the small charts

begin("Labels that travel")
problem = choose()
X, y, truth, names = problem.dataset.X, problem.y, problem.dataset.y, problem.dataset.classes
hidden = y < 0

with st.sidebar:
    st.divider()
    methods = {m.title: m for m in sslviz.METHODS if m.family == "propagation"}
    Method = methods[pick("Method", tuple(methods), "method")]
    parameters = controls(Method)
    colour = pick(
        "Colour",
        ("mix", "winner"),
        "colour",
        help="The mix of all classes by their share (muddy: unsure), or the winning class alone.",
    )
    small = len(X) <= SMOOTH
    animate = st.toggle(
        "Record the sweeps",
        small,
        key=f"sweeps.{'small' if small else 'large'}",
        bind="query-params",
        help="Keep the way to the answer, to play and scrub under the picture.",
    )
    mistakes = st.toggle(
        "Ring the mistakes",
        key="mistakes",
        bind="query-params",
        help="Compare with the hidden truth.",
    )
idea_said(Method)

model = Method(**parameters, memory=memory())
with memory().watch() as stages, problems_said(), st.spinner("Propagating …", show_time=True):
    model.fit(X, y)
    if animate:
        sweeps, change, opinions = memory().cache(recorded)(Method.__name__, parameters, X, y)

if model.n_neighbors_ < model.n_neighbors:
    st.warning(
        f"{model.n_neighbors} neighbours are asked for, but a point has only "
        f"{model.n_neighbors_} others: all of them are taken.",
        icon=":material/info:",
    )

answer, F = model.transduction_, model.label_distributions_
right = answer == truth
share = F.max(axis=1) / np.maximum(F.sum(axis=1), np.finfo(float).tiny)
accuracy = f"{right[hidden].mean():.1%}" if hidden.any() else "all given"
nothing = f"{(answer < 0).mean():.1%}"
numbers_said(
    [
        ("Accuracy", accuracy, "Share of hidden labels found; undetermined counts as wrong."),
        ("Undetermined", nothing, "Points no label can reach; drawn grey."),
        ("Labels given", f"{(~hidden).sum()} of {len(y):,}", "Diamonds in the picture."),
        ("Kernel width σ", f"{model.sigma_:.4g}", "What the slider's multiple comes to."),
    ]
)


def shown(opinion: np.ndarray) -> np.ndarray:
    if colour == "mix":
        return opinion
    return (opinion == opinion.max(axis=1, keepdims=True)) * (opinion > 0)


facts = [
    f"point {i} · truly {names[t]}<br>says {names[a] if a >= 0 else 'nothing'} ({s:.0%})"
    for i, (t, a, s) in enumerate(zip(truth, answer, share, strict=True))
]
wrong = ~right & hidden & (answer >= 0) if mistakes else None  # undetermined ones are grey
fig = opinion_map(
    problem.points, shown(F), y, names, facts=facts, wrong=wrong, uirevision=problem.view
)
if animate:
    steps = [*(f"sweep {i}" for i in sweeps), "the limit"]
    frames = [shown(opinion) for opinion in (*opinions, F)]
    fig.frames = opinion_frames(frames, steps, len(names), problem.points.shape[1])
point = clicked_point("propagation", problem)
if point is not None:
    others, weights = model.links(point)
    add_links(fig, problem.points, point, others, weights)
live(
    fig,
    key="propagation_map",
    height=560,
    thumbnails=problem.thumbnails,
    alt=f"{Method.title} on {problem.dataset.name}; accuracy {accuracy}",
    on_event=remember("propagation"),
)
stages_said(stages)

sure, settles, one = st.columns(3)
with sure:
    st.subheader("How sure it is")
    bars = confidence_histogram(share[hidden], right[hidden])
    live(bars, key="propagation_confidence", height=HEIGHT, tools=False)
    st.caption("Good methods are unsure where they are wrong: orange should sit on the left.")
with settles:
    st.subheader("How fast it settles")
    if animate:
        line = curve(sweeps, change, "sweep", "largest move", log_y=True)
        live(line, key="propagation_change", height=HEIGHT, tools=False)
        st.caption("The largest move of any opinion in a sweep. The answer is the limit.")
    else:
        st.info("Switch on “Record the sweeps”.", icon=":material/play_circle:")
with one:
    st.subheader("One point's opinion")
    if point is None:
        st.info("Click a point in the picture.", icon=":material/touch_app:")
    else:
        bars = class_bars(F[point] / max(F[point].sum(), np.finfo(float).tiny), names)
        live(bars, key="propagation_point", height=HEIGHT, tools=False)
        st.caption(
            f"Point {point}, truly {names[truth[point]]}: what it believes, from "
            f"{len(others)} neighbours, the heavier edge the thicker."
        )

with st.expander(f"{Method.title}: idea, formula, paper", icon=":material/school:"):
    method_explained(Method)
code_said(model_snippet(model, problem.setting))
