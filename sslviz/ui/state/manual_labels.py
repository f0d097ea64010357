"""Labels given by hand: hover a point and press a digit, or click it and choose a class.

They come on top of the labels drawn, belong to a data set with its options, and are kept in the
session and in the URL: `hand=12.0_57.1_80.-`. Every class keeps a label: pages rely on it.
"""

import re
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from sslviz.data import Dataset
from sslviz.labels import UNLABELLED
from sslviz.ui.state import page_state

MOST, NAMED = 200, 4  # labels by hand; classes of which the sidebar names each
URL = "hand"
# Without a colon: a preset, which begins anew, forgets them as well (see presets.set_up).
HELD, GROUND, NEWS = "by_hand.held", "by_hand.ground", "by_hand.news"  # news: not computed yet

Labels = dict[int, int]  # of points: a class, or -1 for none


class LabelContext(NamedTuple):
    """What labels of this run were put on."""

    name: str  # of the data set and its options
    classes: tuple[str, ...]
    drawn: np.ndarray  # (n,) labels without those given by hand
    used: Labels

    @property
    def y(self) -> np.ndarray:
        """(n,) all labels."""
        return added(self.drawn, self.used, len(self.classes))[0]


def read(text: str) -> Labels:
    """Labels from the URL; what makes no sense is left out."""
    found = (re.fullmatch(r"(\d{1,9})\.(\d{1,4}|-)", e, re.ASCII) for e in text.split("_")[:MOST])
    return {int(m[1]): UNLABELLED if m[2] == "-" else int(m[2]) for m in found if m}


def written(labels: Labels) -> str:
    """Labels as they stand in the URL, in letters it need not escape."""
    return "_".join(f"{p}.{'-' if c == UNLABELLED else c}" for p, c in sorted(labels.items()))


def keys_of(classes: tuple[str, ...]) -> dict[str, int]:
    """The class of each key: its name where names are digits, else 1 for the first and so on."""
    if all(re.fullmatch(r"\d", name, re.ASCII) for name in classes):
        return {name: c for c, name in enumerate(classes)}
    return {str((c + 1) % 10): c for c in range(min(10, len(classes)))}


def hint(classes: tuple[str, ...]) -> str:
    """Which key does what."""
    keys = keys_of(classes)
    if set(keys) == set(classes):
        digits = f"**{min(keys)}** … **{max(keys)}**"
        return f"Hover a point and press its digit ({digits}), **Delete** for none; or click it."
    said = [f"**{key}** = {classes[c]}" for key, c in keys.items()]
    some = ", ".join(said) if len(said) <= NAMED else f"{said[0]} … {said[-1]}"
    return f"Hover a point and press {some}, **Delete** for none; or click it."


def added(drawn: np.ndarray, labels: Labels, n_classes: int) -> tuple[np.ndarray, Labels]:
    """Labels with those given by hand, and which of these count.

    Those of no point or no class do not, nor do those that would take a class its last label.
    """
    used = {p: c for p, c in labels.items() if p < len(drawn) and c < n_classes}
    while True:
        y = drawn.copy()
        y[list(used)] = list(used.values())
        lost = set(np.setdiff1d(drawn, y).tolist()) - {UNLABELLED}
        if not lost:
            return y, used
        used = {p: c for p, c in used.items() if drawn[p] not in lost}


def changed(ground: LabelContext, point: int, label: int) -> tuple[Labels, str]:
    """The labels by hand once a point has this one, and why it may not have it."""
    y, used = ground.y, ground.used
    before = y[point]
    if label == before:
        return used, ""
    if before != UNLABELLED and (y == before).sum() == 1:
        only = f"Point {point} has the only label of {ground.classes[before]}"
        return used, f"{only}: every class keeps one. Label another point first."
    others = {p: c for p, c in used.items() if p != point}
    if label == ground.drawn[point]:  # as the draw has it: nothing to note
        return others, ""
    if len(others) == MOST:
        return used, f"{MOST} labels by hand are the most."
    return others | {point: label}, ""


def apply_manual_labels(
    dataset: Dataset, options: dict[str, Any], drawn: np.ndarray
) -> tuple[np.ndarray, Labels]:
    """The labels drawn with those given by hand, which the URL now says as well."""
    name = f"{dataset.name} {options}"
    held, said = st.session_state.get(HELD), st.query_params.get(URL, "")
    ctx = get_script_run_ctx()  # by the browser's Back and Forward one comes to a label less, more
    if held is None or (said and ctx is not None and ctx.is_history_navigation):
        held = st.session_state[HELD] = (held or {}) | {name: read(said)}
    labels = held.get(name, {})
    y, used = added(drawn, labels, dataset.n_classes)
    ground = LabelContext(name, dataset.classes, drawn, used)
    st.session_state.update({GROUND: ground, NEWS: False})
    page_state.set_url_value(URL, written(labels))
    return y, used


def show_label_controls(classes: tuple[str, ...], used: Labels, clicked: int | None) -> None:
    """How to label points, the label of the clicked one to choose, and a way back."""
    with st.container(gap="xsmall"):  # one element whether or not there are labels
        st.caption(hint(classes))
        if clicked is not None:
            _chosen(classes, clicked)
        if used:
            row = st.container(horizontal=True, vertical_alignment="center")
            count = "1 label" if len(used) == 1 else f"{len(used)} labels"
            row.markdown(f":small[{count} by hand]", width="content")
            word = ":material/undo: Forget them"
            row.button(word, "open.forget", None, set_manual_labels, ({},), type="tertiary")


def _chosen(classes: tuple[str, ...], point: int) -> None:
    """The label of a point, to choose where there are no keys, or fewer than classes."""
    label = int(st.session_state[GROUND].y[point])
    key = f"open.label.{point}.{label}"  # a key over the point is another label, and widget

    def take() -> None:
        labelled(point, st.session_state[key])
        st.session_state[key] = label  # the widget of this label, should it be refused

    st.selectbox(
        f"Label of point {point}",
        range(UNLABELLED, len(classes)),
        label + 1,
        key=key,
        format_func=lambda c: "none" if c == UNLABELLED else classes[c],
        on_change=take,
    )


def pressed(point: int, key: str) -> None:
    """A key over a point; for handlers of events, which run before the script does."""
    if (ground := st.session_state.get(GROUND)) is None or point >= len(ground.drawn):
        return
    label = ({"Delete": UNLABELLED} | keys_of(ground.classes)).get(key, ground.y[point])
    labelled(point, int(label))


def labelled(point: int, label: int) -> None:
    """Give a point this label by hand, or say why it may not have it."""
    ground = st.session_state[GROUND]
    labels, refusal = changed(ground, point, label)
    if refusal:
        st.toast(refusal, icon=":material/front_hand:")
    elif labels != ground.used:
        set_manual_labels(labels)


def add_manual_labels(labels: Labels) -> None:
    """These labels beside those by hand so far, as many as there is room for."""
    ground = st.session_state[GROUND]
    new = {p: c for p, c in labels.items() if ground.drawn[p] != c}
    room = MOST - len(ground.used)
    set_manual_labels(ground.used | dict(list(new.items())[:room]))


def set_manual_labels(labels: Labels) -> None:
    """From now on these are the labels by hand."""
    ground = st.session_state[GROUND]
    st.session_state[HELD][ground.name] = labels
    st.session_state.update({GROUND: ground._replace(used=labels), NEWS: True})
