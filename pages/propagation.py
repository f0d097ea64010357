"""Labels travel along the graph: all methods of the family, one or two at a time."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

import sslviz
from sslviz.figures.charts.basic import absorber_bars, class_bars, confidence_histogram, curve
from sslviz.figures.maps.basins import TOLD_APART, basin_map
from sslviz.figures.maps.hubs import add_paths
from sslviz.figures.maps.points import add_links, opinion_frames, opinion_map
from sslviz.figures.theme import ACCENT, DIFFERENCE, class_colours, css
from sslviz.graph.components import islands
from sslviz.graph.neighbours import knn
from sslviz.propagation.stages.effective_absorbers import effective_absorbers
from sslviz.recordings.propagation import record_sweeps
from sslviz.snippet import model_snippet
from sslviz.ui.app import page_header
from sslviz.ui.components.legend import show_legend
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.controls import choose_method, choose_option, choose_parameters
from sslviz.ui.messages import (
    show_code,
    show_method_docs,
    show_method_summary,
    show_metrics,
    show_stage_times,
    stop_on_error,
    warn_if_clipped,
)
from sslviz.ui.presets.apply import show_lesson
from sslviz.ui.problem import choose_problem
from sslviz.ui.propagation.outlier_curves import outliers_tried
from sslviz.ui.propagation.vote_view import show_votes
from sslviz.ui.result import (
    Answer,
    answer_of,
    argmax_rows,
    hover_texts,
    percent,
    show_comparison,
    titles_of,
    why_undetermined,
)
from sslviz.ui.server import memory
from sslviz.ui.state.clicks import on_click_remember

SMOOTH = 3000  # up to so many points the sweeps are recorded unasked
HEIGHT = 240  # of the small charts
OTHER_WAY = {"directed": "undirected", "undirected": "directed"}

page_header("Labels that travel")
show_lesson("pages/propagation.py")
problem = choose_problem()
X, y, truth, names = problem.dataset.X, problem.y, problem.dataset.y, problem.dataset.classes
hidden = y < 0

with st.sidebar:
    st.divider()
    methods = {m.title: m for m in sslviz.METHODS if m.family == "propagation"}
    Method = choose_method("Method", methods, "method", help="What colours the hidden points.")
    parameters = choose_parameters(Method)
    Other = choose_method(
        "Compare with",
        {"nothing": None} | methods,
        "versus",
        help="A second map beside the first: same data, same labels, same place. Take the same "
        "method again to compare two settings of it.",
    )
    others = choose_parameters(Other, prefix=f"versus.{Other.__name__}") if Other else {}
    st.divider()
    basins = hasattr(Method, "absorbers")
    colour = choose_option(
        "Colour",
        ("mix", "winner", *(["basin"] if basins else [])),
        "colour",
        help="The mix of all classes by their share, of more than two by its square (muddy: torn); "
        "the winning class alone; or, for label propagation, the basin: which of the given labels "
        "a walk ends at.",
    )
    small = len(X) <= SMOOTH
    sweeping = any(hasattr(m, "steps") for m in (Method, Other)) and colour != "basin"
    animate = sweeping and st.toggle(
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
show_method_summary(Method)
if Other and Other is not Method:
    show_method_summary(Other)

with memory().watch() as stages, stop_on_error(), st.spinner("Propagating …", show_time=True):
    models = [Method(**parameters, memory=memory()).fit(X, y)]
    if Other:
        models.append(Other(**others, memory=memory()).fit(X, y))
    record = memory().cache(record_sweeps)
    films = [
        record(type(m).__name__, chosen, X, y) if animate and hasattr(m, "steps") else None
        for m, chosen in zip(models, (parameters, others), strict=False)
    ]
    model, film = models[0], films[0]
    B = model.absorbers()[1] if colour == "basin" else None
for each in models:
    warn_if_clipped(each)

titles = titles_of(models)
answers = [answer_of(m, problem, title) for m, title in zip(models, titles, strict=True)]
answer = answers[0]
differ = (answers[0].labels != answers[-1].labels) & hidden if Other else None
undetermined = "Points without an answer; drawn grey."
outliers = problem.outliers
if differ is None:
    numbers = [
        (
            "Accuracy",
            percent(answer.accuracy(hidden)),
            "Share of hidden labels found; undetermined counts as wrong.",
        ),
        ("Undetermined", f"{(answer.labels < 0).mean():.1%}", undetermined),
    ]
    if outliers.any():
        meaning = (
            f"Accuracy on the hidden points that are no outliers; {outliers.sum()} are. Their "
            "share is set under “Shape of the data”."
        )
        numbers.append(("Without outliers", percent(answer.accuracy(hidden & ~outliers)), meaning))
    numbers.append(("Labels given", f"{(~hidden).sum()} of {len(y):,}", "Diamonds in the picture."))
    if hasattr(model, "sigma_"):
        meaning = "What the slider's multiple comes to."
        numbers.append(("Kernel width σ", f"{model.sigma_:.4g}", meaning))
    if hasattr(model, "n_hubs_"):
        told = "As set." if model.tuning_ is None else "Tuned by hiding labels."
        meaning = f"{told} Set others to see what the page of hubs shows with them."
        numbers.append(("Hubs · links", f"{model.n_hubs_:,} · {model.k_hub_}", meaning))
    show_metrics(numbers)
else:
    show_comparison(answers, problem)

point = problem.clicked()


def drawn(model: Any, answer: Answer, film: Any) -> go.Figure:
    """The map of one method, with its film and what it says of the clicked point."""
    shown = (lambda F: F) if colour == "mix" else argmax_rows
    wrong = ~answer.right & hidden & (answer.labels >= 0) if mistakes else None
    fig = opinion_map(
        problem.points,
        shown(answer.F),
        y,
        names,
        facts=hover_texts(answer, problem),
        wrong=wrong,  # undetermined ones are grey
        differ=differ,
        uirevision=problem.view,
    )
    if film:
        sweeps, _, opinions = film
        steps = [*(f"sweep {i}" for i in sweeps), "the limit"]
        frames = [shown(opinion) for opinion in (*opinions, answer.F)]
        fig.frames = opinion_frames(frames, steps, len(names), problem.points.shape[1])
    if point is None:
        return fig
    if hasattr(model, "explain"):
        votes = model.explain(point)
        colours = [css(class_colours(len(names))[c]) for c in votes.classes]
        add_paths(fig, problem.points, point, votes.paths, colours)
    elif hasattr(model, "links"):
        add_links(fig, problem.points, point, *model.links(point))
    else:
        add_links(fig, problem.points, point, np.array([], int), np.array([]))
    return fig


if differ is not None:
    marks = {"given label": ("◆", "inherit"), "they differ": ("○", DIFFERENCE)}
    show_legend(names, marks | ({"mistake": ("○", ACCENT)} if mistakes else {}))
keys = ("propagation_map", "propagation_versus")
for column, one, said, its_film, key in zip(
    st.columns(len(models)), models, answers, films, keys, strict=False
):
    with column:
        if Other:
            st.markdown(f"**{said.title}** · {percent(said.accuracy(hidden))} right")
        if B is not None and one is model:
            label = np.flatnonzero(~hidden) == point
            only = int(label.argmax()) if label.any() else None
            facts = hover_texts(answer, problem)
            view = problem.view
            fig = basin_map(problem.points, B, y, names, only=only, facts=facts, uirevision=view)
        else:
            fig = drawn(one, said, its_film)
        fig.update_layout(showlegend=not Other)
        show_figure(
            fig,
            key=key,
            height=560 if not Other else 420,
            thumbnails=problem.thumbnails,
            alt=f"{said.title} on {problem.dataset.name}; {percent(said.accuracy(hidden))} right",
            linked="propagation" if Other else None,
            film="propagation",
            moments=[*its_film[0], None] if its_film else None,
            on_event=on_click_remember(),
        )
if (answer.labels < 0).any():
    k = min(getattr(model, "n_neighbors", None) or model.k_graph, len(X) - 1)
    reason = why_undetermined(answer.labels, y, islands(knn(X, k, memory())), model)
    st.info(reason, icon=":material/landscape:")
if B is not None:
    alike = np.bincount(y[~hidden]).max() > TOLD_APART
    st.caption(
        "A point has the colour of the label its walks most likely end at; labels of a class are "
        "shades of one colour"
        + (", too many here to tell apart. " if alike else ". ")
        + "**Click a diamond** to see its basin alone. Look for one label that rules half the map: "
        "switch the edges to *directed* and it gets worse."
    )
elif differ is not None:
    st.caption(
        "Violet rings: the two answers differ. Move or zoom one map and the other follows; click a "
        "point in either to see why each believes what it does."
    )
else:
    play = "**Play** the sweeps and watch labels travel. " if film else ""
    st.caption(
        f"{play}Every point in the mix of its opinions, muddy where it is torn. **Look for** the "
        "place where two colours meet: in a gap all is well, in a crowd the graph has a bridge. "
        "**Click a point** to see whom it listens to."
    )
show_stage_times(stages)

sure, settles, one = st.columns(3)
with sure:
    st.subheader("How sure it is")
    bars = confidence_histogram(answer.share[hidden], answer.right[hidden])
    show_figure(bars, key="propagation_confidence", height=HEIGHT, tools=False)
    st.caption("Good methods are unsure where they are wrong: orange should sit on the left.")
with settles:
    if B is not None:
        st.subheader("Who catches the walks")
        bars = absorber_bars(B[hidden], y[~hidden], len(names))
        show_figure(bars, key="propagation_absorbers", height=HEIGHT, tools=False)
        twin = Method(**{**parameters, "graph": OTHER_WAY[model.graph]}, memory=memory()).fit(X, y)
        ways = {model.graph: B, twin.graph: twin.absorbers()[1]}
        effective = " and ".join(
            f"**{effective_absorbers(b[hidden]):.1f}** {way}" for way, b in ways.items()
        )
        st.caption(
            f"Of {(~hidden).sum()} labels, {effective} do the work (effective absorbers). A few "
            "tall bars: few labels catch the walks, whatever their class. Dotted: the fair share."
        )
    elif film:
        st.subheader("How fast it settles")
        line = curve(film[0], film[1], "sweep", "largest move", log_y=True)
        show_figure(line, key="propagation_change", height=HEIGHT, tools=False, film="propagation")
        st.caption("The largest move of any opinion in a sweep. The answer is the limit.")
    elif hasattr(model, "steps"):
        st.subheader("How fast it settles")
        st.info("Switch on “Record the sweeps”.", icon=":material/play_circle:")
    else:
        st.subheader("No sweeps")
        st.info(f"{model.title} has no sweeps to play: it finds its answer in one go.")
with one:
    st.subheader("One point's opinion")
    if point is None:
        st.info("Click a point in the picture.", icon=":material/touch_app:")
    elif hasattr(model, "explain"):
        show_votes(model.explain(point), point, problem, key="propagation_point", height=HEIGHT)
    else:
        F = answer.F[point]
        bars = class_bars(F / max(F.sum(), np.finfo(float).tiny), names)
        show_figure(bars, key="propagation_point", height=HEIGHT, tools=False)
        st.caption(
            f"Point {point}, truly {names[truth[point]]}: what it believes, from its neighbours, "
            "the heavier edge the thicker."
        )

outliers_tried(problem, dict(zip(titles, models, strict=True)))
for each in dict.fromkeys(type(m) for m in models):
    with st.expander(f"{each.title}: idea, formula, paper", icon=":material/school:"):
        show_method_docs(each)
show_code(model_snippet(model, problem.setting))
