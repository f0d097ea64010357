"""Numbers and views of the page "Neighbour graph"."""

from typing import Any

import numpy as np

from sslviz.figures.charts.basic import degree_histogram, length_histogram
from sslviz.ui.graph.result import GraphResult
from sslviz.ui.views import Number, View

NUMBERS = (
    Number("Edges", lambda r: len(r.edges[1]), "Links between points.", "{:,}"),
    Number("Separate parts", lambda r: r.components,
           "Connected components of the graph (*islands*): no path leads from one to another.",
           "{:,}"),
    Number("No label in reach", lambda r: r.unreached,
           "Points in parts of the graph without a label."),
    Number("Largest in-degree", lambda r: r.degree.max(),
           "How many points have the greatest hub among their nearest neighbours.", "{}"),
    Number("Nobody's neighbour", lambda r: (r.degree == 0).mean(),
           "Points that are not among the nearest neighbours of any other."),
)  # fmt: skip


def edge_table(r: GraphResult) -> dict[str, Any]:
    others, lengths, weights = r.neighbours
    names = r.problem.true_names()
    return {
        "neighbour": others,
        "class": [names[i] for i in others],
        "distance": np.round(lengths, 4),
        "weight": np.round(weights, 4),
    }


NEGLIGIBLE = 0.01  # of the largest possible weight


def length_caption(r: GraphResult) -> str:
    light = float((r.edges[1] < NEGLIGIBLE).mean()) if len(r.lengths) else 0.0
    return (
        "The curve is the weight of an edge of that length; σ makes it narrower or wider. **Look "
        f"for** edges right of it: **{light:.0%}** weigh less than {NEGLIGIBLE} and hardly count. "
        "In many dimensions all edges are about as long, and σ decides little."
    )


VIEWS = (
    View("graph_lengths", "Length and weight of the edges",
         lambda r: length_histogram(r.lengths, r.sigma), length_caption),
)  # fmt: skip
POINT_VIEWS = (
    View("graph_point", lambda r: f"Edges of point {r.point}", lambda r: None,
         lambda r: f"weight = exp(−distance²/σ²) with σ = {r.sigma:.4g}."
         + ("" if r.problem.point is not None
            else " This is the greatest hub; click another point to see its edges."),
         table=edge_table),
    View("graph_degrees", "In-degree", lambda r: degree_histogram(r.degree, r.k),
         "Every point has k neighbours, but not every point is the neighbour of k others: those in "
         "the tail on the right are **hubs**. In high dimension the tail grows; try a set of "
         "images."),
)  # fmt: skip

EFFECTS = (
    "- **k small**: the graph falls into separate parts; labels cannot reach all of them.\n"
    "- **k large**: edges cross the gap between classes; labels spread to the wrong class.\n"
    "- **σ small**: only the shortest edges count. **σ large**: all edges count the same.\n"
    "- **directed**: an edge leads only from a point to its own nearest neighbours, as in the "
    "thesis. Outliers have neighbours, but are rarely a neighbour of others."
)
