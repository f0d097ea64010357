"""Learning that continues from the dictionary of the setting before it (warm start)."""

from collections.abc import Callable
from typing import Any, NamedTuple

import streamlit as st

from sslviz.content_hash import digest
from sslviz.ui.runs import run_store

STOPPED = "learning:stopped"
BESIDE = (5, 1)  # columns: in a row without, the button moves under the cursor as the bar grows


class Trail(NamedTuple):
    """The settings one has come through, the last being the present one, and its learning."""

    where: str  # names data, labels and what else must be the same to go on
    settings: tuple[dict[str, Any], ...]
    learning: Any

    @property
    def name(self) -> str:
        return digest(self.where, self.settings)

    @property
    def code(self) -> tuple[dict[str, Any], ...]:
        """The settings with the rounds that were really done."""
        return (*self.settings[:-1], self.settings[-1] | {"max_iter": self.learning.done})


def resume_or_start(
    page: str,
    where: str,
    settings: dict[str, Any],
    go_on: bool,
    begin: Callable[[dict[str, Any], Any], Any],
) -> Trail:
    """The learning of these settings.

    With `go_on` it starts from where the last one of this page and session stands, if that was at
    the same place `where`; else anew. One that was left before its first round stands nowhere: a
    slider that moves on at once leaves many such, and the one before them is the last.
    `begin(settings, before)` builds it, `before` being the fitted model to go on from, or None.
    """
    key = f"trail:{page}"
    trails: tuple[Trail, ...] = st.session_state.get(key, ())
    last = next((one for one in reversed(trails) if one.learning.done), None)
    before = None
    path: tuple[dict[str, Any], ...] = (settings,)
    if go_on and last is not None and last.where == where:
        if last.settings[-1] == settings:
            return last
        before, path = last.learning.fitted(), (*last.code, settings)
    name = digest(where, path)
    found = Trail(where, path, run_store().get(name, lambda: begin(settings, before)))
    st.session_state[key] = (found,) if last is None else (last, found)
    return found


def run_with_progress(learning: Any, name: str, title: str) -> None:
    """Do the rounds that are left, with a bar and a way to stop; one round is always done."""
    place = st.container()  # there even if empty, so that what follows keeps its place
    stopped = st.session_state.setdefault(STOPPED, set())
    if learning.done == learning.total:
        return
    if learning.done and name in stopped:
        with place:
            wide, narrow = st.columns(BESIDE, vertical_alignment="center")
        wide.warning(
            f"{title} was stopped after round {learning.done} of {learning.total}: this is how far "
            "it came.",
            icon=":material/front_hand:",
        )
        narrow.button("Go on", key=f"on:{title}", on_click=stopped.discard, args=(name,))
        return
    with place:
        slot = st.empty()
    with slot:
        wide, narrow = st.columns(BESIDE, vertical_alignment="center")
    bar = wide.progress(learning.done / learning.total, f"{title} begins …")
    narrow.button("Stop here", key=f"stop:{title}", on_click=stopped.add, args=(name,))
    while learning.done < learning.total:
        learning.advance()
        said = f"{title}: round {learning.done} of {learning.total}"
        bar.progress(learning.done / learning.total, said)
    slot.empty()
