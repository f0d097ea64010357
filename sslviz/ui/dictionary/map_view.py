"""The pictures of the page "Dictionaries": all atoms, and the map of the points."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from sslviz.abilities import ClassAtoms, Joins
from sslviz.figures.animated.atoms import arrow_map, profile_wall
from sslviz.figures.frames import set_frames
from sslviz.figures.maps.image_grid import image_wall, tile_grid
from sslviz.figures.maps.joined_points import add_joined, joined_frames
from sslviz.figures.maps.points import add_links, class_map, class_map_frames
from sslviz.figures.theme import DIFFERENCE, scatter
from sslviz.recordings.dictionary_measures import dominant_classes, relative_weights
from sslviz.ui.dictionary.result import DictionaryResult
from sslviz.ui.labels.group import grey_others, selected_group
from sslviz.ui.labels.map_marks import mark_options
from sslviz.ui.state.clicks import ATOM, on_click_remember
from sslviz.ui.views import View

PICTURE_HEIGHT = 0.52  # of the window
WIDTH_TO_HEIGHT = 1.2  # of a grid of atoms
FRAMES_BESIDE = 8  # of the pictures beside the atoms
STILL = 0.05  # of its length: an atom that moves by less looks the same


def moment_names(moments: np.ndarray) -> list[str]:
    return ["start" if i == 0 else f"round {i}" for i in moments]


def atom_facts(r: DictionaryResult) -> list[str]:
    """The text under the cursor for each atom."""
    W, facts = r.model.atom_weights(), []
    for j, count in enumerate((r.codes != 0).sum(axis=0)):
        up, down = W[:, j].argmax(), W[:, j].argmin()
        weights = f"for {r.classes[up]} {W[up, j]:+.2f}"
        if W[down, j] < 0:
            weights += f", against {r.classes[down]} {W[down, j]:+.2f}"
        facts.append(f"atom {j} · used by {count} points<br>{weights if count else 'not used'}")
    return facts


def wall_columns(r: DictionaryResult, shape: tuple[float, float]) -> int:
    """Columns of the wall; where atoms stand in blocks of classes, rows hold whole blocks."""
    count = r.n_atoms
    columns = tile_grid(count, shape, WIDTH_TO_HEIGHT).columns
    if not r.in_blocks:
        return columns
    size = count // len(r.classes)
    whole = np.arange(size, count + 1, size)
    rows = -(-count // whole)
    wide = whole * shape[1] / (rows * shape[0])
    return int(whole[np.abs(np.log(wide / WIDTH_TO_HEIGHT)).argmin()])


def atom_grid(r: DictionaryResult) -> go.Figure:
    """Atoms as images, as arrows over a plane or space, or as profiles; a frame per moment."""
    film, n_classes = r.recording, len(r.classes)
    D, classes = list(film.D), [dominant_classes(W) for W in film.W]
    classes[-1] = r.atom_classes
    names, shape = moment_names(film.moments), r.image_shape
    more: dict[str, Any] = {
        "facts": atom_facts(r),
        "clicked": None if r.beside else r.atom,
        "uirevision": f"{r.problem.dataset.name}:{len(D[0])}",
    }
    if shape is not None:
        columns, bars = wall_columns(r, shape), None
        if isinstance(r.model, ClassAtoms):
            bars = [relative_weights(W) for W in film.W]
        return image_wall(D, shape, classes, n_classes, names, columns=columns, bars=bars, **more)
    if r.X.shape[1] in (2, 3):
        return arrow_map(D, r.scaled, film.P[-1], classes, names, **more)
    columns = wall_columns(r, (1, 1.6))
    return profile_wall(D, classes, n_classes, names, columns=columns, **more)


def atom_grid_caption(r: DictionaryResult) -> str:
    """How atoms are drawn and what to look for."""
    drawn = "Each tile is an atom: **blue** = positive, **red** = negative, white = 0"
    if r.image_shape is None:
        drawn = "Each tile is an atom: one bar per feature, up = positive, down = negative"
        if r.X.shape[1] in (2, 3):
            drawn = "Each arrow is an atom: a direction that points are written in"
    meaning, bar = "the class it counts for most in the classifier", ""
    if isinstance(r.model, ClassAtoms):
        meaning = "the class it belongs to"
        if r.image_shape is not None:
            bar = "; the bar below it is the size of its weight for the class"
    rows = " Atoms of a class stand together." if r.in_blocks else ""
    play = (
        "**Play**: at the start atoms are points; they turn into parts that several points share."
    )
    if not r.learning and len(r.recording.moments) > 1:
        moved = np.linalg.norm(r.recording.D[-1] - r.recording.D[0], axis=1)
        if moved.max() < STILL:
            play = "The atoms are points, and stay as they are."
    return (
        f"{drawn}. The colour around it is {meaning}, grey for none{bar}.{rows} {play} **Click an "
        "atom** to see which points use it."
    )


def prediction_map(r: DictionaryResult) -> go.Figure:
    """All points in the colours of their class probabilities, round by round, and the graph
    neighbours of the selected one."""
    fig = class_map(
        r.places,
        r.F,
        r.y,
        r.classes,
        facts=r.hover,
        wrong=~r.right & r.held_out if r.look.mistakes else None,
        uirevision=r.problem.view,
    )
    film, dimensions = r.recording, r.places.shape[1]
    kept = film.some(FRAMES_BESIDE)
    names = moment_names(film.moments[kept])
    set_frames(fig, class_map_frames(list(film.P[kept]), names, len(r.classes), dimensions))
    if isinstance(r.model, Joins):
        joined, wrong = film.joined >= 0, (film.joined != r.truth) & (r.truth >= 0)
        add_joined(fig, r.places, joined[-1], wrong[-1])
        joined_frames(fig, r.places, joined[kept], wrong[kept])
    _add_in_links(fig, r.places, r.point, r.in_links[0])
    neighbours, weights = r.neighbours
    add_links(fig, r.places, r.point, neighbours, np.abs(weights))
    grey_others(fig, selected_group(r.problem))
    return fig.update_layout(showlegend=False)


def map_caption(r: DictionaryResult) -> str:
    """What the colours and lines mean."""
    graph = ""
    if len(r.neighbours[0]):
        graph = " Red lines lead to its neighbours in the graph of the method"
        graph += (
            "." if r.weights is None else ", violet lines to those that have it as a neighbour."
        )
    joins = ""
    if isinstance(r.model, Joins):
        joined = r.recording.joined[-1] >= 0
        wrong = int((joined & r.held_out & (r.recording.joined[-1] != r.truth)).sum())
        joins = (
            f" **{joined.sum()}** of {r.hidden.sum()} unlabelled points were sure enough to join "
            f"the labelled (crosses); **{wrong}** of them with a wrong class (rings)."
        )
    return (
        "Colour = class probabilities P; mixed colours mean that the method is unsure. **Click a "
        f"point** to see its code beside the map.{graph}{joins}"
    )


def _add_in_links(fig: go.Figure, places: np.ndarray, point: int, others: np.ndarray) -> None:
    """Thin lines from a point to those that have it as a neighbour."""
    if not len(others):
        return
    lines = np.full((len(others), 3, places.shape[1]), np.nan)
    lines[:, 0], lines[:, 1] = places[point], places[others]
    line = {"color": DIFFERENCE, "width": 1.5}
    at = lines.reshape(-1, places.shape[1])
    fig.add_trace(scatter(at, mode="lines", line=line, name="in-links", hoverinfo="skip"))


def grid_options(r: DictionaryResult) -> dict[str, Any]:
    """How the grid of atoms is shown."""
    alt = f"{r.n_atoms} atoms of {r.problem.dataset.name}; accuracy {r.shown_accuracy}"
    click = {} if r.beside else {"on_event": on_click_remember(ATOM)}
    return {"tools": True, "alt": alt, "moments": r.recording.moments, **click}


def map_options(r: DictionaryResult) -> dict[str, Any]:
    """How the map is shown."""
    return {
        "tools": True,
        "thumbnails": r.problem.thumbnails,
        "alt": f"{r.problem.dataset.name}, coloured by class probabilities",
        "moments": r.recording.moments[r.recording.some(FRAMES_BESIDE)],
        "on_event": on_click_remember(),
        **mark_options(r.problem),
    }


PICTURES = (
    View("dictionary_wall", "", atom_grid, atom_grid_caption, height=PICTURE_HEIGHT,
         options=grid_options, tiles=True),
    View("dictionary_map", "", prediction_map, map_caption, height=PICTURE_HEIGHT,
         options=map_options),
)  # fmt: skip
