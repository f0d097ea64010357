"""What a fitted method says about every point, measured against the truth and put into words."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

import sslviz
from sslviz.params import params_of
from sslviz.ui.problem import Problem

# Of a method that stands beside another.
PLAIN = "With its usual settings, whatever it is set to on its own page."


class Answer(NamedTuple):
    """One method's opinions."""

    title: str
    labels: np.ndarray  # (n,) class index, -1 undetermined
    F: np.ndarray  # (n, C)
    right: np.ndarray  # (n,) bool
    share: np.ndarray  # (n,) of the winning class

    def accuracy(self, among: np.ndarray) -> float:
        """Share of right answers among the points of a mask; nan if there are none."""
        return float(self.right[among].mean()) if among.any() else np.nan


def answer_of(model: Any, problem: Problem, title: str = "") -> Answer:
    """The answer of a fitted classifier, in class indices of the data set."""
    labels, F = np.asarray(model.transduction_), np.asarray(model.label_distributions_)
    share = F.max(axis=1) / np.maximum(F.sum(axis=1), np.finfo(float).tiny)
    return Answer(title or type(model).title, labels, F, labels == problem.dataset.y, share)


def percent(share: float, without: str = "all given") -> str:
    """A share of the hidden points, in words where there are none."""
    return without if np.isnan(share) else f"{share:.1%}"


def hover_texts(answer: Answer, problem: Problem) -> list[str]:
    """What the label under the cursor says of every point."""
    names = problem.dataset.classes
    rows = zip(problem.dataset.y, answer.labels, answer.share, strict=True)
    return [
        f"point {i} · truly {names[t]}<br>says {names[a] if a >= 0 else 'nothing'} ({s:.0%})"
        for i, (t, a, s) in enumerate(rows)
    ]


def show_comparison(answers: Sequence[Answer], problem: Problem) -> None:
    """A small table of two or more methods on the same problem."""
    hidden, outliers = problem.y < 0, problem.outliers
    table: dict[str, list[str]] = {"method": [a.title for a in answers]}
    table["accuracy"] = [percent(a.accuracy(hidden)) for a in answers]
    if outliers.any():
        table["on outliers"] = [percent(a.accuracy(hidden & outliers), "–") for a in answers]
        table["without outliers"] = [percent(a.accuracy(hidden & ~outliers)) for a in answers]
    table["undetermined"] = [f"{(a.labels < 0).mean():.1%}" for a in answers]
    apart = (answers[0].labels != answers[-1].labels) & hidden
    both_wrong = hidden & ~answers[0].right & ~answers[-1].right
    st.dataframe(table, hide_index=True, width="content")
    st.markdown(
        f"They differ on **{apart.sum():,}** of {hidden.sum():,} hidden points; of these the first "
        f"gets {(apart & answers[0].right).sum():,} right and the second "
        f"{(apart & answers[-1].right).sum():,}. Both are wrong on {both_wrong.sum():,}."
    )


def titles_of(models: Sequence[Any]) -> list[str]:
    """The titles of one or two methods; two of the same kind are told apart by their settings."""
    titles = [type(m).title for m in models]
    if len(models) < 2 or titles[0] != titles[1]:
        return titles
    settings = [m.get_params(deep=False) for m in models]
    apart = [p for p in params_of(type(models[0])) if settings[0][p.name] != settings[1][p.name]]
    if not apart:
        return [f"{titles[0]}, left", f"{titles[0]}, right"]
    words = [p.spec.symbol or p.title for p in apart]
    return [
        f"{title}, " + ", ".join(f"{w} = {s[p.name]}" for w, p in zip(words, apart, strict=True))
        for title, s in zip(titles, settings, strict=True)
    ]


def argmax_rows(F: np.ndarray) -> np.ndarray:
    """F with the largest entry of each row alone; rows without any stay zero."""
    return (F == F.max(axis=1, keepdims=True)) * (F > 0)


def why_undetermined(labels: np.ndarray, y: np.ndarray, island: np.ndarray, model: Any) -> str:
    """Why points have no answer: their island has no label, or what the method makes of it.

    `island` (n,) numbers the islands of the undirected graph.
    """
    silent = labels < 0
    alone = silent & ~np.isin(island, island[y >= 0])
    said = []
    if alone.any():
        count = len(np.unique(island[alone]))
        where = "an island" if count == 1 else f"{count} islands"
        said.append(
            f"{_points(alone)} on {where} without a label: no chain of edges leads to one. Raise "
            "k, or draw other labels."
        )
    if (silent & ~alone).any():
        said.append(
            f"{_points(silent & ~alone)} linked to labelled ones and undetermined all the same: "
            f"{_why_unreached(model)}."
        )
    return " ".join(said)


def _why_unreached(model: Any) -> str:
    """What leaves points without an answer on an island with a label."""
    if isinstance(model, sslviz.MinCut):
        return "a cheapest cut can leave them on either side, or no class claims them"
    if getattr(model, "graph", "undirected") == "directed":
        return "edges are directed, and no way along them leads from these points to a label"
    if isinstance(model, sslviz.RobustLabelPrediction):
        return "no label reaches the hubs that they ask. Raise the links of a hub"
    return "the weights on the way to a label are too small to count. Raise σ"


def _points(mask: np.ndarray) -> str:
    count = int(mask.sum())
    return "**1 point** is" if count == 1 else f"**{count:,} points** are"
