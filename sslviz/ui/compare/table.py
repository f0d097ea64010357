"""The table of the page "Compare": a row for each method, the best first."""

from typing import Any

import numpy as np
import streamlit as st

from sslviz.ui.compare.result import ComparisonResult
from sslviz.ui.messages import format_seconds
from sslviz.ui.tables import show_table


def summary_table(r: ComparisonResult) -> list[dict[str, Any]]:
    """A row for each method, the best first."""
    found, rows = r.summaries, []
    for i in np.argsort([-np.nan_to_num(s.mean, nan=-1.0) for s in found], kind="stable"):
        s, title = found[i], r.titles[i]
        won, lost = s.against(found[0])
        shown = r.predictions.get(title)
        rows.append(
            {
                "method": title,
                "mean": 100 * s.mean,
                "±": 100 * s.std,
                "draws": s.drawn,
                "better than 1-NN": "–" if i == 0 else f"{won} of {won + lost}",
                "undetermined": 100 * (np.nan if shown is None else (shown < 0)[r.hidden].mean()),
                "time of a fit": "–" if np.isnan(s.seconds) else format_seconds(s.seconds),
            }
        )
    return rows


def failures(r: ComparisonResult) -> dict[str, str]:
    """Why methods have no prediction, on the map or on a draw, by title."""
    drawn = {t: s.failed for t, s in zip(r.titles, r.summaries, strict=True) if s.failed}
    return drawn | r.failed


COLUMNS = {
    "mean": "Mean accuracy on the hidden points over the draws.",
    "±": "Standard deviation over the draws.",
    "better than 1-NN": "Of the draws in which the two differ.",
    "undetermined": "Hidden points without a prediction, on the map.",
    "time of a fit": "Median for a new choice of labels, when graph and kernel are known already.",
}


def show_summary_table(r: ComparisonResult) -> None:
    """The table, and a warning for every method that fails."""
    percentages = ("mean", "±", "undetermined")
    config: dict[str, Any] = {
        name: st.column_config.NumberColumn(format="%.1f%%", help=help)
        if name in percentages
        else st.column_config.TextColumn(help=help)
        for name, help in COLUMNS.items()
    }
    rows = summary_table(r)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    show_table(columns, "comparison", width="content", column_config=config)
    for title, reason in failures(r).items():
        st.warning(f"{title} makes no prediction: {reason}", icon=":material/error:")
