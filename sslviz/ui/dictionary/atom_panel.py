"""What a click on an atom shows beside the wall: its classes, its users, its pixel graph."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from scipy import sparse

from sslviz.abilities import FeatureGraph
from sslviz.figures.charts.codes import signed_bars
from sslviz.figures.maps.pixel_graph import pixel_graph
from sslviz.figures.theme import class_colours, css_of
from sslviz.recordings.dictionary_measures import roughness
from sslviz.ui.dictionary.point_lists import (
    CLICK_POINT,
    STRIP_HEIGHT,
    Points,
    point_images,
    show_table,
)
from sslviz.ui.dictionary.result import DictionaryResult
from sslviz.ui.views import View, show_view

USERS_SHOWN = 12
BARS_HEIGHT = 180
GRAPH_HEIGHT = 260
EDGES_SHOWN = 1500  # the heaviest


def heaviest_users(r: DictionaryResult) -> Points:
    """The points that use the selected atom most, and their weights."""
    points = r.model.atom_users(r.atom, USERS_SHOWN)
    return points, r.model.codes_[points, r.atom]


def class_weights(r: DictionaryResult) -> go.Figure:
    """How strongly the atom indicates each class."""
    colours = [css_of(c) for c in class_colours(len(r.classes))]
    return signed_bars(r.model.atom_weights()[:, r.atom], list(r.classes), "weight", colours)


def atom_caption(r: DictionaryResult) -> str:
    points, _ = heaviest_users(r)
    if not len(points):
        return "No point uses this atom: there are more atoms than needed, or codes are too sparse."
    same = np.bincount(r.truth[points], minlength=len(r.classes)).max()
    return (
        f"How strongly the atom indicates each class. {r.users.sum()} of {len(r.y)} points use it; "
        f"of the {len(points)} shown, which use it most, {same} are of one class. **Look for** "
        "atoms that one class uses, and atoms that all classes use."
    )


def _heaviest_edges(weights: Any) -> tuple[np.ndarray, np.ndarray]:
    """(e, 2) pairs of features and their weights, each pair once."""
    upper = sparse.triu(sparse.csr_array(weights), k=1).tocoo()
    heaviest = np.argsort(-upper.data, kind="stable")[:EDGES_SHOWN]
    return np.column_stack([upper.row, upper.col])[heaviest], upper.data[heaviest]


def atom_with_graph(r: DictionaryResult) -> go.Figure:
    """The selected atom with the graph of the pixels over it."""
    atom = r.model.components_[r.atom]
    return pixel_graph(atom, r.image_shape or (1, 1), *_heaviest_edges(r.model.feature_graph_))


def feature_graph_caption(r: DictionaryResult) -> str:
    graph = sparse.csr_array(r.model.feature_graph_)
    first, last = (roughness(np.asarray(D, float), graph) for D in r.recording.D[[0, -1]])
    return (
        "Lines join pixels that should have similar values in an atom. Difference between joined "
        f"pixels, tr(DLDᵀ)/‖D‖²: **{first:.2f}** at the start, **{last:.2f}** now. A larger α "
        "smooths the atoms like a blur."
    )


ATOM_VIEWS = (
    View("dictionary_votes", lambda r: f"Atom {r.atom}", class_weights, height=BARS_HEIGHT),
    View("dictionary_users", "", lambda r: point_images(r, heaviest_users(r), 6), atom_caption,
         height=STRIP_HEIGHT, options=CLICK_POINT, tiles=True),
    View("dictionary_pixels", "Pixel graph", atom_with_graph, feature_graph_caption,
         when=lambda r: isinstance(r.model, FeatureGraph) and r.image_shape is not None,
         height=GRAPH_HEIGHT, tiles=True),
)  # fmt: skip


def show_atom(r: DictionaryResult) -> None:
    """The selected atom: its class weights and the points that use it most."""
    for view in ATOM_VIEWS:
        if view.shown(r):
            show_view(view, r)
    show_table(r, heaviest_users(r))
