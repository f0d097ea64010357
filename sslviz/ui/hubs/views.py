"""Numbers and views of the page "Hubs"."""

from typing import Any

import numpy as np

from sslviz.figures.charts.basic import share_by_tenth
from sslviz.ui.hubs.result import HubResult
from sslviz.ui.propagation import vote_view
from sslviz.ui.views import Number, View

NUMBERS = (
    Number("Robust label prediction", HubResult.accuracy,
           "Accuracy on the hidden labels; undetermined points count as wrong. With h and k₂ as "
           "set here; the page “Label propagation” chooses both by cross-validation unless set.",
           course=HubResult.accuracy_course),
    Number("Label propagation", lambda r: r.propagation,
           lambda r: f"The plain method on the undirected graph of the same {r.k} neighbours."),
    Number("Without hubs", lambda r: r.no_hubs,
           "Geodesic kNN: a vote by the given labels alone (h = 0)."),
    Number("Outliers among the hubs",
           lambda r: f"{(r.is_hub & r.problem.outliers).sum()} of {r.problem.outliers.sum()}",
           lambda r: f"{r.is_hub[r.hidden].mean():.0%} of all hidden points are hubs. Fewer "
           "outliers than that: good.",
           when=lambda r: r.problem.outliers.any()),
    Number("Hubs no label reaches", lambda r: f"{r.unreached_hubs:,}",
           "Hubs without a label in their part of the hub graph: they do not vote, and are "
           "predicted like other points.",
           when=lambda r: r.unreached_hubs > 0),
)  # fmt: skip

LISTED_ROWS = 200  # at most, in the table


def listed_table(r: HubResult) -> dict[str, Any] | None:
    """The points that have the selected one among their nearest neighbours, nearest first."""
    others, lengths = (a[:LISTED_ROWS] for a in r.listed_by)
    if not len(others):
        return None
    names = r.problem.true_names()
    return {
        "point": others,
        "class": [names[i] for i in others],
        "distance": np.round(lengths, 4),
    }


def listed_caption(r: HubResult) -> str:
    """Why the selected point is a hub, or is none."""
    count, own = len(r.listed_by[0]), r.true_names[r.point]
    same = sum(r.true_names[i] == own for i in r.listed_by[0])
    rank = np.flatnonzero(r.model.hubs_ == r.point)
    place = f"hub no. {rank[0] + 1} of {len(r.model.hubs_)}" if len(rank) else "not a hub"
    return (
        f"Point {r.point} is among the {r.k} nearest neighbours of {count} other point"
        f"{'' if count == 1 else 's'} ({r.k} on average), {same} of them of its class: it is "
        f"{place}. **Click** another point to see who lists it."
    )


POINT_VIEWS = (
    View("hubs_votes", lambda r: f"Votes for point {r.point}", vote_view.vote_bars,
         lambda r: vote_view.vote_caption(r)
         + ("" if r.problem.point is not None else " Click another point to see its votes."),
         height=200, table=vote_view.vote_table),
)  # fmt: skip
VIEWS = (
    View("hubs_density", "Are hubs where the data are dense?",
         lambda r: share_by_tenth(r.density[r.hidden], r.is_hub[r.hidden],
                                  "tenths of the points, sparse → dense"),
         lambda r: "Rising bars: hubs lie where the data are dense. Flat or falling bars: being "
         "the neighbour of many says little about density, as in sets of images. Dotted: equal "
         f"shares. Density is {r.density_text}.",
         height=260),
    View("hubs_listed", lambda r: f"Who lists point {r.point}?", lambda r: None, listed_caption,
         table=listed_table),
)  # fmt: skip
