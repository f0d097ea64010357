"""A warning before a fit that takes long: some costs grow with the cube of the number of points."""

import streamlit as st

from sslviz.ui.inductive.sidebar import InductiveChoice
from sslviz.ui.problem import Problem

SECONDS_UNASKED = 5.0  # a longer fit is started on demand only


def stop_if_slow(choice: InductiveChoice, problem: Problem) -> None:
    """Say how long the fit takes and stop, unless the visitor wants it all the same."""
    n, d = problem.dataset.X.shape
    linear = choice.parameters.get("kernel") == "linear"  # no matrix of all pairs
    seconds = 0.0 if linear else choice.Method.seconds(n, d, problem.dataset.n_classes)
    if seconds <= SECONDS_UNASKED:
        return
    st.warning(
        f"This takes about **{format_duration(seconds)}** for {n:,} points with {d:,} features. "
        "Rather take fewer points under *Data options*, or data with fewer features.",
        icon=":material/hourglass_top:",
    )
    if not st.toggle("Compute it all the same", key="inductive.patient"):
        st.stop()


def format_duration(seconds: float) -> str:
    """Rounded to five seconds, or to minutes."""
    if seconds < 60:
        return f"{max(5 * round(seconds / 5), 5)} seconds"
    minutes = round(seconds / 60)
    return f"{minutes} minute{'s' if minutes > 1 else ''}"
