"""One point's vote in words and bars."""

from typing import Any

import numpy as np
import streamlit as st

from sslviz.figures.charts.basic import class_bars
from sslviz.ui.components.live_figure import show_figure
from sslviz.ui.problem import Problem


def show_votes(votes: Any, point: int, problem: Problem, *, key: str, height: int = 240) -> None:
    """Who voted for what, from how far, and whether the tie rule decided.

    `votes` has the fields of an account of a vote: voters, distances, classes, weights, paths,
    tied, winner; a point that is its own voter has an answer of its own.
    """
    names, given = problem.dataset.classes, problem.y >= 0
    shares = np.zeros(len(names))
    cast = votes.classes >= 0
    np.add.at(shares, votes.classes[cast], votes.weights[cast])
    show_figure(class_bars(shares, names), key=key, height=height, tools=False)
    st.caption(f"Point {point}, truly {names[problem.dataset.y[point]]}. {verdict(votes, names)}")
    if len(votes.voters) == 0 or list(votes.voters) == [point]:
        return
    table = {
        "voter": [f"{'label' if given[v] else 'hub'} {v}" for v in votes.voters],
        "votes for": [names[c] for c in votes.classes],
        "way": votes.distances,
        "steps": [len(path) - 1 for path in votes.paths],
    }
    st.dataframe(table, hide_index=True, column_config={"way": st.column_config.NumberColumn(
        help="Length of the way along the graph.", format="%.3g")})  # fmt: skip


def verdict(votes: Any, names: tuple[str, ...]) -> str:
    """The outcome in a sentence or two."""
    if votes.winner < 0:
        return "No voter can be reached from it: it stays undetermined."
    if len(votes.paths) == 1 and len(votes.paths[0]) == 1:
        return f"It is a voter itself and votes **{names[votes.winner]}**; nobody is asked."
    count = int((votes.classes == votes.winner).sum())
    if votes.tied:
        return (
            f"The most votes are shared: the nearest of the tied voters decides for "
            f"**{names[votes.winner]}**."
        )
    return f"{count} of {len(votes.voters)} voters say **{names[votes.winner]}**."
