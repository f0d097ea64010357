"""Labels set by hand: hover a point and press a digit, or click it and choose a class.

They replace labels of the random draw, belong to a data set with its options, and are kept in the
session and in the URL, in the order in which they were given: `hand=57.1_12.0_80.-`. Many are kept
on the server, under a key that the URL holds (saved_labels.py). Every class keeps at least one
label: pages rely on it. Data without known classes have hand-given labels only, and these may all
be taken back.
"""

import re
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from sslviz.data import Dataset
from sslviz.labels import UNLABELLED
from sslviz.ui.safe_text import escape_markup
from sslviz.ui.state import page_state, saved_labels
from sslviz.ui.state.slots import LABEL_CONTEXT, LABELS_CHANGED, MANUAL_LABELS

LABELS_IN_URL = 200  # more are kept on the server, under a key
MAX_MANUAL_LABELS = 20_000
CLASSES_NAMED = 4  # up to so many the sidebar names the key of each

Labels = dict[int, int]  # point -> class, or -1 for none


class LabelContext(NamedTuple):
    """What the labels by hand of this run belong to."""

    name: str  # of the data set and its options
    classes: tuple[str, ...]
    drawn: np.ndarray  # (n,) labels of the random draw, without those set by hand
    used: Labels  # those set by hand that count

    @property
    def y(self) -> np.ndarray:
        """(n,) all labels."""
        return with_manual_labels(self.drawn, self.used, len(self.classes))[0]


def parse_labels(text: str) -> Labels:
    """Labels from the text in the URL; what cannot be read is left out."""
    if saved_labels.KEY.fullmatch(text):
        text = saved_labels.find(text) or ""
    parts = text.split("_")[:MAX_MANUAL_LABELS]
    found = (re.fullmatch(r"(\d{1,9})\.(\d{1,4}|-)", part, re.ASCII) for part in parts)
    return {int(m[1]): UNLABELLED if m[2] == "-" else int(m[2]) for m in found if m}


def format_labels(labels: Labels) -> str:
    """Labels as a text for the URL, in characters it need not escape; many as a key."""
    text = "_".join(f"{p}.{'-' if c == UNLABELLED else c}" for p, c in labels.items())
    return text if len(labels) <= LABELS_IN_URL else saved_labels.keep(text)


def class_keys(classes: tuple[str, ...]) -> dict[str, int]:
    """The class of each key: the digit that is its name, else 1 for the first class and so on."""
    if all(re.fullmatch(r"\d", name, re.ASCII) for name in classes):
        return {name: c for c, name in enumerate(classes)}
    return {str((c + 1) % 10): c for c in range(min(10, len(classes)))}


def key_hint(classes: tuple[str, ...]) -> str:
    """A sentence about which key sets which label."""
    keys = class_keys(classes)
    if set(keys) == set(classes):
        digits = f"**{min(keys)}** … **{max(keys)}**"
        return f"Hover a point and press its digit ({digits}), **Delete** for none; or click it."
    names = [f"**{key}** = {escape_markup(classes[c])}" for key, c in keys.items()]
    choice = ", ".join(names) if len(names) <= CLASSES_NAMED else f"{names[0]} … {names[-1]}"
    return f"Hover a point and press {choice}, **Delete** for none; or click it."


def with_manual_labels(
    drawn: np.ndarray, labels: Labels, n_classes: int
) -> tuple[np.ndarray, Labels]:
    """(n,) the drawn labels, replaced by those set by hand, and which of these count.

    Labels of a point or class that does not exist do not count, nor do those that would leave a
    class without any label.
    """
    used = {p: c for p, c in labels.items() if p < len(drawn) and c < n_classes}
    while True:
        y = drawn.copy()
        y[list(used)] = list(used.values())
        lost = set(np.setdiff1d(drawn, y).tolist()) - {UNLABELLED}
        if not lost:
            return y, used
        used = {p: c for p, c in used.items() if drawn[p] not in lost}


def relabel(context: LabelContext, point: int, label: int) -> tuple[Labels, str]:
    """The labels by hand after one change, and if the change is refused, a sentence why."""
    y, used = context.y, context.used
    before = y[point]
    if label == before:
        return used, ""
    drawn = (context.drawn == before).any()  # else all its labels are by hand and may go
    if before != UNLABELLED and drawn and (y == before).sum() == 1:
        only = f"Point {point} has the only label of {escape_markup(context.classes[before])}"
        return used, f"{only}: every class keeps one. Label another point first."
    others = {p: c for p, c in used.items() if p != point}
    if label == context.drawn[point]:  # the label of the draw: nothing to note
        return others, ""
    if len(others) == MAX_MANUAL_LABELS:
        return used, f"No more than {MAX_MANUAL_LABELS} labels by hand are possible."
    return others | {point: label}, ""


