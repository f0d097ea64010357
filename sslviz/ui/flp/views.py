"""Around the moving map of FLP: its numbers, its frames, what to look for."""

from typing import Any

import numpy as np
import streamlit as st

from sslviz.figures.animated.projection import FEW, ProjectionFrame
from sslviz.ui.messages import show_metrics
from sslviz.ui.problem import Problem
from sslviz.ui.result import percent

LINES = 80  # voices drawn of a clicked point

DRAWN = "The two or three widest directions of the map; H does not mind how a map is turned."
MODES = {
    "recipe": "**Recipe**: A starts from PCA and its size is held; labels and projection take "
    "turns, a few steps each, labels first. This is what works.",
    "printed": "**As printed**: A starts at random, moves first, each half runs to its end, and "
    "nothing holds the size of A. A lesson: see what H is worth then.",
    "fixed": "**Fixed A**: the map stays at PCA and only labels move. What the recipe finds beyond "
    "this is what learning the features is worth.",
}
PLAYED = {
    "recipe": "labels colour the points, then the map turns, and so on",
    "printed": "the map turns, then labels colour the points, and so on",
    "fixed": "labels colour the points, and the map stays",
}
MOVED = {"": "start", "labels": "labels", "projection": "map"}  # short: a phone has little room


def show_worth(found: dict[str, tuple[float, str]], film: Any, hidden: np.ndarray) -> None:
    """Accuracies with their meanings, then H and who is heard."""
    H = film.harmony
    numbers = [(name, percent(share), meaning) for name, (share, meaning) in found.items()]
    numbers += [
        (
            "Not heard",
            percent(1 - film.heard(hidden)[-1]),
            "Hidden points that no labelled point hears: their voice is below a hundredth of the "
            "fair share. Their labels change nothing in H, so H says nothing about them.",
        ),
        (
            "H",
            f"{H[0]:.2g} → {H[-1]:.2g}",
            "What the labelled points hear against what they know, at the start and at the end; "
            "0 is perfect harmony.",
        ),
    ]
    show_metrics(numbers)


def show_collapse(film: Any, found: np.ndarray, heard: np.ndarray, chance: float) -> None:
    """What became of the method as printed, in its own numbers."""
    fell = f"H fell to **{film.harmony[-1] / max(film.harmony[0], 1e-300):.0e}** of its start"
    if heard[-1] < 0.5 and found[-1] < chance + 0.5 * (1 - chance):
        st.warning(
            f"Perfect harmony, worthless labels: {fell}, and **{1 - heard[-1]:.0%}** of the hidden "
            "points are heard by nobody. They keep the label they were born with: "
            f"**{found[-1]:.0%}** are right where guessing has {chance:.0%}.",
            icon=":material/volume_off:",
        )
    else:
        st.info(
            f"{fell}, and {heard[-1]:.0%} of the hidden points are still heard: with so few "
            "features the map cannot run away from them all. On *wine* it does.",
            icon=":material/volume_up:",
        )


def show_all_given(mode: str) -> None:
    """What is left of the method where no label is hidden."""
    moves = (
        "and the map stays at PCA: nothing moves."
        if mode == "fixed"
        else "so only the projection moves. FLP is then a supervised method, a relative of "
        "neighbourhood components."
    )
    st.info(f"Every label is given, {moves}", icon=":material/school:")


def stills(
    film: Any, dimensions: int, truth: np.ndarray, hidden: np.ndarray, mistakes: bool,
    point: int | None,
) -> list[ProjectionFrame]:  # fmt: skip
    """The frames of the film, with what is drawn on them."""
    return [
        ProjectionFrame(
            f"{t} · {MOVED[film.halves[t]]}",
            places[:, :dimensions],
            F,
            film.voices[t],
            float(reach) if film.Z.shape[2] <= 2 else None,  # of more, the plane shows a shadow
            (film.answers[t] != truth) & hidden & (film.answers[t] >= 0) if mistakes else None,
            film.hears(i, point, LINES) if point is not None else None,
        )
        for i, (t, places, reach, F) in enumerate(
            zip(film.kept, film.places, film.reach, film.F, strict=True)
        )
    ]


def view_of(problem: Problem, mode: str, dimensions: int, space: bool) -> str:
    """A name for what is drawn and its units: zoom is kept while it stays the same."""
    scaled = problem.setting.options.get("standardise")
    return f"{problem.dataset.name}:{scaled}:{mode == 'printed'}:{dimensions}:{space}"


def facts_of(film: Any, problem: Problem) -> list[str]:
    """What the label under the cursor says of every point, at the end."""
    names, F = problem.dataset.classes, film.F[-1]
    rows = zip(
        problem.dataset.y, film.answers[-1], F.max(axis=1), film.voices[-1], problem.y, strict=True
    )
    return [
        f"point {i} · truly {names[t]}{' · given' if g >= 0 else ''}<br>at the end: "
        + ("" if g >= 0 else f"says {names[a] if a >= 0 else 'nothing'} ({s:.0%}) · ")
        + f"voice {v:.2g}"
        for i, (t, a, s, v, g) in enumerate(rows)
    ]


def show_map(p: int, mode: str, hidden: np.ndarray) -> None:
    """What to look for in the main picture."""
    said = []
    if hidden.any() or mode != "fixed":  # else nothing moves
        played = PLAYED[mode] if hidden.any() else "the map turns"
        said.append(
            f"**Press play**: {played}. Only this map goes back in time: numbers, bars and "
            "sentences are those of the end of the film."
        )
    if p == 1:
        said.append("One row per true class: counts above the line, points below it.")
    elif p > 2:
        said.append(f"Of {p} dimensions the widest are drawn.")
    if hidden.any():
        said.append(
            "A point's size is its voice, how much the labelled points hear of it: **look for** "
            "points that shrink away."
        )
    if p <= 2 and (~hidden).sum() <= FEW:
        reach = "sides" if p == 1 else "rings"
        said.append(f"Pale {reach} around given labels: how far the kernel reaches.")
        if mode == "printed":
            said.append(f"Maps are drawn at one size: as A grows, the {reach} shrink.")
    st.caption(" ".join([*said, "Click a point to see whom it hears."]))


def show_dimensions(asked: Any, found: int) -> None:
    """A word where fewer dimensions are there than were asked for."""
    if isinstance(asked, int) and found < asked:
        st.info(f"{asked} dimensions are asked for, but these data span only {found}.")
