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
_COPIES = ", each of them one of the points, and the objective falls to 0"
SHARE_LEARNT = 2 / 3  # atoms of the labelled points: few enough to be shared by several
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
    exact = _fits_exactly(r)
    if n_atoms is not None and r.n_atoms < n_atoms:
        yield (
            f"{n_atoms} atoms are asked for, but {r.title} can start from {r.n_atoms} points only: "
            f"it learns {r.n_atoms} atoms{_COPIES if exact else ''}. Give more labels, or ask for "
            "fewer atoms."
        )
    elif exact:
        yield f"{r.title} has as many atoms as labelled points{_COPIES}. Ask for fewer atoms."
    if isinstance(r.model, StopsEarly) and r.model.stopped_because_:
        yield f"{r.title} has stopped before its last round: {r.model.stopped_because_}."
    elif text := verdict(r):
        yield text


def better_count(r: DictionaryResult) -> int:
    """A number of atoms with which a method learns that now copies its points; 0 elsewhere."""
    classes = len(r.classes)
    return int(SHARE_LEARNT * r.n_atoms) // classes * classes if _fits_exactly(r) else 0


def verdict(r: DictionaryResult) -> str:
    """A sentence where a method with unlabelled points loses to one without; "" elsewhere."""
    if r.learning or type(r.model).labelled_only or not r.held_out.any():
        return ""
    if not len(r.model.objective_):  # stopped before its first round
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
    """Whether the objective of labelled points alone has fallen to rounding."""
    objective = np.asarray(r.model.objective_)
    if not type(r.model).labelled_only or len(objective) < 2:
        return False
    return bool(abs(objective[-1]) < EXACT * abs(objective[0]))