def apply_manual_labels(
    dataset: Dataset, options: dict[str, Any], drawn: np.ndarray
) -> tuple[np.ndarray, Labels]:
    """The drawn labels, replaced by those set by hand, and the latter; both also in the URL."""
    name = f"{dataset.name} {options}"
    text = st.query_params.get(MANUAL_LABELS.in_url, "")
    if not MANUAL_LABELS.is_set() or page_state.is_undone(text):
        MANUAL_LABELS.get()[name] = parse_labels(text)
    labels = MANUAL_LABELS.get().get(name, {})
    y, used = with_manual_labels(drawn, labels, dataset.n_classes)
    LABEL_CONTEXT.set(LabelContext(name, dataset.classes, drawn, used))
    LABELS_CHANGED.set(False)
    page_state.set_url_value(MANUAL_LABELS.in_url, format_labels(labels))
    return y, used


def show_hint(classes: tuple[str, ...], used: Labels) -> None:
    """How to label points, and a button to undo all."""
    with st.container(gap="xsmall"):  # one element whether or not there are labels
        st.caption(key_hint(classes))
        if used:
            row = st.container(horizontal=True, vertical_alignment="center")
            count = "1 label" if len(used) == 1 else f"{len(used)} labels"
            row.markdown(f":small[{count} by hand]", width="content")
            title = ":material/undo: Forget them"
            row.button(title, "open.forget", None, set_manual_labels, ({},), type="tertiary")


def choose_label(classes: tuple[str, ...], point: int) -> None:
    """A choice of the point's label, for devices without keys and for more classes than digits."""
    label = int(LABEL_CONTEXT.get().y[point])
    key = f"open.label.{point}.{label}"  # with another label it is another widget

    def take() -> None:
        label_point(point, page_state.widget_value(key))
        page_state.reset_widget(key, label)  # shown again if the change was refused

    st.selectbox(
        f"Label of point {point}",
        range(UNLABELLED, len(classes)),
        label + 1,
        key=key,
        format_func=lambda c: "none" if c == UNLABELLED else classes[c],
        on_change=take,
    )


def label_by_key(point: int, key: str) -> None:
    """Label a point by a key pressed over it; for event handlers, which run before the script."""
    context: LabelContext | None = LABEL_CONTEXT.get()
    if context is None or point >= len(context.drawn):
        return
    label = ({"Delete": UNLABELLED} | class_keys(context.classes)).get(key, context.y[point])
    label_point(point, int(label))


def label_point(point: int, label: int) -> None:
    """Set the label of a point by hand, or show why it is refused."""
    context: LabelContext = LABEL_CONTEXT.get()
    labels, refusal = relabel(context, point, label)
    if refusal:
        st.toast(refusal, icon=":material/front_hand:")
    elif labels != context.used:
        set_manual_labels(labels)


def label_points(labels: Labels, n_classes: int = 0) -> str:
    """Set the labels of several points by hand; if a class would lose its last one, why not.

    `n_classes` counts new classes, too, where labels bring some.
    """
    context: LabelContext = LABEL_CONTEXT.get()
    if context is None:
        return ""
    new = {p: c for p, c in labels.items() if p < len(context.drawn)}
    before = {p: c for p, c in context.used.items() if p not in new}  # the newest come last
    wanted = {p: c for p, c in (before | new).items() if c != context.drawn[p]}
    if len(wanted) > MAX_MANUAL_LABELS:
        return f"No more than {MAX_MANUAL_LABELS:,} labels by hand are possible."
    count = max(n_classes, len(context.classes))
    _, used = with_manual_labels(context.drawn, wanted, count)
    set_manual_labels(used)
    if used != wanted:
        return "Some labels stay as they were: every class keeps one. Label another point first."
    return ""


def add_manual_labels(labels: Labels) -> None:
    """Add labels to those set by hand, up to the limit."""
    context: LabelContext = LABEL_CONTEXT.get()
    new = {p: c for p, c in labels.items() if context.drawn[p] != c}
    room = MAX_MANUAL_LABELS - len(context.used)
    set_manual_labels(context.used | dict(list(new.items())[:room]))


def set_manual_labels(labels: Labels) -> None:
    """Replace all labels by hand of the data on the page."""
    context: LabelContext = LABEL_CONTEXT.get()
    MANUAL_LABELS.get()[context.name] = labels
    LABEL_CONTEXT.set(context._replace(used=labels))
    LABELS_CHANGED.set(True)
