"""Which labels are given: so many per class at random, all known ones, or an official split."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from sslviz import labels
from sslviz.data import Dataset

RANDOM = "at random"


class GivenLabels(NamedTuple):
    """Labels by class index, -1 where hidden, and the choices behind them."""

    y: np.ndarray
    per_class: int = 0  # 0 where none is drawn
    seed: int = 0
    split: tuple[str, int] | None = None


def choose_given_labels(dataset: Dataset) -> GivenLabels:
    """Controls for the labels that are given; none where no class is known."""
    if not dataset.known.any():
        return GivenLabels(np.full(dataset.n_samples, labels.UNLABELLED))
    counts = np.bincount(dataset.y[dataset.known], minlength=1)
    split = _choose_split(dataset)
    if split is not None:
        assert dataset.splits is not None
        rows = np.asarray(dataset.splits[split[0]])[split[1]]
        per_class = max(1, round(len(rows) / dataset.n_classes))
        return GivenLabels(labels.reveal(dataset.y, rows), per_class, 0, split)
    every = not dataset.known.all() and st.toggle(
        "Give all known labels",
        key="all_labels",
        bind="query-params",
        help="Every label of your file is given to the methods, so none is left to measure the "
        "accuracy.",
    )
    if every:
        per_class = int(counts.max())
        return GivenLabels(labels.hide(dataset.y, per_class=per_class, random_state=0), per_class)
    left, right = st.columns(2)
    per_class = left.slider(
        "Labels per class",
        1,
        50,
        3,
        key="labels",
        bind="query-params",
        help="How many points of each class have a given label; all other labels are hidden and "
        "predicted."
        + ("" if dataset.known.all() else " Accuracy is measured on the other known labels."),
    )
    seed = right.slider(
        "Label seed",
        0,
        99,
        0,
        key="seed",
        bind="query-params",
        help="Which points have a given label: each seed chooses others at random.",
    )
    y = labels.hide(dataset.y, per_class=per_class, random_state=seed)
    return GivenLabels(y, per_class, seed)


def _choose_split(dataset: Dataset) -> tuple[str, int] | None:
    """An official split of the data set, if it has some and one is chosen."""
    splits = {
        name: rows
        for name, rows in (dataset.splits or {}).items()
        if name.startswith("idxLabs") and np.ndim(rows) == 2
    }
    if not splits:
        return None
    names = sorted(splits, key=lambda name: np.shape(splits[name])[1])
    options = {f"official, {np.shape(splits[name])[1]} labels": name for name in names}
    picked = st.selectbox(
        "Given labels",
        [RANDOM, *options],
        key="split",
        bind="query-params",
        help="Labels chosen at random, or those of an official split of this data set.",
    )
    name = options.get(str(picked))
    if name is None:
        return None
    count = np.shape(splits[name])[0]
    if count == 1:
        return name, 0
    number = st.slider(
        "Split", 1, count, key="split_number", bind="query-params",
        help="Which of the official splits.",
    )  # fmt: skip
    return name, min(number, count) - 1


def known_text(dataset: Dataset, y: np.ndarray, *, hidden: bool = False) -> str:
    """How many classes are known and what accuracy is measured on; "" where all are known.

    With `hidden` the visitor has hidden the true classes.
    """
    known, n = int(dataset.known.sum()), dataset.n_samples
    if known == n:
        return ""
    given = int((y >= 0).sum())
    labels_given = f"{given:,} label{' is' if given == 1 else 's are'} given"
    if hidden:
        return f"The true classes are hidden, so there is no accuracy; {labels_given}."
    if not known:
        return f"No true class is known, so there is no accuracy; {labels_given}."
    held_out = int(((y < 0) & dataset.known).sum())
    if not given:
        return f"The class of {known:,} of {n:,} points is known; accuracy is measured on these."
    measured = (
        f"accuracy is measured on the other {held_out:,} known ones"
        if held_out
        else "none is left to measure the accuracy"
    )
    return f"The class of {known:,} of {n:,} points is known; {labels_given}, and {measured}."
