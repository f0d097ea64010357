"""Baselines of the page "Dictionaries", and plain sentences on what a result shows."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import sslviz
from sslviz.abilities import StopsEarly
from sslviz.nearest_label import one_nn
from sslviz.recordings.dictionary_measures import baseline_labels
from sslviz.ui.dictionary.result import DictionaryResult

LABELLED_BASELINES = ("SRC", "Metaface")  # dictionaries of labelled points alone, by class name
EXACT = 1e-6  # share of the first objective; what is left of it is rounding


def labelled_baselines() -> dict[str, str]:
    """Class names of the baselines that are dictionaries, by title."""
    return {m.title: m.__name__ for m in sslviz.METHODS if m.__name__ in LABELLED_BASELINES}


def baselines_of(X: np.ndarray, y: np.ndarray, memory: Any) -> dict[str, np.ndarray]:
    """Labels by simpler methods on the same points, by their titles."""
    spread = sslviz.LabelPropagation(memory=memory).fit(X, y)
    found = {"1-NN": memory.cache(one_nn)(X, y, X), "Label propagation": spread.transduction_}
    fit = memory.cache(baseline_labels)
    return found | {title: fit(name, X, y) for title, name in labelled_baselines().items()}


def remarks_of(r: DictionaryResult, n_atoms: int | None) -> Iterator[str]:
    """Sentences that are shown above the pictures; `n_atoms` are asked for."""
    if n_atoms is not None and r.n_atoms < n_atoms:
        yield (
            f"{n_atoms} atoms are asked for, but {r.title} can start from {r.n_atoms} points only: "
            f"it learns {r.n_atoms} atoms. Give more labels, or ask for fewer atoms."
        )
    if type(r.model).labelled_only and r.recording.terms and _fits_exactly(r):
        yield (
            f"{r.title} has as many atoms as labelled points: each atom is one of the points, and "
            f"the objective falls to 0. Ask for fewer than {r.n_atoms} atoms to see it learn."
        )
    if isinstance(r.model, StopsEarly) and r.model.stopped_because_:
        yield f"{r.title} has stopped before its last round: {r.model.stopped_because_}."
    elif text := verdict(r):
        yield text


def verdict(r: DictionaryResult) -> str:
    """A sentence where a method with unlabelled points loses to one without; "" elsewhere."""
    if r.learning or type(r.model).labelled_only or not r.held_out.any():
        return ""
    titles = [title for title in labelled_baselines() if title in r.baselines]
    scores = {title: r.accuracy_of(r.baselines[title]) for title in titles}
    ahead = {title: score for title, score in scores.items() if score > r.accuracy()}
    if not ahead:
        return ""
    names = " and ".join(f"{title} ({score:.1%})" for title, score in ahead.items())
    see, predict = ("sees", "predicts") if len(ahead) == 1 else ("see", "predict")
    best = max(ahead, key=ahead.__getitem__)
    return (
        f"{names} {see} no unlabelled point and {predict} more hidden labels correctly than "
        f"{r.title} ({r.accuracy():.1%}): here the unlabelled points do not help.{_chance(r, best)}"
    )


def _chance(r: DictionaryResult, title: str) -> str:
    """Whether the lead of a baseline is within two standard errors of the paired difference."""
    theirs = (r.baselines[title] == r.truth)[r.held_out]
    ours = r.right[r.held_out]
    apart, lead = int((ours != theirs).sum()), int(theirs.sum()) - int(ours.sum())
    if lead > 2 * np.sqrt(apart):
        return ""
    return f" A lead of {lead} of {len(ours)} points can be chance: try other seeds."


def _fits_exactly(r: DictionaryResult) -> bool:
    """Whether the objective of the labelled points has fallen to rounding."""
    objective = np.asarray(r.model.objective_)
    return len(objective) > 1 and bool(abs(objective[-1]) < EXACT * abs(objective[0]))
