"""The view that explains a method best: it stands beside the atoms, all others further down."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from sslviz.abilities import SelfRepresentation
from sslviz.figures.maps.image_grid import NO_TILE, image_wall
from sslviz.ui.dictionary.ability_views import ABILITY_VIEWS
from sslviz.ui.dictionary.atom_panel import show_atom
from sslviz.ui.dictionary.point_lists import CLICK_POINT, STRIP_HEIGHT
from sslviz.ui.dictionary.point_panel import (
    CLASS_VIEWS,
    NEIGHBOURS_SHOWN,
    SUM_OF_NEIGHBOURS,
    show_point,
)
from sslviz.ui.dictionary.result import DictionaryResult
from sslviz.ui.dictionary.views import CODE_VIEWS
from sslviz.ui.views import View, show_view

MAIN_HEIGHT = 330  # pixels, at most: with its caption it is as high as the atoms beside it


def mixture_images(r: DictionaryResult) -> go.Figure:
    """The selected point, the sum of other points that it is written as, and these points."""
    points, weights = (part[:NEIGHBOURS_SHOWN] for part in r.neighbours)
    whole = r.neighbours[1] @ r.X[r.neighbours[0]]
    texts = [f"{w:+.2f}" for w in weights]
    return image_wall(
        [np.vstack([r.X[r.point], whole, r.X[points]])],
        r.image_shape or (1, 1),
        [np.concatenate([[NO_TILE] * 2, r.truth[points]]).astype(int)],
        len(r.classes),
        [""],
        columns=7,
        ids=[None, None, *points.tolist()],
        facts=["the point", "the weighted sum of the other points"]
        + [f"{w} × point {i} · true class {r.true_names[i]}"
           for i, w in zip(points, texts, strict=True)],
        titles=["point", "sum", *texts],
        together=2,
    )  # fmt: skip


def mixture_caption(r: DictionaryResult) -> str:
    points, weights = r.neighbours
    known = (r.truth[points] >= 0) & (r.truth[r.point] >= 0)
    size = float(np.abs(weights[known]).sum())
    own = float(np.abs(weights[known & (r.truth[points] == r.truth[r.point])]).sum())
    share = f" **{own / size:.0%}** of the weight is on points of its class." if size else ""
    return (
        f"V writes the point as a weighted sum of {len(points)} other points, and its code should "
        f"be the same sum of their codes: so labels reach unlabelled points.{share} **Click** one "
        "of them, or a point of the map below, to see its own sum."
    )


MIXTURE_VIEW = View(
    SUM_OF_NEIGHBOURS, lambda r: f"Point {r.point} as a sum of others", mixture_images,
    mixture_caption, height=STRIP_HEIGHT, options=CLICK_POINT, tiles=True,
    when=lambda r: isinstance(r.model, SelfRepresentation) and r.image_shape is not None
    and len(r.neighbours[0]) > 0,
)  # fmt: skip
# A method has several of these; the earlier one says more about it.
ORDER = ("fading", "joins", "errors", "pixels", "mixture", "groups", "ideal", "classes",
         "residuals", "margins")  # fmt: skip
CANDIDATES = {
    view.key.removeprefix("dictionary_"): view
    for view in (*ABILITY_VIEWS, *CLASS_VIEWS, *CODE_VIEWS, MIXTURE_VIEW)
}


def main_view(r: DictionaryResult) -> View | None:
    """The view beside the atoms; None where the atoms and their frames explain the method.

    An atom that was clicked takes this place, unless the view is about the atom itself. What the
    classes make of a point that was clicked stands beside the map.
    """
    found = next((CANDIDATES[name] for name in ORDER if CANDIDATES[name].when(r)), None)
    elsewhere = found in CLASS_VIEWS and r.problem.point is not None
    covered = r.clicked_atom is not None and found is not CANDIDATES["pixels"]
    return None if elsewhere or covered else found


def show_main_view(r: DictionaryResult) -> None:
    """The explaining view; the atom that was clicked, or the one used most if there is no view."""
    view = main_view(r)
    if view is None or r.clicked_atom is not None:
        show_atom(r)
    if view is not None:
        fitting = min(view.height, MAIN_HEIGHT) if view.height > 1 else view.height
        film = None if view.tiles else "dictionary"
        show_view(replace(view, height=fitting), r, film=film)


def show_selected_point(r: DictionaryResult) -> None:
    """The selected point, without what stands beside the atoms."""
    show_point(r, but=main_view(r))
