"""What a click on a point shows beside the map: its code, its classes, its neighbours."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from sslviz.abilities import ClassReconstructions
from sslviz.figures.charts.codes import code_bars, profile_pair, signed_bars
from sslviz.figures.maps.image_grid import NO_TILE, image_wall
from sslviz.figures.theme import class_colours, css_of
from sslviz.ui.dictionary.point_lists import (
    CLICK_POINT,
    STRIP_HEIGHT,
    Points,
    point_images,
    show_point_table,
)
from sslviz.ui.dictionary.result import DictionaryResult
from sslviz.ui.state.clicks import ATOM, on_click_remember
from sslviz.ui.views import View, show_view

ATOMS_SHOWN = 12  # of a code, as images
BARS_SHOWN = 24  # of a code, as bars
CLASSES_SHOWN = 14  # partial reconstructions, as images
NEIGHBOURS_SHOWN = 12
BARS_HEIGHT = 180
SUM_OF_NEIGHBOURS = "dictionary_mixture"  # a view that shows the neighbours, too


def heaviest_neighbours(r: DictionaryResult) -> Points:
    """The points that the selected one depends on."""
    points, weights = r.neighbours
    return points[:NEIGHBOURS_SHOWN], weights[:NEIGHBOURS_SHOWN]


def neighbour_images(r: DictionaryResult) -> go.Figure | None:
    """The heaviest neighbours; in half the width where in-links stand beside them."""
    return point_images(r, heaviest_neighbours(r), 8 if r.weights is None else 4)


def heaviest_in_links(r: DictionaryResult) -> Points:
    """The points that have the selected one as a neighbour."""
    points, weights = r.in_links
    return points[:NEIGHBOURS_SHOWN], weights[:NEIGHBOURS_SHOWN]


def code_images(r: DictionaryResult) -> go.Figure:
    """The point, its reconstruction, what is left, and its heaviest atoms."""
    found, x = r.explanation, r.scaled[r.point]
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


def point_caption(r: DictionaryResult) -> str:
    found, P = r.explanation, r.recording.P[-1][r.point]
    label = (
        "its label is given"
        if r.y[r.point] >= 0
        else f"predicted {r.classes[r.labels[r.point]]} ({P.max():.0%})"
    )
    used = int((found.code != 0).sum())
    if not used:
        return f"True class {r.true_names[r.point]}, {label}. Its code is empty: no atom is used."
    drawn = min(ATOMS_SHOWN if r.image_shape else BARS_SHOWN, used)
    size = float(np.square(r.scaled[r.point]).sum()) or 1.0
    return (
        f"True class {r.true_names[r.point]}, {label}. Its code uses **{used}** of "
        f"{len(found.code)} atoms; the {drawn} with the largest weights are drawn. The squared "
        f"error of the sum is **{found.error / size:.1%}** of the point. **Look for** many small "
        "weights after a few large ones: sparser codes lack them."
    )


def _class_parts(r: DictionaryResult) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Partial reconstructions, residuals as shares of the point, and classes by residual."""
    parts, residuals = r.model.class_reconstructions(r.point)
    size = float(np.square(r.scaled[r.point]).sum()) or 1.0
    return parts, residuals / size, np.argsort(residuals, kind="stable")


def class_images(r: DictionaryResult) -> go.Figure:
    """The point, and what the atoms of each class make of it; a frame around its own class."""
    parts, residuals, order = _class_parts(r)
    shown = np.sort(order[:CLASSES_SHOWN])
    return image_wall(
        [np.vstack([r.scaled[r.point], parts[shown]])],
        r.image_shape or (1, 1),
        [np.concatenate([[NO_TILE], shown]).astype(int)],
        len(r.classes),
        [""],
        columns=8,
        ids=[-1, *shown.tolist()],
        facts=["the point"] + [f"atoms of {r.classes[c]}: {residuals[c]:.1%} left" for c in shown],
        titles=["point", *(f"{residuals[c]:.0%}" for c in shown)],
        together=len(shown) + 1,
        clicked=int(r.truth[r.point]) if r.truth[r.point] >= 0 else None,
    )


def class_residuals(r: DictionaryResult) -> go.Figure:
    """What the atoms of each class leave of the point, as bars."""
    colours = [css_of(c) for c in class_colours(len(r.classes))]
    return signed_bars(_class_parts(r)[1], list(r.classes), "residual", colours)


