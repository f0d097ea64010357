"""What a contest comes to, in words and numbers."""

from typing import Any

import numpy as np
import streamlit as st

from sslviz.experiments.comparison import Standing
from sslviz.ui.messages import format_seconds
from sslviz.ui.result import percent


def show_verdict(titles: list[str], standings: list[Standing]) -> None:
    """Who leads, who cannot be told from the leader, and who loses to the baseline, the first."""
    there = [i for i, s in enumerate(standings) if s.drawn]
    if not there:
        st.info("The first fits are under way.", icon=":material/hourglass_top:")
        return
    plain = standings[0]
    best = max(there, key=lambda i: standings[i].mean)
    leader = standings[best]
    alike = [i for i in there if i != best and not _behind(standings[i], leader)]
    poorer = [i for i in there if i and standings[i].mean < plain.mean]
    said = f"**{titles[best]}** leads with {_mean(leader)}."
    if alike:
        said += f" Not clearly behind: {_listed(titles, alike)}."
    if best and plain.drawn:
        said += f" The baseline, 1-NN, has {_mean(plain)}"
        said += f"; worse than that: {_listed(titles, poorer)}." if poorer else "."
    elif not best and len(there) > 1:
        said += " It is the baseline: **no method gains from the unlabelled points here.**"
    st.markdown(said)


def _behind(one: Standing, leader: Standing) -> bool:
    """Whether it loses by more than the deviation of the differences in the same draws' mean.

    Two standard errors; of a single draw, by a hundredth.
    """
    gaps = leader.accuracies - one.accuracies
    gaps = gaps[np.isfinite(gaps)]
    if len(gaps) < 2:
        return bool(leader.mean - one.mean > 0.01)
    return bool(gaps.mean() > 2 * gaps.std(ddof=1) / np.sqrt(len(gaps)))


def show_table(
    titles: list[str], standings: list[Standing], present: list[Any], hidden: np.ndarray
) -> None:
    """A row per method, the best first."""
    order = np.argsort([-np.nan_to_num(s.mean, nan=-1.0) for s in standings], kind="stable")
    rows = []
    for i in order:
        s = standings[i]
        won, lost = s.against(standings[0])
        silent = np.nan if isinstance(present[i], str) else float((present[i] < 0)[hidden].mean())
        rows.append(
            {
                "method": titles[i],
                "mean": 100 * s.mean,
                "±": 100 * s.std,
                "draws": s.drawn,
                "better than 1-NN": "–" if i == 0 else f"{won} of {won + lost}",
                "undetermined": 100 * silent,
                "a fit": "–" if np.isnan(s.seconds) else format_seconds(s.seconds),
            }
        )
    st.dataframe(
        rows,
        hide_index=True,
        width="content",
        column_config={
            "mean": _share("Hidden labels found, mean over the draws."),
            "±": _share("Standard deviation of a single draw."),
            "better than 1-NN": st.column_config.TextColumn(
                help="In how many of the draws that tell them apart it beats the nearest label."
            ),
            "undetermined": _share("Hidden points without an answer, on the map."),
            "a fit": st.column_config.TextColumn(
                help="Median time for a new draw of labels: graph and kernel are there by then."
            ),
        },
    )
    for i in order:
        if standings[i].failed or isinstance(present[i], str):
            why = present[i] if isinstance(present[i], str) else standings[i].failed
            st.warning(f"{titles[i]} could not answer: {why}", icon=":material/error:")


def show_point(
    point: int | None, titles: list[str], answers: list[np.ndarray], truth: np.ndarray, names: Any
) -> None:
    """What everyone says of the clicked point."""
    if point is None:
        st.info("Click a point in the picture.", icon=":material/touch_app:")
        return
    st.caption(f"Point {point}, truly **{names[truth[point]]}**.")
    said = [int(a[point]) for a in answers]
    rows = [
        {
            "method": title,
            "says": names[a] if a >= 0 else "nothing",
            "": "✓" if a == truth[point] else "✗",
        }
        for title, a in zip(titles, said, strict=True)
    ]
    st.dataframe(rows, hide_index=True, width="stretch")


def _share(meaning: str) -> Any:
    return st.column_config.NumberColumn(format="%.1f %%", help=meaning)


def _mean(s: Standing) -> str:
    return percent(s.mean) if np.isnan(s.std) else f"{percent(s.mean)} ± {100 * s.std:.1f}"


def _listed(titles: list[str], which: list[int]) -> str:
    return ", ".join(titles[i] for i in which)
