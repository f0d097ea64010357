"""What codes stand for, on the page "Clustering": centres of clusters, and the line between two."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from sslviz.figures.maps.code_space import decoded_plane
from sslviz.figures.maps.image_grid import NO_CLASS, image_wall
from sslviz.ui.clustering.result import ClusteringResult
from sslviz.ui.views import View, show_views

LINE_STEPS = 10
HEIGHT = 300


@dataclass(frozen=True)
class DecodedResult:
    """Two clusters, as colours, between whose centres codes are decoded."""

    clusters: ClusteringResult
    first: int
    last: int

    def component(self, colour: int) -> int:
        """The cluster that has a colour."""
        return int(np.flatnonzero(self.clusters.moment.order == colour)[0])

    @property
    def centres(self) -> np.ndarray:
        """(C, D) decoded centres in the order of the colours."""
        fitted, order = self.clusters.fitted, self.clusters.moment.order
        return fitted.decode(fitted.centres_[np.argsort(order)])

    @property
    def path(self) -> np.ndarray:
        """(steps, D) decoded codes on the line between two centres."""
        fitted = self.clusters.fitted
        a, b = (fitted.centres_[self.component(c)] for c in (self.first, self.last))
        share = np.linspace(0, 1, LINE_STEPS)[:, None]
        return fitted.decode((1 - share) * a + share * b)


def decoded_images(d: DecodedResult) -> go.Figure:
    """Above the centres of all clusters, below the line between two."""
    data, centres, path = d.clusters.problem.dataset, d.centres, d.path
    columns = max(LINE_STEPS, len(centres))
    rows = [np.vstack([m, np.zeros((columns - len(m), data.n_features))]) for m in (centres, path)]
    spare = [NO_CLASS] * columns
    rims = [*np.sort(d.clusters.moment.order), *spare][:columns]
    ends = [d.first, *[NO_CLASS] * (LINE_STEPS - 2), d.last, *spare][:columns]
    assert data.image_shape is not None
    return image_wall(
        [np.vstack(rows)],
        data.image_shape,
        [np.array([*rims, *ends])],
        data.n_classes,
        [""],
        columns=columns,
        facts=["a decoded code"] * (2 * columns),
        uirevision="decoded",
    )


def decoded_map(d: DecodedResult) -> go.Figure:
    r = d.clusters
    order = np.sort(r.moment.order)
    return decoded_plane(
        r.problem.points, d.centres, order, d.path, len(r.names), uirevision=r.problem.view
    )


VIEWS = (
    View("clustering_decoded", "", decoded_images,
         "Top: the decoded centre of every cluster, with a rim in its colour. Bottom: codes on the "
         "line between the two chosen centres. **Look for** a digit that turns into another, and "
         "for centres that show no clear digit: such a cluster holds several.",
         when=lambda d: d.clusters.problem.dataset.image_shape is not None, height=HEIGHT,
         tiles=True),
    View("clustering_decoded", "", decoded_map,
         "Crosses: decoded centres. Pink: codes on the straight line between the two chosen "
         "centres, decoded. **Look for** a line that bends along the data: where there are no "
         "data, the steps are long.",
         when=lambda d: d.clusters.problem.dataset.n_features == 2, height=HEIGHT,
         options={"tools": True}),
)  # fmt: skip


def show_decoded(r: ClusteringResult) -> None:
    """The section with its two choices; a fragment, so that they draw only this again."""
    if r.fitted is None or not any(view.when(DecodedResult(r, 0, 0)) for view in VIEWS):
        return
    st.header("Decoded codes", divider="gray")
    names = [r.names[c] for c in sorted(r.moment.order)]
    left, right = st.columns(2)
    first = left.selectbox(
        "From the centre of", names, key="clusters.decoded_from", bind="query-params"
    )
    last = right.selectbox(
        "to the centre of", names, min(1, len(names) - 1), key="clusters.decoded_to",
        bind="query-params",
    )  # fmt: skip
    chosen = [r.names.index(name) for name in (first, last)]
    show_views(VIEWS, DecodedResult(r, *chosen), columns=1)
