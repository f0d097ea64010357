"""Tuning of hubs and links: cross-validation beside the true accuracy, as two grids.

A click on a cell takes its setting.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from sklearn.base import clone

from sslviz.content_hash import digest
from sslviz.figures.charts.basic import score_grid
from sslviz.recordings.tuning import TuningRun
from sslviz.ui.components.live_figure import Event, show_figure
from sslviz.ui.hubs.result import HubResult
from sslviz.ui.messages import stop_on_error
from sslviz.ui.runs import finish

VALIDATION, TRUTH = "Cross-validation", "Accuracy"
CAPTIONS = {
    VALIDATION: "Share of the given labels predicted correctly when a fifth of them is hidden, in "
    "percent. With few labels many settings tie; the fewest links and hubs are then chosen.",
    TRUTH: "Accuracy on the hidden labels, in percent. **Look for** cells that are light in both "
    "grids. Click a cell to use its setting.",
}


def take_setting(k_hub: int, n_hubs: int) -> None:
    """Set the two sliders; called before the page runs again."""
    st.session_state["RobustLabelPrediction.k_hub"] = k_hub
    st.session_state["hubs.h"] = n_hubs


def show_tuning(result: HubResult) -> None:
    """A switch; when it is on, both grids and the choice of cross-validation."""
    st.subheader("How many hubs, how many links?")
    st.markdown(
        "With only a few labels, these two are chosen by **cross-validation**: hide some of the "
        "given labels and see which setting predicts them best."
        + (" The true accuracy is shown beside it." if result.problem.held_out.any() else "")
    )
    if not st.toggle(
        "Try all combinations",
        key="hubs.grid",
        bind="query-params",
        help="Fits every combination of hubs and links, five times for cross-validation and once "
        "for the accuracy: a second for two thousand points, minutes for many thousands.",
    ):
        return
    with stop_on_error():
        run = finish(_key(result), TuningRun, _searches(result))
    scores, truth = run.tunings[VALIDATION], run.tunings.get(TRUTH)
    for column, title in zip(st.columns(2), run.tunings, strict=False):
        with column:
            _show_grid(title, run.tunings[title], (result.model.k_hub, len(result.model.hubs_)))
    text, button = st.columns([3, 1], vertical_alignment="center")
    text.markdown(choice_text(scores, truth))
    button.button("Use this setting", on_click=take_setting, args=scores.best, width="stretch")


def _key(result: HubResult) -> str:
    parameters = {k: v for k, v in result.model.get_params().items() if k != "memory"}
    settings = parameters | {"n_hubs": 0, "k_hub": 0}  # the grid varies these
    return digest("hub tuning", settings, result.problem.dataset.X, result.y, result.truth)


def _searches(result: HubResult) -> dict[str, Callable[[], Iterator[Any]]]:
    model, X = clone(result.model), result.problem.dataset.X
    searches: dict[str, Callable[[], Iterator[Any]]] = {
        VALIDATION: partial(model.tune, X, result.y)
    }
    if result.held_out.any():  # else nothing is known that could be compared
        searches[TRUTH] = partial(model.try_out, X, result.y, result.truth)
    return searches


def _show_grid(title: str, tuning: Any, now: tuple[int, int]) -> None:
    rows, columns = tuning.k_hub, tuning.n_hubs
    shown = now[0] in rows and now[1] in columns
    at = (rows.index(now[0]), columns.index(now[1])) if shown else (-1, -1)

    def on_click(event: Event) -> None:
        if event.kind == "click" and event.point is not None:
            i, j = divmod(event.point, len(columns))
            if i < len(rows):
                take_setting(rows[i], columns[j])

    st.markdown(f"**{title}**")
    chart = score_grid(tuning.scores, rows, columns, ("links of a hub", "hubs"), at)
    key = "grid_scores" if title == VALIDATION else "grid_truth"
    show_figure(
        chart,
        key=key,
        height=220,
        tools=False,
        alt="Accuracy by number of hubs and links",
        on_event=on_click,
    )
    st.caption(CAPTIONS[title])


def choice_text(scores: Any, truth: Any) -> str:
    """The setting that cross-validation chooses, and its true accuracy where that is known."""
    k_hub, n_hubs = scores.best
    hubs = "1 hub" if n_hubs == 1 else f"{n_hubs} hubs"
    chosen = f"Cross-validation chooses **{hubs}** with **{k_hub} links**"
    if truth is None:
        return f"{chosen}."
    at = (scores.k_hub.index(k_hub), scores.n_hubs.index(n_hubs))
    found, best = truth.scores[at], np.nanmax(truth.scores)
    return f"{chosen}: accuracy {found:.1%}; the best of the grid is {best:.1%}."
