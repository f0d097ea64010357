"""How a dictionary comes about: terms, opinions and margins round by round, codes at the end."""

from typing import Any

import numpy as np
import streamlit as st

from sslviz.data.dataset import stratified
from sslviz.figures.charts.basic import lines
from sslviz.figures.charts.codes import MOST_ROWS, code_map, margin_rows, term_lines
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.dictionary.atom_views import FEWER, dominant_classes, moments_of, names_of
from sslviz.ui.problem import Problem
from sslviz.ui.state.clicks import on_click_remember

HEIGHT = 300
TALL = 440  # of the codes and the margins beside them
COLUMNS = 600  # points of the code map


def show_terms(film: Any) -> None:
    """The objective and its parts."""
    st.subheader("What is paid")
    show_figure(
        term_lines(film.terms),
        key="dictionary_terms",
        height=HEIGHT,
        tools=False,
        film="dictionary",
    )
    total = film.terms.sum(axis=1)
    rises = int((np.diff(total) > 0).sum())
    st.caption(
        "The four terms of the objective and their sum, in log scale: missing the points, using "
        "atoms, differing from neighbours, being on the wrong side of a margin. "
        + (
            f"The sum rises in {rises} round{'s' if rises > 1 else ''}: "
            if rises
            else "The sum falls here, but need not: "
        )
        + "active points are chosen anew each round."
    )


def show_opinions(film: Any, problem: Problem) -> None:
    """P over the rounds: how firm it is, and how right."""
    st.subheader("How firm, how right")
    hidden, truth = problem.y < 0, problem.dataset.y
    if not hidden.any():
        st.info("Every label is given: there is nothing to hold opinions about.")
        return
    P = film.P[:, hidden]
    top, right = P.max(axis=2), P.argmax(axis=2) == truth[hidden]
    wrong = np.array(
        [t[~ok].mean() if (~ok).any() else np.nan for t, ok in zip(top, right, strict=True)]
    )
    curves = {"right": right.mean(axis=1), "firm": top.mean(axis=1), "firm where wrong": wrong}
    chart = lines(np.arange(len(P)), curves, "round", "")
    show_figure(chart, key="dictionary_opinions", height=HEIGHT, tools=False, film="dictionary")
    st.caption(
        f"The largest share of P, on average over the hidden points (**firm**, {top[0].mean():.0%} "
        f"→ {top[-1].mean():.0%}), and how often it is **right** ({right[0].mean():.1%} → "
        f"{right[-1].mean():.1%}). Mistakes become firm with the rest: raise r and P hesitates."
    )


def show_margins(film: Any, problem: Problem) -> None:
    """Scores around ±1; the points between are active."""
    st.subheader("Who is still active")
    names, moments = problem.dataset.classes, moments_of(film, FEWER)
    held = [P.argmax(axis=1) for P in film.P[moments]]
    fig = margin_rows(list(film.scores[moments]), held, names, names_of(moments))
    show_figure(
        fig,
        key="dictionary_margins",
        height=TALL - 40,  # the player is 40 high
        tools=False,
        film="dictionary",
        moments=moments,
    )
    shares = [active_share(film.scores[i], film.P[i].argmax(axis=1)) for i in (0, -1)]
    more = f" The first {MOST_ROWS} classes are drawn." if len(names) > MOST_ROWS else ""
    st.caption(
        "Scores of each class's classifier: in colour the points held for the class, in grey all "
        "others. Coloured ones left of +1 and grey ones right of −1 are **active**, only they pull "
        f"at the codes: {shares[0]:.0%} at the start, {shares[1]:.0%} now.{more}"
    )


def active_share(scores: np.ndarray, held: np.ndarray) -> float:
    """Share of all pairs of a point and a class that are on the wrong side of their margin."""
    side = np.where(held[:, None] == np.arange(scores.shape[1]), 1, -1)
    return float((side * scores < 1).mean())


def show_codes(
    model: Any, film: Any, problem: Problem, point: int | None, atom: int | None, key: str
) -> None:
    """The heat map of codes, points by true class, atoms by the class they speak for."""
    truth, names = problem.dataset.y, problem.dataset.classes
    chosen = stratified(truth, 0)[:COLUMNS]
    if point is not None:
        chosen = np.union1d(chosen, [point])
    A = model.codes_
    order = np.lexsort((-np.abs(A).sum(axis=0), dominant_classes(film.W[-1])))
    fig = code_map(A, truth, names, order, chosen, clicked=point, atom=atom)
    show_figure(fig, key=key, height=TALL, tools=False, on_event=on_click_remember())
    never = int((~(A != 0).any(axis=0)).sum())
    sample = f" {len(chosen)} points are drawn, a fair sample." if len(chosen) < len(A) else ""
    st.caption(
        "A column per point, by true class; a row per atom, by the class it speaks for; blue "
        f"adds, orange takes away. A code uses **{film.used[-1]:.1f}** of {A.shape[1]} atoms "
        f"({film.used[-1] / A.shape[1]:.0%}), {film.used[0]:.1f} at the start; {never} atoms are "
        f"used by nobody.{sample} **Look for** blocks: atoms of one class; and for stripes: atoms "
        "of all. Click a column to see its point."
    )


def show_without_graph(model: Any, plain: Any, film: Any, problem: Problem, unlike: Any) -> None:
    """USSDL's codes, and how unlike neighbours' they are; `unlike(codes)` measures it."""
    show_codes(plain, film, problem, None, None, "dictionary_codes_plain")
    st.caption(
        "How much codes differ from what their neighbours' make of them, tr(AᵀLA)/‖A‖²: "
        f"**{unlike(model.codes_):.3f}** with the graph, **{unlike(plain.codes_):.3f}** without. "
        "Two near-equal points may use quite different atoms, and the classifier sees only codes."
    )