def class_caption(r: DictionaryResult) -> str:
    _, residuals, order = _class_parts(r)
    own, best = int(r.truth[r.point]), int(order[0])
    second = int(order[1])
    drawn = "The frame marks the true class. " if r.image_shape and own >= 0 else ""
    verdict = (
        f"Its own class leaves least, {residuals[own]:.1%} of the squared point; the next, "
        f"{r.classes[second]}, {residuals[second]:.1%}."
        if best == own
        else f"**{r.classes[best]}** leaves least, {residuals[best]:.1%} of the squared point."
        if own < 0
        else f"**{r.classes[best]}** leaves least, {residuals[best]:.1%} of the squared point, its "
        f"own class {residuals[own]:.1%}: a mistake."
    )
    measured = ", plus the distance of the code to the mean code of the class"
    extra = measured if getattr(r.model, "mean_weight", 0) else ""
    return (
        "The code cut into classes: what the atoms of each class alone make of the point, and the "
        f"share they leave{extra}. {drawn}{verdict} **Look for** one class that resembles the "
        "point and nearly empty others."
    )


def _images(r: DictionaryResult) -> bool:
    return r.image_shape is not None


def _by_class(r: DictionaryResult) -> bool:
    return isinstance(r.model, ClassReconstructions)


CLICK_ATOM = {"on_event": on_click_remember(ATOM)}
POINT_CODE_VIEWS = (
    View("dictionary_recipe", lambda r: f"Code of point {r.point}", code_images, point_caption,
         when=_images, height=STRIP_HEIGHT, options=CLICK_ATOM, tiles=True),
    View("dictionary_code", lambda r: f"Code of point {r.point}",
         lambda r: code_bars(r.explanation.code), when=lambda r: not _images(r),
         height=BARS_HEIGHT, options=CLICK_ATOM),
    View("dictionary_made", "",
         lambda r: profile_pair(r.scaled[r.point], r.explanation.reconstruction),
         point_caption, when=lambda r: not _images(r), height=BARS_HEIGHT),
)  # fmt: skip
CLASS_VIEWS = (
    View("dictionary_classes", "Class by class", class_images, class_caption,
         when=lambda r: _by_class(r) and _images(r), height=STRIP_HEIGHT, tiles=True),
    View("dictionary_residuals", "Class by class", class_residuals, class_caption,
         when=lambda r: _by_class(r) and not _images(r), height=BARS_HEIGHT),
)  # fmt: skip
POINT_VIEWS = (*POINT_CODE_VIEWS, *CLASS_VIEWS)
NEIGHBOUR_VIEWS = (
    View("dictionary_neighbours", "", neighbour_images,
         height=STRIP_HEIGHT, options=CLICK_POINT, tiles=True),
    View("dictionary_inlinks", "", lambda r: point_images(r, heaviest_in_links(r), 4),
         height=STRIP_HEIGHT, options=CLICK_POINT, tiles=True),
)  # fmt: skip


def neighbours_caption(r: DictionaryResult) -> str:
    """What a link means."""
    text = r.model.link_meaning if r.weights is None else r.model.graph_meaning()
    longest = max(len(r.in_links[0]), len(r.neighbours[0]))
    return text + (f" The {NEIGHBOURS_SHOWN} heaviest are shown." * (longest > NEIGHBOURS_SHOWN))


def show_point(r: DictionaryResult, but: View | None = None) -> None:
    """The selected point: its code, its classes and its neighbours; `but` is shown elsewhere."""
    for view in POINT_VIEWS:
        if view.shown(r) and view is not but:
            show_view(view, r)
    if but is not None and but.key == SUM_OF_NEIGHBOURS:
        return
    count, others = len(r.neighbours[0]), len(r.in_links[0])
    if r.weights is None and not count:
        st.caption("No graph: every point is coded on its own.")
        return
    lists = [(f"{count} graph neighbours", heaviest_neighbours(r))]
    if r.weights is not None:
        lists.append((f"Neighbour of {others} points", heaviest_in_links(r)))
    columns = st.columns(len(lists))
    for column, (title, chosen), view in zip(columns, lists, NEIGHBOUR_VIEWS, strict=False):
        with column:
            st.markdown(f"**{title}**")
            show_view(view, r)
            show_point_table(r, chosen)
    st.caption(neighbours_caption(r))
