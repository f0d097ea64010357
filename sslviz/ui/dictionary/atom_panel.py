"""What a click on an atom shows beside the wall: its classes and its users."""

import numpy as np
import plotly.graph_objects as go

from sslviz.figures.charts.codes import signed_bars
from sslviz.figures.theme import class_colours, css_of
from sslviz.ui.dictionary.point_lists import (
    CLICK_POINT,
    STRIP_HEIGHT,
    Points,
    point_images,
    show_point_table,
)
from sslviz.ui.dictionary.result import DictionaryResult
from sslviz.ui.views import View, show_view

USERS_SHOWN = 12
BARS_HEIGHT = 180


def heaviest_users(r: DictionaryResult) -> Points:
    """The points that use the selected atom most, and their weights."""
    points = r.model.atom_users(r.atom, USERS_SHOWN)
    return points, r.codes[points, r.atom]


def class_weights(r: DictionaryResult) -> go.Figure:
    """How strongly the atom indicates each class."""
    colours = [css_of(c) for c in class_colours(len(r.classes))]
    return signed_bars(r.model.atom_weights()[:, r.atom], list(r.classes), "weight", colours)


def atom_caption(r: DictionaryResult) -> str:
    points, _ = heaviest_users(r)
    if not len(points):
        return "No point uses this atom: there are more atoms than needed, or codes are too sparse."
    truth = r.truth[points]
    same = np.bincount(truth[truth >= 0], minlength=len(r.classes)).max()
    return (
        f"How strongly the atom indicates each class. {r.users.sum()} of {len(r.y)} points use it; "
        f"of the {len(points)} shown, which use it most, {same} are of one class. **Look for** "
        "atoms that one class uses, and atoms that all classes use."
    )


ATOM_VIEWS = (
    View("dictionary_votes", lambda r: f"Atom {r.atom}", class_weights, height=BARS_HEIGHT),
    View("dictionary_users", "", lambda r: point_images(r, heaviest_users(r), 6), atom_caption,
         height=STRIP_HEIGHT, options=CLICK_POINT, tiles=True),
)  # fmt: skip


def show_atom(r: DictionaryResult) -> None:
    """The selected atom: its class weights and the points that use it most."""
    for view in ATOM_VIEWS:
        if view.shown(r):
            show_view(view, r)
    show_point_table(r, heaviest_users(r))
