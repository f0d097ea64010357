"""What a click shows beside the pictures: an atom with its users, a point with its code."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from sslviz.figures.charts.codes import code_bars, profile_pair, signed_bars
from sslviz.figures.maps.image_grid import NO_TILE, image_wall
from sslviz.figures.theme import class_colours, css_of
from sslviz.ui.dictionary.result import DictionaryResult
from sslviz.ui.safe_text import plain_text
from sslviz.ui.state.clicks import ATOM, on_click_remember
from sslviz.ui.views import View, show_view

USERS_SHOWN = 12
ATOMS_SHOWN = 12  # of a code, as images
BARS_SHOWN = 24  # of a code, as bars
NEIGHBOURS_SHOWN = 12
STRIP_HEIGHT = 200  # pixels: at most the height of a few images
BARS_HEIGHT = 180
TABLE_HEIGHT = 220

Points = tuple[np.ndarray, np.ndarray]  # some points and a weight of each


def heaviest_users(r: DictionaryResult) -> Points:
    """The points that use the selected atom most, and their weights."""
    points = r.model.atom_users(r.atom, USERS_SHOWN)
    return points, r.model.codes_[points, r.atom]


def heaviest_neighbours(r: DictionaryResult) -> Points:
    """The graph neighbours of the selected point."""
    found = r.explanation
    return found.neighbours[:NEIGHBOURS_SHOWN], found.weights[:NEIGHBOURS_SHOWN]


def heaviest_in_links(r: DictionaryResult) -> Points:
    """The points that have the selected one as a neighbour."""
    points, weights = r.in_links
    return points[:NEIGHBOURS_SHOWN], weights[:NEIGHBOURS_SHOWN]


def point_images(r: DictionaryResult, chosen: Points, across: int) -> go.Figure | None:
    """Points as images, each with its weight; None where there are no images or no points."""
    points, weights = chosen
    if r.image_shape is None or not len(points):
        return None
    texts = [f"{w:+.2f}" for w in weights]
    return image_wall(
        [r.problem.dataset.X[points]],
        r.image_shape,
        [r.truth[points]],
        len(r.classes),
        [""],
        columns=across,
        ids=points.tolist(),
        facts=[
            f"point {i} · true class {r.true_names[i]} · weight {w}"
            for i, w in zip(points, texts, strict=True)
        ],
        titles=texts,
    )


def point_table(r: DictionaryResult, chosen: Points) -> Mapping[str, Any] | None:
    """Points as rows of a table, where they are no images."""
    points, weights = chosen
    if r.image_shape is not None or not len(points):
        return None
    classes = [plain_text(r.true_names[i]) for i in points]
    return {"point": points, "class": classes, "weight": [f"{w:+.2f}" for w in weights]}


def code_images(r: DictionaryResult) -> go.Figure:
    """The point, its reconstruction, what is left, and its heaviest atoms."""
    found, x = r.explanation, r.X[r.point]
    heaviest = np.argsort(-np.abs(found.code), kind="stable")[:ATOMS_SHOWN]
    heaviest = heaviest[found.code[heaviest] != 0]
    weights = found.code[heaviest]
    parts = [x, found.reconstruction, x - found.reconstruction]
    return image_wall(
        [np.vstack([*parts, r.recording.D[-1][heaviest]])],
        r.image_shape or (1, 1),
        [np.concatenate([[NO_TILE] * 3, r.atom_classes[heaviest]]).astype(int)],
        len(r.classes),
        [""],
        columns=8,
        ids=[None] * 3 + [int(j) for j in heaviest],
        facts=["the point", "its reconstruction from the atoms", "the difference"]
        + [f"{a:+.3f} × atom {j}" for j, a in zip(heaviest, weights, strict=True)],
        titles=["point", "sum", "rest", *(f"{a:+.2f}" for a in weights)],
        together=3,
    )


def atom_caption(r: DictionaryResult) -> str:
    points, _ = heaviest_users(r)
    if not len(points):
        return "No point uses this atom: there are more atoms than needed, or λ is too large."
    truth = r.truth[points]
    same = np.bincount(truth[truth >= 0], minlength=len(r.classes)).max()
    return (
        f"Weight of the atom in the classifier of each class. {r.users.sum()} of {len(r.y)} points "
        f"use it; of the {len(points)} shown, which use it most, {same} are of one class. **Look "
        "for** atoms that one class uses, and atoms that all classes use."
    )


def point_caption(r: DictionaryResult) -> str:
    found, P = r.explanation, r.recording.P[-1][r.point]
    label = (
        "its label is given"
        if r.y[r.point] >= 0
        else f"predicted {r.classes[P.argmax()]} ({P.max():.0%})"
    )
    used = int((found.code != 0).sum())
    drawn = min(ATOMS_SHOWN if r.image_shape else BARS_SHOWN, used)
    size = float(np.square(r.X[r.point]).sum()) or 1.0
    return (
        f"True class {r.true_names[r.point]}, {label}. Its code uses **{used}** of "
        f"{len(found.code)} atoms; the {drawn} with the largest weights are drawn. The squared "
        f"error of the sum is **{found.error / size:.1%}** of the point. **Look for** many small "
        "weights after a few large ones: a larger λ removes them."
    )


def neighbours_caption(r: DictionaryResult) -> str:
    if r.model.beta == 0:
        text = "β is 0: the graph has no influence on the codes."
    elif r.model.laplacian == "lle":
        text = (
            "LLE weights: the point is written as a weighted sum of its neighbours (the weights "
            "add up to 1), and its code should be the same sum of their codes. Points that many "
            "others refer to are hubs: their code, right or wrong, is copied by many."
        )
    else:
        text = (
            "The heavier the edge, the more alike the two codes should be. Edges have no "
            "direction, so both lists are the same."
        )
    longest = max(len(r.in_links[0]), len(r.explanation.neighbours))
    return text + (f" The {NEIGHBOURS_SHOWN} heaviest are shown." * (longest > NEIGHBOURS_SHOWN))


def _class_weights(r: DictionaryResult) -> go.Figure:
    colours = [css_of(c) for c in class_colours(len(r.classes))]
    return signed_bars(r.model.coef_[:, r.atom], list(r.classes), "weight", colours)


def _images(r: DictionaryResult) -> bool:
    return r.image_shape is not None


CLICK_POINT = {"on_event": on_click_remember()}
CLICK_ATOM = {"on_event": on_click_remember(ATOM)}
ATOM_VIEWS = (
    View("dictionary_votes", lambda r: f"Atom {r.atom}", _class_weights, height=BARS_HEIGHT),
    View("dictionary_users", "", lambda r: point_images(r, heaviest_users(r), 6), atom_caption,
         height=STRIP_HEIGHT, options=CLICK_POINT, tiles=True),
)  # fmt: skip
POINT_VIEWS = (
    View("dictionary_recipe", lambda r: f"Code of point {r.point}", code_images, point_caption,
         when=_images, height=STRIP_HEIGHT, options=CLICK_ATOM, tiles=True),
    View("dictionary_code", lambda r: f"Code of point {r.point}",
         lambda r: code_bars(r.explanation.code), when=lambda r: not _images(r),
         height=BARS_HEIGHT, options=CLICK_ATOM),
    View("dictionary_made", "", lambda r: profile_pair(r.X[r.point], r.explanation.reconstruction),
         point_caption, when=lambda r: not _images(r), height=BARS_HEIGHT),
)  # fmt: skip
NEIGHBOUR_VIEWS = (
    View("dictionary_neighbours", "", lambda r: point_images(r, heaviest_neighbours(r), 4),
         height=STRIP_HEIGHT, options=CLICK_POINT, tiles=True),
    View("dictionary_inlinks", "", lambda r: point_images(r, heaviest_in_links(r), 4),
         height=STRIP_HEIGHT, options=CLICK_POINT, tiles=True),
)  # fmt: skip


def show_atom(r: DictionaryResult) -> None:
    """The selected atom: its class weights and the points that use it most."""
    for view in ATOM_VIEWS:
        show_view(view, r)
    _show_table(r, heaviest_users(r))


def show_point(r: DictionaryResult) -> None:
    """The selected point: its code and its graph neighbours."""
    for view in POINT_VIEWS:
        if view.shown(r):
            show_view(view, r)
    if r.weights is None:
        st.info("No graph: every point is coded on its own.", icon=":material/info:")
        return
    count, others = len(r.explanation.neighbours), len(r.in_links[0])
    titles = (f"{count} graph neighbours", f"Neighbour of {others} points")
    lists = (heaviest_neighbours(r), heaviest_in_links(r))
    for column, title, view, chosen in zip(
        st.columns(2), titles, NEIGHBOUR_VIEWS, lists, strict=True
    ):
        with column:
            st.markdown(f"**{title}**")
            show_view(view, r)
            _show_table(r, chosen)
    st.caption(neighbours_caption(r))


def _show_table(r: DictionaryResult, chosen: Points) -> None:
    """A table whose cells break lines: names of classes are never cut off."""
    if (table := point_table(r, chosen)) is not None:
        height = min(36 * (len(chosen[0]) + 1), TABLE_HEIGHT)
        st.table(dict(table), hide_index=True, hide_header=False, height=height)
