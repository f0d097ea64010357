"""Cross-validation scores beside the truth: two grids on which a click takes a setting."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import streamlit as st

from sslviz.figures.charts.basic import score_grid
from sslviz.ui.components.live_figure import Event, show_figure


def show_grids(
    scores: Any, truth: Any, now: tuple[int, int], take: Callable[[int, int], None]
) -> None:
    """The two grids; `scores` and `truth` hold k_hub, n_hubs and scores (k_hub × n_hubs).

    `now` is the setting in use, framed where it is on the grid; `take(k_hub, n_hubs)` is called
    before the page runs again.
    """
    rows, columns = scores.k_hub, scores.n_hubs
    on = now[0] in rows and now[1] in columns
    at = (rows.index(now[0]), columns.index(now[1])) if on else (-1, -1)

    def clicked(event: Event) -> None:
        if event.kind == "click" and event.point is not None:
            i, j = divmod(event.point, len(columns))
            take(rows[i], columns[j])

    for column, key, title, tuning, look in zip(
        st.columns(2),
        ("scores", "truth"),
        ("What cross-validation sees", "What is true"),
        (scores, truth),
        (
            "Labels found again when a fifth of them is hidden, in percent. With few labels many "
            "settings tie; the fewest links and hubs then win.",
            "Hidden labels found, in percent. Is it light where the left one is? A click on a "
            "cell, here or there, takes its setting.",
        ),
        strict=True,
    ):
        with column:
            st.markdown(f"**{title}**")
            chart = score_grid(tuning.scores, rows, columns, ("links of a hub", "hubs"), at)
            show_figure(chart, key=f"grid_{key}", height=220, tools=False, on_event=clicked)
            st.caption(look)


def run_to_the_end(steps: Iterator[Any], share: Callable[[float], object]) -> Any:
    """The last of the reports of a search, with its progress told."""
    last = None
    for last in steps:
        share(last.done / last.total)
    return last


def show_best(scores: Any, truth: Any) -> str:
    """What cross-validation would choose, and what that is worth."""
    k_hub, n_hubs = scores.best
    at = (scores.k_hub.index(k_hub), scores.n_hubs.index(n_hubs))
    found, most = truth.scores[at], np.nanmax(truth.scores)
    hubs = "1 hub" if n_hubs == 1 else f"{n_hubs} hubs"
    return (
        f"Cross-validation chooses **{hubs}** with **{k_hub} links**: {found:.1%} right, "
        f"where the best of the grid has {most:.1%}."
    )
