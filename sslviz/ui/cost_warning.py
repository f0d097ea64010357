"""A warning before a fit that takes long, or that holds a matrix of all pairs of many points."""

from typing import Any

import streamlit as st

from sslviz.ui.problem import Problem

SECONDS_UNASKED = 5.0  # a longer fit is started on demand only
PAIRS_UNASKED = 5000  # points, of more of which a matrix of all pairs is made on demand only


def stop_if_costly(problem: Problem, key: str, *, seconds: float = 0.0, paired: bool) -> None:
    """Say what a fit costs and stop, unless the visitor wants it all the same.

    `seconds` is an estimate, `paired` whether it makes a matrix of all pairs of points.
    """
    n, d = problem.dataset.X.shape
    costs = [f"takes about **{format_duration(seconds)}**"] if seconds > SECONDS_UNASKED else []
    if paired and n > PAIRS_UNASKED:
        costs.append(f"needs a matrix of all pairs of points of **{8 * n * n / 2**30:.1f} GB**")
    if not costs:
        return
    st.warning(
        f"This {' and '.join(costs)} for {n:,} points with {d:,} features. "
        "Rather take fewer points under *Data options*, or data with fewer features.",
        icon=":material/hourglass_top:",
    )
    if not st.toggle("Compute it all the same", key=key):
        st.stop()


def holds_all_pairs(Method: Any, values: dict[str, Any]) -> bool:
    """Whether a method with these parameters makes a kernel matrix."""
    return values.get("kernel", getattr(Method, "kernel", None)) == "rbf"


def format_duration(seconds: float) -> str:
    """Rounded to five seconds, or to minutes."""
    if seconds < 60:
        return f"{max(5 * round(seconds / 5), 5)} seconds"
    minutes = round(seconds / 60)
    return f"{minutes} minute{'s' if minutes > 1 else ''}"
